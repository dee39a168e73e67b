/** One index as Pagefind's interface sees it: every page that was found is a result, which reads its data when it is asked. */

import type { FacetCounts } from "../../core/docs/model.ts";
import { MAX_QUERY_LENGTH } from "../../core/search/answer.ts";
import type { PagesFound, PagesRequest, RankedPage } from "../../core/search/find-pages.ts";
import type { PageText } from "../../core/search/read-pages.ts";
import { isWebAddress } from "../../core/text/addresses.ts";
import { cutText } from "../../core/text/short-text.ts";
import { cleanText } from "../../surface/render/text.ts";
import { keepSuccess } from "../load-module.ts";
import { applyOptions, DEFAULT_SETTINGS, type PagefindOptions, type Settings } from "./options.ts";

/** What a search may ask for beside its words. */
export interface PagefindSearchOptions {
  readonly filters?: unknown;
  /** One facet, `asc` or `desc`. */
  readonly sort?: Readonly<Record<string, string>>;
  readonly [other: string]: unknown;
}

/** A page that was found. */
export interface PagefindResult {
  readonly id: string;
  readonly score: number;
  /** Empty: places of the words are in the data. */
  readonly words: readonly number[];
  data(): Promise<ResultData>;
}

export class OneIndex {
  readonly #source: PageSource;
  readonly #folder: string;
  readonly #documentLanguage: string;
  /** Stands before the keys of pages, so that no two indexes have equal ones. */
  readonly #name: string;
  #settings: Settings;
  /** Pagefind counts filters once somebody has asked for them: until then nobody pays for it. */
  #isCounting = false;

  constructor(
    source: PageSource,
    { folder, name, language, options }: { folder: string; name: string; language: string; options: PagefindOptions },
  ) {
    this.#source = source;
    this.#folder = folder;
    this.#name = name;
    this.#documentLanguage = language;
    this.#settings = applyOptions(DEFAULT_SETTINGS, options);
  }

  setOptions(options: PagefindOptions): void {
    this.#settings = applyOptions(this.#settings, options);
  }

  prepare(): Promise<void> {
    return this.#source.prepare();
  }

  /** Rejects where there is no index. */
  check(): Promise<void> {
    return this.#source.check();
  }

  /** How many pages have each value of each filter. */
  async filters(): Promise<Record<string, Record<string, number>>> {
    this.#isCounting = true;
    const { added } = this.#settings;
    return showCounts(await this.#source.count({ added, language: this.#language }));
  }

  /** All pages with the words; `null` for every page. Each comes with what it was sorted by; undefined where scores decide. */
  async search(term: string | null, options: PagefindSearchOptions) {
    const start = Date.now();
    const settings = this.#settings;
    const request = this.#requestFor(term, options);
    if (request === undefined) return { ...NOTHING, timings: timeSince(start) };
    const found = await this.#source.find(request);
    const read = this.#makeRead(found, request, settings);
    return {
      results: found.pages.map((page) => ({ result: this.#toResult(page, settings, read), sortValue: page.sortValue })),
      unfilteredResultCount: found.unfiltered,
      filters: showCounts(found.counts?.filtered ?? {}),
      totalFilters: showCounts(found.counts?.all ?? {}),
      timings: timeSince(start),
    };
  }

  /** Read what such a search will need. Never rejects. */
  async preload(term: string | null, options: PagefindSearchOptions): Promise<void> {
    const request = this.#requestFor(term, options);
    if (request !== undefined) await this.#source.preload(request);
  }

  /** What is asked for; undefined where nothing is. */
  #requestFor(term: string | null, options: PagefindSearchOptions): PagesRequest | undefined {
    const query = term === null ? undefined : cutText(term.trim(), MAX_QUERY_LENGTH);
    if (query === "") return undefined;
    const filter = readFilter(options.filters ?? {});
    const [sort] = Object.entries(options.sort ?? {});
    return {
      query,
      filter,
      added: this.#settings.added,
      language: this.#language,
      sort: sort === undefined ? undefined : { key: sort[0], descending: sort[1] === "desc" },
      withCounts: this.#isCounting || Object.keys(Object(filter)).length > 0,
      ranking: this.#settings.ranking,
      // Pagefind finds beginnings of words, too.
      typing: true,
    };
  }

  get #language(): string {
    return this.#settings.language ?? this.#documentLanguage;
  }

  #toResult(page: RankedPage, { indexWeight }: Settings, read: (key: string) => Promise<ResultData>): PagefindResult {
    return {
      id: `${this.#language || "unknown"}_${this.#name}${page.key}`,
      score: page.score * indexWeight,
      words: [],
      data: keepSuccess(() => read(page.key)),
    };
  }

  /** Reads pages by their keys; those that are asked for at once are read together. */
  #makeRead(found: PagesFound, request: PagesRequest, settings: Settings): (key: string) => Promise<ResultData> {
    let waiting: string[] = [];
    let batch: Promise<readonly PageText[]> | undefined;
    const highlightWords = wordsToMark(request.query ?? "");
    const baseUrl = settings.baseUrl ?? siteOfIndex(this.#folder);
    return async (key) => {
      const at = waiting.push(key) - 1;
      batch ??= Promise.resolve().then(() => {
        const keys = waiting;
        waiting = [];
        batch = undefined;
        return this.#read(found, request, keys);
      });
      const reading = batch;
      const page = (await reading)[at] as PageText;
      return toResultData(page, {
        ...settings,
        baseUrl,
        highlightWords,
        filters: showFacets(page.facets, settings.added),
      });
    };
  }

  /** Pages that were found. Where the site was published anew since, those that stand in their places now. */
  async #read(found: PagesFound, request: PagesRequest, keys: readonly string[]): Promise<readonly PageText[]> {
    try {
      return await this.#source.read(found, keys);
    } catch (error) {
      const again = await this.#source.find(request);
      if (again.generation === found.generation) throw error;
      const places = keys.map((key) => found.pages.findIndex((page) => page.key === key));
      const moved = places.flatMap((at) => again.pages[at]?.key ?? again.pages.at(-1)?.key ?? []);
      if (moved.length < keys.length) throw error;
      return this.#source.read(again, moved);
    }
  }
}

