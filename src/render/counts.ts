/**
 * Numbers of things in words: `1 section`, `1,925 words`.
 *
 * Pure: numbers in, words out.
 */

/** A number with its noun, in the plural where it is not one. */
export function formatCount(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString("en-US")} ${number === 1 ? noun : plural}`;
}

/** `12-40`, or `12` for one line. */
export function formatLines(startLine: number, endLine: number): string {
  return endLine > startLine ? `${startLine}-${endLine}` : `${startLine}`;
}
