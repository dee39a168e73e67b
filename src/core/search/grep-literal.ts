/**
 * A text to grep for, or several, one on each line of the pattern: found as they stand. Pure.
 */
import { foldCase } from "../text/fold-case.ts";
import type { GrepPattern } from "./grep.ts";
import { humpsOf, needsOfTexts } from "./grep-needs.ts";
import { splitPattern } from "./grep-syntax.ts";

/** The pattern that matches lines with one of these texts. @throws {InputError} where the pattern is empty. */
export function makeLiteralPattern(pattern: string, caseSensitive: boolean): GrepPattern {
  const fold = caseSensitive ? (text: string): string => text : foldCase;
  const texts = splitPattern(pattern);
  const wanted = texts.map(fold);
  return {
    need: needsOfTexts(texts),
    humps: humpsOf(texts),
    steps: wanted.length,
    matches: (line) => {
      const folded = fold(line);
      return wanted.some((text) => folded.includes(text));
    },
    start: (line) => {
      const folded = fold(line);
      const starts = wanted.map((text) => folded.indexOf(text)).filter((at) => at >= 0);
      return Math.min(...starts);
    },
    finder: (text) => {
      const folded = fold(text);
      const next = wanted.map(() => -1);
      return (from) => {
        for (const [at, one] of wanted.entries()) {
          const known = next[at] as number;
          if (known < from) next[at] = toEnd(folded.indexOf(one, from));
        }
        const first = Math.min(...next);
        return first === Number.POSITIVE_INFINITY ? -1 : first;
      };
    },
  };
}

/** Behind everything, where it is nowhere. */
function toEnd(at: number): number {
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}
