/**
 * The order of values that pages are sorted by: as numbers where all of them are, else as texts. Pure.
 */

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Compares two of these values, upwards. @param all Every value that the caller may see, whatever was found. */
export function orderOfValues(all: readonly string[]): (a: string, b: string) => number {
  if (all.every((value) => NUMBER.test(value))) return (a, b) => Number(a) - Number(b);
  return (a, b) => (a < b ? -1 : a > b ? 1 : 0);
}

/** Where a document stands, and its value. */
interface Place {
  readonly shard: number;
  readonly document: number;
}

/** The first value of each document of a shard, out of a list of documents by value. */
export function firstValues(lists: ReadonlyMap<string, Uint32Array> | undefined): ReadonlyMap<number, string> {
  const first = new Map<number, string>();
  for (const [value, documents] of lists ?? []) {
    for (const document of documents) if (!first.has(document)) first.set(document, value);
  }
  return first;
}

/**
 * Documents that have a value, in the order of the values; those of one value stay in the order in which they came. Undefined where no
 * document of the index has one.
 *
 * Whether values are numbers is decided by all of them, so that it does not depend on what was found.
 *
 * @param values By shard.
 */
export function sortByValues<P extends Place>(
  places: readonly P[],
  values: readonly ReadonlyMap<number, string>[],
  isDescending: boolean,
): { readonly place: P; readonly value: string }[] | undefined {
  const all = values.flatMap((own) => [...own.values()]);
  if (all.length === 0) return undefined;
  const compare = orderOfValues(all);
  const sign = isDescending ? -1 : 1;
  return places
    .flatMap((place) => {
      const value = values[place.shard]?.get(place.document);
      return value === undefined ? [] : [{ place, value }];
    })
    .sort((a, b) => sign * compare(a.value, b.value));
}
