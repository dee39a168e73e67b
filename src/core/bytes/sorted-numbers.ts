/**
 * Looking numbers up in sorted lists: document numbers of postings and facets. Pure.
 */

/** Index of `wanted` in an ascending list, or -1. */
export function indexOfNumber(numbers: Uint32Array, wanted: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const number = numbers[middle] as number;
    if (number === wanted) return middle;
    if (number < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
