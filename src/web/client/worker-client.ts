/**
 * Answers from a Worker: one GET a question, without headers of its own, so that no browser asks for permission first and
 * each keeps answers by their ETag.
 */
import { ANY, hasShape, parseJson } from "../../core/parse-text.ts";
import { type ExcerptPart, MAX_EXCERPTS } from "../../core/search/answer.ts";
import { cleanJson } from "../../surface/render/text.ts";
import type { SendRequest } from "../fetch-source.ts";
import {
  type AskOptions,
  answerInTime,
  ClientError,
  type ClientProblem,
  checkQuestion,
  DEFAULT_PAGES,
  DEFAULT_SUGGESTIONS,
  type Found,
  type FoundPage,
  type FoundSection,
  noAnswer,
  PATIENCE_MS,
  readHome,
  type SearchClient,
  type SuggestedPage,
  tidyParts,
} from "./search-client.ts";

interface WorkerClientOptions {
  /** How requests are sent; `fetch` when absent. */
  readonly send?: SendRequest;
  /** How long to wait for a whole answer, in milliseconds. */
  readonly patience?: number;
}

/** Answers of `/search` and `/suggest`, as far as they are used. */
interface SearchJson {
  readonly total: number;
  readonly results: readonly (Omit<FoundPage, "sections"> & { readonly sections: readonly SectionJson[] })[];
  readonly facetCounts: Found["facetCounts"];
  readonly preferred?: unknown;
  readonly correction: unknown;
  readonly missingWords: readonly string[];
  readonly nextOffset: unknown;
}
type SectionJson = Omit<FoundSection, "excerpt"> & { readonly excerpt: string };
interface SuggestJson {
  readonly suggestions: readonly (Omit<SuggestedPage, "title"> & { readonly text: string })[];
}

const SEARCH: SearchJson = {
  total: 0,
  results: [
    {
      ...{ id: "", url: "", title: "", description: "", collection: "", path: "", meta: {}, score: 0 },
      facets: { [ANY]: [""] },
      sections: [{ nodeId: "", url: "", heading: "", headingPath: [""], excerpt: "", score: 0 }],
    },
  ],
  facetCounts: { [ANY]: { [ANY]: 0 } },
  correction: null,
  missingWords: [""],
  nextOffset: null,
};
const PREFERRED = { [ANY]: "" };
const CORRECTION = { words: [{ written: "", corrected: "" }] };
const SUGGEST: SuggestJson = { suggestions: [{ text: "", kind: "title", url: "", documentId: "" }] };

/**
 * A client of a Worker.
 *
 * @param base Address of the corpus, `https://search.example.com/v2`, with or without `/` at the end; `""` or a path is of
 * this site.
 */
export function createWorkerClient(base: string, options: WorkerClientOptions = {}): SearchClient {
  const { send = (url, init) => fetch(url, init), patience = PATIENCE_MS } = options;
  const folder = base.endsWith("/") ? base : `${base}/`;
  let isConnecting = false;
  const ask = async <T>(
    route: string,
    parameters: readonly (readonly [string, string])[],
    signal: AbortSignal | undefined,
    sample: T,
  ): Promise<T> => {
    const address = `${folder}${route}?${new URLSearchParams(parameters.map(([name, value]) => [name, value]))}`;
    const json = await answerInTime((ending) => readAnswer(send, address, { signal: ending }), signal, patience);
    // A Worker sends texts that are safe to show; whatever answers in its place need not.
    const { value } = cleanJson(json);
    if (hasShape(value, sample)) return value;
    throw new ClientError("failed", `${folder}${route} answers, but not as Treeline does`);
  };
  return {
    async prepare() {
      if (!isConnecting) connectEarly(folder);
      isConnecting = true;
    },
    async search(query, options = {}) {
      const question = checkQuestion(query);
      return toFound(question, await ask("search", listParameters(question, options), options.signal, SEARCH));
    },
    home: () => readHome(folder, (address) => address),
    async suggest(query, { limit = DEFAULT_SUGGESTIONS, collections = [], signal } = {}) {
      const parameters = [
        ["q", checkQuestion(query)] as const,
        ["limit", String(limit)] as const,
        ...listCollections(collections),
      ];
      const { suggestions } = await ask("suggest", parameters, signal, SUGGEST);
      return suggestions.map(({ text, kind, url, documentId }) => ({ url, title: text, kind, documentId }));
    },
  };
}