const NOTHING = { results: [], unfilteredResultCount: 0, filters: {}, totalFilters: {} } as const;

function timeSince(start: number) {
  const total = Date.now() - start;
  return { preload: 0, search: total, total };
}

export interface PageSource {
  /** Get ready: somebody is about to type. Never rejects. */
  prepare(): Promise<void>;
  /** Make sure that there is an index. Rejects, with what is wrong, where there is none. */
  check(): Promise<void>;
  /** How many pages have each value of each facet. */
  count(request: Pick<PagesRequest, "added" | "language">): Promise<FacetCounts>;
  /** Read what such a request will need, if it may be asked soon. Never rejects. */
  preload(request: PagesRequest): Promise<void>;
  find(request: PagesRequest): Promise<PagesFound>;
  /** Pages that were found, by their keys, in the order asked for. */
  read(found: PagesFound, keys: readonly string[]): Promise<readonly PageText[]>;
}

/** Opens the index in a folder, given by its address with a slash at its end. */
export type OpenSource = (folder: string) => PageSource;

export function showCounts(counts: FacetCounts): Record<string, Record<string, number>> {
  return Object.fromEntries(
    Object.entries(counts).map(([key, values]) => [
      showName(key),
      Object.fromEntries(Object.entries(values).map(([value, count]) => [showName(value), count])),
    ]),
  );
}

/** Facets of a page as they are shown. */
export function showFacets(
  facets: Readonly<Record<string, readonly string[]>>,
  added: Readonly<Record<string, readonly string[]>>,
): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries({ ...facets, ...added }).map(([key]) => [
      showName(key),
      [...new Set([...(facets[key] ?? []), ...(added[key] ?? [])])].map(showName),
    ]),
  );
}

/** A filter as it was given, with the names that the index has. */
export function readFilter(filter: unknown): unknown {
  if (typeof filter === "string") return filter.includes("&lt;") ? { any: [filter, readName(filter)] } : filter;
  if (Array.isArray(filter)) return filter.map(readFilter);
  if (typeof filter !== "object" || filter === null) return filter;
  return Object.fromEntries(Object.entries(filter).map(([key, value]) => [readName(key), readFilter(value)]));
}

export function mergeCounts(all: readonly FacetCounts[]): Record<string, Record<string, number>> {
  const merged = new Map<string, Map<string, number>>();
  for (const counts of all) {
    for (const [key, values] of Object.entries(counts)) {
      const own = merged.get(key) ?? new Map<string, number>();
      for (const [value, count] of Object.entries(values)) own.set(value, (own.get(value) ?? 0) + count);
      merged.set(key, own);
    }
  }
  return Object.fromEntries([...merged].map(([key, values]) => [key, Object.fromEntries(values)]));
}

function showName(name: string): string {
  return name.replaceAll("<", "&lt;");
}

