/**
 * One thing worth telling a person about an input file: a diagnostic. The build goes on after every one of them.
 */

/**
 * `error` = the file could not be used as intended (it is still indexed as plain text, or skipped and reported), or
 * holds what must not be published.
 */
export type Severity = "error" | "warning" | "info";

export interface Diagnostic {
  readonly severity: Severity;
  /** Stable kebab-case name of the kind of finding, for example `invalid-yaml`. */
  readonly code: string;
  /** What was found and what to do about it. */
  readonly message: string;
  /** Path relative to the collection root, `/` as separator. Empty when the finding is about no file. */
  readonly path: string;
  /** 1-based line, or 0 when the finding has no line. */
  readonly line: number;
  /** 1-based column in UTF-16 units, where the finding has one. */
  readonly column?: number;
  /** Compiler or linter that reported it; Treeline itself when absent. `code` is then its rule. */
  readonly tool?: string;
}

/**
 * Text for people: names of other people's files on a terminal, where a control could move the cursor and a bidi mark could
 * turn words around, and sizes.
 */

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** The text with such characters written as `\u{202e}`; line feeds, too, so that it stays one line. */
export function toPrintable(text: string): string {
  return text.replace(UNPRINTABLE, (one) => `\\u{${(one.codePointAt(0) as number).toString(16)}}`);
}

/** Whether a name stays on one line wherever it is written: it holds no control character and no separator of lines. */
export function isOneLine(name: string): boolean {
  return !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name);
}

/** A number of bytes in the unit that fits: `1.2 kB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(2)} MB`;
}

/** The command was called in a way that it cannot be. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
