/**
 * Phrases cut out of pages, asked for in quotes: is the page found that holds them, and what does it cost?
 *
 *   node bench/quality/phrases.ts DIR INDEX [COUNT] [SEED]
 *
 * COUNT (100) phrases each of two to five neighbouring words are cut from lines of prose. A plain scan of all pages says
 * which of them hold a phrase; those that none does, because a border of sections or hidden text lies between their
 * words, are not asked for. A phrase is found when its own page is among the first ten, or all of the first ten hold it. Cold
 * and warm are those of `measure-queries.ts`. `VERBOSE=1` names what was not found.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateRaw } from "../../indexer/base/codec.ts";
import { comparePaths } from "../../indexer/base/globs.ts";
import { CACHE_BYTES, openSource } from "../../indexer/base/index-source.ts";
import { percentileOf } from "../../indexer/cli/commands/eval.ts";
import { cutUnits } from "../../indexer/index/cut-units.ts";
import { parseMarkdown } from "../../indexer/parse/markdown/parse.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { openIndex } from "../../src/core/index/open-index.ts";
import { readWithResident } from "../../src/core/index/resident.ts";
import { LruCache } from "../../src/core/index/value-cache.ts";
import type { SearchAnswer } from "../../src/core/search/answer.ts";
import { makeSearchRequest } from "../../src/core/search/answer.ts";
import { search } from "../../src/core/search/search.ts";
import { countsAsWord, visitTerms } from "../../src/core/text/analyze.ts";
import { cutPhrase, readLines } from "../draw-queries.ts";
import { makeRandom } from "../random.ts";
import { makeTable } from "../tables.ts";

const SHOWN = 10;
const LENGTHS = [2, 3, 4, 5];
/** Draws before a length is given up to have as few phrases as it has. */
const TRIES = 30;

interface Drawn {
  /** In quotes. */
  readonly query: string;
  readonly path: string;
  /** Pages that hold it. */
  readonly holders: ReadonlySet<string>;
}

interface Asked {
  readonly drawn: Drawn;
  readonly cold: SearchAnswer;
  readonly warm: SearchAnswer;
}

const [dir, indexDir, countText = "100", seedText = "1"] = process.argv.slice(2);
if (dir === undefined || indexDir === undefined) {
  console.error("usage: phrases.ts DIR INDEX [COUNT] [SEED]");
  process.exit(2);
}
const verbose = process.env.VERBOSE !== undefined;
const random = makeRandom(Number(seedText));
const pages = readdirSync(dir, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.mdx?$/.test(name))
  .sort(comparePaths)
  .map((name) => readPage(name.replaceAll("\\", "/"), readFileSync(join(dir, name), "utf8")));
const disk = openSource(indexDir);
const rows: string[][] = [];
const all: Asked[] = [];
for (const length of LENGTHS) {
  const asked: Asked[] = [];
  for (const drawn of drawPhrases(length, Number(countText))) {
    asked.push({ drawn, cold: await ask(drawn.query, false), warm: await ask(drawn.query, true) });
  }
  all.push(...asked);
  rows.push(summarize(`${length} words`, asked));
}
rows.push(summarize("all", all));
console.log(
  makeTable(
    [
      "phrases",
      "found",
      "others only",
      "unchecked only",
      "given up",
      "rounds warm",
      "rounds cold",
      "kB warm",
      "kB cold",
    ],
    rows,
  ),
);

function readPage(path: string, text: string): { path: string; sentences: string[]; sections: string[] } {
  const sentences = [...readLines(text)]
    .filter(({ kind }) => kind === "prose")
    .map((line) => line.text.replaceAll(/[“”„«»]/g, " "));
  const parsed = parseMarkdown({ path, text });
  const terms = parsed.sections.map(({ title }, at) => termsOf(at === 0 ? parsed.title : title));
  for (const { section, texts } of cutUnits(parsed, text)) {
    for (const { text: visible } of texts) terms[section]?.push(...termsOf(visible));
  }
  return { path, sentences, sections: terms.map((own) => ` ${own.join(" ")} `) };
}

function termsOf(text: string): string[] {
  const terms: string[] = [];
  visitTerms(text, (term, kind) => {
    if (countsAsWord(kind)) terms.push(term);
  });
  return terms;
}

function drawPhrases(length: number, count: number): Drawn[] {
  const drawn = new Map<string, Drawn>();
  for (let tries = 0; drawn.size < count && tries < count * TRIES; tries++) {
    const page = pages[Math.floor(random() * pages.length)];
    const sentence = page?.sentences[Math.floor(random() * page.sentences.length)];
    const query = sentence === undefined ? "" : cutPhrase(sentence, random, length);
    if (page === undefined || query === "" || drawn.has(query)) continue;
    const terms = ` ${termsOf(query).join(" ")} `;
    const holders = pages.filter(({ sections }) => sections.some((section) => section.includes(terms)));
    const paths = new Set(holders.map(({ path }) => path));
    if (paths.has(page.path)) drawn.set(query, { query, path: page.path, holders: paths });
  }
  return [...drawn.values()];
}

async function ask(query: string, isWarm: boolean): Promise<SearchAnswer> {
  const pointer = await disk.readPointer();
  if (pointer === undefined || pointer === "unchanged") throw new Error(`no index in ${indexDir}`);
  const index = await openIndex(pointer.bytes, disk, inflateRaw, new LruCache(CACHE_BYTES));
  if (isWarm) await readWithResident(new IndexReader(index, "all"), ["locator", "titles", "facets"]);
  const reader = new IndexReader(index, "all");
  if (!isWarm) reader.countRead(pointer.bytes.length);
  return search(reader, makeSearchRequest(query, { withFacetCounts: "at-hand" }));
}

function summarize(name: string, asked: readonly Asked[]): string[] {
  const counts = { found: 0, others: 0, unchecked: 0, givenUp: 0 };
  for (const { drawn, warm } of asked) {
    const kind = judge(drawn, warm);
    counts[kind]++;
    if (verbose && name !== "all" && kind !== "found") {
      const { hits, uncheckedDocuments, cost } = warm;
      console.log(
        `  ${kind}: ${drawn.query} of ${drawn.path}, one of ${drawn.holders.size}: ${hits.length} hits, ${uncheckedDocuments} unchecked, ${cost.waves} rounds`,
      );
    }
  }
  const show = (values: readonly number[]): string =>
    [0.5, 0.95, 1].map((share) => Number(percentileOf(values, share).toFixed(1))).join(" / ");
  return [
    `${name} (${asked.length})`,
    ...Object.values(counts).map(String),
    show(asked.map(({ warm }) => warm.cost.waves)),
    show(asked.map(({ cold }) => cold.cost.waves)),
    show(asked.map(({ warm }) => warm.cost.bytes / 1000)),
    show(asked.map(({ cold }) => cold.cost.bytes / 1000)),
  ];
}

/** Whether an answer holds what was asked for, other pages that do, none so far, or says that there is none. */
function judge({ query, path, holders }: Drawn, { hits, relaxedPhrases, uncheckedDocuments }: SearchAnswer) {
  const found = relaxedPhrases.length > 0 ? [] : hits.map((hit) => hit.path);
  const wrong = found.filter((one) => !holders.has(one));
  if (wrong.length > 0) console.log(`  wrong: ${query} found in ${wrong.join(", ")}`);
  if (found.includes(path) || found.length === SHOWN) return "found";
  if (found.length > 0) return "others";
  return uncheckedDocuments > 0 && relaxedPhrases.length === 0 ? "unchecked" : "givenUp";
}
