/** Where a search box gets its answers: one shape, whether a Worker gives them or the engine in the page. */
import type { FacetCounts } from "../../core/docs/model.ts";
import { type ExcerptPart, MAX_QUERY_LENGTH } from "../../core/search/answer.ts";

/** What is asked for beside the words. */
export interface AskOptions {
  /** Documents passed over. */
  readonly offset?: number;
  /** Documents at most; 6 unless asked otherwise. */
  readonly limit?: number;
  /** Sections that carry an excerpt at most, the best of each document first; 10 unless asked otherwise, and at most. */
  readonly excerpts?: number;
  /** Documents that have one of the values of each key. */
  readonly filters?: Readonly<Record<string, readonly string[]>>;
  /** A value by key that pages of others are left out for, where some page has it: language and version of the reader's page. */
  readonly prefer?: Readonly<Record<string, string>>;
  /** Names of collections; all where there are none. */
  readonly collections?: readonly string[];
  /** The last word may be unfinished. */
  readonly typing?: boolean;
  /** Fewer pages with their best section each will do, where the rest takes further reads: the next key may replace them. */
  readonly brief?: boolean;
  /** Facets and counts, and what pages say of themselves, come with the answer, also where it waits for them. */
  readonly withFacets?: boolean;
  /** Ends the question: the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A section that was found, as a hit on its page. */
export interface FoundSection {
  readonly nodeId: string;
  /** Address with its anchor; `""` for none. */
  readonly url: string;
  readonly heading: string;
  readonly headingPath: readonly string[];
  readonly excerpt: readonly ExcerptPart[];
  readonly score: number;
}

export interface FoundPage {
  readonly id: string;
  /** Address; `""` where the index knows none. */
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly collection: string;
  readonly path: string;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly facets: Readonly<Record<string, readonly string[]>>;
  readonly score: number;
  /** Best first; some without an excerpt. */
  readonly sections: readonly FoundSection[];
}

/** A word that was not found and the one that was searched instead. */
interface CorrectedWord {
  readonly from: string;
  readonly to: string;
}

export interface Found {
  readonly query: string;
  /** Documents that were found, shown or not. */
  readonly total: number;
  readonly pages: readonly FoundPage[];
  readonly facetCounts: FacetCounts;
  /** Of what was preferred, what the answer was narrowed to. */
  readonly preferred?: Readonly<Record<string, string>> | undefined;
  /** Counts that come after the answer, which would have waited for them; `{}` where they do not come. Never rejects. */
  readonly laterCounts?: Promise<FacetCounts>;
  readonly corrections: readonly CorrectedWord[];
  /** Words that no document holds. */
  readonly missingWords: readonly string[];
  /** What was asked for briefly and has a rest that was not read. */
  readonly isBrief?: boolean;
  /** `offset` of the next page of results; undefined where this is the last. */
  readonly nextOffset: number | undefined;
}

/** A title or heading that begins like what was typed. */
export interface SuggestedPage {
  readonly url: string;
  readonly title: string;
  readonly kind: "title" | "heading" | "symbol";
  /** Id of the page that it is the title of, or a heading in. */
  readonly documentId: string;
}

/** Why there is no answer, as far as whoever reads the page can do something about it. */
export type ClientProblem = "offline" | "unreachable" | "slow" | "too-many" | "bad-query" | "no-index" | "failed";

export class ClientError extends Error {
  readonly problem: ClientProblem;
  /** Seconds after which to try again, where the server says so. */
  readonly retryAfter: number | undefined;

