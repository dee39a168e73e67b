/**
 * The text of comments without their marks, in any of the languages that are parsed. Pure.
 */

/** What begins a line of a comment: `/**`, `//!`, `*`, `#`, `--`, `"""`. A shebang is none. */
const OPENING_MARKS = /^\s*(?:\/\*+!?|\/\/[/!]?|\*(?!\/)|#+(?!!)|--|"""|''')?[ \t]?/;
const CLOSING_MARKS = /[ \t]*(?:\*+\/|"""|''')[ \t]*$/;

/** Lines of comments as prose. */
export function stripCommentMarks(lines: readonly string[]): string {
  return lines
    .map((line) => line.replace(/\r$/, "").replace(CLOSING_MARKS, "").replace(OPENING_MARKS, ""))
    .join("\n")
    .trim();
}
