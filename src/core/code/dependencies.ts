/**
 * What something leads to, or what leads to it, level by level: between files, or between symbols.
 *
 * Between files, kinds of imports count where they lead to a file as a whole (each import of a module is one such edge);
 * other kinds from anything in the one to anything in the other. Between symbols, a symbol stands for all that it
 * holds. Pure apart from what `Reach` reads.
 */
import { joinMasks, maskOf, TYPE_ONLY_MASK } from "../format/reach-list.ts";
import {
  numberOfPlace,
  type Reach,
  type ReachDirection,
  type ReachLink,
  type ReachPlace,
  withMembers,
} from "./reach-model.ts";

/** How to walk. */
export interface WalkOptions {
  readonly direction: ReachDirection;
  readonly depth: number;
  /** Kinds of edges to follow: a mask. */
  readonly kinds: number;
  /** Whether ends are files as a whole. */
  readonly isOfFiles: boolean;
}

/** An edge of a level: from what depends to what it depends on, whichever way the walk went. */
export interface LevelEdge {
  readonly level: number;
  readonly from: ReachPlace;
  readonly to: ReachPlace;
  readonly mask: number;
}

/** What a walk found. */
export interface Levels {
  /** By level, then by the nearer end, then by the other one. */
  readonly edges: readonly LevelEdge[];
  /** Ends that were gone through, the start among them. */
  readonly reached: readonly ReachPlace[];
  /** The level behind which not all was read, or undefined. */
  readonly endedAt: number | undefined;
}

const IMPORTS = maskOf(["imports", "reexports"]);

/** The edges around some places, up to `depth` steps away. */
export async function walkLevels(reach: Reach, starts: readonly ReachPlace[], options: WalkOptions): Promise<Levels> {
  const { direction, depth, isOfFiles } = options;
  const edges: LevelEdge[] = [];
  let endedAt: number | undefined;
  let frontier = isOfFiles ? uniquePlaces(starts.map(({ file }) => ({ file, symbol: -1 }))) : uniquePlaces(starts);
  const seen = new Set(frontier.map(numberOfPlace));
  const reached = [...frontier];
  for (let level = 1; level <= depth && frontier.length > 0; level++) {
    const missing = await reach.fetch(direction, new Set(frontier.map(({ file }) => file)));
    if (missing.size > 0) endedAt ??= level - 1;
    const next: ReachPlace[] = [];
    for (const place of frontier) {
      // What a place holds is gone through with it.
      for (const held of isOfFiles ? [] : withMembers(reach, place)) seen.add(numberOfPlace(held));
      for (const link of neighboursOf(reach, place, options)) {
        const other: ReachPlace = { file: link.file, symbol: link.symbol };
        edges.push({
          level,
          ...(direction === "out" ? { from: place, to: other } : { from: other, to: place }),
          mask: link.mask,
        });
        const number = numberOfPlace(other);
        if (seen.has(number)) continue;
        seen.add(number);
        reached.push(other);
        // A file that a symbol leads to is no symbol: what else is in it says nothing of that.
        if (isOfFiles || other.symbol >= 0) next.push(other);
      }
    }
    frontier = next;
  }
  return { edges, reached, endedAt };
}

/**
 * Neighbours of a place, once each, ascending. Its file is fetched.
 *
 * @param withInner Whether what the place holds itself counts, where something in it leads there.
 */
export function neighboursOf(
  reach: Reach,
  place: ReachPlace,
  { direction, kinds, isOfFiles }: Pick<WalkOptions, "direction" | "kinds" | "isOfFiles">,
  withInner = false,
): ReachLink[] {
  const own = isOfFiles ? withMembers(reach, { file: place.file, symbol: -1 }) : withMembers(reach, place);
  const inside = new Set((withInner && !isOfFiles ? [place] : own).map(numberOfPlace));
  const found = new Map<number, ReachPlace & { mask: number }>();
  for (const from of own) {
    for (const link of direction === "out" ? reach.outOf(from) : reach.into(from)) {
      const target = direction === "out" ? link : from;
      const mask = keepKinds(link.mask, isOfFiles && target.symbol >= 0 ? kinds & ~IMPORTS : kinds);
      if (mask === 0 || inside.has(numberOfPlace(link))) continue;
      const end = { file: link.file, symbol: isOfFiles ? -1 : link.symbol };
      const number = numberOfPlace(end);
      const known = found.get(number);
      if (known === undefined) found.set(number, { ...end, mask });
      else known.mask = joinMasks(known.mask, mask);
    }
  }
  return [...found.values()].sort((a, b) => a.file - b.file || a.symbol - b.symbol);
}

/** A mask without other kinds; 0 where none is left. */
function keepKinds(mask: number, kinds: number): number {
  const kept = mask & kinds & ~TYPE_ONLY_MASK;
  return kept === 0 ? 0 : kept | (mask & TYPE_ONLY_MASK);
}

function uniquePlaces(places: readonly ReachPlace[]): ReachPlace[] {
  return [...new Map(places.map((place) => [numberOfPlace(place), place])).values()];
}
