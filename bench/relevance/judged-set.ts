/**
 * A judged set: `docs/`, `queries.jsonl`, `qrels.tsv` and, optionally, `queries-typo.jsonl` in one folder.
 */
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { openDiskIndex } from "../../indexer/base/index-source.ts";
import {
  evaluateQueries,
  readJudgements,
  readQueries,
  resolveJudged,
  summarize,
} from "../../indexer/cli/commands/eval.ts";
import { buildCorpus } from "../../indexer/index/build.ts";
import type { IndexReader } from "../../src/core/index/index-reader.ts";
import type { Figures } from "../compare-figures.ts";
import { drawByHash } from "../quality/cut-items.ts";
import { makeRandom } from "../random.ts";
import type { Measured } from "./floors.ts";
import { misspell } from "./misspell.ts";

type JudgedQuery = ReturnType<typeof readQueries>[number];

const MOST_QUERIES = 300;
const MOST_PAGES = 3000;
const SEED = 1;

/**
 * Measures a set with and without typos in the empty folder `room`. Large sets are sampled by the hashes of query ids and
 * paths; judged pages always belong to the sample.
 *
 * @param config Configuration file other than that of the pages.
 */
export async function measureJudgedSet(folder: string, room: string, config?: string): Promise<Measured> {
  const named = (name: string) => ({ file: join(folder, name), text: readFileSync(join(folder, name), "utf8") });
  const all = readJudgements(named("qrels.tsv"));
  const judged = new Set(all.map(({ query }) => query));
  const asked = readQueries(named("queries.jsonl")).filter(({ id }) => judged.has(id));
  const clean = drawByHash(asked, MOST_QUERIES, ({ id }) => id);
  const drawn = new Set(clean.map(({ id }) => id));
  const judgements = all.filter(({ query }) => drawn.has(query));
  const pages = samplePages(join(folder, "docs"), join(room, "pages"), new Set(judgements.map((one) => one.document)));
  const reader = await buildAndOpen(pages.dir, join(room, "index"), config);
  const grades = await resolveJudged(reader, "qrels.tsv", judgements, undefined);
  const score = async (queries: readonly JudgedQuery[]): Promise<Figures> => {
    const evaluated = await evaluateQueries(reader, queries, grades, undefined);
    const { ndcg, mrr, success } = summarize(evaluated);
    return { ndcg, mrr, success };
  };
  return {
    figures: { clean: await score(clean), typos: await score(misspellQueries(folder, clean)) },
    size: `${clean.length} queries, ${pages.count} pages`,
  };
}

/** Copies judged pages, then others up to the limit; a small folder is taken as it is. */
function samplePages(dir: string, to: string, judged: ReadonlySet<string>): { dir: string; count: number } {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  if (files.length <= MOST_PAGES) return { dir, count: files.length };
  const paths = files.map((file) => relative(dir, join(file.parentPath, file.name)));
  const isJudged = (path: string): boolean => judged.has(path) || judged.has(path.replace(/\.[^./]+$/, ""));
  const kept = paths.filter(isJudged);
  const others = paths.filter((path) => !isJudged(path));
  const sample = [...kept, ...drawByHash(others, Math.max(0, MOST_PAGES - kept.length), (path) => path)];
  for (const path of sample) cpSync(join(dir, path), join(to, path));
  return { dir: to, count: sample.length };
}

/** Builds a folder without threads or cache and opens its index. */
export async function buildAndOpen(dir: string, outDir: string, config?: string): Promise<IndexReader> {
  await buildCorpus({ dir, outDir, threads: 0, ...(config !== undefined && { config }) });
  return openDiskIndex(outDir);
}

/** The same queries with typing errors: those of the set, else generated ones. */
function misspellQueries(folder: string, clean: readonly JudgedQuery[]): JudgedQuery[] {
  const file = join(folder, "queries-typo.jsonl");
  const random = makeRandom(SEED);
  if (!existsSync(file)) return clean.map(({ id, text }) => ({ id, text: misspell(text, random) }));
  const drawn = new Set(clean.map(({ id }) => id));
  return readQueries({ file, text: readFileSync(file, "utf8") }).filter(({ id }) => drawn.has(id));
}
