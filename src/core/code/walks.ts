/**
 * Walks along edges: impact of a change, dependencies by level, shortest paths, and which source files lead to which.
 *
 * Impact goes from symbol to symbol against the edges. A use inside a symbol affects that symbol and what runs it: the function
 * around a function, the object around a member. A type does not run its members: of it those that make one are affected where its
 * constructor is. A use at the top of a file ends there: importers use names, which have edges of their own. Dependencies and
 * paths run between files (an import counts as one edge) or between symbols with all they contain.
 */
import { EDGE_KINDS, IMPORT_KINDS } from "../format/code-model.ts";
import { joinMasks, maskOf, TYPE_ONLY_MASK } from "../format/reach-list.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { factsOf } from "../text/code-languages.ts";
import { readWithFiles } from "./load-files.ts";
import type { LoadedFile } from "./model.ts";
import {
  isReachAtHand,
  numberOfPlace,
  openReach,
  type Reach,
  type ReachDirection,
  type ReachLink,
  type ReachPlace,
  readsOfReach,
  withMembers,
} from "./reach.ts";

/** A symbol, or (symbol -1) the top of a file, that may break. */
export interface Affected extends ReachPlace {
  /** Steps from what changes, from 1 on. */
  readonly level: number;
  /** Kinds of the edges to what is a step nearer, a mask; 0 where only something inside of it is affected. */
  readonly mask: number;
  /** Whether only types of it are: what runs does not change. */
  readonly isOfTypes: boolean;
}

const ALL_KINDS = maskOf(EDGE_KINDS);
const MAKING = maskOf(["instantiates", "extends"]);
const TYPES = maskOf(["type"]);
const OF_TYPES = maskOf(["type", "extends", "implements"]);

/** A place to go on from, along edges of some kinds. */
interface Step extends ReachPlace {
  readonly kinds: number;
  readonly isOfTypes: boolean;
}

/**
 * What may break when all of some places change, up to `depth` steps away: the nearest first, then by file and symbol. What changes is no
 * part of it. `guesses`: how many more may be affected directly, by name alone. `followed`: edges that were gone along.
 *
 * @param kinds Kinds of edges to follow: a mask.
 */
export function findImpact(reach: Reach, changed: readonly ReachPlace[], depth: number, kinds = ALL_KINDS) {
  const held = uniquePlaces(changed.flatMap((place) => withMembers(reach, place)));
  const start = new Set(held.map(numberOfPlace));
  const guesses = held.reduce((sum, place) => sum + reach.guessesOf(place), 0);
  const affected = new Map<number, Affected>();
  let frontier = held.map((place): Step => ({ ...place, kinds, isOfTypes: false }));
  let followed = 0;
  for (let level = 1; level <= depth && frontier.length > 0; level++) {
    const found = new Map<number, Affected & { readonly follows: number }>();
    // What was reached by types alone may be reached anew: what runs counts more.
    const add = ({ file, symbol }: ReachPlace, mask: number, isOfTypes: boolean, follows: number): void => {
      const number = numberOfPlace({ file, symbol });
      const before = affected.get(number);
      if (start.has(number) || (before !== undefined && (isOfTypes || !before.isOfTypes))) return;
      const own = found.get(number) ?? { mask, isOfTypes, follows };
      found.set(number, {
        ...{ file, symbol, level },
        mask: mask === 0 ? own.mask : joinMasks(own.mask, mask),
        isOfTypes: isOfTypes && own.isOfTypes,
        follows: follows | own.follows,
      });
    };
    for (const place of frontier) {
      for (const link of reach.into(place)) {
        followed++;
        const mask = keepKinds(link.mask, place.kinds);
        if (mask === 0) continue;
        const isOfTypes = place.isOfTypes || (mask & TYPE_ONLY_MASK) !== 0 || (mask & ~TYPES) === 0;
        add(link, mask, isOfTypes, kinds);
      }
    }
    for (const { file, symbol, isOfTypes } of [...found.values()]) {
      let inner = symbol;
      for (let at = reach.containerOf(file, symbol); at >= 0 && !isOfTypes; at = reach.containerOf(file, at)) {
        const isType = reach.natureOf(file, at) === "type";
        if (isType && reach.natureOf(file, inner) !== "constructor") break;
        add({ file, symbol: at }, 0, false, isType ? kinds & MAKING : kinds);
        inner = at;
      }
    }
    const list = [...found.values()].sort((a, b) => a.file - b.file || a.symbol - b.symbol);
    for (const { follows: _, ...place } of list) affected.set(numberOfPlace(place), place);
    frontier = list.flatMap(({ file, symbol, isOfTypes, follows }): Step[] => {
      if (symbol < 0 || (isOfTypes && reach.natureOf(file, symbol) !== "type")) return [];
      return [{ file, symbol, isOfTypes, kinds: isOfTypes ? kinds & OF_TYPES : follows }];
    });
  }
  const list = [...affected.values()].sort((a, b) => a.level - b.level || a.file - b.file || a.symbol - b.symbol);
  return { affected: list, guesses, followed };
}

