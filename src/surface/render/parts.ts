/**
 * Answers to several things asked in one call: a part for each, under a line that names it, in the order asked. All of them
 * share one budget: short parts stay whole, long ones share the rest, and each says what it left out.
 *
 * ```
 * # how long may a test take
 * docs/config/testtimeout.md:3-12 testTimeout
 *  - **Default:** `5_000` in Node.js
 * 2 more: passages 3
 * ```
 */
import type { Answer, AnswerForm, JsonObject } from "./answer.ts";
import { shareOut } from "./passages.ts";
import { estimateTokens, formatCount } from "./text.ts";

export interface AnswerPart {
  /** The line that names it, with what its list says of itself: counts, `complete`, a note. */
  readonly head: string;
  /** What was found, the best first; cut between these only. Each may have several lines. */
  readonly items: readonly string[];
  /** The line in place of items that were cut off: how many there are and what brings them. `""` for none. */
  readonly rest: (left: number) => string;
  /** Items that exist beyond `items`, and are counted by `rest` in any case. */
  readonly further?: number;
  /** The part as JSON with so many of its items. */
  readonly json: (shown: number) => JsonObject;
}

type AroundParts = Pick<Answer, "notes" | "unanswered" | "page"> & {
  /** A first line for all of them. */
  readonly intro?: string;
};

/** Least tokens of a part that are worth more than its first line alone. */
const LEAST_PART_TOKENS = 25;

/** The answer that these parts make. */
export function answerInParts(parts: readonly AnswerPart[], { intro = "", ...around }: AroundParts = {}): Answer {
  const whole = parts.map(({ items }) => items.length);
  return {
    summary: intro,
    isBare: true,
    ...around,
    forms: [
      {
        ...formOf(parts, whole),
        shorten: (maxTokens) => formOf(parts, countShown(parts, maxTokens)),
      },
    ],
  };
}

function formOf(parts: readonly AnswerPart[], shown: readonly number[]): AnswerForm {
  const left = parts.length - shown.length;
  return {
    detail: "the first of each",
    blocks: () => {
      const texts = shown.map((count, at) => formatPart(parts[at] as AnswerPart, count));
      return [[...texts, ...(left > 0 ? [describeLeft(left)] : [])].join("\n")];
    },
    json: () => ({
      parts: shown.map((count, at) => (parts[at] as AnswerPart).json(count)),
      ...(left > 0 && { partsLeftOut: left }),
    }),
    perItem: false,
  };
}

function describeLeft(parts: number): string {
  return `not complete: ${formatCount(parts, "more part")}; raise max_tokens`;
}

function formatPart({ head, items, rest, further = 0 }: AnswerPart, shown: number): string {
  const left = items.length - shown + further;
  return [head, ...items.slice(0, shown), ...(left > 0 ? [rest(left)] : [])].filter((line) => line !== "").join("\n");
}

/**
 * How many items of each part fit: what a part does not need goes to the others. Shorter than the list of parts where not even
 * the lines fit that name them.
 */
function countShown(parts: readonly AnswerPart[], maxTokens: number): number[] {
  const sizes = parts.map(({ head, items, rest }) => ({
    around: estimateTokens(`${head}\n${items.length === 0 ? "" : rest(items.length)}\n`),
    items: items.map((item) => estimateTokens(`${item}\n`)),
  }));
  let named = estimateTokens(describeLeft(parts.length));
  const end = sizes.findIndex(({ around }) => {
    named += around;
    return named > maxTokens;
  });
  const own = end < 0 ? sizes : sizes.slice(0, Math.max(1, end));
  const wanted = own.map(({ around, items }) => items.reduce((sum, size) => sum + size, around));
  const shares = shareOut(wanted, maxTokens);
  return own.map(({ around, items }, at) => {
    let left = (shares[at] as number) - around;
    if (left < LEAST_PART_TOKENS && (shares[at] as number) < (wanted[at] as number)) return 0;
    const last = items.findIndex((size) => {
      left -= size;
      return left < 0;
    });
    return last < 0 ? items.length : last;
  });
}
