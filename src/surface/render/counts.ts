/**
 * Numbers, and numbers of things in words: `1,925`, `1 section`, `1,925 words`.
 *
 * Pure: numbers in, words out.
 */

/** `1,925`: a whole number with commas. */
export function formatNumber(number: number): string {
  // Not by `toLocaleString`: an outline has thousands of numbers, and that takes microseconds for each.
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** A number with its noun, in the plural where it is not one. */
export function formatCount(number: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(number)} ${number === 1 ? noun : plural}`;
}

/** `12-40`, or `12` for one line. */
export function formatLines(startLine: number, endLine: number): string {
  return endLine > startLine ? `${startLine}-${endLine}` : `${startLine}`;
}