  constructor(problem: ClientProblem, message: string, options: { cause?: unknown; retryAfter?: number } = {}) {
    super(message, { cause: options.cause });
    this.name = "ClientError";
    this.problem = problem;
    this.retryAfter = options.retryAfter;
  }
}

export interface SearchClient {
  /** Get ready: somebody is about to type. Never rejects. */
  prepare(options?: Pick<AskOptions, "prefer">): Promise<void>;
  /** @throws {ClientError} */
  search(query: string, options?: AskOptions): Promise<Found>;
  /** Pages to begin with: those of the index's folders, or those that most others link to. Never rejects. */
  home?(): Promise<readonly SuggestedPage[]>;
  /** @throws {ClientError} */
  suggest(
    query: string,
    options?: Pick<AskOptions, "limit" | "collections" | "signal">,
  ): Promise<readonly SuggestedPage[]>;
}

export const DEFAULT_PAGES = 6;
export const DEFAULT_SUGGESTIONS = 8;
const MAX_HOME = 8;

/** Longer nobody looks at an empty list, in milliseconds. */
export const PATIENCE_MS = 20_000;

/**
 * What `ask` gives. Ends with the reason of `signal`, or because nobody waits that long, whatever `ask` does meanwhile.
 *
 * @param ask Gets a signal that ends it then.
 * @param patience In milliseconds.
 * @throws {ClientError} `slow`
 */
export async function answerInTime<T>(
  ask: (ending: AbortSignal) => Promise<T>,
  signal: AbortSignal | undefined,
  patience: number,
): Promise<T> {
  signal?.throwIfAborted();
  const own = new AbortController();
  const end = (): void => own.abort(signal?.reason);
  signal?.addEventListener("abort", end);
  const slow = new ClientError("slow", `no answer within ${patience / 1000} seconds`);
  const timer = setTimeout(() => own.abort(slow), patience);
  const ended = new Promise<never>((_, reject) => {
    own.signal.addEventListener("abort", () => reject(own.signal.reason));
  });
  try {
    return await Promise.race([ask(own.signal), ended]);
  } catch (error) {
    // Some ways to send end with an error of their own.
    own.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

/** A page in `llms.txt`: title, address, collection and, where it is the first of a folder, its path. */
const LISTED = /^- \[(.+)\]\((\S+)\): `+ ?([^:`]*):.*?`+(?:, first of .* in (.+)\/)?$/gm;

/** Pages of the index's folders, as `llms.txt` beside it lists them, or those that most others link to. @param folder With a slash at its end. */
export async function readHome(folder: string, locate: (address: string) => string): Promise<readonly SuggestedPage[]> {
  try {
    const response = await fetch(`${folder}llms.txt`);
    const text = response.ok ? await response.text() : "";
    const listed = [...text.matchAll(LISTED)].map(([, title = "", url = "", collection, path = ""]) => {
      // A folder without a page of its own is called by its name.
      const last = path.split("/").at(-1)?.replace(/[-_]+/g, " ") ?? "";
      const name = last === "" || url.endsWith("/") ? title : last.charAt(0).toUpperCase() + last.slice(1);
      return { url: locate(url), title: name, kind: "title" as const, documentId: `${collection}:${path}`, path };
    });
    const folders = listed.filter(({ path }) => path !== "");
    const pages = folders.length > 1 ? folders : listed;
    return pages.filter(({ url }, at) => pages.findIndex((other) => other.url === url) === at).slice(0, MAX_HOME);
  } catch {
    return [];
  }
}

/** The question without white space around it. @throws {ClientError} for none, and for one that is too long. */
export function checkQuestion(query: string): string {
  const question = query.trim();
  if (question === "") throw new ClientError("bad-query", "there is nothing to search for");
  if (question.length > MAX_QUERY_LENGTH) {
    const message = `a question has ${MAX_QUERY_LENGTH} characters at most; this one has ${question.length}`;
    throw new ClientError("bad-query", message);
  }
  return question;
}

/** No answer came: whether the browser is offline is for it to say. */
export function noAnswer(message: string, cause: unknown): ClientError {
  const isOffline = typeof navigator !== "undefined" && navigator.onLine === false;
  return new ClientError(isOffline ? "offline" : "unreachable", message, { cause });
}

/** Parts as `readMarked` gives them: none is empty, and none without a mark follows another. */
export function tidyParts(parts: readonly ExcerptPart[]): readonly ExcerptPart[] {
  const tidy: ExcerptPart[] = [];
  for (const part of parts) {
    const last = tidy.at(-1);
    if (part.text === "") continue;
    if (last === undefined || last.marked || part.marked) tidy.push(part);
    else tidy[tidy.length - 1] = { text: last.text + part.text, marked: false };
  }
  return tidy;
}
