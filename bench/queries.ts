/**
 * What searches cost on an index: rounds of reads, bytes and CPU, by kind of query.
 *
 *   npm run bench:queries -- INDEX [COUNT] [SEED]
 *
 * Kinds, COUNT (60) of each, drawn with a seed from the index itself: headings of one to five scoring words; two and
 * five of the hundred most frequent words; phrases of two to five neighbouring words of a text, quoted; a heading with
 * two letters swapped; the first three letters of a frequent word, as typed.
 * Warm: root, locator, titles and facets in memory, chunks and text not. CPU: of this process, each query asked again
 * with everything in memory, so that what is timed is decoding, scoring and excerpts; noisy, so compare runs of one go.
 */
import { inflateRaw } from "../indexer/codec.ts";
import { CACHE_BYTES, createDiskSource } from "../indexer/disk-source.ts";
import { percentileOf } from "../indexer/eval/metrics.ts";
import { IndexReader } from "../src/core/index/index-reader.ts";
import { openIndex } from "../src/core/index/open-index.ts";
import type { PointerObject } from "../src/core/index/range-source.ts";
import { readWithResident, residentTable } from "../src/core/index/resident.ts";
import { LruCache } from "../src/core/index/value-cache.ts";
import type { SearchRequest } from "../src/core/search/answer.ts";
import { parseQuery } from "../src/core/search/query.ts";
import { makeSearchRequest } from "../src/core/search/request.ts";
import { search } from "../src/core/search/search.ts";
import { analyzeText } from "../src/core/text/analyze.ts";
import { stripMarkup } from "../src/core/text/markup.ts";
import { listDocumentNames } from "../src/core/tree/catalogue.ts";
import { loadOutline, readPassages } from "../src/core/tree/documents.ts";
import { makeRandom, shuffle } from "./random.ts";

const FREQUENT = 100;
const SAMPLED_DOCUMENTS = 300;

const [indexDir, countText = "60", seedText = "1"] = process.argv.slice(2);
if (indexDir === undefined) {
  console.error("usage: npm run bench:queries -- INDEX [COUNT] [SEED]");
  process.exit(2);
}
const count = Number(countText);
const random = makeRandom(Number(seedText));
const source = createDiskSource(indexDir);
const pointer = (await source.readPointer()) as PointerObject;
const open = async (): Promise<IndexReader> =>
  new IndexReader(await openIndex(pointer.bytes, source, inflateRaw, new LruCache(CACHE_BYTES)), "all");

const kinds = await drawQueries(await open());
for (const [kind, queries] of kinds) await measure(kind, queries);

async function measure(kind: string, queries: readonly Partial<SearchRequest>[]): Promise<void> {
  const rows = { cold: [] as Row[], warm: [] as Row[] };
  const cpu: number[] = [];
  let unchecked = 0;
  for (const query of queries) {
    const first = await open();
    first.countPointerRead(pointer.bytes.length);
    rows.cold.push((await search(first, toRequest(query))).cost);
    const second = await open();
    await readWithResident(second, ["locator", "facets", "titles"]);
    const answer = await search(new IndexReader(second.index, "all"), toRequest(query));
    rows.warm.push(answer.cost);
    if (answer.uncheckedDocuments > 0) unchecked++;
    for (let again = 0; again < 3; again++) {
      const before = process.cpuUsage();
      await search(new IndexReader(second.index, "all"), toRequest(query));
      const used = process.cpuUsage(before);
      if (again === 2) cpu.push((used.user + used.system) / 1000);
    }
  }
  const at = (share: number): string => percentileOf(cpu, share).toFixed(1);
  console.log(
    `${kind.padEnd(20)} ${queries.length}: cold ${describe(rows.cold)}; warm ${describe(rows.warm)}; CPU ms ${at(0.5)}, p95 ${at(0.95)}${unchecked > 0 ? `; ${unchecked} not wholly checked` : ""}`,
  );
}

interface Row {
  readonly waves: number;
  readonly reads: number;
  readonly bytes: number;
}

