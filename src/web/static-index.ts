/**
 * The engine of a page: an index on any static host, searched in the page itself by the same core that the Worker runs.
 *
 * Reading costs three round trips for a first query (pointer with root; chunks; texts) and two for each further one.
 * Only what everyone may see is ever offered.
 */

import type { InflateRaw } from "../core/bytes/capabilities.ts";
import { readBounded } from "../core/bytes/reader.ts";
import { FormatError, StaleGenerationError } from "../core/errors.ts";
import { IndexReader } from "../core/index/index-reader.ts";
import type { GenerationInfo } from "../core/index/open-generation.ts";
import { LruCache } from "../core/index/value-cache.ts";
import type { SearchAnswer, SearchRequest } from "../core/search/answer.ts";
import { makeSearchRequest } from "../core/search/answer.ts";
import type { LoadRefined } from "../core/search/refined.ts";
import { runSearch } from "../core/search/run-search.ts";
import type { SuggestAnswer, SuggestRequest } from "../core/search/suggest.ts";
import { createFetchSource, type FetchSource, type SendRequest } from "./fetch-source.ts";
import { HostError } from "./host-error.ts";
import { loadModule } from "./load-module.ts";
import { type OpenedHost, openHost } from "./open-host.ts";
import type { RARER } from "./rarer-functions.ts";

const WHAT = "deflated data";

/** Inflate with `DecompressionStream`. */
export const inflateStream: InflateRaw = async (bytes, maxBytes) => {
  const { readable, writable } = new DecompressionStream("deflate-raw");
  const writer = writable.getWriter();
  // What goes wrong with the bytes comes out of the reading side; from here it would be thrown a second time.
  writer.write(bytes as Uint8Array<ArrayBuffer>).catch(ignore);
  writer.close().catch(ignore);
  const inflated = await readBounded(readable.getReader(), maxBytes).catch((cause: unknown) => {
    throw new FormatError(WHAT, { code: "inflate", reason: String(cause) }, { cause });
  });
  if (inflated !== undefined) return inflated;
  throw new FormatError(WHAT, { code: "out-of-range", what: "inflated size", got: maxBytes + 1, limit: maxBytes });
};

/** Decoded chunks, texts and tables of a page. */
const CACHE_BYTES = 16 * 1024 * 1024;
/** Documents of an answer: with their texts they fit in one round of reads nearly always. */
const DEFAULT_LIMIT = 6;
/** Sections that carry an excerpt. */
const DEFAULT_EXCERPTS = 5;
const DEFAULT_SUGGESTIONS = 8;

export interface StaticIndexOptions {
  /** How requests are sent; `fetch` when absent. */
  readonly send?: SendRequest;
  /** Budget of the page's memory of what was read, in bytes. */
  readonly cacheBytes?: number;
}

/** What a search may ask for beside its query. */
export type StaticSearchOptions = Partial<Omit<SearchRequest, "query">> & Abortable;

/** What suggestions may ask for beside what was typed. */
export type StaticSuggestOptions = Partial<Omit<SuggestRequest, "query">> & Abortable;

interface Abortable {
  /** Where nobody waits for the query any more: it begins no further read, and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Open the index files below `url`. @throws {HostError} where there is none, or the host cannot serve it. */
export async function openStaticIndex(url: string, options: StaticIndexOptions = {}): Promise<StaticIndex> {
  const { send, cacheBytes = CACHE_BYTES } = options;
  const source = createFetchSource(url, send);
  const open = (): Promise<OpenedHost> => openHost(url, source, inflateStream, new LruCache(cacheBytes));
  return new StaticIndex(source, await open(), open);
}

const loadRarer = async () => (await loadModule("./rarer-functions.js", () => import("./rarer-functions.ts"))).RARER;
const loadRefined: LoadRefined = async () => (await loadRarer()).REFINED;

/** An open index. A class, because it moves on when the site does. */
export class StaticIndex {
  readonly #source: FetchSource;
  readonly #open: () => Promise<OpenedHost>;
  #opened: OpenedHost;
  /** Whether a query has paid for the read of the pointer. */
  #isPaid = false;

