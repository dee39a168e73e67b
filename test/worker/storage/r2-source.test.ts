import { env, exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { FormatError, StaleGenerationError, StorageError } from "../../../src/core/errors.ts";
import { createPatience } from "../../../src/surface/patience.ts";
import { createR2Source, type FileServer } from "../../../src/worker/storage/index-files.ts";

const FILE = `${"0a".repeat(16)}.pack`;
const BYTES = Uint8Array.from({ length: 100 }, (_, index) => index);
/** A runtime that starts takes longer than any storage. */
const patience = createPatience({ isUnbounded: () => true });
const source = createR2Source({ files: () => exports.IndexFiles, bucket: () => env.INDEX, patience });

function answering(response: () => Response): ReturnType<typeof createR2Source> {
  const files: FileServer = { fetch: async () => response() };
  return createR2Source({ files: () => files, bucket: () => env.INDEX, patience });
}

describe("the range source over R2", () => {
  beforeAll(async () => {
    await env.INDEX.put(FILE, BYTES);
  });

  it("reads the first byte, the last byte, some and all", async () => {
    expect(await source.readRange(FILE, 0, 1)).toEqual(BYTES.slice(0, 1));
    expect(await source.readRange(FILE, 99, 1)).toEqual(BYTES.slice(99));
    expect(await source.readRange(FILE, 40, 20)).toEqual(BYTES.slice(40, 60));
    expect(await source.readRange(FILE, 0, 100)).toEqual(BYTES);
    expect(await source.readRange(FILE, 50, 0)).toEqual(new Uint8Array());
  });

  it("gives no fewer bytes than asked for: past the end is a format error", async () => {
    for (const [offset, length] of [
      [99, 2],
      [100, 1],
      [5000, 10],
    ] as const) {
      const error = await source.readRange(FILE, offset, length).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(FormatError);
      expect((error as FormatError).detail).toMatchObject({ code: "truncated", need: length });
    }
  });

  it("calls a file that is gone stale", async () => {
    await expect(source.readRange(`${"0b".repeat(16)}.pack`, 0, 1)).rejects.toBeInstanceOf(StaleGenerationError);
  });

  it("takes its part out of a whole file when a cache answers with that", async () => {
    expect(await answering(() => new Response(BYTES)).readRange(FILE, 40, 2)).toEqual(BYTES.slice(40, 42));
  });

  it("reads past the cache from the bucket itself", async () => {
    const { readFresh } = answering(() => new Response(null, { status: 500 }));
    expect(await readFresh?.(FILE, 40, 20)).toEqual(BYTES.slice(40, 60));
    expect(await readFresh?.(FILE, 50, 0)).toEqual(new Uint8Array());
    await expect(readFresh?.(FILE, 99, 2)).rejects.toMatchObject({ detail: { code: "truncated", need: 2 } });
    await expect(readFresh?.(FILE, 500, 2)).rejects.toMatchObject({ detail: { code: "truncated" } });
    await expect(readFresh?.(`${"0b".repeat(16)}.pack`, 0, 1)).rejects.toBeInstanceOf(StaleGenerationError);
  });

  it("fails loudly on any other answer", async () => {
    const failing = answering(() => new Response(null, { status: 500 }));
    const error = await failing.readRange(FILE, 0, 1).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StorageError);
    expect((error as Error).cause).toMatchObject({ message: expect.stringContaining("500") as string });
  });

  it("reads the pointer, knows it again by its tag and sees that it changed", async () => {
    expect(await source.readPointer()).toBeUndefined();
    expect(await source.readPointer("unknown")).toBeUndefined();
    await env.INDEX.put("treeline.pointer", "one");
    const first = await source.readPointer();
    if (first === undefined || first === "unchanged") throw new Error("there is a pointer");
    expect(new TextDecoder().decode(first.bytes)).toBe("one");
    expect(await source.readPointer(first.etag)).toBe("unchanged");
    await env.INDEX.put("treeline.pointer", "two");
    const second = await source.readPointer(first.etag);
    if (second === undefined || second === "unchanged") throw new Error("the pointer changed");
    expect(new TextDecoder().decode(second.bytes)).toBe("two");
  });
});
