/**
 * The shortest way from one place to another along edges: between files, or between symbols. Pure apart from what
 * `Reach` reads.
 */
import { neighboursOf } from "./dependencies.ts";
import { numberOfPlace, type Reach, type ReachPlace } from "./reach-model.ts";

/** One edge of a path. */
export interface PathStep {
  readonly from: ReachPlace;
  readonly to: ReachPlace;
  readonly mask: number;
}

/** Where to go, and along what. */
export interface PathRequest {
  /** Any of these places is a beginning. */
  readonly from: readonly ReachPlace[];
  /** Whether a place is an end. */
  readonly isEnd: (place: ReachPlace) => boolean;
  /** Kinds of edges to follow: a mask. */
  readonly kinds: number;
  /** Whether places are files as a whole. */
  readonly isOfFiles: boolean;
}

/** What was found. */
export interface FoundPath {
  /** None where a beginning is an end; undefined where there is no path, or none was found. */
  readonly steps: readonly PathStep[] | undefined;
  /** Whether everything within reach was gone through. */
  readonly isComplete: boolean;
}

/** A path of fewest steps; of several the one whose places come first. */
export async function findShortestPath(reach: Reach, request: PathRequest): Promise<FoundPath> {
  const { isEnd, kinds, isOfFiles } = request;
  const start = request.from.map(({ file, symbol }) => ({ file, symbol: isOfFiles ? -1 : symbol }));
  if (start.some(isEnd)) return { steps: [], isComplete: true };
  const cameBy = new Map<number, PathStep | undefined>(start.map((place) => [numberOfPlace(place), undefined]));
  let frontier = [...new Map(start.map((place) => [numberOfPlace(place), place])).values()];
  let isComplete = true;
  const options = { direction: "out", kinds, isOfFiles } as const;
  while (frontier.length > 0) {
    const missing = await reach.fetch("out", new Set(frontier.map(({ file }) => file)));
    isComplete &&= missing.size === 0;
    const next: ReachPlace[] = [];
    for (const from of frontier) {
      for (const { file, symbol, mask } of neighboursOf(reach, from, options, true)) {
        const to = { file, symbol };
        if (cameBy.has(numberOfPlace(to))) continue;
        cameBy.set(numberOfPlace(to), { from, to, mask });
        if (isEnd(to)) return { steps: stepsTo(cameBy, to), isComplete };
        if (isOfFiles || symbol >= 0) next.push(to);
      }
    }
    frontier = next;
  }
  return { steps: undefined, isComplete };
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
