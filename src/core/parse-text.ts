/** What texts of others say, where they may say nothing. */

/** The value of a text of plain JSON; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A parsed JSON value as an object; no arrays. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path of keys; undefined where a step is missing. */
export function pick(value: unknown, ...keys: readonly string[]): unknown {
  let at = value;
  for (const key of keys) {
    if (!isRecord(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

/** A text as it was before it was escaped for an address; as it stands where a `%` of it escapes nothing. */
export function unescapeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A call nests six levels: message, params, arguments, a filter, its exclusions, their values. */
export const MAX_DEPTH = 64;

/** Whether lists and objects of a value stand inside one another more than `levels` deep. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}

/** JSON with the keys of every object sorted, so that equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const sorted = members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(",")}}`;
}

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
