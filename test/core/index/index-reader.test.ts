import { beforeAll, describe, expect, it } from "vitest";
import { type ByteKey, keyOf } from "../../../src/core/bytes/key.ts";
import type { TableEntry } from "../../../src/core/format/chunk.ts";
import { findEntry } from "../../../src/core/format/table.ts";
import { entriesOf, findInChunks, IndexReader } from "../../../src/core/index/index-reader.ts";
import { LruCache } from "../../../src/core/index/value-cache.ts";
import { buildCollections, buildPages } from "../../support/build-index.ts";
import { refusalOf } from "../../support/format-cases.ts";
import { type OpenTables, openTables } from "../../support/open-tables.ts";

const TERMS: TableEntry[] = Array.from({ length: 400 }, (_, n) => ({
  key: keyOf(`term${String(n).padStart(3, "0")}`),
  value: Uint8Array.from({ length: 150 }, (_, at) => (n * 17 + at * n) & 0xff),
}));

function keyAt(n: number): ByteKey {
  return (TERMS[n] as TableEntry).key;
}

/** The value of a term, as plain bytes. */
async function readValue(reader: IndexReader, n: number): Promise<Uint8Array | undefined> {
  const [value] = await reader.lookUp(0, "terms", [keyAt(n)]);
  return value && Uint8Array.from(value);
}

describe("IndexReader.read", () => {
  let tables: OpenTables;

  beforeAll(async () => {
    tables = await openTables({ terms: TERMS });
  });

  function coldReader(): IndexReader {
    tables.source.reset();
    return new IndexReader({ ...tables.reader.index, cache: new LruCache(1 << 26) });
  }

  it("reads the chunks that would hold the keys and no others", async () => {
    const { entries } = tables.directories.terms;
    const keys = [keyAt(90), keyAt(200), keyAt(399), keyOf("no such term")];
    const reader = coldReader();
    await reader.read([{ shard: 0, table: "terms", keys }]);
    const wanted = [...new Set(keys.map((key) => findEntry(entries, key)))].map((at) => entries[at]);
    expect(tables.source.reads.map(({ offset, length }) => ({ offset, length }))).toEqual(
      wanted
        .map((entry) => ({ offset: entry?.offset, length: entry?.length }))
        .sort((a, b) => (a.offset ?? 0) - (b.offset ?? 0)),
    );
    expect(reader.cost).toMatchObject({ waves: 1, reads: wanted.length, cacheHits: 0 });
  });

  it("reads a chunk once that several keys or several reads of a wave want", async () => {
    const reader = coldReader();
    const keys = [keyAt(0), keyAt(1)];
    const { tables: results } = await reader.read([
      { shard: 0, table: "terms", keys },
      { shard: 0, table: "terms", keys: [keyAt(0)] },
    ]);
    expect(tables.source.reads).toHaveLength(1);
    expect(results.map((chunks) => chunks.length)).toEqual([1, 1]);
    expect(results[0]?.[0]).toBe(results[1]?.[0]);
  });

  it("gives values in the order of the keys, undefined for those that are not there", async () => {
    const reader = coldReader();
    const values = await reader.lookUp(0, "terms", [keyAt(300), keyOf("none"), keyAt(5), keyAt(300)]);
    expect(values.map((value) => value && Array.from(value))).toEqual([
      Array.from(TERMS[300]?.value ?? []),
      undefined,
      Array.from(TERMS[5]?.value ?? []),
      Array.from(TERMS[300]?.value ?? []),
    ]);
  });

  it("gives all entries of a table, and those of a range of keys with at most their neighbours in the same chunks", async () => {
    const reader = coldReader();
    const all = await reader.read([{ shard: 0, table: "terms", keys: "all" }]);
    expect([...entriesOf(all.tables[0] ?? [])].map(([key]) => key)).toEqual(TERMS.map(({ key }) => key));
    const from = keyAt(100);
    const to = keyAt(120);
    const some = await coldReader().read([{ shard: 0, table: "terms", keys: { from, to } }]);
    const found = [...entriesOf(some.tables[0] ?? [])].map(([key]) => key);
    expect(found.filter((key) => key >= from && key < to)).toEqual(TERMS.slice(100, 120).map(({ key }) => key));
    expect(some.tables[0]?.length).toBeLessThanOrEqual(tables.directories.terms.entries.length / 4);
  });

  it("gives of a range the first chunks only where so many are wanted", async () => {
    const range = { from: keyAt(100), to: keyAt(300) };
    const { tables: results } = await coldReader().read([
      { shard: 0, table: "terms", keys: range },
      { shard: 0, table: "terms", keys: { ...range, maxChunks: 2 } },
    ]);
    const [all, first] = results.map((chunks) => [...entriesOf(chunks)].map(([key]) => key));
    expect(results[0]?.length).toBeGreaterThan(2);
    expect(results[1]?.length).toBe(2);
    expect(first).toEqual(all?.slice(0, first?.length));
    expect(first).toContain(keyAt(100));
  });

  it("answers from memory what an earlier request has read, and counts that", async () => {
    const cold = coldReader();
    await cold.lookUp(0, "terms", [keyAt(7), keyAt(250)]);
    const warm = new IndexReader(cold.index);
    tables.source.reset();
    await warm.lookUp(0, "terms", [keyAt(7), keyAt(250)]);
    expect(tables.source.reads).toEqual([]);
    expect(warm.cost).toMatchObject({ waves: 0, reads: 0, bytes: 0, cacheHits: 2, maxConcurrentReads: 0 });
  });

  it("counts bytes read and bytes inflated", async () => {
    const reader = coldReader();
    const { tables: results } = await reader.read([{ shard: 0, table: "terms", keys: [keyAt(0)] }]);
    expect(reader.cost.bytes).toBe(tables.directories.terms.entries[0]?.length);
    expect(reader.cost.bytesInflated).toBe(results[0]?.[0]?.inflatedBytes);
  });

  it("works without a cache that keeps anything", async () => {
    const reader = new IndexReader({ ...tables.reader.index, cache: new LruCache(0) });
    expect(await readValue(reader, 9)).toEqual(TERMS[9]?.value);
    expect(await readValue(reader, 9)).toEqual(TERMS[9]?.value);
  });

  it("refuses a damaged chunk by the name of its table, and goes on answering from others", async () => {
    const damaged = await openTables({ terms: TERMS });
    const [entry] = damaged.directories.terms.entries;
    for (const bytes of damaged.files.values())
      bytes[(entry?.offset ?? 0) + 9] = (bytes[(entry?.offset ?? 0) + 9] as number) ^ 1;
    const error = await refusalOf(() => damaged.reader.lookUp(0, "terms", [keyAt(0)]));
    expect(error.what).toBe("chunk of table terms");
    expect(error.detail.code).toBe("checksum");
    expect(await readValue(damaged.reader, 399)).toEqual(TERMS[399]?.value);
  });

  it("never answers from memory with a chunk of another place, though it lies at the same offset", async () => {
    const reader = coldReader();
    await reader.lookUp(0, "terms", [keyAt(0)]);
    // A root that is wrong: the table of titles points at the terms.
    const [shard] = reader.index.root.shards;
    if (shard === undefined) throw new Error("no shard");
    const wrong = { ...shard, tables: { ...shard.tables, titles: shard.tables.terms } };
    const index = { ...reader.index, root: { ...reader.index.root, shards: [wrong] } };
    const error = await refusalOf(() => new IndexReader(index).lookUp(0, "titles", [keyAt(0)]));
    expect(error.detail.code).toBe("checksum");
  });
});

