/** The functions that `pagefind.js` exports, over whatever gives the pages. */

import type { FacetCounts } from "../../core/docs/model.ts";
import { ANY, hasShape, isRecord } from "../../core/parse-text.ts";
import type { PageText } from "../../core/search/read-pages.ts";
import { cleanText } from "../../surface/render/text.ts";
import { type EngineModule, openAtOnce } from "../load-engine.ts";
import { keepSuccess } from "../load-module.ts";
import type { PageSource } from "./one-index.ts";
import {
  mergeCounts,
  OneIndex,
  type OpenSource,
  type PagefindResult,
  type PagefindSearchOptions,
} from "./one-index.ts";
import type { PagefindOptions } from "./options.ts";

/** What Pagefind's own index begins with. */
const ENTRY_FILE = "pagefind-entry.json";

type PagefindInstance = ReturnType<typeof makeInstance>;
export type Pagefind = ReturnType<typeof makePagefind>;

interface PagePlace {
  /** Folder of the module: the index lies there unless an option says otherwise. */
  readonly folder: string;
  /** Origin of the page, whose addresses need not say it; `""` for none. */
  readonly origin: string;
  /** Language of the document, `""` where it names none. */
  readonly language: () => string;
}

const DEBOUNCE_MS = 300;

/** The functions. Nothing is loaded before one of them needs it. */
export function makePagefind(openSource: OpenSource, place: PagePlace) {
  let shared: PagefindInstance | undefined;
  let options: PagefindOptions = {};
  const createInstance = (own: PagefindOptions = {}): PagefindInstance => makeInstance(openSource, place, own);
  const use = (): PagefindInstance => {
    shared ??= createInstance(options);
    return shared;
  };
  return {
    createInstance,
    async options(changes: PagefindOptions) {
      options = { ...options, ...changes };
      await shared?.options(changes);
    },
    // Not waited for: whoever searches is told what is wrong.
    async init() {
      void use().init();
    },
    async destroy() {
      shared = undefined;
      options = {};
    },
    mergeIndex: (...given: Parameters<PagefindInstance["mergeIndex"]>) => use().mergeIndex(...given),
    filters: () => use().filters(),
    preload: (...given: Parameters<PagefindInstance["preload"]>) => use().preload(...given),
    search: (...given: Parameters<PagefindInstance["search"]>) => use().search(...given),
    debouncedSearch: (...given: Parameters<PagefindInstance["debouncedSearch"]>) => use().debouncedSearch(...given),
  };
}

