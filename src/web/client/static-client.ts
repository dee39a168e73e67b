/** Answers from index files on any host: the engine beside them searches in the page, as a Worker does elsewhere. */

import type { FacetCounts } from "../../core/docs/model.ts";
import type { DocumentHit, SearchAnswer } from "../../core/search/answer.ts";
import { findNextOffset, MAX_EXCERPTS } from "../../core/search/answer.ts";
import { cleanJson } from "../../surface/render/text.ts";
import type { HostProblem } from "../host-error.ts";
import { keepSuccess } from "../load-module.ts";
import type { StaticIndex } from "../static-index.ts";
import {
  answerInTime,
  ClientError,
  type ClientProblem,
  checkQuestion,
  DEFAULT_PAGES,
  DEFAULT_SUGGESTIONS,
  type Found,
  type FoundPage,
  noAnswer,
  PATIENCE_MS,
  readHome,
  type SearchClient,
  tidyParts,
} from "./search-client.ts";

interface StaticClientOptions {
  readonly patience?: number;
}

/** Facets of more documents are too much to read for a row of chips: some 3 bytes of each, once. */
const MAX_COUNTED_DOCUMENTS = 3000;

/** Pages of a brief answer: about as many as a dialog shows without scrolling. */
const BRIEF_PAGES = 4;

/** What a page's reader can do about problems of a host; the others are for whoever runs the site. */
const PROBLEMS: Partial<Readonly<Record<HostProblem, ClientProblem>>> = {
  "no-index": "no-index",
  "not-an-index": "no-index",
  "page-instead-of-file": "no-index",
};

/**
 * A client of index files.
 *
 * @param folder Address of the folder that holds them, with a slash at its end; a path is of this site.
 * @param openIndex Opens the index, each time anew.
 */
