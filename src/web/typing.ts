/** Searches while somebody types: one answer for each text that stands still, none for those that were typed over. */
import type { SearchAnswer } from "../core/search/answer.ts";
import type { StaticIndex, StaticSearchOptions } from "./static-index.ts";

/** How long a text must stand before it is searched for: shorter than a pause, longer than the next key takes. */
const SETTLE_MS = 100;
/** Two letters begin nearly everything: they must stand so many times as long, so that who types on slowly passes them by, too. */
const SHORT_LETTERS = 2;
const SHORT_FACTOR = 5;
/** Documents of an answer that the next key replaces. */
const LIMIT = 4;

/** How to search while somebody types. */
export interface TypingOptions {
  readonly settleMs?: number;
  /** Resolves after so many milliseconds; a timer when absent. */
  readonly wait?: (milliseconds: number) => Promise<void>;
}

/** What to search for next. Gives undefined for a text that another one replaced meanwhile, and for an empty one. */
export type Typed = (text: string, options?: Omit<StaticSearchOptions, "signal">) => Promise<SearchAnswer | undefined>;

/** How long a text must stand, in milliseconds, before it is searched for. */
export function settleTime(text: string, settleMs = SETTLE_MS): number {
  return text.trim().length <= SHORT_LETTERS && /^[\0-\x7f]*$/.test(text) ? SHORT_FACTOR * settleMs : settleMs;
}

/** A function that searches for the text it is given last: it ends the reads of the text before. */
export function searchAsTyped(index: Pick<StaticIndex, "search">, options: TypingOptions = {}): Typed {
  const { settleMs, wait = sleep } = options;
  let latest = new AbortController();
  return async (text, request = {}) => {
    latest.abort();
    const own = new AbortController();
    latest = own;
    await wait(settleTime(text, settleMs));
    if (own.signal.aborted || text.trim() === "") return undefined;
    const { signal } = own;
    const asked = index.search(text, { asYouType: true, limit: LIMIT, excerpts: LIMIT, ...request, signal });
    const answer = await asked.catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    return signal.aborted ? undefined : (answer as SearchAnswer);
  };
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
