/**
 * Questions in the order in which they are asked: one at a time, the one before ended, answers never out of order.
 */
import type { ClientProblem, Found, SearchClient } from "../client/search-client.ts";
import { settleTime } from "../typing.ts";
import type { Question } from "./question.ts";

/** After so long without an answer, in milliseconds, whoever waits is told that it is still being searched for. */
const SLOW_MS = 3_000;
/** Pages that a click for more brings. */
const MORE_PAGES = 10;

/** Why there is no answer. */
export interface Failure {
  readonly problem: ClientProblem;
  /** Seconds after which a server wants to be asked again; undefined where it does not say. */
  readonly retryAfter: number | undefined;
}

/** Who is told what comes of a question. */
export interface Listener {
  readonly search: SearchClient["search"];
  onSlow(): void;
  onFound(found: Found, question: Question): void;
  onFailure(failure: Failure, question: Question): void;
}

/** Asks questions. */
export interface Asker {
  /** Ask when the text has stood for a moment, or now. Ends the question before. */
  ask(question: Question, isNow?: boolean): void;
  /** Ask what waits now: somebody pressed Enter. */
  hurry(): void;
  /** Ends what is asked. */
  stop(): void;
}

/** Asks the questions of one box. */
export function createAsker(listener: Listener): Asker {
  let current:
    | { readonly own: AbortController; readonly run: () => void; timer: ReturnType<typeof setTimeout> | undefined }
    | undefined;

  const stop = (): void => {
    if (current === undefined) return;
    clearTimeout(current.timer);
    current.own.abort();
    current = undefined;
  };

  const run = async (question: Question, own: AbortController): Promise<void> => {
    const isStale = (): boolean => own.signal.aborted;
    const timer = setTimeout(() => isStale() || listener.onSlow(), SLOW_MS);
    const { query, filters, collections, offset } = question;
    const more = offset > 0 ? { offset, limit: MORE_PAGES } : {};
    try {
      const options = { filters, collections, typing: true, ...more, signal: own.signal };
      const found = await listener.search(query, options);
      if (isStale()) return;
      current = undefined;
      listener.onFound(found, question);
    } catch (error) {
      if (isStale()) return;
      current = undefined;
      listener.onFailure(toFailure(error), question);
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    ask(question, isNow = false) {
      stop();
      const own = new AbortController();
      const start = (): void => void run(question, own);
      current = { own, run: start, timer: undefined };
      if (isNow) start();
      else current.timer = setTimeout(start, settleTime(question.query));
    },
    hurry() {
      if (current === undefined || current.timer === undefined) return;
      clearTimeout(current.timer);
      current.timer = undefined;
      current.run();
    },
    stop,
  };
}

/** What a client threw, whichever it is. */
function toFailure(error: unknown): Failure {
  const { problem = "failed", retryAfter } = Object(error) as Partial<Failure>;
  return { problem, retryAfter };
}