describe("IndexReader.recall", () => {
  it("gives back what was remembered, for later requests too, and to no other generation", async () => {
    const { reader } = await openTables({});
    expect(reader.recall("x")).toBeUndefined();
    reader.remember("x", 1, 10);
    expect(reader.recall("x")).toBe(1);
    expect(new IndexReader(reader.index).recall("x")).toBe(1);
    const other = { ...reader.index, generation: { ...reader.index.generation, id: "fedcba987654" } };
    expect(new IndexReader(other).recall("x")).toBeUndefined();
  });

  it("keeps a value for its request whatever the cache drops", async () => {
    const { reader } = await openTables({});
    const cache = new LruCache(100);
    const request = new IndexReader({ ...reader.index, cache });
    request.remember("own", 1, 1000);
    expect(request.recall("own")).toBe(1);
    cache.set(`${reader.index.generation.id}/known`, 2, 50);
    expect(request.recall("known")).toBe(2);
    cache.set("large", 3, 100);
    expect(request.recall("known")).toBe(2);
    expect(new IndexReader({ ...reader.index, cache }).recall("known")).toBeUndefined();
  });
});

describe("IndexReader", () => {
  it("sees the shards and collections of its groups only", async () => {
    const built = await buildCollections([
      { name: "docs", pages: { "a.md": "# A\n\nOpen." } },
      { name: "plans", access: "staff", pages: { "b.md": "# B\n\nSecret.", "c.md": "# C\n\nSecret too." } },
    ]);
    const seen = async (groups: readonly string[] | "all") => {
      const { reader } = await built.open(groups);
      return {
        groups: reader.shards.map(({ root }) => root.group),
        collections: reader.collections.map(({ name }) => name),
      };
    };
    expect(await seen(["public"])).toEqual({ groups: ["public"], collections: ["docs"] });
    expect(await seen(["staff"])).toEqual({ groups: ["staff"], collections: ["plans"] });
    expect(await seen(["staff", "public"])).toEqual({ groups: ["public", "staff"], collections: ["docs", "plans"] });
    expect(await seen("all")).toEqual({ groups: ["public", "staff"], collections: ["docs", "plans"] });
    expect(await seen(["stranger"])).toEqual({ groups: [], collections: [] });
    expect(new IndexReader((await built.open()).index).shards.map(({ root }) => root.group)).toEqual(["public"]);
  });

  it("refuses a collection that the root does not list as damage", async () => {
    const { reader } = await (await buildPages({ "a.md": "# A" })).open();
    expect(reader.collectionAt(0).name).toBe("docs");
    await refusalOf(() => reader.collectionAt(1));
  });

  it("counts the read of the pointer as a wave where its request made it", async () => {
    const { reader } = await (await buildPages({ "a.md": "# A" })).open();
    expect(reader.cost).toMatchObject({ waves: 1, reads: 1, maxConcurrentReads: 1 });
    expect(reader.cost.bytes).toBeGreaterThan(100);
  });

  it("passes on errors of other kinds as they are", async () => {
    const { reader } = await openTables({ terms: TERMS });
    const source = {
      readRange: () => Promise.reject(new Error("the network is down")),
      readPointer: async () => undefined,
    };
    const offline = new IndexReader({ ...reader.index, source, cache: new LruCache(0) });
    await expect(offline.lookUp(0, "terms", [keyAt(0)])).rejects.toThrow("the network is down");
  });
});

describe("findInChunks", () => {
  it("looks through several chunks and finds nothing in none", () => {
    const chunk = (name: string) => ({
      keys: [keyOf(name)],
      bytes: Uint8Array.of(name.length),
      starts: Uint32Array.of(0, 1),
      inflatedBytes: 1,
      memoryBytes: 1,
    });
    expect(findInChunks([chunk("a"), chunk("bb")], keyOf("bb"))).toEqual(Uint8Array.of(2));
    expect(findInChunks([], keyOf("a"))).toBeUndefined();
  });
});
