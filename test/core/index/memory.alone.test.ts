import { beforeAll, describe, expect, it } from "vitest";
import { inflateRaw } from "../../../indexer/base/codec.ts";
import { IndexReader } from "../../../src/core/index/index-reader.ts";
import { openIndex } from "../../../src/core/index/open-index.ts";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import { LruCache } from "../../../src/core/index/value-cache.ts";
import { search } from "../../../src/core/search/search.ts";
import { createAnalyzer } from "../../../src/core/text/analyze.ts";
import { MAX_CACHE_BYTES } from "../../../src/worker/storage/generations.ts";
import { buildPages } from "../../support/build-index.ts";
import { usedBytes } from "../../support/collect-garbage.ts";
import { type MeasuredIndex, measureKinds, measureRoot } from "../../support/measure-memory.ts";
import { createMemorySource } from "../../support/memory-source.ts";
import { ask, makeLargeCorpus } from "../../support/small-corpora.ts";

const MEGABYTE = 1024 * 1024;
const PAGES = 500;
/** Kinds of less than this drown in what else the process does. */
const LEAST_MEASURED = 100_000;

describe("memory", () => {
  let index: MeasuredIndex;
  beforeAll(async () => {
    const pages = makeLargeCorpus(PAGES);
    const tagged = Object.entries(pages).map(([path, text], at) => [path, `---\ntags: [t${at % 90}]\n---\n${text}`]);
    const { files } = await buildPages(Object.fromEntries(tagged));
    index = { pointer: files.get(POINTER_FILE) ?? new Uint8Array(), source: createMemorySource(files) };
  });

  // What else the process frees while it is measured is no part of it: a measurement that it fell into is made again.
  it("that caches count is what decoded values take, within a fifth", { retry: 2 }, async () => {
    const kinds = await measureKinds(index);
    const measured = kinds.filter(({ real }) => real >= LEAST_MEASURED);
    expect(measured.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["terms", "suggestions", "trigrams", "documents", "resident locator", "text"]),
    );
    for (const { kind, counted, real } of measured) expect([kind, counted / real >= 0.8]).toEqual([kind, true]);
  });

  it("of a cache that several generations fill stays within its budget", async () => {
    const budget = 2 * MEGABYTE;
    const cache = new LruCache(budget);
    const queries = Array.from({ length: 120 }, (_, n) => `page w${n.toString(36)}x w${(n * 7).toString(36)}x`);
    const fill = async (): Promise<void> => {
      for (let generation = 0; generation < 4; generation++) {
        const open = await openIndex(index.pointer, index.source, inflateRaw, cache);
        const named = { ...open, generation: { ...open.generation, id: `generation ${generation}` } };
        for (const query of queries) await search(new IndexReader(named), ask(query, { excerpts: 10, limit: 20 }));
      }
    };
    const empty = await usedBytes();
    await fill();
    const full = await usedBytes();
    // Lists that were decoded are kept beside their chunks.
    expect(full - empty).toBeLessThan(budget / 0.8 + 1.25 * MEGABYTE);
    expect(cache.bytes).toBeGreaterThan(budget * 0.8);
    await fill();
    expect(cache.bytes).toBeLessThanOrEqual(budget);
    // What was forgotten is gone, whatever the second round read.
    expect((await usedBytes()) - full).toBeLessThan(0.25 * budget);
  });

  it("of an isolate is half its budget for the cache, and leaves room for open roots", async () => {
    const real = MAX_CACHE_BYTES / 0.8;
    expect(real).toBeLessThanOrEqual(40 * MEGABYTE);
    expect(real + 2 * (await measureRoot(index))).toBeLessThan(64 * MEGABYTE);
  });

  it("of an analyzer does not keep the texts that words were cut from", async () => {
    const analyzer = createAnalyzer({
      stem: (word) => word,
      stemsAccents: false,
      stopWords: new Set(),
      elisions: undefined,
    });
    const before = await usedBytes();
    for (let n = 0; n < 400; n++) {
      const text = `${"x".repeat(100_000)} uncommonlylongword${n}`;
      analyzer.analyzeWord(text.slice(100_001));
    }
    expect((await usedBytes()) - before).toBeLessThan(2 * MEGABYTE);
    expect(analyzer.analyzeWord("uncommonlylongword7").term).toBe("uncommonlylongword7");
  });
});
