import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readByteKinds } from "../../bench/byte-kinds.ts";
import { writeZipfCorpus } from "../../bench/corpora/zipf.ts";
import { drawQueries } from "../../bench/draw-queries.ts";
import { listStoredFiles, sumFiles } from "../../bench/index-files.ts";
import { measureClasses, openMeasuredIndex } from "../../bench/measure-queries.ts";
import { openDiskIndex } from "../../indexer/base/index-source.ts";
import { buildCorpus } from "../../indexer/index/build.ts";

describe("measuring an index", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "treeline-test-"));
    writeZipfCorpus(join(folder, "pages"), 300, 1);
    await buildCorpus({ dir: join(folder, "pages"), outDir: join(folder, "index"), threads: 0 });
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("knows of every byte of the packs what it is", async () => {
    const reader = await openDiskIndex(join(folder, "index"));
    const { tableBytes, count } = await readByteKinds(reader);
    const tables = [...tableBytes.values()].reduce((sum, bytes) => sum + bytes, 0);
    const packs = [...listStoredFiles(join(folder, "index"), (path) => path.endsWith(".pack"))];
    expect(tables + reader.index.root.textBytes).toBe(packs.reduce((sum, [, { bytes }]) => sum + bytes, 0));
    const counted = new Map<string, number>();
    for (const [file, { bytes }] of packs) {
      for (const [kind, found] of count({ file, offset: 0, length: bytes })) {
        counted.set(kind, (counted.get(kind) ?? 0) + found);
      }
    }
    expect(counted.get("text")).toBe(reader.index.root.textBytes);
    for (const [table, bytes] of tableBytes) expect(counted.get(table) ?? 0).toBe(bytes);
  });

  it("splits a range at the borders of tables", async () => {
    const reader = await openDiskIndex(join(folder, "index"));
    const { count } = await readByteKinds(reader);
    const entry = reader.shards[0]?.root.tables.terms.entries[1];
    if (entry === undefined) throw new Error("the table of words has one chunk only");
    const { file, offset, length } = reader.rangeOf(entry);
    expect([...count({ file, offset, length })]).toEqual([["terms", length]]);
    expect([...count({ file, offset: offset + 1, length: 3 })]).toEqual([["terms", 3]]);
  });

  it("gives the same costs every time, and warm ones that are parts of cold ones", async () => {
    const index = await openMeasuredIndex(join(folder, "index"));
    const queries = drawQueries(join(folder, "pages"), 4, 1);
    const measured = await measureClasses(index, queries);
    expect(await measureClasses(index, queries)).toEqual(measured);
    for (const [kind, rows] of measured) {
      for (const { cold, warm, hits } of rows) {
        expect(warm.postingBytes + warm.textBytes).toBeLessThanOrEqual(warm.bytes);
        expect(cold.bytes).toBeGreaterThan(warm.bytes + index.pointerBytes - 1);
        expect(cold.waves).toBeGreaterThan(warm.waves);
        if (kind === "single word" || kind === "phrase") expect(hits).toBeGreaterThan(0);
      }
    }
    const { bytes } = sumFiles(listStoredFiles(join(folder, "index")));
    expect(bytes).toBeGreaterThan(index.textBytes);
  });
});
