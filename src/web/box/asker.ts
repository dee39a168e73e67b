/** Questions in the order in which they are asked: one at a time, the one before ended, answers never out of order. */
import type { ClientProblem, Found, SearchClient, SuggestedPage } from "../client/search-client.ts";
import { settleTime } from "../typing.ts";
import type { Question } from "./question-state.ts";

/** After so long without an answer, in milliseconds, whoever waits is told that it is still being searched for. */
const SLOW_MS = 3_000;
/** A text that has stood so long after its answer, in milliseconds, is not typed on: slow typists take half a second a key. */
const REST_MS = 500;
const MORE_PAGES = 10;
const MAX_NEAR = 5;

interface Failure {
  readonly problem: ClientProblem;
  /** Seconds after which a server wants to be asked again; undefined where it does not say. */
  readonly retryAfter: number | undefined;
}

/** Who is told what comes of a question. */
interface Listener {
  readonly search: SearchClient["search"];
  readonly suggest: SearchClient["suggest"];
  onSlow(): void;
  onFound(found: Found, question: Question): void;
  onNear(near: readonly SuggestedPage[], question: Question): void;
  onFailure(failure: Failure, question: Question): void;
}

export function createAsker(listener: Listener) {
  let current:
    | { readonly own: AbortController; readonly run: () => void; timer: ReturnType<typeof setTimeout> | undefined }
    | undefined;

  const stop = (): void => {
    if (current === undefined) return;
    clearTimeout(current.timer);
    current.own.abort();
    current = undefined;
  };

  const run = async (question: Question, own: AbortController, ask: () => Promise<() => void>): Promise<void> => {
    const isStale = (): boolean => own.signal.aborted;
    const timer = setTimeout(() => isStale() || listener.onSlow(), SLOW_MS);
    try {
      const tell = await ask();
      if (isStale()) return;
      current = undefined;
      tell();
    } catch (error) {
      if (isStale()) return;
      current = undefined;
      listener.onFailure(toFailure(error), question);
    } finally {
      clearTimeout(timer);
    }
  };

  const plan = (question: Question, waitMs: number, ask: (signal: AbortSignal) => Promise<() => void>): void => {
    stop();
    const own = new AbortController();
    const start = (): void => void run(question, own, () => ask(own.signal));
    current = { own, run: start, timer: undefined };
    if (waitMs === 0) start();
    else current.timer = setTimeout(start, waitMs);
  };

  const search = (question: Question, waitMs: number, brief: boolean): void => {
    const { query, filters, collections, offset } = question;
    const more = offset > 0 ? { offset, limit: MORE_PAGES } : {};
    plan(question, waitMs, async (signal) => {
      const found = await listener.search(query, { filters, collections, typing: true, brief, ...more, signal });
      return () => listener.onFound(found, question);
    });
  };

  return {
    /** Asks when the text has stood for a moment, or now, and in one go: no next key replaces it. Ends the question before. */
    ask: (question: Question, isNow = false) =>
      search(question, isNow ? 0 : settleTime(question.query), !isNow && question.offset === 0),
    /** Asks for the whole answer to a question that was answered briefly, when its text has stood for longer. */
    askWhole: (question: Question) => search(question, REST_MS, false),
    /** Asks for titles that come near to a question that nothing was found for, when its text has stood for longer. */
    askNear: (question: Question) =>
      plan(question, REST_MS, async (signal) => {
        const { query, collections } = question;
        const near = await listener.suggest(query, { limit: MAX_NEAR, collections, signal });
        return () => listener.onNear(near, question);
      }),
    /** Asks what waits now: somebody pressed Enter. */
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
