/**
 * Hashes of parts of a text, each in the same short time however long the part is: symbols nest, and hashing each one's
 * source anew would read a file as often as its symbols lie in one another.
 *
 * A polynomial hash over UTF-16 units modulo 2^32 (Karp and Rabin, 1987), mixed at the end with MurmurHash3's fmix32.
 * White space at the ends of lines does not count. Pure.
 */

const FACTOR = 0x01000193;

/** Gives the hash of the part from `start` up to `end` as 8 hexadecimal digits. */
export function hasherOf(text: string): (start: number, end: number) => string {
  // Hash of all that counts in front of each place, and how many units that is.
  const sums = new Uint32Array(text.length + 1);
  const counts = new Uint32Array(text.length + 1);
  let lineEnd = -1;
  let kept = 0;
  for (let at = 0; at < text.length; at++) {
    if (at > lineEnd) {
      const found = text.indexOf("\n", at);
      lineEnd = found < 0 ? text.length : found;
      kept = lineEnd;
      while (kept > at && isBlank(text.charCodeAt(kept - 1))) kept--;
    }
    const counted = at < kept || at === lineEnd;
    sums[at + 1] = counted ? Math.imul(sums[at] as number, FACTOR) + text.charCodeAt(at) + 1 : (sums[at] as number);
    counts[at + 1] = (counts[at] as number) + (counted ? 1 : 0);
  }
  return (start, end) => {
    const length = (counts[end] as number) - (counts[start] as number);
    const sum = ((sums[end] as number) - Math.imul(sums[start] as number, power(length))) | 0;
    return mixed(sum ^ length)
      .toString(16)
      .padStart(8, "0");
  };
}

function power(exponent: number): number {
  let result = 1;
  let factor = FACTOR;
  for (let left = exponent; left > 0; left >>>= 1) {
    if (left & 1) result = Math.imul(result, factor);
    factor = Math.imul(factor, factor);
  }
  return result;
}

function mixed(hash: number): number {
  let value = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

function isBlank(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 13;
}
