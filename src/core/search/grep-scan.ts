/**
 * Scanning texts line by line: which lines match, counted all, kept where they are to be shown.
 *
 * A line is what stands between line feeds, as it is to `grep`; a carriage return belongs to its line. Pure.
 */
import { countLines, linesOf } from "../text/lines.ts";

/** What tells whether a line matches. */
export interface LineMatcher {
  /** Steps that a character of a line takes at most; 1 for a text. */
  readonly steps: number;
  /** Whether the pattern matches somewhere in a line. */
  readonly matches: (line: string) => boolean;
  /** Where the first match in a matching line begins, in UTF-16 units. */
  readonly start: (line: string) => number;
  /** Where the first match from a place on begins in a text of many lines, -1 without one: for what is found without its lines. */
  readonly finder?: (text: string) => (from: number) => number;
}

/** A line that matches. */
export interface LineMatch {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units; undefined where finding it in a very long line would take too much. */
  readonly column: number | undefined;
  readonly text: string;
  /** Lines before and after it, nearest ones, in their order. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Which matches to keep and how much to work. */
export interface ScanOptions {
  /** Lines of context on each side. */
  readonly context: number;
  /** Matches to pass over, and to keep after those. */
  readonly offset: number;
  readonly limit: number;
  /** Steps to take at most in all texts together. */
  readonly maxSteps: number;
}

/** What a text gave. */
export interface TextScan {
  /** Lines that match. */
  readonly count: number;
  /** Those of them that are to be shown. */
  readonly kept: readonly LineMatch[];
  /** False where the work came to its bound inside the text. */
  readonly isWhole: boolean;
}

/** Scans one text after another, keeping count of matches and work. */
export class LineScanner {
  readonly #matcher: LineMatcher;
  readonly #options: ScanOptions;
  #steps = 0;
  #total = 0;

  constructor(matcher: LineMatcher, options: ScanOptions) {
    this.#matcher = matcher;
    this.#options = options;
  }

  /** Lines that matched so far. */
  get total(): number {
    return this.#total;
  }

  /** Scan a text. */
  scan(text: string): TextScan {
    const find = this.#matcher.finder?.(text);
    const kept: LineMatch[] = [];
    let count = 0;
    let line = 1;
    let at = 0;
    while (at < text.length) {
      const found = find === undefined ? at : find(at);
      // What lies between two matches is passed over, and counts as looked at.
      const begin = found < 0 ? text.length : beginOfLine(text, found);
      const end = found < 0 ? text.length : endOfLine(text, begin);
      const isOpen = end === text.length && !text.endsWith("\n");
      const characters = end - at + (found < 0 && !isOpen ? 0 : 1);
      if (!this.#spend(characters)) return { count, kept, isWhole: false };
      if (found < 0) break;
      line += find === undefined ? 0 : countLines(text.slice(at, begin));
      if (find !== undefined || this.#matcher.matches(text.slice(begin, end))) {
        const { offset, limit } = this.#options;
        const number = this.#total++;
        count++;
        if (number >= offset && number < offset + limit) kept.push(this.#describe(text, line, begin, end));
      }
      line++;
      at = end + 1;
    }
    return { count, kept, isWhole: true };
  }

  /** @param begin Where the line begins. @param end Where its line feed stands. */
  #describe(text: string, line: number, begin: number, end: number): LineMatch {
    const { context } = this.#options;
    const own = text.slice(begin, end);
    let first = begin;
    for (let left = context; left > 0 && first > 0; left--) first = beginOfLine(text, first - 1);
    let last = end;
    for (let left = context; left > 0 && last < text.length; left--) last = endOfLine(text, last + 1);
    return {
      line,
      column: this.#spend(own.length) ? this.#matcher.start(own) + 1 : undefined,
      text: own,
      before: linesOf(text.slice(first, begin)),
      after: linesOf(text.slice(end + 1, last + 1)),
    };
  }

  /** Whether so many characters may still be worked on. */
  #spend(characters: number): boolean {
    const steps = characters * this.#matcher.steps;
    if (this.#steps + steps > this.#options.maxSteps) return false;
    this.#steps += steps;
    return true;
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** Where the line begins that a character, or the line feed behind it, stands in. */
function beginOfLine(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}