interface WalkOptions {
  readonly direction: ReachDirection;
  readonly depth: number;
  /** Kinds of edges to follow: a mask. */
  readonly kinds: number;
  /** Whether ends are files as a whole. */
  readonly isOfFiles: boolean;
  /** Whether edges that begin at a place are left out. */
  readonly isLeftOut?: (place: ReachPlace) => boolean;
}

/** An edge of a level: from what depends to what it depends on, whichever way the walk went. */
interface LevelEdge {
  readonly level: number;
  readonly from: ReachPlace;
  readonly to: ReachPlace;
  readonly mask: number;
}

const IMPORTS = maskOf(IMPORT_KINDS);

/**
 * The edges around some places, up to `depth` steps away: by level, then by the nearer end, then by the other one; ends that were gone
 * through, the start among them; edges that were left out.
 */
export function walkLevels(reach: Reach, starts: readonly ReachPlace[], options: WalkOptions) {
  const { direction, depth, isOfFiles, isLeftOut = () => false } = options;
  const edges: LevelEdge[] = [];
  let leftOut = 0;
  let frontier = isOfFiles ? uniquePlaces(starts.map(({ file }) => ({ file, symbol: -1 }))) : uniquePlaces(starts);
  const seen = new Set(frontier.map(numberOfPlace));
  const reached = [...frontier];
  for (let level = 1; level <= depth && frontier.length > 0; level++) {
    const next: ReachPlace[] = [];
    for (const place of frontier) {
      // What a place holds is gone through with it.
      for (const held of isOfFiles ? [] : withMembers(reach, place)) seen.add(numberOfPlace(held));
      for (const link of neighboursOf(reach, place, options)) {
        const other: ReachPlace = { file: link.file, symbol: link.symbol };
        if (isLeftOut(direction === "out" ? place : other)) {
          leftOut++;
          continue;
        }
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
  return { edges, reached, leftOut };
}

/**
 * Neighbours of a place, once each, ascending.
 *
 * @param withInner Whether what the place holds itself counts, where something in it leads there.
 */
function neighboursOf(
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

interface PathStep {
  readonly from: ReachPlace;
  readonly to: ReachPlace;
  readonly mask: number;
  /** Whether the edges lead back: what is called may be what overrides it. */
  readonly isBack?: boolean;
}

interface PathRequest {
  /** Any of these places is a beginning. */
  readonly from: readonly ReachPlace[];
  /** The place that a place is or holds, if it is an end. */
  readonly endAt: (place: ReachPlace) => ReachPlace | undefined;
  /** Kinds of edges to follow: a mask. */
  readonly kinds: number;
  /** Whether edges that leave nothing at run time are followed, too. */
  readonly withTypes: boolean;
  /** Whether places are files as a whole. */
  readonly isOfFiles: boolean;
  /** Whether a place is passed by. */
  readonly isLeftOut: (place: ReachPlace) => boolean;
}

const OVERRIDING = maskOf(["overrides", "implements"]);

/**
 * The steps of a path of fewest; of several the one whose places come first. None where a beginning is an end; undefined where there is no
 * path. The last step has no kinds where its end is held by what it comes from.
 */
export function findShortestPath(reach: Reach, request: PathRequest): PathStep[] | undefined {
  const { endAt, kinds, withTypes, isOfFiles, isLeftOut } = request;
  const start = request.from.map(({ file, symbol }) => ({ file, symbol: isOfFiles ? -1 : symbol }));
  const cameBy = new Map<number, PathStep | undefined>(start.map((place) => [numberOfPlace(place), undefined]));
  const arrive = (at: ReachPlace, end: ReachPlace): PathStep[] =>
    numberOfPlace(at) === numberOfPlace(end)
      ? stepsTo(cameBy, at)
      : [...stepsTo(cameBy, at), { from: at, to: end, mask: 0 }];
  for (const place of start) {
    const end = endAt(place);
    if (end !== undefined) return arrive(place, end);
  }
  let frontier = uniquePlaces(start);
  const options = { direction: "out", kinds, isOfFiles } as const;
  while (frontier.length > 0) {
    const next: ReachPlace[] = [];
    for (const from of frontier) {
      const overriding = isOfFiles ? [] : reach.into(from).filter(({ mask }) => keepKinds(mask, OVERRIDING) !== 0);
      const links = [
        ...neighboursOf(reach, from, options, true).filter(({ mask }) => withTypes || runs(mask, isOfFiles)),
        ...overriding.map((link) => ({ ...link, isBack: true })),
      ];
      for (const { file, symbol, mask, ...way } of links) {
        const to = { file, symbol };
        if (cameBy.has(numberOfPlace(to)) || isLeftOut(to)) continue;
        cameBy.set(numberOfPlace(to), { from, to, mask, ...way });
        const end = endAt(to);
        if (end !== undefined) return arrive(to, end);
        if (isOfFiles || symbol >= 0) next.push(to);
      }
    }
    frontier = next;
  }
  return undefined;
}

/** Whether something of edges is left at run time. */
function runs(mask: number, isOfFiles: boolean): boolean {
  return (mask & TYPE_ONLY_MASK) === 0 && (isOfFiles || (mask & ~(TYPES | IMPORTS)) !== 0);
}

function stepsTo(cameBy: ReadonlyMap<number, PathStep | undefined>, end: ReachPlace): PathStep[] {
  const steps: PathStep[] = [];
  let at = end;
  for (;;) {
    const step = cameBy.get(numberOfPlace(at));
    if (step === undefined) return steps.reverse();
    steps.push(step);
    at = step.from;
  }
}

/**
 * An import or re-export of a file as a whole leads there; in languages whose files see each other without one, so does any other known
 * use.
 */
function filesAround(reach: Reach, file: number, language: string, direction: ReachDirection): ReachLink[] {
  const kinds = factsOf(language).seesNeighbours ? ALL_KINDS : IMPORTS;
  return neighboursOf(reach, { file, symbol: -1 }, { direction, kinds, isOfFiles: true });
}

/**
 * The graph of source files: their document ids, and what leads from one to another by its place in that list, each pair once; none
 * leads to itself. Undefined where its table is too large to be read at once. One round of reads.
 */
export async function readImportGraph(reader: IndexReader) {
  if (!isReachAtHand(reader)) return undefined;
  const { lists } = await readWithFiles(reader, readsOfReach(reader), true);
  const ids: string[] = [];
  /** `typeOnly`: nothing of it is left at run time. */
  const links: { readonly from: number; readonly to: number; readonly typeOnly: boolean }[] = [];
  for (const [shard, files] of lists) {
    const reach = await openReach(reader, shard);
    const first = ids.length;
    for (const [file, { id, language }] of files.entries()) {
      ids.push(id);
      for (const link of filesAround(reach, file, language, "out")) {
        const typeOnly = (link.mask & TYPE_ONLY_MASK) !== 0;
        if (link.file !== file) links.push({ from: first + file, to: first + link.file, typeOnly });
      }
    }
  }
  return { ids, links };
}

/**
 * Files that a file imports, and that import it, by document ids in order; what it imports from outside by name. Undefined where the
 * table is too large to be read at once. One round of reads.
 */
export async function readFileNeighbours(reader: IndexReader, { shard, file, record }: LoadedFile) {
  if (!isReachAtHand(reader)) return undefined;
  const { lists } = await readWithFiles(reader, readsOfReach(reader), true);
  const reach = await openReach(reader, shard);
  const name = (direction: ReachDirection): string[] =>
    filesAround(reach, file, record.language, direction).flatMap((link) => lists.get(shard)?.[link.file]?.id ?? []);
  return { imports: name("out"), importedBy: name("in"), externals: reach.externalsOf(file) };
}
