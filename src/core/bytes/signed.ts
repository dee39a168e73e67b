/**
 * Signed numbers as unsigned ones, small ones small: index-format v1, section 7.2 ("differences"). Pure.
 */

/** An even number for what is at least 0, an odd one for the rest. */
export function zigzag(value: number): number {
  return value >= 0 ? value * 2 : -value * 2 - 1;
}

/** The number that `zigzag` made this of. */
export function unzigzag(coded: number): number {
  return coded % 2 === 0 ? coded / 2 : -(coded + 1) / 2;
}
