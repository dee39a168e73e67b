/**
 * What both clients do alike: what is asked for where nothing is said, and why a question had no answer.
 */
import { MAX_EXCERPTS, MAX_QUERY_LENGTH } from "../../core/search/answer.ts";
import { type AskOptions, ClientError } from "./search-client.ts";

/** Pages of an answer. */
export const DEFAULT_PAGES = 6;
/** Suggestions of an answer. */
export const DEFAULT_SUGGESTIONS = 8;

/** Sections that carry an excerpt: the best of each page, and further ones of the first pages. */
export function countExcerpts({ excerpts = MAX_EXCERPTS }: AskOptions): number {
  return Math.min(excerpts, MAX_EXCERPTS);
}

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
