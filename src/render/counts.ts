/**
 * Numbers, and numbers of things in words: `1,925`, `1 section`, `1,925 words`.
 *
 * Pure: numbers in, words out.
 */

/** `1,925`: a whole number with commas. */
export function formatNumber(number: number): string {
  return number.toLocaleString("en-US");
}

/** A number with its noun, in the plural where it is not one. */
export function formatCount(number: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(number)} ${number === 1 ? noun : plural}`;
}

/** `12-40`, or `12` for one line. */
export function formatLines(startLine: number, endLine: number): string {
  return endLine > startLine ? `${startLine}-${endLine}` : `${startLine}`;
}
