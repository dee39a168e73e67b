/** Lists of numbers that grow: typed, because there are millions of them. */

type Numbers = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** The numbers with twice the room, or as often doubled as `least` places take; the same list where it has room. */
export function growNumbers<T extends Numbers>(numbers: T, least: number): T {
  if (numbers.length >= least) return numbers;
  let length = numbers.length;
  while (length < least) length *= 2;
  const grown = new (numbers.constructor as new (length: number) => T)(length);
  grown.set(numbers);
  return grown;
}