function makeInstance(openSource: OpenSource, place: PagePlace, own: PagefindOptions) {
  /** A folder as addresses of the page's own origin name it, with a slash at its end. */
  const nameFolder = (folder: string): string => {
    const whole = folder.replace(/\/*$/, "/");
    return place.origin !== "" && whole.startsWith(`${place.origin}/`) ? whole.slice(place.origin.length) : whole;
  };
  const open = (folder: string, name: string, options: PagefindOptions): OneIndex => {
    const source = openSource(folder.replace(/\/*$/, "/"));
    return new OneIndex(source, { folder: nameFolder(folder), name, language: place.language(), options });
  };
  const folder = own.basePath ?? own.bundlePath ?? place.folder;
  const primary = open(folder, "", own);
  /** Indexes that are searched as well, by the names of their folders, each until it is found to be none. */
  const merges = new Map<string, Promise<OneIndex>>();
  let merged = 0;
  let latest = 0;

  /** What all indexes give: those too that are still being opened. */
  const askAll = async <T>(ask: (index: OneIndex) => Promise<T>): Promise<readonly T[]> => {
    const opened = await Promise.allSettled(merges.values());
    const others = opened.flatMap((merge) => (merge.status === "fulfilled" ? [merge.value] : []));
    return Promise.all([primary, ...others].map(ask));
  };
  const search = async (term: string | null, options: PagefindSearchOptions) => {
    const answers = await askAll((index) => index.search(toWords(term), options ?? {}));
    const results = answers.flatMap((answer) => answer.results);
    if (answers.length > 1) results.sort(compareFor(options?.sort));
    return {
      /** Every page that was found, best first. */
      results: results.map(({ result }) => result),
      /** How many there are without the filters. */
      unfilteredResultCount: answers.reduce((sum, answer) => sum + answer.unfilteredResultCount, 0),
      /** How many of the pages have each value; empty until filters were asked for. And without the filters of the search. */
      filters: mergeCounts(answers.map(({ filters }) => filters)),
      totalFilters: mergeCounts(answers.map(({ totalFilters }) => totalFilters)),
      /** One for each index. */
      timings: answers.map(({ timings }) => timings),
    };
  };
  const addIndex = async (path: string, name: string, options: PagefindOptions): Promise<OneIndex> => {
    const index = open(path, `${++merged}~`, options);
    await index.check().catch(async (cause: unknown) => {
      merges.delete(name);
      throw await explainForeign(path, cause);
    });
    return index;
  };
  const preload = async (term: string | null, options: PagefindSearchOptions): Promise<void> => {
    await askAll((index) => index.preload(toWords(term), options ?? {}));
  };
  return {
    init: () => primary.prepare(),
    async options(changes: PagefindOptions) {
      primary.setOptions(changes);
    },
    /** Searches another index as well. Rejects, with what is wrong, where there is none; it is not searched then. */
    async mergeIndex(path: string, options: PagefindOptions = {}) {
      const name = nameFolder(path);
      if (name === nameFolder(folder)) return;
      const merge = merges.get(name) ?? addIndex(path, name, options);
      merges.set(name, merge);
      await merge;
    },
    async filters() {
      return mergeCounts(await askAll((index) => index.filters()));
    },
    /** Reads what a search will need. Never rejects: the search will say what is wrong. */
    preload: (term: string | null, options: PagefindSearchOptions = {}) => preload(term, options),
    /** Pages with the words; with `null` every page that the filters select. */
    search: (term: string | null, options: PagefindSearchOptions = {}) => search(term, options),
    /** The same once nobody has asked for another one for some milliseconds; else null. */
    async debouncedSearch(term: string | null, options: PagefindSearchOptions = {}, milliseconds = DEBOUNCE_MS) {
      const number = ++latest;
      void preload(term, options);
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      if (number !== latest) return null;
      const results = await search(term, options);
      return number === latest ? results : null;
    },
    async destroy() {
      latest++;
    },
  };
}

/** Pagefind takes whatever it is given; what is no text finds nothing. */
function toWords(term: unknown): string | null {
  return term === null ? null : String(term ?? "");
}

/** Order of results of several indexes: by score, or by what they were sorted by. */
function compareFor(
  sort: PagefindSearchOptions["sort"],
): (
  a: { result: PagefindResult; sortValue: string | undefined },
  b: { result: PagefindResult; sortValue: string | undefined },
) => number {
  const descending = Object.values(sort ?? {})[0] === "desc" ? -1 : 1;
  return (a, b) => {
    if (a.sortValue === undefined || b.sortValue === undefined) return b.result.score - a.result.score;
    const [x, y] = [Number(a.sortValue), Number(b.sortValue)];
    if (!Number.isNaN(x) && !Number.isNaN(y)) return descending * (x - y);
    return descending * (a.sortValue < b.sortValue ? -1 : a.sortValue > b.sortValue ? 1 : 0);
  };
}

/** Why no index could be opened in a folder: what was thrown, unless what lies there is Pagefind's own. Never rejects. */
async function explainForeign(folder: string, cause: unknown): Promise<unknown> {
  try {
    const response = await fetch(`${folder.replace(/\/*$/, "/")}${ENTRY_FILE}`);
    if (!response.ok || !hasShape((await response.json()) as unknown, { version: "", languages: {} })) return cause;
  } catch {
    return cause;
  }
  const message = `the index at ${folder} is Pagefind's own, which Treeline does not read: build it with \`treeline build --browser\``;
  return new Error(message, { cause });
}

/**
 * The pages of the index files in a folder. Nothing is loaded before it is needed; what failed is tried again.
 *
 * @param folder Address of the folder that holds the files, with a slash at its end.
 */
export function createStaticSource(folder: string, loadEngine: () => Promise<EngineModule>): PageSource {
  const open = keepSuccess(() => openAtOnce(folder, loadEngine));
  let isReading = false;
  const check = async (): Promise<void> => {
    await open();
  };
  return {
    async preload(request) {
      // One at a time: what was typed meanwhile is nobody's question any more.
      if (isReading) return;
      isReading = true;
      await open()
        .then((index) => index.pages((pages, reader) => pages.preloadPages(reader, request)))
        .catch(() => undefined);
      isReading = false;
    },
    find: async (request) => (await open()).pages((pages, reader) => pages.findPages(reader, request)),
    check,
    prepare: () => check().catch(() => undefined),
    count: async (request) => (await open()).pages((pages, reader) => pages.countPages(reader, request)),
    read: async ({ generation, terms }, keys) =>
      (await open()).pages((pages, reader) =>
        pages.readPages(reader, { generation, keys, terms, clean: (text) => cleanText(text).text }),
      ),
  };
}

/*
 * Pages of a Worker's index: one GET for what is asked, without headers of its own, so that no browser asks for permission
 * first.
 */

/** Pages that the Worker reads for one request at most. */
const MAX_KEYS = 20;

const NOT_TREELINE = "pages answers, but not as Treeline does";
/** How many pages have each value. */
const COUNTS: FacetCounts = { [ANY]: { [ANY]: 0 } };

/**
 * The pages of a Worker.
 *
 * @param folder Address of `pagefind/` below that of the corpus.
 * @param send How to send a request; `fetch` unless a test says otherwise.
 */
export function createWorkerSource(
  folder: string,
  send: (url: string) => Promise<Response> = (url) => fetch(url),
): PageSource {
  const ask = async <T extends object>(question: object): Promise<T> => {
    const response = await send(`${folder}pages?ask=${encodeURIComponent(JSON.stringify(question))}`);
    const json: unknown = await response.json().catch(() => undefined);
    if (response.ok && isRecord(json)) return json as T;
    if (response.ok) throw new Error(`${folder}${NOT_TREELINE}`);
    throw new Error(
      hasShape(json, { error: "" }) ? json.error : `${folder}pages answers with status ${response.status}`,
    );
  };
  return {
    async prepare() {
      // The module came from there: the connection is open.
    },
    async check() {
      const counts = await ask({ count: { added: {}, language: "" } });
      if (!hasShape(counts, COUNTS)) throw new Error(`${folder}${NOT_TREELINE}`);
    },
    async preload() {
      // A search is one request: one that nobody may ask for in the end is not sent.
    },
    count: (request) => ask({ count: request }),
    find: (request) => ask({ find: request }),
    async read({ generation, terms }, keys) {
      const starts = Array.from({ length: Math.ceil(keys.length / MAX_KEYS) }, (_, at) => at * MAX_KEYS);
      const read = (start: number) =>
        ask<{ pages: PageText[] }>({ read: { generation, terms, keys: keys.slice(start, start + MAX_KEYS) } });
      return (await Promise.all(starts.map(read))).flatMap(({ pages }) => pages);
    },
  };
}
