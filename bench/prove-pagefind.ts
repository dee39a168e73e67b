/**
 * Prove that the module with Pagefind's interface answers as Pagefind's own does, on the same pages of HTML.
 *
 *   npm run prove:pagefind [-- SITE]
 *
 * Without SITE, a made-up site that uses every attribute. Both are asked in Node, each through its `createInstance`:
 * - names of functions, and the keys of answers, results, data, parts of pages, anchors and places
 * - filters and their counts; a grid of compound filters; orders by every sort key
 * - of every page address, title, filters and meta data
 * - the pages that hold a word, for words that begin no other word: Pagefind finds longer words too, and stems otherwise
 * - in Chromium, what a visitor sees in Pagefind's own interfaces (`pagefind/ui-journeys.ts`), whose files its program writes
 * Of a site that is given, the share of pages and words that are alike is told and no more.
 * Ends with 1 where anything differs that docs/pagefind.md does not name.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildCorpus } from "../indexer/index/build.ts";
import { createStaticSource, makePagefind, type Pagefind } from "../src/web/pagefind/make-pagefind.ts";
import type { PagefindSearchOptions, ResultData } from "../src/web/pagefind/one-index.ts";
import { openStaticIndex } from "../src/web/static-index.ts";
import { runProgram } from "../test/support/run-program.ts";
import { serveFiles } from "../test/support/static-host.ts";
import { makeSite } from "./pagefind/made-up-site.ts";
import { fetchPagefind, pagefindArguments } from "./pagefind/program.ts";
import { showUis } from "./pagefind/prove-uis.ts";

type PagefindInstance = ReturnType<Pagefind["createInstance"]>;

/** Words that are asked for. */
const WORDS = 150;
/** A word of letters that no stemmer of either changes much by itself. */
const WORD = /^[a-z]{4,}$/;
/** What Pagefind adds in some versions, without saying what it is for. */
const UNDOCUMENTED = new Set(["matchedMetaFields", "search_keywords", "query_term_idfs"]);

/** An anchor as Pagefind has it, with what `data-pagefind-title` calls it. */
type TitledAnchor = ResultData["anchors"][number] & { readonly title?: string };

const SORT_KEY = /data-pagefind-sort="([^":[\],]+)">([^<]*)</g;

const scratch = mkdtempSync(join(tmpdir(), "treeline-pagefind-"));
const closing: (() => unknown)[] = [() => rmSync(scratch, { recursive: true, force: true })];
let failures = 0;
try {
  await prove(process.argv[2]);
  process.exitCode = failures === 0 ? 0 : 1;
} finally {
  for (const close of closing.reverse()) await close();
}

async function prove(given: string | undefined): Promise<void> {
  const site = given ?? writeSite(join(scratch, "site"));
  const [mine, theirs] = [join(scratch, "mine"), join(scratch, "theirs")];
  await buildCorpus({ dir: site, outDir: mine });
  const program = await fetchPagefind(join(homedir(), ".cache", "treeline", "packages"));
  const { exitCode, output } = await runProgram(program, pagefindArguments(site, theirs), scratch);
  if (exitCode !== 0) throw new Error(output);
  const [ours, real] = [await openOurs(mine), await openReal(theirs)];
  same("exports", Object.keys(ours).sort(), real.names);
  const own = ours.createInstance({});
  same("functions of an instance", Object.keys(own).sort(), Object.keys(real.instance).sort());
  await own.init();
  await real.instance.init();
  const filters = await real.instance.filters();
  same("filters", await own.filters(), filters);
  await compareShapes(own, real.instance);
  if (Object.keys(filters).length > 0) await compareFilters(own, real.instance, filters);
  const pages = await comparePages(own, real.instance, given === undefined);
  for (const [key, values] of readSortKeys(site)) {
    for (const direction of ["asc", "desc"]) await compareOrders(own, real.instance, values, { [key]: direction });
  }
  await compareWords(own, real.instance, pages, given === undefined);
  if (given !== undefined) return;
  for (const { name, ours: seen, theirs: expected } of await showUis(site, mine, theirs)) same(name, seen, expected);
}

/** Whether two values are equal as JSON; said on a line. */
function same(what: string, got: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(sorted(got)), JSON.stringify(sorted(expected))];
  if (a !== b) failures++;
  console.log(a === b ? `ok  ${what}` : `BAD ${what}: ${a.slice(0, 600)}\n    not ${b.slice(0, 600)}`);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, own]) => [key, sorted(own)]),
  );
}