export function createStaticClient(
  folder: string,
  openIndex: () => Promise<StaticIndex>,
  { patience = PATIENCE_MS }: StaticClientOptions = {},
): SearchClient {
  const locate = makeLocate(folder);
  /** Facets are in memory, so that answers have them without another round. */
  let hasFacets = false;

  /** The open index; where it could not be opened, the next question tries again. */
  const open = keepSuccess(() => answerInTime(openIndex, undefined, patience));

  const ask = async <T>(
    signal: AbortSignal | undefined,
    run: (index: StaticIndex, signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const runInTime = async (ending: AbortSignal): Promise<T> => {
      const index = await open();
      ending.throwIfAborted();
      return run(index, ending);
    };
    try {
      // Texts of documents are made safe to show here, as the Worker does it.
      return cleanJson(await answerInTime(runInTime, signal, patience)).value as T;
    } catch (error) {
      signal?.throwIfAborted();
      throw toClientError(error);
    }
  };

  return {
    prepare: ({ prefer = {} } = {}) =>
      open()
        .then(async (index) => {
          // What filters take is loaded now, and not behind the reads of the first answer.
          if (Object.keys(knownOf(index, prefer)).length > 0) await index.pages(async () => undefined);
        })
        .catch(() => undefined),
    async search(query, options = {}) {
      const question = checkQuestion(query);
      const {
        offset = 0,
        filters = {},
        prefer = {},
        collections = [],
        typing = false,
        brief = false,
        signal,
      } = options;
      const { limit = DEFAULT_PAGES, excerpts = MAX_EXCERPTS } = options;
      const isNarrowed = Object.keys(filters).length > 0;
      const request = {
        offset,
        limit: brief ? Math.min(limit, BRIEF_PAGES) : limit,
        // One for each page at least, whose names come with it.
        excerpts: brief ? 1 : Math.min(excerpts, MAX_EXCERPTS),
        collections,
        asYouType: typing,
        withFacetCounts: hasFacets || isNarrowed || options.withFacets === true,
        withDetails: options.withFacets === true,
      } as const;
      const run = (index: StaticIndex, ending: AbortSignal, withFacetCounts = request.withFacetCounts) => {
        const filter = { include: filters, exclude: {}, prefer: knownOf(index, prefer) };
        return index.search(question, { ...request, filter, withFacetCounts, signal: ending });
      };
      const answer = await ask(signal, run);
      const whole = toFound(question, offset, answer, locate);
      const isBrief = brief && hasRest(whole, limit);
      const found: Found = isBrief ? { ...whole, isBrief } : whole;
      if (request.withFacetCounts || found.total === 0) return found;
      const count = async (index: StaticIndex, ending: AbortSignal): Promise<FacetCounts> => {
        if (index.generation.documents > MAX_COUNTED_DOCUMENTS) return {};
        // The texts are in memory: only the facets are read.
        const { facetCounts } = await run(index, ending, true);
        hasFacets = true;
        return facetCounts;
      };
      return { ...found, laterCounts: ask(signal, count).catch(() => ({})) };
    },
    home: () => readHome(folder, locate),
    async suggest(query, { limit = DEFAULT_SUGGESTIONS, collections = [], signal } = {}) {
      const question = checkQuestion(query);
      const run = (index: StaticIndex, ending: AbortSignal) =>
        index.suggest(question, { limit, collections, signal: ending });
      const { suggestions } = await ask(signal, run);
      return suggestions.map(({ text, kind, url, documentId }) => ({
        url: locate(url),
        title: text,
        kind,
        documentId,
      }));
    },
  };
}

/**
 * Says where pages are: an index without the address of its site lies in it, so paths are of the host that the index is on,
 * which need not be that of the page.
 */
function makeLocate(base: string): (address: string) => string {
  const page = typeof document === "undefined" ? undefined : document.baseURI;
  if (!URL.canParse(base, page)) return (address) => address;
  const { href } = new URL(base, page);
  const isPath = (address: string): boolean => address !== "" && !URL.canParse(address) && URL.canParse(address, href);
  return (address) => (isPath(address) ? new URL(address, href).href : address);
}

/** What of it the index can tell apart without reading much. */
function knownOf({ facetKeys, generation }: StaticIndex, prefer: Readonly<Record<string, string>>): typeof prefer {
  const keys = generation.documents > MAX_COUNTED_DOCUMENTS ? [] : facetKeys;
  return Object.fromEntries(Object.entries(prefer).filter(([key]) => keys.includes(key)));
}

/** Errors are told by what they carry: their classes are the engine's, not this module's. */
function toClientError(error: unknown): ClientError {
  if (error instanceof ClientError) return error;
  const { name, message, problem } = Object(error) as { name?: string; message?: string; problem?: HostProblem };
  const text = message ?? String(error);
  // Browsers say in words of their own that a module could not be loaded; all of them call it a module.
  const isUnreachable = problem === "unreachable" || (name === "TypeError" && /\bmodule\b/.test(text));
  if (isUnreachable) return noAnswer(text, error);
  if (problem === undefined && name === "InputError") return new ClientError("bad-query", text, { cause: error });
  return new ClientError((problem && PROBLEMS[problem]) ?? "failed", text, { cause: error });
}

/** Whether more pages would be shown, or more sections named. */
function hasRest({ pages, nextOffset }: Found, limit: number): boolean {
  const isShort = nextOffset !== undefined && pages.length < limit;
  return isShort || pages.some(({ sections }) => sections.some(({ headingPath }) => headingPath.length === 0));
}

function toFound(query: string, offset: number, answer: SearchAnswer, locate: (address: string) => string): Found {
  return {
    query,
    total: answer.totalDocuments,
    pages: answer.hits.map((hit) => toPage(hit, locate)),
    facetCounts: answer.facetCounts,
    preferred: answer.preferred,
    corrections: answer.corrections.map(({ written, corrected }) => ({ from: written, to: corrected })),
    missingWords: answer.missingWords,
    nextOffset: findNextOffset(offset, answer),
  };
}

function toPage(hit: DocumentHit, locate: (address: string) => string): FoundPage {
  const sections = hit.sections.map((section) => ({
    ...section,
    // A section whose anchor was not read leads to the top of its page.
    url: locate(section.url || hit.url),
    excerpt: tidyParts(section.excerpt),
  }));
  return { ...hit, url: locate(hit.url), sections };
}
