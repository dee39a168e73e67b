/**
 * A reader over tables with any entries, written by the real build functions into memory: for tests that need a
 * table which no pages would give.
 */

import { inflateRaw } from "../../indexer/base/codec.ts";
import { PackWriter, sealTable, writeTable } from "../../indexer/index/write-table.ts";
import { type ByteKey, textOfKey } from "../../src/core/bytes/key.ts";
import type { TableEntry } from "../../src/core/format/chunk.ts";
import { hashPhrase } from "../../src/core/format/pairs.ts";
import type { Root, ShardRoot } from "../../src/core/format/root.ts";
import { type Directory, TABLE_NAMES, type TableName } from "../../src/core/format/table.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import type { OpenIndex } from "../../src/core/index/open-generation.ts";
import { LruCache } from "../../src/core/index/value-cache.ts";
import { ENGLISH } from "../../src/core/text/analyze.ts";
import { type CountingSource, countReads, createMemorySource } from "./memory-source.ts";

const CACHE_BYTES = 64 * 1024 * 1024;

/** Written tables, open. */
export interface OpenTables {
  readonly reader: IndexReader;
  readonly source: CountingSource;
  readonly files: Map<string, Uint8Array>;
  readonly directories: Readonly<Record<TableName, Directory>>;
  /** Bytes that the tables say they take. */
  readonly bytes: number;
}

/** Write the tables of one public shard and open them; tables that are not given are empty. */
export async function openTables(
  contents: Partial<Record<TableName, readonly TableEntry[]>>,
  shard: Partial<Omit<ShardRoot, "tables">> = {},
): Promise<OpenTables> {
  const files = new Map<string, Uint8Array>();
  const packs = new PackWriter(async (file, bytes) => {
    files.set(file, bytes);
  });
  const directories = {} as Record<TableName, Directory>;
  let bytes = 0;
  for (const table of TABLE_NAMES) {
    const written = await writeTable(table, sealTable(table, contents[table] ?? []), packs);
    directories[table] = written.directory;
    bytes += written.bytes;
  }
  const source = countReads(createMemorySource(files));
  const packNames = await packs.finish();
  const root: Root = {
    commit: "none",
    builtAt: "",
    collections: [],
    ranking: {},
    facetKeys: [...new Set((contents.facets ?? []).map(({ key }) => textOfKey(key.split("\0", 1)[0] as ByteKey)))],
    facetKeysLeftOut: [],
    skippedFiles: 0,
    diagnostics: 0,
    logBytes: 0,
    indexBytes: bytes,
    textBytes: 0,
    settings: "",
    shards: [
      {
        group: "public",
        documents: 0,
        units: 0,
        terms: 0,
        slots: 0,
        described: 0,
        lengths: { body: 0, title: 0, path: 0, description: 0 },
        indexBytes: bytes,
        textBytes: 0,
        phrases: (contents.synonyms ?? []).map(({ key }) => hashPhrase(key)).sort((a, b) => a - b),
        packs: packNames,
        level: "",
        deleted: [],
        inflate: inflateRaw,
        ...shard,
        tables: directories,
      },
    ],
  };
  const index: OpenIndex = {
    generation: {
      id: "0123456789ab",
      commit: "none",
      builtAt: "",
      formatVersion: 1,
      documents: 0,
      sections: 0,
      terms: 0,
      words: 0,
      skippedFiles: 0,
      diagnostics: 0,
      indexBytes: bytes,
      textBytes: 0,
      facetKeysLeftOut: [],
    },
    collections: [],
    root,
    rootBytes: 0,
    log: "",
    previous: [],
    source,
    inflate: inflateRaw,
    cache: new LruCache(CACHE_BYTES),
    wholeTableLimits: { titles: CACHE_BYTES, facets: CACHE_BYTES, files: CACHE_BYTES },
    analyzers: new Map([["english", ENGLISH]]),
  };
  return { reader: new IndexReader(index), source, files, directories, bytes };
}