/** Median (95th percentile, worst) of waves and bytes. */
function describe(rows: readonly Row[]): string {
  const column = (pick: (row: Row) => number, show: (value: number) => string): string => {
    const at = (share: number): string => show(percentileOf(rows.map(pick), share));
    return `${at(0.5)} (${at(0.95)}, ${at(1)})`;
  };
  return `${column((row) => row.waves, String)} waves, ${column(
    (row) => row.bytes,
    (bytes) => (bytes / 1000).toFixed(1),
  )} kB`;
}

function toRequest(query: Partial<SearchRequest>): SearchRequest {
  return makeSearchRequest(query.query ?? "", { withFacetCounts: true, ...query });
}

async function drawQueries(reader: IndexReader): Promise<Map<string, Partial<SearchRequest>[]>> {
  const { headings, sentences } = await drawTexts(reader);
  const frequent = await listFrequent(reader);
  const draw = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const times = <T>(make: () => T): T[] => Array.from({ length: count }, make);
  const byWords = (words: number): string[] =>
    headings.filter((title) => parseQuery(title).words.length === words).slice(0, count);
  const kinds = new Map<string, Partial<SearchRequest>[]>();
  const add = (kind: string, queries: readonly string[], changes: Partial<SearchRequest> = {}): void => {
    kinds.set(
      kind,
      queries.map((query) => ({ query, ...changes })),
    );
  };
  for (const words of [1, 2, 3, 4, 5]) add(`heading of ${words}`, byWords(words));
  add("1 frequent word", frequent.slice(0, count));
  add(
    "2 frequent words",
    times(() => shuffle(frequent, random).slice(0, 2).join(" ")),
  );
  add(
    "5 frequent words",
    times(() => shuffle(frequent, random).slice(0, 5).join(" ")),
  );
  add(
    "phrase",
    times(() => `"${cutPhrase(draw(sentences))}"`),
  );
  add("heading, swapped", byWords(2).map(swapLetters));
  add(
    "typed beginning",
    times(() => draw(frequent).slice(0, 3)),
    { asYouType: true },
  );
  return kinds;
}

/** Headings and sentences of some documents. */
async function drawTexts(reader: IndexReader): Promise<{ headings: string[]; sentences: string[] }> {
  const documents = shuffle(await listDocumentNames(reader), random).slice(0, SAMPLED_DOCUMENTS);
  const headings = new Set<string>();
  const sentences: string[] = [];
  for (const { id } of documents) {
    const outline = await loadOutline(reader, id);
    if (outline === undefined) continue;
    for (const { title } of outline.sections) headings.add(title);
    const { startLine, endLine } = outline.sections[0] ?? { startLine: 1, endLine: 1 };
    const [passage] = await readPassages(reader, [{ outline, startLine, endLine, withFrontmatter: false }], 20_000);
    for (const line of stripMarkup(passage?.text ?? "", true).split("\n"))
      if (line.split(" ").length >= 6) sentences.push(line);
  }
  return { headings: shuffle([...headings], random), sentences };
}

/** Words that most documents hold, stop words left out. */
async function listFrequent(reader: IndexReader): Promise<string[]> {
  await readWithResident(reader, ["spelling"]);
  const words = [...residentTable(reader, reader.shards[0]?.index ?? 0, "spelling")];
  return words
    .filter(([word]) => /^[a-z]{4,}$/.test(word) && analyzeText(word).every(({ stop }) => !stop))
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, FREQUENT)
    .map(([word]) => word);
}

/** Two to five neighbouring words. */
function cutPhrase(sentence: string): string {
  const words = sentence
    .replaceAll('"', " ")
    .split(/\s+/)
    .filter((word) => analyzeText(word).length > 0);
  const length = 2 + Math.floor(random() * 4);
  const from = Math.floor(random() * Math.max(1, words.length - length));
  return words.slice(from, from + length).join(" ");
}

function swapLetters(text: string): string {
  const at = [...text.matchAll(/[a-z]{5,}/g)].at(-1)?.index ?? 0;
  return `${text.slice(0, at + 1)}${text[at + 2] ?? ""}${text[at + 1] ?? ""}${text.slice(at + 3)}`;
}
