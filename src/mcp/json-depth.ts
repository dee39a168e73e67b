/**
 * How deep a JSON text nests, before anything parses it: parsers and checks of deep values cost far more than their length.
 *
 * Pure: a text in, a verdict out.
 */

/** A call nests six levels: message, params, arguments, a filter, its exclusions, their values. */
export const MAX_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/** Whether lists and objects of a text stand inside one another more than `levels` deep. It need not be right JSON. */
export function isDeeperThan(text: string, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = endOfString(text, at);
    } else if (unit === LIST || unit === OBJECT) {
      depth++;
      if (depth > levels) return true;
    } else if (unit === LIST_END || unit === OBJECT_END) depth--;
  }
  return false;
}

/** Where a string ends that begins at a quote; the text's end where it does not. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === BACKSLASH) at++;
    else if (unit === QUOTE) return at;
  }
  return text.length;
}
