/**
 * A reader over an index that has a description and no content: enough for tests of what stands around the tools.
 */

import type { ShardRoot } from "../../src/core/format/root.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import type { OpenIndex } from "../../src/core/index/open-generation.ts";
import { ENGLISH } from "../../src/core/text/analyze.ts";

/** Commit and time that the fake index names. */
const FAKE_ORIGIN = { commit: "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d", builtAt: "2026-01-01T00:00:00Z" };

/** A reader whose index is of the given generation and knows the given facet keys. */
export function fakeReader(generation = "0123456789ab", facetKeys: readonly string[] = ["type"]): IndexReader {
  const collections = [
    {
      name: "docs",
      kind: "docs",
      weight: 1,
      baseUrl: "https://example.org/docs/",
      version: "2.0",
      access: "public",
      commit: FAKE_ORIGIN.commit,
      repository: "",
      language: "english",
      documents: 1200,
      sections: 4000,
      words: 100_000,
    },
  ] as const;
  const root = {
    ...FAKE_ORIGIN,
    collections,
    ranking: {},
    facetKeys,
    facetKeysLeftOut: [],
    skippedFiles: 1,
    diagnostics: 0,
    logBytes: 0,
    indexBytes: 1_500_000,
    textBytes: 900,
    settings: "",
    // Its group is all that anybody asks a shard without content for.
    shards: [{ group: "public", terms: 9000 } as unknown as ShardRoot],
  };
  const index: OpenIndex = {
    generation: {
      ...FAKE_ORIGIN,
      id: generation,
      formatVersion: 1,
      documents: 1200,
      sections: 4000,
      terms: 9000,
      words: 100_000,
      skippedFiles: 1,
      diagnostics: 0,
      indexBytes: 1_500_000,
      textBytes: 900,
      facetKeysLeftOut: [],
    },
    collections,
    root,
    rootBytes: 0,
    log: "",
    previous: [],
    source: { readRange: refuse, readPointer: refuse },
    inflate: () => new Uint8Array(),
    cache: { get: () => undefined, set: () => undefined },
    wholeTableLimits: { titles: 0, facets: 0, files: 0 },
    analyzers: new Map([["english", ENGLISH]]),
  };
  return new IndexReader(index);
}

function refuse(): never {
  throw new Error("the fake index has no content");
}