function readName(name: string): string {
  return name.replaceAll("&lt;", "<");
}

/** A heading or another element that can be linked to. */
interface Anchor {
  readonly element: string;
  readonly id: string;
  readonly text: string;
  readonly location: number;
}

/** A page as `data()` gives it, by names of Pagefind. */
export type ResultData = ReturnType<typeof toResultData>;

/** Between words that have no blanks between them: Pagefind puts it there so that excerpts can be cut. */
const NO_SPACE = "\u200b";
/** Words of scripts without blanks are letters here, and two of them about a word. */
const LETTERS_A_WORD = 2;
/** Values of meta data that are addresses. */
const ADDRESSES: ReadonlySet<string> = new Set(["url", "image"]);
/** What every page of a site has: the language that it is written in. */
const NOT_SHOWN: ReadonlySet<string> = new Set(["lang"]);

/** A page as `data()` gives it. */
function toResultData(
  page: PageText,
  settings: Settings & {
    readonly baseUrl: string;
    readonly highlightWords: readonly string[];
    readonly filters: Readonly<Record<string, readonly string[]>>;
  },
) {
  const isSpaced = page.joiner === " ";
  const words = page.words.map(toHtml);
  const source = { words, joiner: page.joiner };
  const length = settings.excerptLength * (isSpaced ? 1 : LETTERS_A_WORD);
  const locations = page.matches.map(({ at, weight, rarity }) => ({
    weight,
    // As in Pagefind the weight counts twice over, so that a heading outdoes the text below it.
    balanced_score: weight * weight * rarity,
    location: at,
  }));
  const anchors = page.anchors.map(({ level, id, title, at }) => ({
    element: `h${level}`,
    id,
    text: title,
    location: at,
  }));
  const meta = readMeta(page);
  const place = (address: string, anchor = ""): string =>
    markAddress(placeAddress(address, settings.baseUrl), {
      parameter: settings.highlightParam,
      words: settings.highlightWords,
      anchor,
    });
  const cut = { length, ellipsis: settings.excerptEllipsis };
  // A page may say that its address is another one.
  const own = meta["url"] ?? page.url;
  return {
    url: place(page.url),
    raw_url: page.url,
    content: page.words.join(page.joiner),
    raw_content: words.join(isSpaced ? " " : NO_SPACE),
    ...cutExcerpt(source, locations, { ...cut, from: 0, to: words.length }),
    word_count: page.wordCount,
    meta,
    filters: settings.filters,
    anchors,
    locations: locations.map(({ location }) => location),
    weighted_locations: locations,
    sub_results: listParts(anchors, words.length, locations).map(({ anchor, from, to, matches }) => ({
      title: anchor?.text ?? meta["title"] ?? "",
      url: anchor === undefined ? (meta["url"] ?? place(page.url)) : place(own, anchor.id),
      ...(anchor !== undefined && { anchor }),
      weighted_locations: matches,
      locations: matches.map(({ location }) => location),
      ...cutExcerpt(source, matches, { ...cut, from, to }),
    })),
  };
}

/** The parts of a page that hold words of the query: from one heading to the next, in their order; the first has none. */
function listParts(anchors: readonly Anchor[], end: number, locations: readonly WeightedLocation[]) {
  const titled = anchors.filter(({ text }) => text.trim() !== "");
  return [undefined, ...titled]
    .map((anchor, at) => {
      const from = anchor?.location ?? 0;
      const to = titled[at]?.location ?? end;
      return { anchor, from, to, matches: locations.filter(({ location }) => location >= from && location < to) };
    })
    .filter(({ matches }) => matches.length > 0);
}

/**
 * Meta data as texts. Addresses that a browser would run are left out, and of frontmatter what are filters: Pagefind shows
 * either of them where a page asks for both only.
 */
function readMeta({ title, meta, facets, isSitePage }: PageText): Record<string, string> {
  const texts = Object.entries(meta).flatMap(([key, value]): [string, string][] => {
    const text = toText(value);
    if (text === undefined || NOT_SHOWN.has(key) || (ADDRESSES.has(key) && !isWebAddress(text))) return [];
    return isSitePage || !Object.hasOwn(facets, key) ? [[key, text]] : [];
  });
  return { ...Object.fromEntries(texts), title };
}

function toText(value: unknown): string | undefined {
  if (typeof value === "string") return cleanText(value).text;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((entry: unknown) => toText(entry) ?? []).join(", ");
}

/*
 * Excerpts as HTML: words of a page with those of the query marked. Nothing in them is a tag but `<mark>`.
 */