/** Keys of an answer and all that hangs on it, with what kind of value each has. */
async function shapeOf(instance: PagefindInstance, term: string): Promise<unknown> {
  const { results, ...answer } = await instance.search(term);
  const [first] = results;
  const data = (await first?.data()) as ResultData;
  const kinds = (value: object | undefined): unknown =>
    Object.fromEntries(
      Object.entries(value ?? {})
        .filter(([key]) => !UNDOCUMENTED.has(key))
        .map(([key, own]) => [key, Array.isArray(own) ? "list" : typeof own]),
    );
  const parts = data.sub_results;
  return {
    answer: kinds({ results, ...answer }),
    timings: kinds(answer.timings[0]),
    result: kinds(first),
    data: kinds(data),
    part: kinds(parts.find(({ anchor }) => anchor !== undefined)),
    rootPart: kinds(parts.find(({ anchor }) => anchor === undefined)),
    anchor: kinds(data.anchors[0]),
    place: kinds(data.weighted_locations[0]),
  };
}

async function compareShapes(own: PagefindInstance, real: PagefindInstance): Promise<void> {
  const [term = "the"] = await commonWords(real);
  same(`shapes of an answer to "${term}"`, await shapeOf(own, term), await shapeOf(real, term));
  const empty = async (instance: PagefindInstance): Promise<unknown> => ({
    ...(await instance.search("")),
    timings: 0,
  });
  same("an answer to nothing", await empty(own), await empty(real));
}

/** Words of the first page with sections that other pages have as well. */
async function commonWords(real: PagefindInstance): Promise<string[]> {
  const { results } = await real.search(null);
  for (const result of results) {
    const { anchors, content } = await result.data();
    const before = content
      .split(/\s+/)
      .slice(0, anchors[0]?.location ?? 0)
      .map((word) => word.toLowerCase().replace(/\W/g, ""));
    const behind = content
      .toLowerCase()
      .split(/\W+/)
      .slice(anchors[0]?.location ?? 0);
    const both = before.filter((word) => WORD.test(word) && behind.includes(word));
    if (anchors.length > 0 && both.length > 0) return both;
  }
  return [];
}

async function urls(
  instance: PagefindInstance,
  term: string | null,
  options: PagefindSearchOptions = {},
): Promise<string[]> {
  const { results } = await instance.search(term, options);
  return Promise.all(results.map(async (result) => (await result.data()).raw_url));
}

async function compareFilters(
  own: PagefindInstance,
  real: PagefindInstance,
  filters: Readonly<Record<string, Readonly<Record<string, number>>>>,
): Promise<void> {
  const terms = [null, ...(await commonWords(real)).slice(0, 1)];
  const grid = listFilters(filters);
  let equal = 0;
  for (const filter of grid) {
    for (const term of terms) {
      const options = { filters: filter };
      const [got, expected] = await Promise.all([own.search(term, options), real.search(term, options)]);
      const [a, b] = [(await urls(own, term, options)).sort(), (await urls(real, term, options)).sort()];
      // Pagefind counts nothing without the filters where no word was asked for.
      const counts = ({ filters: f, totalFilters: t, unfilteredResultCount: n }: typeof got): unknown =>
        sorted(term === null ? { f } : { f, t, n });
      const isEqual = JSON.stringify([a, counts(got)]) === JSON.stringify([b, counts(expected)]);
      if (isEqual) equal++;
      else if (equal >= 0) same(`filter ${JSON.stringify(filter)} of ${term}`, [a, counts(got)], [b, counts(expected)]);
    }
  }
  console.log(`    ${equal} of ${grid.length * terms.length} filtered answers are equal, counts included`);
}

/** Filters in every form that there is, over the first two facets. */
function listFilters(filters: Readonly<Record<string, Readonly<Record<string, number>>>>): unknown[] {
  const entries = Object.entries(filters);
  const [key, values] = entries[0] ?? ["", {}];
  const [other, others] = entries[1] ?? [key, values];
  const [a = "", b = a] = Object.keys(values);
  const [c = ""] = Object.keys(others);
  const conditions = [
    { [key]: a },
    { [key]: [a, b] },
    { [other]: c },
    { [key]: a, [other]: c },
    { [key]: "no such value" },
  ];
  const inside = ["any", "all", "none", "not"].flatMap((operator) => [
    { [key]: { [operator]: [a, b] } },
    { [key]: { [operator]: a } },
    { [key]: { [operator]: [{ all: [a, b] }, a] } },
    ...conditions.flatMap((one) => [
      { [operator]: one },
      { [operator]: [one, { [other]: c }] },
      { [operator]: [one], [other]: c },
      { any: [{ [operator]: one }, { [key]: b }] },
    ]),
  ]);
  return [{}, ...conditions, ...inside, { nothing: "x" }, { [key]: [] }, { [key]: {} }];
}

