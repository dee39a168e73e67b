/** JSON of other hosts: looked at once, where it comes in. Pure. */

/** Stands in a sample for the name of any member. */
export const ANY = "*";

/**
 * Whether a value is like a sample: of its type, with all of its members, each like that of the sample. Of a list every entry is like
 * the sample's only one; where the sample's only member is called `ANY`, all members are like that one. Where the sample has
 * nothing, null or undefined, a value may be anything: whoever uses it looks at it.
 */
export function hasShape<T>(value: unknown, sample: T): value is T {
  if (sample === undefined || sample === null) return true;
  if (typeof value !== typeof sample || value === null || Array.isArray(value) !== Array.isArray(sample)) return false;
  if (Array.isArray(value)) return value.every((one) => hasShape(one, (sample as readonly unknown[])[0]));
  if (typeof value !== "object") return true;
  return Object.entries(sample as object).every(([name, like]) =>
    name === ANY
      ? Object.values(value as object).every((one) => hasShape(one, like))
      : hasShape((value as Record<string, unknown>)[name], like),
  );
}
