import { describe, expect, it } from "vitest";
import { inflateRaw } from "../../../indexer/base/codec.ts";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import { LruCache } from "../../../src/core/index/value-cache.ts";
import { search } from "../../../src/core/search/search.ts";
import { CorpusList } from "../../../src/surface/corpus-list.ts";
import { Corpora } from "../../../src/worker/storage/corpora.ts";
import { MAX_CACHE_BYTES, MAX_OPEN_BYTES } from "../../../src/worker/storage/generations.ts";
import { buildPages } from "../../support/build-index.ts";
import { usedBytes } from "../../support/collect-garbage.ts";
import { measureRoot } from "../../support/measure-memory.ts";
import { createMemorySource } from "../../support/memory-source.ts";
import { ask, makeLargeCorpus } from "../../support/small-corpora.ts";

const MEGABYTE = 1024 * 1024;
const CORPORA = 30;
const CACHE_BYTES = 2 * MEGABYTE;

/** Nothing asks which there are. */
const NONE = new CorpusList({
  bucket: () => ({ list: async () => ({ delimitedPrefixes: [], truncated: false }), head: async () => null }),
  isName: () => true,
});

describe("memory of many corpora", () => {
  it("is one cache and a bounded number of open ones, however many are asked", async () => {
    const { files } = await buildPages(makeLargeCorpus(100));
    const pointer = files.get(POINTER_FILE) ?? new Uint8Array();
    const source = createMemorySource(files);
    const root = await measureRoot({ pointer, source });
    const makeCorpora = (cache: LruCache): Corpora =>
      // Room for ten of them.
      new Corpora({ sourceOf: () => source, inflate: inflateRaw, cache, list: NONE, maxOpenBytes: 10 * root });
    const askAll = async (corpora: Corpora, cache: LruCache): Promise<void> => {
      for (let n = 0; n < CORPORA; n++) {
        for (const query of ["page w1x", `w${n.toString(36)}x`]) {
          await corpora
            .open(`c${n}`)
            .withReader({ now: 0 }, (reader) => search(reader, ask(query, { excerpts: 10, limit: 20 })));
        }
        expect(cache.bytes).toBeLessThanOrEqual(CACHE_BYTES);
        expect(corpora.openBytes).toBeLessThanOrEqual(10 * root);
      }
    };
    // Code that runs for the first time takes memory too.
    const first = new LruCache(CACHE_BYTES);
    await askAll(makeCorpora(first), first);
    first.set("all of it", undefined, CACHE_BYTES);
    const cache = new LruCache(CACHE_BYTES);
    const corpora = makeCorpora(cache);
    const before = await usedBytes();
    await askAll(corpora, cache);
    const after = await usedBytes();
    expect(corpora.openCount).toBeGreaterThan(1);
    // The cache counts within a fifth; what open corpora are counted with is no less than they take.
    expect(after - before).toBeLessThan(CACHE_BYTES / 0.8 + 10 * root + MEGABYTE);
    expect(corpora.openBytes / corpora.openCount).toBeGreaterThan(0.8 * root);
    await askAll(corpora, cache);
    expect((await usedBytes()) - after).toBeLessThan(MEGABYTE);
  });

  it("leaves an isolate within its budget: a full cache, the root twice, others open, words of four languages", () => {
    const words = 4 * 3 * MEGABYTE;
    expect(MAX_CACHE_BYTES / 0.8 + 2 * 1.4 * MEGABYTE + MAX_OPEN_BYTES + words).toBeLessThan(64 * MEGABYTE);
  });
});
