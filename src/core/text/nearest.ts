/**
 * Nearest names: what somebody probably meant by a name that does not exist.
 *
 * A candidate is plausible when it differs by few typing errors (insertions, deletions, substitutions, swaps of
 * neighbours: the optimal string alignment form of Damerau-Levenshtein), or when one of the two names contains the
 * other, or when both end in the same path segment. Case and the separators `-`, `_` and space do not count, so
 * `max_file_bytes` finds `maxFileBytes`.
 *
 * Pure: values in, values out. No I/O, no clock, no platform globals.
 */

/** Longer names are compared by their first so many UTF-16 units: the table of distances grows with the product. */
const MAX_COMPARED_LENGTH = 200;

/** Names looked at in one call; keeps a call bounded whatever the index holds. */
const MAX_NAMES = 100_000;

/** Most typing errors allowed in a long name; more would no longer be a slip of the hand. */
const MAX_ERRORS = 8;

// Penalties: lower is nearer. An edit distance of d weighs d + EDITED, so one typing error beats a prefix, a prefix
// beats two typing errors, and so on down the list.
const EDITED = 0.25;
const IS_PREFIX = 1.5;
const EXTENDS_NAME = 2.5;
const IS_INSIDE = 2.75;
const SAME_LAST_SEGMENT = 3;
const HOLDS_NAME = 3.5;

/** Three rows of the table of distances: two rows up, one row up, the row being filled. */
type Rows = readonly [Uint16Array, Uint16Array, Uint16Array];

interface Candidate {
  readonly name: string;
  readonly penalty: number;
  readonly lengthGap: number;
}

/** Up to `count` of `names` that `wanted` may have meant, best first; equal ones by length, then by code units. */
export function nearestNames(wanted: string, names: Iterable<string>, count: number): string[] {
  const key = fold(wanted);
  if (key === "" || !(count >= 1)) {
    return [];
  }
  const measure = createDistance(key);
  const best: Candidate[] = [];
  let seen = 0;
  for (const name of names) {
    seen += 1;
    if (seen > MAX_NAMES) {
      break;
    }
    const worst = best.length < count ? Number.POSITIVE_INFINITY : (best.at(-1)?.penalty ?? 0);
    const folded = fold(name);
    const penalty = rate(key, folded, worst, measure);
    if (penalty <= worst && penalty !== Number.POSITIVE_INFINITY) {
      insert(best, { name, penalty, lengthGap: Math.abs(folded.length - key.length) }, count);
    }
  }
  return best.map((candidate) => candidate.name);
}

/** Penalty of one folded name, or Infinity when it is not plausible or cannot be better than `worst`. */
function rate(key: string, name: string, worst: number, measure: (name: string, allowed: number) => number): number {
  if (name === "") {
    return Number.POSITIVE_INFINITY;
  }
  if (name === key) {
    return 0;
  }
  let penalty = rateContainment(key, name);
  const allowed = Math.min(allowedErrors(key.length), Math.floor(Math.min(penalty, worst) - EDITED));
  if (allowed >= 1) {
    const errors = measure(name, allowed);
    if (errors <= allowed) {
      penalty = Math.min(penalty, errors + EDITED);
    }
  }
  return penalty;
}

// The lengths keep one or two letters from matching nearly everything.
function rateContainment(key: string, name: string): number {
  if (key.length >= 2 && name.startsWith(key)) {
    return IS_PREFIX;
  }
  if (name.length >= 3 && key.startsWith(name)) {
    return EXTENDS_NAME;
  }
  if (key.length >= 3 && name.includes(key)) {
    return IS_INSIDE;
  }
  const slash = key.lastIndexOf("/");
  if (slash >= 0 && key.length - slash > 3 && name.endsWith(key.slice(slash))) {
    return SAME_LAST_SEGMENT;
  }
  if (name.length >= 4 && key.includes(name)) {
    return HOLDS_NAME;
  }
  return Number.POSITIVE_INFINITY;
}

function allowedErrors(length: number): number {
  return Math.min(MAX_ERRORS, Math.floor((length + 1) / 3));
}

