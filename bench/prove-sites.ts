/**
 * Prove on ten real sites that search works as its visitors use it: each is built by its own generator and indexed, clicked
 * through in Chromium, and searched beside Pagefind's UI on the same pages.
 *
 *   npm run prove:sites -- [--only NAME]… [--source NAME=FOLDER]… [--pictures FOLDER] [--work FOLDER] [--write]
 *
 * `--only own` is a small site of this project's own pages. `--source` gives pages that a registry does not have, `--work` keeps
 * sites so that the next run need not build them, `--write` puts the table into docs/benchmarks.md. Needs npm, and Debian for some sites. Ends with 1 where a step fails or
 * a bar is missed.
 */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "playwright-core";
import { projectRoot } from "../test/support/environment.ts";
import { chromiumOptions } from "../test/support/find-chromium.ts";
import { copyCheckout, packIn } from "../test/support/packed-project.ts";
import { fetchPagefind } from "./pagefind/program.ts";
import { OWN, SITES } from "./sites/all.ts";
import { OURS, openWindow, peerPage, THEIRS } from "./sites/browse.ts";
import { buildSite } from "./sites/build-site.ts";
import {
  type Comparison,
  type Cost,
  type Found,
  findAll,
  listLanguages,
  measureFirst,
  PEER_PAGE,
} from "./sites/compare.ts";
import { type SiteHost, serveSite } from "./sites/host.ts";
import { readQueries, type Site } from "./sites/site.ts";
import { readLinks, type Steps, walk } from "./sites/steps.ts";
import { makeTable, showBytes } from "./tables.ts";

/** Share of all queries whose right page must be first. */
const LEAST_RIGHT = 0.9;
/** Of an error, in characters. */
const LONGEST_SHOWN = 3000;
const BETWEEN = ["<!-- prove:sites -->", "<!-- /prove:sites -->"] as const;

interface Result {
  readonly site: Site;
  readonly pages: number;
  readonly queries: number;
  readonly steps: Steps & { readonly also: string };
  /** Treeline's and Pagefind's. */
  readonly found: Both<Found>;
  readonly cost: Both<Cost>;
}

type Both<T> = readonly [ours: T, theirs: T];

const { values: options } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    source: { type: "string", multiple: true, default: [] },
    pictures: { type: "string" },
    work: { type: "string" },
    write: { type: "boolean", default: false },
  },
});
const names = [...SITES, OWN].map(({ name }) => name);
const sources = new Map(options.source.map((one) => one.split("=", 2) as [string, string]));
for (const name of [...options.only, ...sources.keys()]) {
  if (!names.includes(name)) throw new Error(`no site is called ${name}; there are ${names.join(", ")}`);
}
const chosen = options.only.length === 0 ? SITES : [...SITES, OWN].filter(({ name }) => options.only.includes(name));
const work = resolve(options.work ?? (await mkdtemp(join(tmpdir(), "treeline-sites-"))));
if (options.pictures !== undefined) await mkdir(options.pictures, { recursive: true });
let packed: Promise<string> | undefined;
const failures: string[] = [];
const results: Result[] = [];
try {
  const pagefind = await fetchPagefind(join(work, "pagefind"));
  for (const site of chosen) {
    console.log(`\n${site.name}: ${site.about}`);
    try {
      await prove(site, pagefind);
    } catch (error) {
      fail(site.name, String(error).slice(0, LONGEST_SHOWN));
    }
  }
} finally {
  if (options.work === undefined) await rm(work, { recursive: true, force: true });
}
judge();
const tables = `${makeTable(STEP_HEADER(), results.map(stepRow))}\n\n${makeTable(QUERY_HEADER(), [...results.map(queryRow), sumRow()])}`;
console.log(
  `\n${tables}\n\n${failures.length === 0 ? "all of it holds" : `${failures.length} failed:\n${failures.join("\n")}`}`,
);
if (options.write) await writeTables();
process.exitCode = failures.length === 0 ? 0 : 1;

