/**
 * One index as Pagefind's interface sees it: every page that was found is a result, which reads its data when it is asked.
 */

import type { FacetCounts } from "../../core/docs/model.ts";
import { MAX_QUERY_LENGTH } from "../../core/search/answer.ts";
import type { PagesFound, PagesRequest, RankedPage } from "../../core/search/find-pages.ts";
import type { PageText } from "../../core/search/read-pages.ts";
import { cutText } from "../../core/text/short-text.ts";

import { applyOptions, DEFAULT_SETTINGS, type PagefindOptions, type Settings } from "./options.ts";
import { type ResultData, siteOfIndex, toResultData, wordsToMark } from "./result-data.ts";

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
  /** Places of the words in the page: none before its data were read, which fills the list. */
  readonly words: readonly number[];
  data(): Promise<ResultData>;
}

/** Milliseconds. */
export interface Timings {
  readonly preload: number;
  readonly search: number;
  readonly total: number;
}

/** What one index gives to a search. */
export interface IndexResults {
  readonly results: readonly SortedResult[];
  readonly unfilteredResultCount: number;
  readonly filters: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly totalFilters: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly timings: Timings;
}

/** A result with what it was sorted by; undefined where scores decide. */
export interface SortedResult {
  readonly result: PagefindResult;
  readonly sortValue: string | undefined;
}

/** An index with its options. */
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

  /** All pages with the words; `null` for every page. */
  async search(term: string | null, options: PagefindSearchOptions): Promise<IndexResults> {
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
    let data: Promise<ResultData> | undefined;
    const words: number[] = [];
    return {
      id: `${this.#language || "unknown"}_${this.#name}${page.key}`,
      score: page.score * indexWeight,
      words,
      data: () => {
        if (data !== undefined) return data;
        const reading = read(page.key).then((own) => {
          words.push(...own.locations);
          return own;
        });
        data = reading;
        reading.catch(() => {
          data = undefined;
        });
        return reading;
      },
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

function timeSince(start: number): Timings {
  const total = Date.now() - start;
  return { preload: 0, search: total, total };
}

/** The pages of one index. */
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

/** Counts as they are shown. */
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

/** Counts of several indexes, added up. */
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
