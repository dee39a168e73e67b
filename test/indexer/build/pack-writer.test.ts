import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { nameFile, PackWriter } from "../../../indexer/build/pack-writer.ts";

const MEBIBYTE = 1024 * 1024;

function collect() {
  const files: { name: string; bytes: Uint8Array }[] = [];
  const packs = new PackWriter(async (name, bytes) => {
    files.push({ name, bytes });
  });
  return { files, packs };
}

describe("PackWriter", () => {
  it("says where bytes will lie, and puts them there", async () => {
    const { files, packs } = collect();
    const parts = [5, 0, 100, 3].map((length, value) => new Uint8Array(length).fill(value + 1));
    const places = [];
    for (const part of parts) places.push(await packs.add(part));
    const names = await packs.finish();
    expect(files.map(({ name }) => name)).toEqual(names.map((name) => `${name}.pack`));
    for (const [at, { pack, offset, length }] of places.entries()) {
      expect(files[pack]?.bytes.slice(offset, offset + length)).toEqual(parts[at]);
    }
  });

  it("closes a pack of four mebibytes and hands it on before the next begins", async () => {
    const { files, packs } = collect();
    for (let n = 0; n < 9; n++) {
      const { pack, offset } = await packs.add(new Uint8Array(MEBIBYTE).fill(n));
      expect([pack, offset]).toEqual([Math.floor(n / 4), (n % 4) * MEBIBYTE]);
      expect(files).toHaveLength(Math.floor((n + 1) / 4));
    }
    expect(await packs.finish()).toHaveLength(3);
  });

  it("keeps what is larger than a pack in one", async () => {
    const { files, packs } = collect();
    await packs.add(new Uint8Array(9 * MEBIBYTE));
    await packs.finish();
    expect(files.map(({ bytes }) => bytes.length)).toEqual([9 * MEBIBYTE]);
  });

  it("begins a new pack where it is told to, and writes no empty one", async () => {
    const { files, packs } = collect();
    await packs.close();
    await packs.add(Uint8Array.of(1));
    await packs.close();
    await packs.close();
    expect((await packs.add(Uint8Array.of(2))).pack).toBe(1);
    expect(await packs.finish()).toHaveLength(2);
    expect(await packs.finish()).toHaveLength(2);
    expect(files).toHaveLength(2);
  });
});

describe("nameFile", () => {
  it("is half the SHA-256 of the content and the kind", () => {
    const bytes = new TextEncoder().encode("content");
    const hash = createHash("sha256").update(bytes).digest("hex");
    expect(nameFile(bytes, "root")).toBe(`${hash.slice(0, 32)}.root`);
  });
});
