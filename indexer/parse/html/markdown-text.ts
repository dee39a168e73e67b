/**
 * Text of a page as Markdown that shows it: signs that would be markup are escaped, and no others, so that words are found as they are
 * read.
 *
 * Pure.
 */

const SIGNS = /[\\*`]|<(?=[A-Za-z/!?])|(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])|~~+|\](?=[([])|&(?=#?\w{1,30};)/gu;
/** What begins a line and would make a heading, quote, list, rule, fence or reference of it. */
const LINE_START = /^(?:#{1,6}(?=\s|$)|>|[-+](?=\s|$)|(?:[-=]\s*){3,}$|~{3}|\[(?=[^\]]{1,200}\]:)|\|)/;
const NUMBER = /^(\d{1,9})([.)])(?=\s|$)/;

/** Text within a line. */
export function escapeText(text: string): string {
  return text.replace(SIGNS, (signs) =>
    signs.length > 1 ? [...signs].map((sign) => `\\${sign}`).join("") : `\\${signs}`,
  );
}

/** A line that must begin no block of another kind. */
export function escapeLineStart(line: string): string {
  if (LINE_START.test(line)) return `\\${line}`;
  return line.replace(NUMBER, "$1\\$2");
}

/** A span of code: with more backticks around it than stand in it. */
export function codeSpan(code: string): string {
  const runs = code.match(/`+/g) ?? [];
  const marks = "`".repeat(longest(runs) + 1);
  return code.startsWith("`") || code.endsWith("`") ? `${marks} ${code} ${marks}` : `${marks}${code}${marks}`;
}

/** The fence around a block of code: longer than any in it. */
export function fenceOf(code: string): string {
  return "`".repeat(Math.max(3, longest(code.match(/`{3,}/g) ?? []) + 1));
}

/** A link's destination; in angle brackets where its signs would end it. */
export function destination(href: string): string {
  const address = href.replace(/[\s<>]+/g, (signs) => encodeURIComponent(signs));
  return /[()]/.test(address) ? `<${address}>` : address;
}

function longest(runs: readonly string[]): number {
  return runs.reduce((most, run) => Math.max(most, run.length), 0);
}
