/**
 * What may break when something changes: from symbol to symbol, against the direction of edges.
 *
 * A use inside a symbol affects that symbol, and with it what it is a member of or stands in; so do bases and what is
 * overridden. A use at the top of a file affects the file, and the walk ends there: what imports a file uses names of it,
 * and those have edges of their own, through re-exports too. Following files instead would find nearly everything
 * behind an index file. Pure apart from what `Reach` reads.
 */
import { joinMasks } from "../format/reach-list.ts";
import { numberOfPlace, type Reach, type ReachPlace, withMembers } from "./reach-model.ts";

/** A symbol, or (symbol -1) the top of a file, that may break. */
export interface Affected extends ReachPlace {
  /** Steps from what changes, from 1 on. */
  readonly level: number;
  /** Kinds of the edges to what is a step nearer, a mask; 0 where only something inside of it is affected. */
  readonly mask: number;
}

/** What a walk found. */
export interface Impact {
  /** Nearest first, then by file and symbol. */
  readonly affected: readonly Affected[];
  /** The level whose neighbours were not all read, or undefined where the walk went as far as it was asked to. */
  readonly endedAt: number | undefined;
  /** How many more may be affected directly, by name alone. */
  readonly guesses: number;
  /** Edges that were gone along. */
  readonly followed: number;
}

/** What may break when all of some places change, up to `depth` steps away. What changes is no part of it. */
export async function findImpact(reach: Reach, changed: readonly ReachPlace[], depth: number): Promise<Impact> {
  let unread = (await reach.fetch("in", new Set(changed.map(({ file }) => file)))).size > 0;
  let endedAt = unread ? 0 : undefined;
  let frontier: ReachPlace[] = changed.flatMap((place) => withMembers(reach, place));
  const seen = new Set(frontier.map(numberOfPlace));
  const guesses = frontier.reduce((sum, place) => sum + reach.guessesOf(place), 0);
  const affected: Affected[] = [];
  let followed = 0;
  for (let level = 1; level <= depth && frontier.length > 0; level++) {
    const masks = new Map<number, ReachPlace & { mask: number }>();
    for (const place of frontier) {
      for (const link of reach.into(place)) {
        followed++;
        const number = numberOfPlace(link);
        const known = masks.get(number);
        if (known !== undefined) known.mask = joinMasks(known.mask, link.mask);
        else if (!seen.has(number)) masks.set(number, { ...link });
      }
    }
    const found = [...masks.values()];
    // Before the next step: what holds what was found is known from its file.
    const missing = await reach.fetch("in", new Set(found.flatMap(({ file, symbol }) => (symbol < 0 ? [] : [file]))));
    unread ||= missing.size > 0;
    if (unread) endedAt ??= level;
    for (const { file, symbol } of [...found]) {
      for (let at = reach.containerOf(file, symbol); at >= 0; at = reach.containerOf(file, at)) {
        const holder = { file, symbol: at };
        const number = numberOfPlace(holder);
        if (seen.has(number) || masks.has(number)) continue;
        masks.set(number, { ...holder, mask: 0 });
        found.push({ ...holder, mask: 0 });
      }
    }
    found.sort((a, b) => a.file - b.file || a.symbol - b.symbol);
    for (const place of found) {
      seen.add(numberOfPlace(place));
      affected.push({ ...place, level });
    }
    frontier = found.filter(({ symbol }) => symbol >= 0);
  }
  return { affected, endedAt: endedAt !== undefined && endedAt < depth ? endedAt : undefined, guesses, followed };
}
