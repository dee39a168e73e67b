import { describe, expect, it } from "vitest";
import { StaleGenerationError } from "../../../src/core/errors.ts";
import { POINTER_FILE, type RangeSource } from "../../../src/core/index/range-source.ts";
import { LruCache } from "../../../src/core/index/value-cache.ts";
import { CorpusList, type ListedBucket } from "../../../src/surface/corpus-list.ts";
import { Corpora } from "../../../src/worker/storage/corpora.ts";
import { POINTER_TTL_MS } from "../../../src/worker/storage/generations.ts";
import { inflateRaw } from "../../../src/worker/storage/inflate.ts";
import { servedFiles } from "../served-index.ts";

const POINTER = servedFiles.get(POINTER_FILE) as Uint8Array;

/** Corpora that all hold the same index, and how often the pointer of each was asked for. */
function open({ maxOpenBytes }: { maxOpenBytes?: number } = {}) {
  const asked = new Map<string, number>();
  const gone = new Set<string>();
  const sourceOf = (prefix: string): RangeSource => ({
    readPointer: async (known) => {
      asked.set(prefix, (asked.get(prefix) ?? 0) + 1);
      if (gone.has(prefix)) return undefined;
      return known === "a" ? "unchanged" : { bytes: POINTER, etag: "a" };
    },
    readRange: async (file) => {
      throw new StaleGenerationError(file);
    },
  });
  const bucket: ListedBucket = {
    list: async () => ({ delimitedPrefixes: ["v1/"], truncated: false }),
    head: async () => null,
  };
  const list = new CorpusList({ bucket: () => bucket, isName: () => true });
  const cache = new LruCache(1000);
  const corpora = new Corpora({ sourceOf, inflate: inflateRaw, cache, list, ...(maxOpenBytes && { maxOpenBytes }) });
  const use = (name: string, now = 0) => corpora.open(name).withReader({ now }, async ({ index }) => index);
  return { corpora, list, asked, gone, cache, use };
}

describe("corpora of an isolate", () => {
  it("stay open where they were used last", async () => {
    const one = open();
    await one.use("v1");
    const { asked, use } = open({ maxOpenBytes: 2.5 * one.corpora.openBytes });
    for (let n = 0; n < 10; n++) {
      await use(`c${n}`);
      await use("c0");
    }
    expect(asked.get("c0/")).toBe(1);
    await use("c1");
    expect(asked.get("c1/")).toBe(2);
  });

  it("are bounded in what they take, and the one that is asked stays", async () => {
    const one = open();
    await one.use("v1");
    const { openBytes } = one.corpora;
    expect(openBytes).toBeGreaterThan(POINTER.length);
    const { corpora, use } = open({ maxOpenBytes: 2.5 * openBytes });
    for (let n = 0; n < 10; n++) {
      await use(`c${n}`);
      expect(corpora.openBytes).toBeLessThanOrEqual(2.5 * openBytes);
    }
    expect(corpora.openCount).toBe(2);
    const tight = open({ maxOpenBytes: 1 });
    await tight.use("v1");
    expect(tight.corpora.inMemory("v1")).toBeDefined();
  });

  it("leave the one at the root open, whatever others are used", async () => {
    const { asked, use } = open({ maxOpenBytes: 1 });
    await use("");
    for (let n = 0; n < 50; n++) await use(`c${n}`);
    await use("");
    expect(asked.get("")).toBe(1);
  });

  it("share the memory of decoded values and no value", async () => {
    const { cache, use } = open();
    const [root, first, second] = [await use(""), await use("v1"), await use("v2")];
    root?.value.cache.set("key", "of the root", 10);
    first?.value.cache.set("key", "of v1", 10);
    expect([root?.value.cache.get("key"), first?.value.cache.get("key"), second?.value.cache.get("key")]).toEqual([
      "of the root",
      "of v1",
      undefined,
    ]);
    expect(cache.bytes).toBe(20);
    first?.value.cache.set("other", "of v1", 990);
    expect(root?.value.cache.get("key")).toBeUndefined();
  });

  it("are gone with their pointers, but for the one at the root", async () => {
    const { corpora, list, gone, use } = open();
    await list.names(0, () => undefined);
    await use("");
    await use("v1");
    for (const prefix of ["", "v1/"]) gone.add(prefix);
    expect(await use("v1", POINTER_TTL_MS - 1)).toBeDefined();
    expect(await use("v1", POINTER_TTL_MS)).toBeUndefined();
    expect(corpora.inMemory("v1")).toBeUndefined();
    expect(await use("", POINTER_TTL_MS)).toBeDefined();
    gone.clear();
    expect(await use("v1", POINTER_TTL_MS)).toBeDefined();
  });
});
