/**
 * Measure a corpus: what a build costs, how large its index is, what queries read. One command, one table.
 *
 *   npm run bench -- DIR [RUNS]
 *
 * Queries are the corpus's own headings and titles, drawn with a fixed seed, by number of scoring words. Cold: a new
 * reader that also reads the pointer. Warm: locator, titles and facets in memory, chunks and text not.
 * Times depend on the machine; everything else does not.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildCorpus } from "../indexer/build/build.ts";
import { inflateRaw } from "../indexer/codec.ts";
import { CACHE_BYTES, createDiskSource } from "../indexer/disk-source.ts";
import { percentileOf } from "../indexer/eval/metrics.ts";
import { IndexReader } from "../src/core/index/index-reader.ts";
import { openIndex } from "../src/core/index/open-index.ts";
import type { PointerObject } from "../src/core/index/range-source.ts";
import { LruCache } from "../src/core/index/value-cache.ts";
import type { SearchRequest } from "../src/core/search/answer.ts";
import { parseQuery } from "../src/core/search/query.ts";
import { makeSearchRequest } from "../src/core/search/request.ts";
import { search } from "../src/core/search/search.ts";
import { listDocumentNames } from "../src/core/tree/catalogue.ts";
import { loadOutline } from "../src/core/tree/documents.ts";

const QUERIES = 60;
const SAMPLED_DOCUMENTS = 400;

const [dir, runsText = "3"] = process.argv.slice(2);
if (dir === undefined) {
  console.error("usage: npm run bench -- DIR [RUNS]");
  process.exit(2);
}
const outDir = mkdtempSync(join(tmpdir(), "treeline-bench-"));
try {
  await measureBuild(dir, Number(runsText));
  await measureQueries();
} finally {
  rmSync(outDir, { recursive: true, force: true });
}

async function measureBuild(source: string, runs: number): Promise<void> {
  const seconds: number[] = [];
  const cpu: number[] = [];
  let documents = 0;
  for (let run = 0; run < runs; run++) {
    const started = performance.now();
    const before = process.cpuUsage();
    documents = (await buildCorpus({ dir: source, outDir })).documents;
    const used = process.cpuUsage(before);
    cpu.push((used.user + used.system) / 1e6);
    seconds.push((performance.now() - started) / 1000);
  }
  console.log(`build: ${documents} pages, ${runs} runs`);
  console.log(
    `  wall ${list(seconds)} s, CPU ${list(cpu)} s, ${Math.round(documents / percentileOf(seconds, 0.5))} pages/s (median)`,
  );
  console.log(`  peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`);
  const files = readdirSync(outDir);
  const bytes = files.reduce((sum, name) => sum + statSync(join(outDir, name)).size, 0);
  console.log(`  ${files.length} files, ${kilobytes(bytes)} kB`);
}

async function measureQueries(): Promise<void> {
  const source = createDiskSource(outDir);
  const pointer = (await source.readPointer()) as PointerObject;
  const open = async (): Promise<IndexReader> =>
    new IndexReader(await openIndex(pointer.bytes, source, inflateRaw, new LruCache(CACHE_BYTES)), "all");
  const { index } = await open();
  for (const { tables } of index.root.shards) {
    const sizes = Object.entries(tables).map(([name, { height, entries }]) => {
      const size = entries.reduce((sum, entry) => sum + entry.length, 0);
      return `${name} ${height > 0 ? "(two levels) " : ""}${kilobytes(size)} kB`;
    });
    console.log(
      `  tables: ${sizes.join(", ")}; text ${kilobytes(index.root.textBytes)} kB; pointer ${kilobytes(pointer.bytes.length)} kB`,
    );
  }
  const queries = await drawQueries(await open());
  console.log("queries: median (worst)");
  for (const [words, texts] of queries) {
    const cold: Row[] = [];
    const warm: Row[] = [];
    for (const query of texts) {
      const first = await open();
      first.countPointerRead(pointer.bytes.length);
      cold.push((await search(first, request(query))).cost);
      const second = await open();
      await search(second, { ...request("zzzzqqqq"), correct: false });
      await search(second, request(texts[0] as string));
      const reader = new IndexReader(second.index, "all");
      warm.push((await search(reader, request(query))).cost);
    }
    console.log(`  ${words} words (${texts.length}): cold ${describe(cold)}; warm ${describe(warm)}`);
  }
}

interface Row {
  readonly waves: number;
  readonly reads: number;
  readonly bytes: number;
  readonly maxConcurrentReads: number;
}

function describe(rows: readonly Row[]): string {
  const column = (pick: (row: Row) => number, show: (value: number) => string): string => {
    const values = rows.map(pick);
    return `${show(percentileOf(values, 0.5))} (${show(Math.max(...values))})`;
  };
  const plain = (value: number): string => String(value);
  return `${column((row) => row.waves, plain)} waves, ${column((row) => row.reads, plain)} reads, ${column((row) => row.bytes, kilobytes)} kB`;
}

/** Headings by their number of scoring words, 1 to 5. */
async function drawQueries(reader: IndexReader): Promise<Map<number, string[]>> {
  const documents = [...(await listDocumentNames(reader))].sort((a, b) => (a.id < b.id ? -1 : 1));
  const step = Math.max(1, Math.floor(documents.length / SAMPLED_DOCUMENTS));
  const byWords = new Map<number, string[]>();
  for (let at = 0; at < documents.length; at += step) {
    const outline = await loadOutline(reader, documents[at]?.id ?? "");
    for (const { title } of outline?.sections ?? []) {
      const words = parseQuery(title).words.length;
      const texts = byWords.get(words) ?? [];
      if (words >= 1 && words <= 5 && texts.length < QUERIES && !texts.includes(title))
        byWords.set(words, [...texts, title]);
    }
  }
  return new Map([...byWords].sort(([a], [b]) => a - b));
}

function request(query: string): SearchRequest {
  return makeSearchRequest(query, { withFacetCounts: true });
}

function list(values: readonly number[]): string {
  return values.map((value) => value.toFixed(2)).join(" / ");
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}