/** Build a site, click through it and compare. */
async function prove(site: Site, pagefind: string): Promise<void> {
  const started = performance.now();
  const { dist, pages, milliseconds } = await buildSite(site, join(work, site.name), {
    given: sources.get(site.name),
    pagefind,
    tarball,
  });
  const queries = await readQueries(site);
  for (const page of new Set(queries.flatMap((query) => query.page))) {
    const isThere = [`${page}.html`, join(page, "index.html")].some((path) => existsSync(join(dist, path)));
    if (!isThere) fail(site.name, `queries.json names a page that is not there: ${page}`);
  }
  const added = new Map(
    listLanguages(queries).map((one) => [`${PEER_PAGE}-${one}.html`, peerPage(site.base, one)] as const),
  );
  console.log(`  ${pages} pages, indexed in ${(milliseconds / 1000).toFixed(1)} s; ready after ${seconds(started)}`);
  const host = await serveSite(dist, site.base, added);
  // A browser for each site, so that one that ends takes nothing else with it.
  const browser = await chromium.launch(chromiumOptions());
  try {
    const also = await visitFurther(browser, site, host);
    if (site.visit === undefined) return;
    const isOwnForm = await readLinks(dist, host.site);
    const picture = (page: Page, name: string): Promise<void> => takePicture(page, `${site.name}-${name}`);
    const steps = await walk({ browser, visit: site.visit, host, isOwnForm, picture });
    for (const [step, problem] of Object.entries(steps)) {
      if (problem !== "" && problem !== "—") fail(site.name, `${step}: ${problem}`);
    }
    const way: Comparison = { browser, start: site.visit.start, host, queries, isOwnForm };
    // What is found does not depend on the time that it takes, so both may be asked at once.
    const found = await Promise.all([findAll(OURS, way), findAll(THEIRS, way)]);
    for (const [place, { misses }] of found.entries()) {
      for (const miss of misses) console.log(`  ${place === 0 ? OURS.name : THEIRS.name}: ${miss}`);
    }
    const [{ strange }] = found;
    if (strange.length > 0) {
      fail(site.name, `the site does not write ${strange.slice(0, 3).join(", ")} (${strange.length})`);
    }
    const cost = [await measureFirst(OURS, way), await measureFirst(THEIRS, way)] as const;
    console.log(
      `  ${found.map(({ right }) => right).join(" and ")} of ${queries.length}; done after ${seconds(started)}`,
    );
    results.push({ site, pages, queries: queries.length, steps: { ...steps, also }, found, cost });
  } finally {
    await browser.close();
    await host.close();
  }
}

/** Treeline's package, packed once. */
function tarball(): Promise<string> {
  packed ??= (async () => {
    const copy = await mkdtemp(join(tmpdir(), "treeline-packed-"));
    copyCheckout(copy);
    return packIn(copy, join(work, "packed"));
  })();
  return packed;
}

/** The further visit of a site. The result is as of a step. */
async function visitFurther(browser: Browser, { name, also }: Site, host: SiteHost): Promise<string> {
  if (also === undefined) return "—";
  const window = await openWindow(browser, host);
  try {
    const page = await window.newPage();
    const problems = await also(page, host.site).catch((error: unknown) => [String(error).slice(0, LONGEST_SHOWN)]);
    for (const problem of problems) fail(name, problem);
    if (problems.length === 0) console.log("  further visit: works");
    await takePicture(page, `${name}-further`);
    return problems.join("; ");
  } finally {
    await window.close();
  }
}

async function takePicture(page: Page, name: string): Promise<void> {
  if (options.pictures !== undefined) await page.screenshot({ path: join(options.pictures, `${name}.png`) });
}

/** Note which bars are missed. */
function judge(): void {
  for (const { site, found } of results) {
    const [ours, theirs] = found;
    if (ours.right < theirs.right)
      fail(site.name, `right page first ${ours.right} times, ${theirs.right} with Pagefind`);
  }
  const asked = results.reduce((sum, { queries }) => sum + queries, 0);
  const right = results.reduce((sum, { found }) => sum + found[0].right, 0);
  if (right < LEAST_RIGHT * asked) fail("all sites", `right page first in ${right} of ${asked} queries`);
}

function fail(name: string, what: string): void {
  failures.push(`${name}: ${what}`);
  console.log(`  FAILED ${what}`);
}

function STEP_HEADER(): string[] {
  return ["site", "pages", "typed", "followed", "marked", "phone", "dark", "language", "version", "on and back"];
}

function stepRow({ site, pages, steps }: Result): string[] {
  const show = (step: string): string => (step === "" ? "yes" : step === "—" ? step : "**no**");
  const { typed, followed, marked, phone, dark, language, version, also } = steps;
  return [site.about, String(pages), ...[typed, followed, marked, phone, dark, language, version, also].map(show)];
}

function QUERY_HEADER(): string[] {
  return [
    "site",
    "right page first",
    "index, further query",
    "index, first query",
    "code",
    "first row of a first query",
  ];
}

function queryRow({ site, queries, found, cost }: Result): string[] {
  const both = <T>([ours, theirs]: Both<T>, show: (one: T) => string): string => `${show(ours)} / ${show(theirs)}`;
  return [
    site.about,
    `${both(found, ({ right }) => String(right))} of ${queries}`,
    both(found, ({ bytes }) => showBytes(bytes)),
    both(cost, ({ bytes }) => showBytes(bytes)),
    both(cost, ({ code }) => showBytes(code)),
    both(cost, ({ milliseconds }) => `${Math.round(milliseconds)} ms`),
  ];
}

function sumRow(): string[] {
  const sum = (count: (result: Result) => number): number => results.reduce((total, one) => total + count(one), 0);
  const right = [0, 1].map((place) => sum(({ found }) => (found[place] as Found).right));
  return ["all", `${right.join(" / ")} of ${sum(({ queries }) => queries)}`, "", "", "", ""];
}

async function writeTables(): Promise<void> {
  const place = join(projectRoot, "docs", "benchmarks.md");
  const text = await readFile(place, "utf8");
  const [begin, end] = BETWEEN.map((mark) => text.indexOf(mark));
  if (begin === undefined || end === undefined || begin < 0 || end < begin)
    throw new Error(`${place} lacks ${BETWEEN.join(" … ")}`);
  await writeFile(place, `${text.slice(0, begin + BETWEEN[0].length)}\n\n${tables}\n\n${text.slice(end)}`);
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(0)} s`;
}
