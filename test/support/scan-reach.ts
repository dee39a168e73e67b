/** What leads where in made-up code, by going through all of its edges: slow and plain, for walks to be held against. */
import type { GroupCode } from "../../indexer/link/code/link-code.ts";
import type { EdgeKind } from "../../src/core/format/code-model.ts";

/** `file/symbol`, symbol -1 for the file as a whole. */
export type PlaceName = string;

/** An edge above the tier `name` between two places. */
export interface PlainEdge {
  readonly from: PlaceName;
  readonly to: PlaceName;
  readonly kind: EdgeKind;
  readonly typeOnly: boolean;
}

/** Name of a place. */
export function nameOf({ file, symbol }: { readonly file: number; readonly symbol: number }): PlaceName {
  return `${file}/${symbol}`;
}

/** The edges of the code, each as often as it stands there, none from a place to itself. */
export function listEdges({ edges }: GroupCode): PlainEdge[] {
  return edges.flatMap((list, file) =>
    list.flatMap(({ kind, tier, typeOnly, from, to }): PlainEdge[] => {
      if (tier === "name" || !("file" in to)) return [];
      const [start, end] = [nameOf({ file, symbol: from }), nameOf(to)];
      return start === end ? [] : [{ from: start, to: end, kind, typeOnly }];
    }),
  );
}

/** What a place is a member of, and what that is a member of. */
function holdersOf(code: GroupCode, place: PlaceName): PlaceName[] {
  const [file = 0, symbol = -1] = place.split("/").map(Number);
  const parent = symbol < 0 ? -1 : (code.files[file]?.symbols[symbol]?.parent ?? -1);
  if (parent < 0) return [];
  const holder = nameOf({ file, symbol: parent });
  return [holder, ...holdersOf(code, holder)];
}

/** A place with all that it holds. */
export function heldBy(code: GroupCode, place: PlaceName): PlaceName[] {
  const [file = 0, symbol = -1] = place.split("/").map(Number);
  const all = (code.files[file]?.symbols ?? []).map((_, at) => nameOf({ file, symbol: at }));
  return [place, ...all.filter((own) => symbol < 0 || holdersOf(code, own).includes(place))];
}

/** Steps from what changes to all that may break, by the rules of `analyze_impact`. */
export function scanImpact(code: GroupCode, changed: readonly PlaceName[], depth: number): Map<PlaceName, number> {
  const edges = listEdges(code);
  const start = new Set(changed.flatMap((place) => heldBy(code, place)));
  const levels = new Map<PlaceName, number>();
  let nearer = [...start];
  for (let level = 1; level <= depth; level++) {
    const users = edges.filter(({ to }) => nearer.includes(to)).map(({ from }) => from);
    const found = new Set([
      ...users,
      ...users.filter((one) => !start.has(one) && !levels.has(one)).flatMap((one) => holdersOf(code, one)),
    ]);
    nearer = [...found].filter((one) => !start.has(one) && !levels.has(one));
    for (const one of nearer) levels.set(one, level);
    nearer = nearer.filter((one) => !one.endsWith("/-1"));
  }
  return levels;
}

/** Steps between any two places along edges that `isFollowed`, undefined where there is no way; what is held costs nothing. */
export function scanDistance(
  edges: readonly { readonly from: string; readonly to: string }[],
  starts: readonly string[],
  ends: readonly string[],
  expand: (place: string) => readonly string[],
): number | undefined {
  const seen = new Set(starts);
  let level = [...starts];
  for (let steps = 0; level.length > 0; steps++) {
    if (level.some((place) => ends.includes(place))) return steps;
    const around = level.flatMap(expand);
    const next = new Set(edges.filter(({ from }) => around.includes(from)).map(({ to }) => to));
    level = [...next].filter((place) => !seen.has(place));
    for (const place of level) seen.add(place);
  }
  return undefined;
}
