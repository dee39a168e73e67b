/**
 * Places in a source text, and the hash by which a declaration is known to be unchanged.
 *
 * Lines end at a line feed and nowhere else, as in the rest of the index: a lone carriage return or U+2028, which
 * JavaScript takes for a line end, is a character of its line here. Pure.
 */
import type { CodePosition } from "../../../../src/core/format/code-records.ts";

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const LINE_FEED = 10;

/** From offsets of UTF-16 units to lines and columns, both 1-based. Fast where offsets are asked in rising order. */
export interface SourcePlaces {
  lineOf(offset: number): number;
  positionOf(offset: number): CodePosition;
}

/** Places of a text. */
export function createSourcePlaces(text: string): SourcePlaces {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  let last = 0;
  const indexOf = (offset: number): number => {
    const start = starts[last] as number;
    let low = offset >= start ? last : 0;
    let high = offset >= start ? starts.length - 1 : last;
    // Most offsets lie on the line of the one before or a few lines below.
    if (offset >= start && offset < (starts[last + 4] ?? Number.POSITIVE_INFINITY)) {
      high = Math.min(high, last + 4);
    }
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    last = low;
    return low;
  };
  return {
    lineOf: (offset) => indexOf(offset) + 1,
    positionOf: (offset) => {
      const line = indexOf(offset);
      return { line: line + 1, column: offset - (starts[line] as number) + 1 };
    },
  };
}

/**
 * 8 hexadecimal digits: FNV-1a over the UTF-16 units from `start` to `end`, without whitespace at the ends of lines, so
 * that line ends and trimming editors change nothing.
 */
export function hashBody(text: string, start: number, end: number): string {
  let hash = FNV_OFFSET;
  let held = start;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit === LINE_FEED) held = at;
    else if (isBlank(unit)) continue;
    for (; held <= at; held++) hash = Math.imul(hash ^ text.charCodeAt(held), FNV_PRIME);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0).toString(16).padStart(8, "0");
}

/** Space, tab, carriage return and the other blanks of one byte. */
function isBlank(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13);
}