/** Names, connections and certificates of another site take round trips: they are done while somebody begins to type. */
function connectEarly(folder: string): void {
  if (typeof document === "undefined") return;
  const { origin } = new URL(folder, document.baseURI);
  if (origin === location.origin) return;
  const link = document.createElement("link");
  link.rel = "preconnect";
  link.crossOrigin = "anonymous";
  link.href = origin;
  document.head.append(link);
}

function listParameters(query: string, options: AskOptions): readonly (readonly [string, string])[] {
  const { offset = 0, limit = DEFAULT_PAGES, excerpts = MAX_EXCERPTS } = options;
  const { filters = {}, collections = [], typing = false } = options;
  return [
    ["q", query],
    ["limit", String(limit)],
    ["excerpts", String(Math.min(excerpts, MAX_EXCERPTS))],
    ...(offset > 0 ? [["offset", String(offset)] as const] : []),
    ...(typing ? [["typing", "true"] as const] : []),
    ...listCollections(collections),
    ...Object.entries(options.prefer ?? {}),
    ...Object.entries(filters).flatMap(([key, values]) => values.map((value) => [`f.${key}`, value] as const)),
  ];
}

function listCollections(names: readonly string[]): readonly (readonly [string, string])[] {
  return names.map((name) => ["collection", name]);
}

async function readAnswer(send: SendRequest, address: string, init: RequestInit): Promise<unknown> {
  let response: Response;
  let text: string;
  try {
    response = await send(address, init);
    text = await response.text();
  } catch (cause) {
    throw noAnswer("the search server does not answer, or lets no page of this site ask it", cause);
  }
  // A page, or nothing: what answers is no search server, or stands before one.
  const json = parseJson(text);
  if (response.ok && typeof json === "object" && json !== null) return json;
  throw toClientError(response, json);
}

function toClientError({ status, headers }: Response, json: unknown): ClientError {
  const { error, problem } = Object(json) as { readonly error?: unknown; readonly problem?: unknown };
  const message = typeof error === "string" ? error : `the search server answered ${status}`;
  const wait = Number(headers.get("Retry-After"));
  return new ClientError(problemOf(status, problem, error), message, wait > 0 ? { retryAfter: wait } : {});
}

function problemOf(status: number, problem: unknown, error: unknown): ClientProblem {
  if (status === 429) return "too-many";
  if (typeof error !== "string") return status === 404 ? "no-index" : "failed";
  // A corpus that is not there has no index either.
  if (problem === "no-index" || status === 404) return "no-index";
  return status === 400 ? "bad-query" : "failed";
}

function toFound(query: string, json: SearchJson): Found {
  const { total, results, facetCounts, correction, missingWords, nextOffset, preferred } = json;
  return {
    query,
    total,
    pages: results.map((page) => ({
      ...page,
      sections: page.sections.map((section) => ({ ...section, excerpt: readMarked(section.excerpt) })),
    })),
    facetCounts,
    preferred: hasShape(preferred, PREFERRED) ? preferred : {},
    corrections: hasShape(correction, CORRECTION)
      ? correction.words.map(({ written, corrected }) => ({ from: written, to: corrected }))
      : [],
    missingWords,
    nextOffset: typeof nextOffset === "number" ? nextOffset : undefined,
  };
}

/** What `escapeHtml` of `render/text.ts` writes. */
const ESCAPED: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** The parts of an excerpt. What is neither a mark nor one of the five characters that are escaped is text as it stands. */
export function readMarked(excerpt: string): readonly ExcerptPart[] {
  return tidyParts(
    excerpt.split(/<mark>(.*?)<\/mark>/s).map((text, at) => ({
      text: text.replace(/&(?:amp|lt|gt|quot|#39);/g, (found) => ESCAPED[found] ?? found),
      marked: at % 2 === 1,
    })),
  );
}
