import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ByteKey, keyOf } from "../../../src/core/bytes/key.ts";
import type { TableEntry } from "../../../src/core/format/chunk.ts";
import { encodeDirectory, type TableName } from "../../../src/core/format/table.ts";
import { entriesOf } from "../../../src/core/index/index-reader.ts";
import { openTables } from "../../support/open-tables.ts";
import { runs } from "../../support/runs.ts";

/** A reader over one table, and what was written. */
async function writeAndOpen(name: TableName, entries: readonly TableEntry[]) {
  const { reader, source, files, directories, bytes } = await openTables({ [name]: entries });
  const written = [...files.values()].reduce((sum, file) => sum + file.length, 0);
  return { reader, source, directory: directories[name], bytes, written };
}

function entry(text: string, bytes: number): TableEntry {
  return { key: keyOf(text), value: new Uint8Array(bytes).fill(text.length) };
}

function sorted(entries: readonly TableEntry[]): TableEntry[] {
  const unique = new Map(entries.map((one) => [one.key, one]));
  return [...unique.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** A value that stands alone in its chunk: every key is the last one of a chunk. */
const ALONE = new Uint8Array(24_577);

/**
 * So many documents that the directory of a listed table does not fit into the root. Their ids come in rows of which
 * each begins like the one before and goes on, so that prefixes of chunks are prefixes of one another.
 */
function manyDocuments(count: number): TableEntry[] {
  const idOf = (n: number): string => `docs:${1000 + Math.floor(n / 10)}${"ab".repeat(n % 10)}aa`;
  return sorted(Array.from({ length: count }, (_, n) => ({ key: keyOf(idOf(n)), value: ALONE })));
}

describe("writeTable", () => {
  it("writes a small table with a directory of one level, and an empty one without any chunk", async () => {
    const small = await writeAndOpen("terms", sorted(Array.from({ length: 500 }, (_, n) => entry(`term${n}`, 40))));
    expect(small.directory.height).toBe(0);
    expect(small.directory.entries.length).toBeGreaterThan(3);
    expect(small.directory.entries[0]?.prefix).toBe("");
    expect(small.bytes).toBe(small.written);
    const empty = await writeAndOpen("terms", []);
    expect(empty.directory).toEqual({ height: 0, entries: [] });
    expect(await empty.reader.lookUp(0, "terms", [keyOf("a")])).toEqual([undefined]);
  });

  it("puts a large directory into chunks of its own and keeps the root small", async () => {
    const { directory, bytes, written } = await writeAndOpen("documents", manyDocuments(1200));
    expect(directory.height).toBe(1);
    expect(encodeDirectory(directory).length).toBeLessThan(4096);
    expect(directory.entries[0]?.prefix).toBe("");
    expect(bytes).toBe(written);
  });

  it("finds every key through two levels, the last one of each chunk too", async () => {
    const entries = manyDocuments(1200);
    const { reader } = await writeAndOpen("documents", entries);
    // Each key on its own: together they would bring one another's directory chunks.
    const lost: string[] = [];
    for (const { key } of entries) {
      const [value] = await reader.lookUp(0, "documents", [key]);
      if (value === undefined) lost.push(key);
    }
    expect(lost).toEqual([]);
  });

  it("finds no key that is not there through two levels", async () => {
    const entries = manyDocuments(1200);
    const { reader } = await writeAndOpen("documents", entries);
    const absent = entries.flatMap(({ key }) => [`${key}x`, key.slice(0, -1)] as ByteKey[]);
    const known = new Set(entries.map(({ key }) => key));
    const keys = ["" as ByteKey, keyOf("\u{10ffff}"), ...absent].filter((key) => !known.has(key));
    expect((await reader.lookUp(0, "documents", keys)).filter((value) => value !== undefined)).toEqual([]);
  });

  it("gives all entries in order through two levels, and those of any range", async () => {
    const entries = manyDocuments(1200);
    const { reader } = await writeAndOpen("documents", entries);
    const whole = await reader.read([{ shard: 0, table: "documents", keys: "all" }]);
    expect([...entriesOf(whole.tables[0] ?? [])].map(([key]) => key)).toEqual(entries.map(({ key }) => key));
    const key = fc.nat({ max: entries.length - 1 }).map((at) => (entries[at] as TableEntry).key);
    await fc.assert(
      fc.asyncProperty(key, key, fc.boolean(), async (a, b, cut) => {
        const [from, to] = a < b ? [a, b] : [b, a];
        const range = { from: (cut ? from.slice(0, -2) : from) as ByteKey, to };
        const { tables } = await reader.read([{ shard: 0, table: "documents", keys: range }]);
        const found = [...entriesOf(tables[0] ?? [])]
          .map(([found]) => found)
          .filter((one) => one >= range.from && one < to);
        expect(found).toEqual(entries.map((one) => one.key).filter((one) => one >= range.from && one < to));
      }),
      { numRuns: runs(50) },
    );
  });

  it("costs one wave more through two levels, once", async () => {
    const entries = manyDocuments(1200);
    const { reader, source } = await writeAndOpen("documents", entries);
    const some = [100, 101].map((at) => (entries[at] as TableEntry).key);
    await reader.lookUp(0, "documents", some);
    expect(reader.cost).toMatchObject({ waves: 2 });
    expect(source.rounds).toBe(2);
    const reads = reader.cost.reads;
    await reader.lookUp(0, "documents", some);
    expect(reader.cost).toMatchObject({ waves: 2, reads });
  });
});
