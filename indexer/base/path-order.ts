/**
 * The order of paths: by their UTF-8 bytes, which is also the order of code points.
 */

/** Negative, zero or positive as `a` comes before, with or after `b`. Not `<`, which compares UTF-16 code units. */
export function comparePaths(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above all others, though their units are below U+E000 to U+FFFF. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
