/** Twenty queries in Treeline's box and in Pagefind's UI on the same site: is the right page first, and what does it cost. */
import type { Browser, Page } from "playwright-core";
import { ask, type Box, OURS, openBox, openWindow, readChosen, THEIRS, timeFirst } from "./browse.ts";
import type { SiteHost } from "./host.ts";
import type { SiteQuery } from "./site.ts";
import { type IsOwnForm, pageOf, withoutHash } from "./steps.ts";

/** Which pages one box finds. */
export interface Found {
  /** Queries whose right page is first. */
  readonly right: number;
  /** The other queries, with what is first and where the right page is. */
  readonly misses: readonly string[];
  /** Addresses of rows that the site writes otherwise. */
  readonly strange: readonly string[];
  /** Bytes of the index that a query reads after others, median. */
  readonly bytes: number;
}

/** What a first query of a visit costs; medians. */
export interface Cost {
  /** Bytes of the index. */
  readonly bytes: number;
  /** Bytes of code, with gzip. */
  readonly code: number;
  /** Milliseconds from the last key to the first row. */
  readonly milliseconds: number;
}

/** What the comparison needs. */
export interface Comparison {
  readonly browser: Browser;
  /** Page on which a visitor begins. */
  readonly start: string;
  readonly host: SiteHost;
  readonly queries: readonly SiteQuery[];
  readonly isOwnForm: IsOwnForm;
}

/** Beginning of the path of a page with Pagefind's UI, before its language. */
export const PEER_PAGE = "pagefind-ui";
/** Of files of an index, as a host far away has it. */
const DELAY_MS = 100;
/** First queries of a visit that are timed: one in so many. */
const EVERY = 4;

/** Ask all queries in one box. @throws {Error} where it does not answer. */
export async function findAll(box: Box, way: Comparison): Promise<Found> {
  const { host, queries, isOwnForm } = way;
  const misses: string[] = [];
  const strange = new Set<string>();
  const later: number[] = [];
  const byStart = Map.groupBy(queries, ({ from }) => from ?? way.start);
  for (const [start, asked] of byStart) {
    const window = await openWindow(way.browser, host);
    try {
      const page = await openAt(way, box, await window.newPage(), start);
      for (const [place, { query, page: right }] of asked.entries()) {
        await page.waitForLoadState("networkidle");
        const since = host.requests.length;
        const rows = await ask(page, box, query);
        if (place > 0) later.push(countBytes(host, box, since).index);
        const pages = rows.map((row) => pageOf(row, host.site));
        const rights = [right].flat().map((one) => pageOf(one, ""));
        const chosen = box === OURS ? await readChosen(page) : rows[0];
        if (!rights.includes(pages[0] ?? "")) {
          const rank = [...new Set(pages)].findIndex((one) => rights.includes(one)) + 1;
          misses.push(
            `"${query}": ${pages[0] ?? "nothing"}, not ${rights.join(" or ")} (${rank === 0 ? "missing" : `place ${rank}`})`,
          );
        } else if (chosen !== undefined && !rights.includes(pageOf(chosen, host.site))) {
          misses.push(`"${query}": ${pages[0]} is first, but Enter leads to ${pageOf(chosen, host.site)}`);
        }
        for (const row of rows) if (!isOwnForm(row)) strange.add(withoutHash(row).slice(host.site.length));
      }
    } finally {
      await window.close();
    }
  }
  return { right: queries.length - misses.length, misses, strange: [...strange], bytes: median(later) };
}

/** Ask some queries as the first of a visit. @throws {Error} where the box does not answer. */
export async function measureFirst(box: Box, way: Comparison): Promise<Cost> {
  const firsts = [];
  for (const query of way.queries.filter((_, place) => place % EVERY === 0))
    firsts.push(await askFirst(way, box, query));
  return {
    bytes: median(firsts.map(({ index }) => index)),
    code: median(firsts.map(({ code }) => code)),
    milliseconds: median(firsts.flatMap(({ milliseconds }) => milliseconds ?? [])),
  };
}

/** Languages that queries are asked in. */
export function listLanguages(queries: readonly SiteQuery[]): readonly string[] {
  return [...new Set(queries.map(({ from }) => languageOf(from)))];
}

function languageOf(from: string | undefined): string {
  return /^([a-z]{2})\//.exec(from ?? "")?.[1] ?? "en";
}

async function openAt({ host }: Comparison, box: Box, page: Page, start: string): Promise<Page> {
  const path = box === THEIRS ? `${PEER_PAGE}-${languageOf(start)}.html` : start;
  await page.goto(`${host.site}${path}`, { waitUntil: "networkidle" });
  if (box === OURS) await openBox(page);
  else await page.locator(box.input).click();
  return page;
}

/** The first query of a visit, with nothing in the browser's cache. */
async function askFirst(
  way: Comparison,
  box: Box,
  { query, from }: SiteQuery,
): Promise<{ index: number; code: number; milliseconds: number | undefined }> {
  const { host } = way;
  const window = await openWindow(way.browser, host);
  host.delay = DELAY_MS;
  const since = host.requests.length;
  try {
    const page = await openAt(way, box, await window.newPage(), from ?? way.start);
    const milliseconds = await timeFirst(page, box, query);
    await page.waitForLoadState("networkidle");
    return { ...countBytes(host, box, since), milliseconds };
  } finally {
    host.delay = 0;
    await window.close();
  }
}

/** Bytes that one box was sent. @param since Requests before. */
function countBytes(host: SiteHost, box: Box, since: number): { index: number; code: number } {
  const sent = { index: 0, code: 0 };
  for (const { path, bytes } of host.requests.slice(since)) {
    if (!path.includes(box.folder)) continue;
    if (box.isCode(path)) sent.code += host.packed(path);
    else sent.index += bytes;
  }
  return sent;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