/** All pages, and what is known of each; gives their texts. */
async function comparePages(own: PagefindInstance, real: PagefindInstance, isMadeUp: boolean): Promise<string[]> {
  const load = async (instance: PagefindInstance): Promise<ResultData[]> => {
    const { results } = await instance.search(null);
    const all = await Promise.all(results.map((result) => result.data()));
    return all.sort((x, y) => (x.raw_url < y.raw_url ? -1 : 1));
  };
  const [ours, theirs] = [await load(own), await load(real)];
  const facts = ({ raw_url, meta, filters, anchors }: ResultData): unknown => ({
    raw_url,
    meta,
    filters: Object.fromEntries(Object.entries(filters).map(([key, values]) => [key, [...values].sort()])),
    // Of headings of the first level only the page's title is one here. What an element is called counts, not which one it is.
    anchors: (anchors as readonly TitledAnchor[])
      .filter(({ element }) => element !== "h1")
      .map(({ id, text, title }) => [id, title ?? text]),
  });
  same("number of pages", ours.length, theirs.length);
  let alike = 0;
  for (const [at, page] of theirs.entries()) {
    const [a, b] = [ours[at] && facts(ours[at]), facts(page)];
    const isEqual = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
    if (isEqual) alike++;
    else if (isMadeUp) same(`facts of ${page.raw_url}`, a, b);
  }
  console.log(`    facts of ${alike} of ${theirs.length} pages are equal`);
  const words = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  const equal = ours.filter(({ content }, at) => words(content) === words(theirs[at]?.content ?? "")).length;
  console.log(
    `    the text of ${equal} of ${theirs.length} pages is equal, word by word; here descriptions of pictures are in it`,
  );
  return theirs.map(({ content }) => content);
}

async function compareOrders(
  own: PagefindInstance,
  real: PagefindInstance,
  values: ReadonlyMap<string, string>,
  sort: Readonly<Record<string, string>>,
): Promise<void> {
  const order = async (instance: PagefindInstance): Promise<unknown[]> =>
    (await urls(instance, null, { sort })).map((url) => values.get(url));
  same(`values of pages sorted by ${JSON.stringify(sort)}`, await order(own), await order(real));
}

/** Values by address, of each key that pages are sorted by. */
function readSortKeys(site: string): Map<string, Map<string, string>> {
  const keys = new Map<string, Map<string, string>>();
  for (const path of readdirSync(site, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".html")) continue;
    const url = `/${path.replaceAll("\\", "/").replace(/(^|\/)index\.html$/, "$1")}`;
    for (const [, key = "", value = ""] of readFileSync(join(site, path), "utf8").matchAll(SORT_KEY)) {
      keys.set(key, (keys.get(key) ?? new Map()).set(url, value));
    }
  }
  return keys;
}

async function compareWords(
  own: PagefindInstance,
  real: PagefindInstance,
  texts: readonly string[],
  isMadeUp: boolean,
): Promise<void> {
  const all = [...new Set(texts.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u)))];
  const asked = all
    .filter(
      (word) =>
        WORD.test(word) &&
        !all.some((other) => other !== word && other.slice(0, word.length - 1) === word.slice(0, -1)),
    )
    .filter((_, at, list) => at % Math.ceil(list.length / WORDS) === 0);
  const differing: string[] = [];
  for (const word of asked) {
    const [a, b] = [(await urls(own, word)).sort(), (await urls(real, word)).sort()];
    if (JSON.stringify(a) !== JSON.stringify(b)) differing.push(`${word} ${a.length}/${b.length}`);
  }
  console.log(`    the same pages hold ${asked.length - differing.length} of ${asked.length} words`);
  if (isMadeUp) same("words that other pages hold", differing, []);
}

async function openOurs(dir: string): Promise<Pagefind> {
  const host = await serveFiles((path) => read(join(dir, path.replace(/^pagefind\//, ""))));
  closing.push(() => host.close());
  return makePagefind((folder) => createStaticSource(folder, async () => ({ openStaticIndex })), {
    folder: `${host.url}pagefind/`,
    origin: host.url.slice(0, -1),
    language: () => "en",
  });
}

async function openReal(dir: string): Promise<{ names: string[]; instance: PagefindInstance }> {
  const host = await serveFiles((path) => read(join(dir, path.replace(/^pagefind\//, ""))));
  closing.push(() => host.close());
  // All that it asks of a document is the language of the page.
  Object.assign(globalThis, { document: { currentScript: null, querySelector: () => ({ getAttribute: () => "en" }) } });
  const module = (await import(pathToFileURL(join(dir, "pagefind.js")).href)) as Pagefind;
  const instance = module.createInstance({ basePath: `${host.url}pagefind/`, noWorker: true });
  return { names: Object.keys(module).sort(), instance };
}

function read(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function writeSite(dir: string): string {
  for (const [path, text] of makeSite()) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}
