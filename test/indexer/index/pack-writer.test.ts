import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { deflateRaw, inflateRaw } from "../../../indexer/base/codec.ts";
import { holdsItsName, nameFile, PackWriter } from "../../../indexer/index/write-table.ts";
import { keyOf } from "../../../src/core/bytes/key.ts";
import { decodeChunk, encodeChunk, fileOfPack, keyAt, keyOfPack, mixKey } from "../../../src/core/format/chunk.ts";

const MEBIBYTE = 1024 * 1024;

function collect() {
  const files: { name: string; bytes: Uint8Array }[] = [];
  const packs = new PackWriter(async (name, bytes) => {
    files.push({ name, bytes });
  });
  return { files, packs };
}

describe("the name of a hashed file", () => {
  it("is held by its content alone, and all of it counts", () => {
    const bytes = Uint8Array.of(1, 2, 3);
    const name = nameFile(bytes, "manifest");
    expect(holdsItsName(name, bytes)).toBe(true);
    expect(holdsItsName(name, Uint8Array.of(1, 2))).toBe(false);
    for (const way of [`${name.slice(0, 32)}./../../package.json`, `${name.slice(0, 32)}.json`, name.slice(0, 32)]) {
      expect(holdsItsName(way, bytes)).toBe(false);
    }
  });
});

describe("PackWriter", () => {
  it("says where bytes will lie, and puts them there", async () => {
    const { files, packs } = collect();
    const parts = [5, 4, 100, 30].map((length, value) => new Uint8Array(length).fill(value + 1));
    const places = [];
    for (const part of parts) places.push(await packs.add(part));
    places.push(await packs.add(...parts));
    const listed = await packs.finish();
    expect(files.map(({ name }) => name)).toEqual(listed.map(fileOfPack));
    for (const [at, { pack, offset, length }] of places.entries()) {
      let start = offset;
      const wanted = (at < parts.length ? [parts[at] as Uint8Array] : parts).flatMap((part) => {
        const bytes = part.slice();
        mixKey(bytes, 0, keyAt(keyOfPack(listed[0] as string), start));
        start += part.length;
        return [...bytes];
      });
      expect([...(files[pack]?.bytes.slice(offset, offset + length) ?? [])]).toEqual(wanted);
    }
  });

  it("gives each pack a key, so that a chunk out of another pack is damage though it is whole", async () => {
    const root = keyOf("");
    const chunk = (value: number): Uint8Array =>
      encodeChunk("terms", root, [{ key: keyOf("a"), value: Uint8Array.of(value) }], deflateRaw);
    const write = async (...sealed: readonly Uint8Array[]) => {
      const { files, packs } = collect();
      const { offset, length } = await packs.add(...sealed.slice(0, 1));
      for (const more of sealed.slice(1)) await packs.add(more);
      const [listed = ""] = await packs.finish();
      return { bytes: files[0]?.bytes.slice(offset, offset + length) ?? new Uint8Array(), key: keyOfPack(listed) };
    };
    const one = await write(chunk(1), chunk(2));
    const other = await write(chunk(1), chunk(3));
    expect(other.key).not.toBe(one.key);
    const decode = (bytes: Uint8Array, key: number) => decodeChunk("terms", root, bytes, inflateRaw, keyAt(key, 0));
    expect((await decode(one.bytes, one.key)).keys).toEqual(["a"]);
    await expect(decode(other.bytes, one.key)).rejects.toMatchObject({ detail: { code: "checksum" } });
  });

  it("gives each place of a pack its key, so that a whole chunk in another place is damage", async () => {
    const root = keyOf("");
    const chunk = (value: number): Uint8Array =>
      encodeChunk("terms", root, [{ key: keyOf("a"), value: Uint8Array.of(value) }], deflateRaw);
    const { files, packs } = collect();
    const [one, other] = [await packs.add(chunk(1)), await packs.add(chunk(2))];
    const key = keyOfPack((await packs.finish())[0] as string);
    const decode = (from: { offset: number; length: number }, at: number) => {
      const bytes = files[0]?.bytes.slice(from.offset, from.offset + from.length) ?? new Uint8Array();
      return decodeChunk("terms", root, bytes, inflateRaw, keyAt(key, at));
    };
    expect((await decode(other, other.offset)).bytes).toEqual(Uint8Array.of(2));
    await expect(decode(other, one.offset)).rejects.toMatchObject({ detail: { code: "checksum" } });
    await expect(decode(one, other.offset)).rejects.toMatchObject({ detail: { code: "checksum" } });
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
    await packs.add(Uint8Array.of(1, 1, 1, 1));
    await packs.close();
    await packs.close();
    expect((await packs.add(Uint8Array.of(2, 2, 2, 2))).pack).toBe(1);
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
