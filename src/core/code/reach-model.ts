/** What leads where, as walks see it. Types, and what follows from them. Pure. */

/** A symbol of a file, or (symbol -1) the file as a whole. */
export interface ReachPlace {
  readonly file: number;
  readonly symbol: number;
}

/** A place at the other end, with the kinds of the edges between: a mask of `reach-list.ts`. */
export interface ReachLink extends ReachPlace {
  readonly mask: number;
}

/** Which way to go: to what leads to a place, or to what it leads to. */
export type ReachDirection = "in" | "out";

/** The source files of a shard. Edges of the tier `name` are no part of it. */
export interface Reach {
  readonly shard: number;
  /** Whether all of it is in memory. */
  readonly isWhole: boolean;
  /**
   * Make known what leads to or from some files. What is asked of a file that was not fetched so is empty.
   *
   * @returns Files that were not read, as the bound on reads was met.
   */
  fetch(direction: ReachDirection, files: Iterable<number>): Promise<ReadonlySet<number>>;
  symbolCount(file: number): number;
  /** Index of what a symbol is a member of, or -1. */
  containerOf(file: number, symbol: number): number;
  isTest(file: number, symbol: number): boolean;
  /** Names of what the file imports from outside of the corpus. */
  externalsOf(file: number): readonly string[];
  /** How many more may lead to a place, by name alone. */
  guessesOf(place: ReachPlace): number;
  into(place: ReachPlace): readonly ReachLink[];
  outOf(place: ReachPlace): readonly ReachLink[];
}

/** More symbols than a file has: with it, places have numbers of their own. */
const STRIDE = 2 ** 24;

/** A number for a place, greater for greater files, then symbols. */
export function numberOfPlace({ file, symbol }: ReachPlace): number {
  return file * STRIDE + symbol + 1;
}

/** The place that `numberOfPlace` gave this number. */
export function placeOfNumber(number: number): ReachPlace {
  return { file: Math.floor(number / STRIDE), symbol: (number % STRIDE) - 1 };
}

/** A place with all that it holds: members and their members of a symbol, every symbol of a file. The file is fetched. */
export function withMembers(reach: Reach, place: ReachPlace): ReachPlace[] {
  const { file, symbol } = place;
  const held = [place];
  const isIn = new Set([symbol]);
  // Containers stand before their members.
  for (let at = symbol + 1; at < reach.symbolCount(file); at++) {
    if (symbol >= 0 && !isIn.has(reach.containerOf(file, at))) continue;
    isIn.add(at);
    held.push({ file, symbol: at });
  }
  return held;
}