function insert(best: Candidate[], candidate: Candidate, count: number): void {
  if (best.some((other) => other.name === candidate.name)) {
    return;
  }
  let place = best.length;
  while (place > 0 && isNearer(candidate, best[place - 1])) {
    place -= 1;
  }
  best.splice(place, 0, candidate);
  if (best.length > count) {
    best.pop();
  }
}

function isNearer(a: Candidate, b: Candidate | undefined): boolean {
  if (b === undefined || a.penalty !== b.penalty) {
    return b === undefined || a.penalty < b.penalty;
  }
  return a.lengthGap !== b.lengthGap ? a.lengthGap < b.lengthGap : a.name < b.name;
}

function fold(name: string): string {
  const lower = name.slice(0, MAX_COMPARED_LENGTH).toLowerCase();
  const bare = lower.replace(/[-_\s]+/g, "");
  return bare === "" ? lower : bare;
}

/**
 * A function that gives the edit distance from `key` to a name, exact when it is at most `allowed` and some larger
 * number otherwise. The three rows of the table are allocated once for all names.
 */
export function createDistance(key: string): (name: string, allowed: number) => number {
  // Separators are already gone, so lower-casing is all that can have made a name longer; it adds two units at most.
  const width = MAX_COMPARED_LENGTH * 3 + 2;
  const rows: Rows = [new Uint16Array(width), new Uint16Array(width), new Uint16Array(width)];
  const keyMask = maskOf(key);
  return (name, allowed) => {
    if (Math.abs(name.length - key.length) > allowed) {
      return allowed + 1;
    }
    const nameMask = maskOf(name);
    // Each letter that only one side has costs at least one edit.
    if (countBits(keyMask & ~nameMask) > allowed || countBits(nameMask & ~keyMask) > allowed) {
      return allowed + 1;
    }
    // What both share at the start and at the end takes no edit.
    const shortest = Math.min(key.length, name.length);
    let start = 0;
    while (start < shortest && key.charCodeAt(start) === name.charCodeAt(start)) {
      start += 1;
    }
    let end = 0;
    while (end < shortest - start && key.charCodeAt(key.length - 1 - end) === name.charCodeAt(name.length - 1 - end)) {
      end += 1;
    }
    return measureBand(key.slice(start, key.length - end), name.slice(start, name.length - end), allowed, rows);
  };
}

/** Fills only the cells at most `allowed` off the diagonal: the others cannot lead to a distance that small. */
function measureBand(key: string, name: string, allowed: number, rows: Rows): number {
  const over = allowed + 1;
  let [beforePrevious, previous, current] = rows;
  let leastBefore = 0;
  for (let column = 0; column <= name.length; column += 1) {
    previous[column] = column;
  }
  for (let row = 1; row <= key.length; row += 1) {
    const from = Math.max(1, row - allowed);
    const to = Math.min(name.length, row + allowed);
    const keyUnit = key.charCodeAt(row - 1);
    current[from - 1] = from === 1 ? row : over;
    let least = from === 1 ? row : over;
    for (let column = from; column <= to; column += 1) {
      const nameUnit = name.charCodeAt(column - 1);
      let cost = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (keyUnit === nameUnit ? 0 : 1),
      );
      if (row > 1 && column > 1 && keyUnit === name.charCodeAt(column - 2) && nameUnit === key.charCodeAt(row - 2)) {
        cost = Math.min(cost, at(beforePrevious, column - 2) + 1);
      }
      current[column] = cost;
      least = Math.min(least, cost);
    }
    current[to + 1] = over;
    // A swap reaches back two rows, so only two hopeless rows in turn are final.
    if (least > allowed && leastBefore > allowed) {
      return over;
    }
    leastBefore = least;
    [beforePrevious, previous, current] = [previous, current, beforePrevious];
  }
  return at(previous, name.length);
}

function at(row: Uint16Array, column: number): number {
  return row[column] ?? 0;
}

/** One bit per letter, letters that are equal modulo 32 sharing one. */
function maskOf(text: string): number {
  let mask = 0;
  for (let index = 0; index < text.length; index += 1) {
    mask |= 1 << (text.charCodeAt(index) & 31);
  }
  return mask;
}

function countBits(mask: number): number {
  let rest = mask;
  let count = 0;
  while (rest !== 0) {
    rest &= rest - 1;
    count += 1;
  }
  return count;
}
