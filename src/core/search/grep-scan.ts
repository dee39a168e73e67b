/**
 * Scanning texts line by line: which lines match, counted all, kept where they are to be shown.
 *
 * A line is what stands between line feeds, as it is to `grep`; a carriage return belongs to its line. Pure.
 */
import { linesOf } from "../text/lines.ts";

/** What tells whether a line matches. */
export interface LineMatcher {
  /** Steps that a character of a line takes at most; 1 for a text. */
  readonly steps: number;
  /** Whether the pattern matches somewhere in a line. */
  readonly matches: (line: string) => boolean;
  /** Where the first match in a matching line begins, in UTF-16 units. */
  readonly start: (line: string) => number;
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
    const lines = linesOf(text);
    const { offset, limit } = this.#options;
    const kept: LineMatch[] = [];
    let count = 0;
    for (const [at, line] of lines.entries()) {
      if (!this.#spend(line.length + 1)) return { count, kept, isWhole: false };
      if (!this.#matcher.matches(line)) continue;
      const number = this.#total++;
      count++;
      if (number >= offset && number < offset + limit) kept.push(this.#describe(lines, at));
    }
    return { count, kept, isWhole: true };
  }

  #describe(lines: readonly string[], at: number): LineMatch {
    const { context } = this.#options;
    const text = lines[at] as string;
    return {
      line: at + 1,
      column: this.#spend(text.length) ? this.#matcher.start(text) + 1 : undefined,
      text,
      before: lines.slice(Math.max(0, at - context), at),
      after: lines.slice(at + 1, at + 1 + context),
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
