/**
 * Names in errors: the nearest names to one that does not exist, and values of callers, quoted.
 *
 * A near name differs by few typing errors (optimal string alignment: insertions, deletions, substitutions, swaps of
 * neighbours), contains the other name, or ends in the same path segment. Case and the separators `-`, `_` and space do
 * not count, so `max_file_bytes` finds `maxFileBytes`.
 */
import { shortenText } from "./short-text.ts";

/** Compared characters of a name, compared names, and typing errors in a long name: they bound the work of a call. */
const MAX_COMPARED_LENGTH = 200;
const MAX_NAMES = 100_000;
const MAX_ERRORS = 8;
/** Ranks among numbers of typing errors: a prefix is nearer than two errors, and so on. */
const IS_PREFIX = 1.5;
const IS_PART = 2.5;
const SAME_LAST_SEGMENT = 3;

/** Up to `count` of `names` that `wanted` may have meant, best first; equal ones by length, then by code units. Three fit into a sentence. */
export function nearestNames(wanted: string, names: Iterable<string>, count = 3): string[] {
  const key = keyOfName(wanted);
  const best: { readonly name: string; readonly rank: number; readonly gap: number }[] = [];
  let seen = 0;
  if (key === "" || !(count >= 1)) return [];
  for (const name of names) {
    if (++seen > MAX_NAMES) break;
    const folded = keyOfName(name);
    const worst = best[count - 1]?.rank ?? Number.MAX_VALUE;
    const rank = rankName(key, folded, worst);
    if (rank > worst || best.some((other) => other.name === name)) continue;
    best.push({ name, rank, gap: Math.abs(folded.length - key.length) });
    best.sort((a, b) => a.rank - b.rank || a.gap - b.gap || (a.name < b.name ? -1 : 1)).splice(count);
  }
  return best.map(({ name }) => name);
}

/** Part of a name that is compared; a name of separators only as it is. */
function keyOfName(name: string): string {
  const compared = name.slice(0, MAX_COMPARED_LENGTH);
  return foldName(compared) || compared.toLowerCase();
}

/** Rank of a name, lower is nearer; Infinity where it is not near, or farther than `worst`. */
function rankName(key: string, name: string, worst: number): number {
  if (name === key) return 0;
  const part = rankPart(key, name);
  const allowed = Math.min(MAX_ERRORS, Math.floor((key.length + 1) / 3), Math.floor(Math.min(part, worst)));
  const errors = allowed < 1 || name === "" ? Number.POSITIVE_INFINITY : editDistance(key, name, allowed);
  return errors <= allowed ? errors : part;
}

/** Rank of a name that shares a part with the key. Parts of one or two letters match nearly everything. */
function rankPart(key: string, name: string): number {
  if (key.length >= 2 && name.startsWith(key)) return IS_PREFIX;
  const [short, long] = key.length < name.length ? [key, name] : [name, key];
  if (short.length >= 3 && long.includes(short)) return IS_PART;
  const slash = key.lastIndexOf("/");
  const isSameSegment = slash >= 0 && key.length - slash > 3 && name.endsWith(key.slice(slash));
  return isSameSegment ? SAME_LAST_SEGMENT : Number.POSITIVE_INFINITY;
}

/** Edit distance of two texts, exact up to `allowed`, else a larger number. Fills the cells near the diagonal only. */
export function editDistance(a: string, b: string, allowed: number): number {
  const over = allowed + 1;
  if (Math.abs(a.length - b.length) > allowed) return over;
  const newRow = (): Uint16Array => new Uint16Array(b.length + 2).fill(over);
  let [twoAbove, above, row] = [newRow(), newRow(), newRow()];
  let leastAbove = 0;
  for (let column = 0; column <= Math.min(allowed, b.length); column++) above[column] = column;
  for (let line = 1; line <= a.length; line++) {
    const from = Math.max(1, line - allowed);
    const to = Math.min(b.length, line + allowed);
    const letter = a.charCodeAt(line - 1);
    let cost = from === 1 ? line : over;
    let least = cost;
    row[from - 1] = cost;
    for (let column = from; column <= to; column++) {
      const other = b.charCodeAt(column - 1);
      const replaced = (above[column - 1] as number) + (letter === other ? 0 : 1);
      cost = Math.min((above[column] as number) + 1, cost + 1, replaced);
      const isSwap = line > 1 && column > 1 && letter === b.charCodeAt(column - 2) && other === a.charCodeAt(line - 2);
      if (isSwap) cost = Math.min(cost, (twoAbove[column - 2] as number) + 1);
      row[column] = cost;
      least = Math.min(least, cost);
    }
    row[to + 1] = over;
    // A swap reaches back two rows, so only two hopeless rows in turn are final.
    if (least > allowed && leastAbove > allowed) return over;
    leastAbove = least;
    [twoAbove, above, row] = [above, row, twoAbove];
  }
  return above[b.length] as number;
}

/** Characters of a wrong value that are repeated. */
const MAX_VALUE_LENGTH = 60;

/** Characters of a name; ids and paths are told apart by their ends. */
const MAX_NAME_LENGTH = 200;

/** Characters of a query. */
const MAX_QUERY_LENGTH = 100;

/** A wrong value as JSON, shortened; numbers that JSON does not know as `NaN` and `Infinity`. */
export function quoteValue(value: unknown): string {
  const json = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? String(value));
  return shortenText(json, MAX_VALUE_LENGTH);
}

/** A name that does not exist, shortened, in quotes. */
export function quoteName(name: string): string {
  return JSON.stringify(shortenText(name, MAX_NAME_LENGTH));
}

/** A query as its answer repeats it, shortened: the smallest answers have room for little more. */
export function shortenQuery(query: string): string {
  return shortenText(query, MAX_QUERY_LENGTH);
}

/** A name as all its spellings share it: lower case, without separators. */
export function foldName(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, "");
}