  /** Use `openStaticIndex`. */
  constructor(source: FetchSource, opened: OpenedHost, open: () => Promise<OpenedHost>) {
    this.#source = source;
    this.#opened = opened;
    this.#open = open;
  }

  /** The generation that answers, as everyone may see it. */
  get generation(): GenerationInfo {
    return new IndexReader(this.#opened.index).generation;
  }

  /**
   * Answer a search. The first one's `cost` counts the read that opened the index.
   *
   * @throws {HostError} where the host stopped being able to serve the index.
   */
  search(query: string, { signal, ...changes }: StaticSearchOptions = {}): Promise<SearchAnswer> {
    const defaults = { limit: DEFAULT_LIMIT, excerpts: DEFAULT_EXCERPTS };
    return this.#run(signal, (reader) =>
      runSearch(reader, makeSearchRequest(query, { ...defaults, ...changes }), loadRefined),
    );
  }

  /** Keys that a filter may name. */
  get facetKeys(): readonly string[] {
    return this.#opened.index.root.facetKeys;
  }

  /** Titles and headings for what was typed so far. Loads its module when it is first asked. */
  suggest(query: string, { signal, ...changes }: StaticSuggestOptions = {}): Promise<SuggestAnswer> {
    return this.#run(signal, async (reader) => {
      const { suggest } = await loadModule("./suggest-in-page.js", () => import("../core/search/suggest.ts"));
      return suggest(reader, { query, limit: DEFAULT_SUGGESTIONS, collections: [], ...changes });
    });
  }

  /** What `ask` does with the functions that list whole pages. Loads their module when it is first asked. */
  pages<T>(ask: (pages: (typeof RARER)["PAGES"], reader: IndexReader) => Promise<T>): Promise<T> {
    return this.#run(undefined, async (reader) => {
      const { PAGES } = await loadRarer();
      return ask(PAGES, reader);
    });
  }

  async #run<T>(signal: AbortSignal | undefined, ask: (reader: IndexReader) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const { index } = this.#opened;
    try {
      return await endWith(signal, ask(this.#makeReader(signal)));
    } catch (error) {
      signal?.throwIfAborted();
      if (!isDamage(error)) throw error;
      // The site may have been published anew: files of the open generation are gone, or are a page that says so.
      const opened = await this.#open();
      if (opened.index.generation.id !== index.generation.id) {
        this.#opened = opened;
        this.#isPaid = false;
        return ask(this.#makeReader(signal));
      }
      throw (await this.#source.explainDamage()) ?? explainMissing(error);
    }
  }

  #makeReader(signal: AbortSignal | undefined): IndexReader {
    const { index, pointerBytes } = this.#opened;
    const source = this.#source.withSignal(signal);
    const reader = new IndexReader({ ...index, source }, ["public"], { residency: "shown" });
    if (!this.#isPaid) reader.countRead(pointerBytes);
    this.#isPaid = true;
    return reader;
  }
}

/** What comes of a question, or the signal's reason at once: reads that are on their way come in behind it. */
function endWith<T>(signal: AbortSignal | undefined, asked: Promise<T>): Promise<T> {
  const end = new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  return Promise.race([asked, end]);
}

function isDamage(error: unknown): boolean {
  return (
    error instanceof StaleGenerationError ||
    error instanceof FormatError ||
    (error instanceof HostError && error.problem === "page-instead-of-file")
  );
}

function ignore(): void {
  // Said by the other side of the stream.
}

/** Which file is missing where one is; else what was thrown. */
function explainMissing(cause: unknown): unknown {
  if (!(cause instanceof StaleGenerationError)) return cause;
  const message = `index file ${cause.file} is missing, although the pointer names it: upload every file of the index, the pointer last`;
  return new HostError("missing-file", message, { cause });
}
