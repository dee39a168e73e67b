/**
 * One thing worth telling a person about an input file: a diagnostic. The build goes on after every one of them.
 */

/**
 * `error` = the file could not be used as intended (it is still indexed as plain text, or skipped and reported), or
 * holds what must not be published.
 */
export type Severity = "error" | "warning" | "info";

/** A finding about one input file. */
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
