/**
 * Numbers in tables: signed ones as small unsigned ones (index-format v1, section 7.2), and lookups in what is sorted.
 */

/** An even number for what is at least 0, an odd one for the rest. */
export function zigzag(value: number): number {
  return value >= 0 ? value * 2 : -value * 2 - 1;
}

/** The number that `zigzag` made this of. */
export function unzigzag(coded: number): number {
  return coded % 2 === 0 ? coded / 2 : -(coded + 1) / 2;
}

/** Of the numbers from 0 on below `count`, how many hold: those below some number do, the others do not. */
export function countFirst(count: number, holds: (at: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of `wanted` in an ascending list, or -1. */
export function indexOfNumber(numbers: Uint32Array, wanted: number): number {
  const at = countFirst(numbers.length, (index) => (numbers[index] as number) < wanted);
  return numbers[at] === wanted ? at : -1;
}
