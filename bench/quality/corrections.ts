/**
 * Corrections of words: how many clean queries show a false one, and how many typing errors are won back.
 *
 *   [EVAL_SETS=DIR] node bench/quality/corrections.ts [--all] [DOCS…]
 *
 * Clean queries are those of judged sets (`bench/relevance/own`, each subfolder of EVAL_SETS) and of `bench/quality/questions`,
 * asked of their own pages, and headings of each folder DOCS, asked of all: there most absent words are real ones. A query
 * that the index knows every word of is then misspelled. `--all` prints each correction.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readQueries } from "../../indexer/cli/commands/eval.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { makeSearchRequest } from "../../src/core/search/answer.ts";
import type { Correction } from "../../src/core/search/correct.ts";
import { search } from "../../src/core/search/search.ts";
import { foldText, stemWord } from "../../src/core/text/normalize.ts";
import { fetchPackage } from "../corpora/fetch-package.ts";
import { makeRandom } from "../random.ts";
import { buildAndOpen } from "../relevance/judged-set.ts";
import { misspell } from "../relevance/misspell.ts";
import { drawByHash } from "./cut-items.ts";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const PACKAGES = at("../../node_modules/.cache/treeline-bench");
const MOST_QUERIES = 1000;

interface QuestionSet {
  readonly package: string;
  readonly version: string;
  readonly folder: string;
  readonly questions: readonly { readonly text: string; readonly wordings?: readonly string[] }[];
}

type Counts = ReturnType<typeof newCounts>;
const newCounts = () => ({ queries: 0, falsely: 0, typos: 0, restored: 0, mistaken: 0 });

const { values, positionals } = parseArgs({ allowPositionals: true, options: { all: { type: "boolean" } } });
const total = newCounts();
const sets = process.env["EVAL_SETS"];
const judged = sets === undefined ? [] : readdirSync(sets).map((name) => join(sets, name));
for (const folder of [at("../relevance/own"), ...judged]) {
  const file = join(folder, "queries.jsonl");
  const queries = readQueries({ file, text: readFileSync(file, "utf8") }).map(({ text }) => text);
  await withIndex(join(folder, "docs"), (index) => measure(basename(folder), index, queries));
}
for (const name of readdirSync(at("questions"))) {
  const set = JSON.parse(readFileSync(at(`questions/${name}`), "utf8")) as QuestionSet;
  const queries = set.questions.flatMap(({ text, wordings = [] }) => [text, ...wordings]);
  const pages = join(await fetchPackage(set.package, set.version, PACKAGES), set.folder);
  await withIndex(pages, (index) => measure(name, index, queries));
}
const folders = positionals.map((folder) => resolve(folder));
for (const folder of folders) {
  await withIndex(folder, async (index) => {
    for (const other of folders) await measure(`${other} in ${folder}`, index, listHeadings(other));
  });
}
print("all", total);

async function withIndex(dir: string, use: (index: IndexReader) => Promise<void>): Promise<void> {
  const room = mkdtempSync(join(tmpdir(), "treeline-corrections-"));
  await use(await buildAndOpen(dir, join(room, "index"))).finally(() => rmSync(room, { recursive: true }));
}

async function measure(name: string, index: IndexReader, all: readonly string[]): Promise<void> {
  const counts = newCounts();
  const random = makeRandom(1);
  const shown: string[] = [];
  for (const text of drawByHash([...new Set(all)], MOST_QUERIES, (query) => query)) {
    const { corrections, missing } = await ask(index, text);
    counts.queries++;
    if (corrections.length > 0) counts.falsely++;
    shown.push(...corrections.map(({ written, corrected }) => `${written} → ${corrected}`));
    if (corrections.length > 0 || missing.length > 0) continue;
    const typed = misspell(text, random);
    const answer = await ask(index, typed);
    const wrong = wordsOf(typed).filter((word) => !wordsOf(text).includes(word))[0];
    // A slip that makes another word of the index, or none at all, is nothing to correct.
    if (wrong === undefined || answer.corrections.length + answer.missing.length === 0) continue;
    counts.typos++;
    const meant = new Set(wordsOf(text).map(stemWord));
    if (answer.corrections.some(({ corrected }) => meant.has(stemWord(foldText(corrected))))) counts.restored++;
    else if (answer.corrections.length > 0) counts.mistaken++;
  }
  print(name, counts);
  if (values.all === true) for (const line of shown) console.log(`  ${line}`);
  for (const key of Object.keys(total) as (keyof Counts)[]) total[key] += counts[key];
}

async function ask(
  index: IndexReader,
  text: string,
): Promise<{ corrections: Correction[]; missing: readonly string[] }> {
  const answer = await search(new IndexReader(index.index, "all"), makeSearchRequest(text, { limit: 1 }));
  // Longer words that begin so are no guess at another word.
  const corrections = answer.corrections.filter(({ corrected }) => !corrected.endsWith("…"));
  return { corrections, missing: answer.missingWords };
}

function wordsOf(text: string): string[] {
  return (text.match(/\p{L}+/gu) ?? []).map(foldText);
}

/** Headings of the pages of a folder that are two words or more. */
function listHeadings(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => /\.mdx?$/.test(file));
  const lines = files.flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n"));
  return lines.flatMap((line) => /^#{1,4} +([\w ,'()-]+ [\w ,'()-]+)/.exec(line)?.[1] ?? []);
}

function print(name: string, { queries, falsely, typos, restored, mistaken }: Counts): void {
  const share = (part: number, whole: number): string => `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;
  console.log(
    `${name}: falsely corrected ${share(falsely, queries)}, typos restored ${share(restored, typos)}, mistaken ${mistaken}`,
  );
}