/** A word of the query in the page, as Pagefind describes it. */
interface WeightedLocation {
  /** 1 in text, up to 7 in a heading. */
  readonly weight: number;
  /** What it is worth in an excerpt. */
  readonly balanced_score: number;
  /** Index among the words of the page. */
  readonly location: number;
}

interface ExcerptSource {
  /** Words as HTML. */
  readonly words: readonly string[];
  /** Between words. */
  readonly joiner: string;
}

interface ExcerptCut {
  /** Words that it has at most. */
  readonly length: number;
  /** Stands where something was left out. */
  readonly ellipsis: string;
  /** The words that it may show: from one index to before another. */
  readonly from: number;
  readonly to: number;
}

/** Text as HTML that shows it. Quotes stay: what uses it as the value of an attribute has to escape them. */
function toHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The words in which the query's stand densest. `locations` lie between `from` and `to`, in order. */
export function cutExcerpt(
  { words, joiner }: ExcerptSource,
  locations: readonly WeightedLocation[],
  { length, ellipsis, from, to }: ExcerptCut,
) {
  const start = findStart(locations, length, from, to);
  const end = Math.min(start + length, to);
  const marked = new Set(locations.map(({ location }) => location));
  const join = (show: (word: string, at: number) => string): string => {
    const text = words
      .slice(start, end)
      .map((word, at) => show(word, start + at))
      .join(joiner)
      .trim();
    const before = ellipsis !== "" && start > from ? `${toHtml(ellipsis)}${joiner}` : "";
    const behind = ellipsis !== "" && end < to ? `${joiner}${toHtml(ellipsis)}` : "";
    return `${before}${text}${behind}`;
  };
  return {
    excerpt: join((word, at) => (marked.has(at) ? `<mark>${word}</mark>` : word)),
    plain_excerpt: join((word) => word),
  };
}

/** Where the densest run of words begins, with some words before its first match where there is room. */
function findStart(locations: readonly WeightedLocation[], length: number, from: number, to: number): number {
  let best = { value: 0, first: from, last: from };
  let value = 0;
  let begin = 0;
  for (const { location, balanced_score } of locations) {
    value += balanced_score;
    while (location - (locations[begin]?.location ?? 0) >= length) value -= locations[begin++]?.balanced_score ?? 0;
    if (value > best.value) best = { value, first: locations[begin]?.location ?? from, last: location };
  }
  const room = length - (best.last - best.first + 1);
  const start = best.first - Math.floor(room / 2);
  return Math.max(from, Math.min(start, to - length));
}

const ABSOLUTE = /^(?:https?:)?\/\//i;
/** Stands for the page's own origin while a path is taken apart. */
const SOME_ORIGIN = "https://origin.invalid";

/** The folder of the site that an index lies in: what stands before `pagefind/`, else the root of the index's host. */
export function siteOfIndex(folder: string): string {
  const site = /^(.*\/)_?pagefind(?:\/|$)/.exec(folder) ?? /^((?:https?:)?\/\/[^/]+\/)/i.exec(folder);
  return site?.[1] ?? "/";
}

/** An address below `baseUrl`; one that names its host stays, and one that is none of the web is the site's own. */
export function placeAddress(address: string, baseUrl: string): string {
  if (ABSOLUTE.test(address)) return address;
  if (!isWebAddress(address)) return baseUrl;
  const base = /^(?:\/|https?:\/\/)/i.test(baseUrl) ? baseUrl : `/${baseUrl}`;
  return `${base.replace(/\/+$/, "")}/${address.replace(/^\/+/, "")}`;
}

/** An address with the words of a query as parameters of a name, and an anchor; either may be missing. */
export function markAddress(
  address: string,
  {
    parameter,
    words = [],
    anchor = "",
  }: { readonly parameter?: string | undefined; readonly words?: readonly string[]; readonly anchor?: string },
): string {
  if ((parameter === undefined || words.length === 0) && anchor === "") return address;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const marked = url ?? new URL(address, SOME_ORIGIN);
  if (parameter !== undefined) for (const word of words) marked.searchParams.append(parameter, word);
  if (anchor !== "") marked.hash = anchor;
  const host = ABSOLUTE.test(address) ? marked.href.replace(/^https?:/, "") : marked.href.slice(SOME_ORIGIN.length);
  return url === undefined ? host : marked.href;
}

/** Words of a query as they stand in an address. */
export function wordsToMark(query: string): string[] {
  return query
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""))
    .filter((word) => word !== "");
}
