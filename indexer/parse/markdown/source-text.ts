/**
 * Source text: one file's text made safe and uniform before any parser sees it.
 *
 * Every replacement keeps the number of lines and the place of each line, so line numbers of
 * the result are line numbers of the file.
 *
 * Pure: text in, values out. No I/O, no clock.
 */

const BYTE_ORDER_MARK = 0xfeff;
const REPLACEMENT = "\ufffd";
const SURROGATE = /[\ud800-\udfff]/;
// With the `u` flag a surrogate pair is one character, so only lone halves match.
const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * The text without byte order mark and with `\n` as its only line end.
 *
 * Only `\r\n` and `\n` end a line; a lone `\r` becomes a space. NUL characters and lone
 * surrogates become U+FFFD, because the index stores UTF-8.
 */
export function normalizeSource(text: string): string {
  let source = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
  if (source.includes("\r")) {
    source = source.replace(/\r\n|\r/g, (end) => (end === "\r" ? " " : "\n"));
  }
  if (source.includes("\0")) source = source.replaceAll("\0", REPLACEMENT);
  if (SURROGATE.test(source)) source = source.replace(LONE_SURROGATE, REPLACEMENT);
  return source;
}
