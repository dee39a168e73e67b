/** What leads where in made-up code, by going through all of its edges: slow and plain, for walks to be held against. */
import type { GroupCode } from "../../indexer/link/code/link-code.ts";
import { EDGE_KINDS, type EdgeKind } from "../../src/core/format/code-model.ts";

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

/** The first declaration of the symbol that a place declares: what leads to any of them, and leaves it, is of that one. */
export function firstOf(code: GroupCode, place: PlaceName): PlaceName {
  const [file = 0, symbol = -1] = place.split("/").map(Number);
  const symbols = code.files[file]?.symbols ?? [];
  const own = symbols[symbol];
  const wordsOf = (path: string) => path.replace(/~\d+$/, "");
  const first = symbols.findIndex(
    (one) =>
      one.name === own?.name &&
      one.kind === own.kind &&
      one.parent === own.parent &&
      wordsOf(one.path) === wordsOf(own.path),
  );
  return nameOf({ file, symbol: own === undefined ? symbol : first });
}

/** The edges of the code, each as often as it stands there, none from a place to itself. */
export function listEdges(code: GroupCode): PlainEdge[] {
  return code.edges.flatMap((list, file) =>
    list.flatMap(({ kind, tier, typeOnly, from, to }): PlainEdge[] => {
      if (tier === "name" || !("file" in to)) return [];
      const [start, end] = [nameOf({ file, symbol: from }), nameOf(to)].map((one) => firstOf(code, one));
      return start === end || start === undefined || end === undefined
        ? []
        : [{ from: start, to: end, kind, typeOnly }];
    }),
  );
}

/** What a place is a member of, and what that is a member of. */
function holdersOf(code: GroupCode, place: PlaceName): PlaceName[] {
  const [file = 0, symbol = -1] = place.split("/").map(Number);
  const first = firstOf(code, place);
  if (first !== place) return [first, ...holdersOf(code, first)];
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

function kindOf(code: GroupCode, place: PlaceName): string {
  const [file = 0, symbol = -1] = place.split("/").map(Number);
  return code.files[file]?.symbols[symbol]?.kind ?? "";
}

/** A place that may break, or only its types, and kinds of edges along which that goes on. */
interface Breaking {
  readonly place: PlaceName;
  readonly ofTypes: boolean;
  readonly kinds: readonly EdgeKind[];
}

/** Steps from what changes to all that may break, with whether of types alone, by the rules of `analyze_impact`. */
export function scanImpact(code: GroupCode, changed: readonly PlaceName[], depth: number): Map<PlaceName, string> {
  const isType = (place: PlaceName) => ["class", "interface", "enum", "typeAlias"].includes(kindOf(code, place));
  const pairs = [...Map.groupBy(listEdges(code), ({ from, to }) => `${from} ${to}`).values()].map((own) => ({
    ...(own[0] as PlainEdge),
    kinds: own.map(({ kind }) => kind),
    typeOnly: own.every(({ typeOnly }) => typeOnly),
  }));
  const start = new Set(changed.flatMap((place) => heldBy(code, place)));
  const found = new Map<PlaceName, { readonly level: number; readonly ofTypes: boolean }>();
  let nearer: Breaking[] = [...start].map((place) => ({ place, ofTypes: false, kinds: EDGE_KINDS }));
  for (let level = 1; level <= depth; level++) {
    const users = nearer.flatMap(({ place, ofTypes, kinds }) =>
      pairs.flatMap(({ from, to, kinds: own, typeOnly }): Breaking[] => {
        const kept = own.filter((kind) => kinds.includes(kind));
        if (to !== place || kept.length === 0) return [];
        return [
          { place: from, ofTypes: ofTypes || typeOnly || kept.every((kind) => kind === "type"), kinds: EDGE_KINDS },
        ];
      }),
    );
    const isNew = ({ place, ofTypes }: Breaking) =>
      !start.has(place) && (found.get(place) === undefined || (found.get(place)?.ofTypes === true && !ofTypes));
    const runners = new Set(users.filter((one) => !one.ofTypes && isNew(one)).map(({ place }) => place));
    const holders = [...runners].flatMap((place): Breaking[] => {
      const all = holdersOf(code, place);
      const end = all.findIndex(isType);
      const around = end < 0 ? all : all.slice(0, end);
      const makes = end >= 0 && kindOf(code, [place, ...around].at(-1) as PlaceName) === "constructor";
      const type = makes ? [{ place: all[end] as PlaceName, ofTypes: false, kinds: MAKING }] : [];
      return [...around.map((one) => ({ place: one, ofTypes: false, kinds: EDGE_KINDS })), ...type];
    });
    const next = [...Map.groupBy([...users, ...holders].filter(isNew), ({ place }) => place)].map(([place, own]) => {
      const ofTypes = own.every((one) => one.ofTypes);
      return { place, ofTypes, kinds: ofTypes ? OF_TYPES : own.flatMap(({ kinds }) => kinds) };
    });
    for (const { place, ofTypes } of next) found.set(place, { level, ofTypes });
    nearer = next.filter(({ place, ofTypes }) => !place.endsWith("/-1") && (!ofTypes || isType(place)));
  }
  return new Map([...found].map(([place, { level, ofTypes }]) => [place, `${level}${ofTypes ? " types" : ""}`]));
}

const MAKING: readonly EdgeKind[] = ["instantiates", "extends"];
const OF_TYPES: readonly EdgeKind[] = ["type", "extends", "implements"];

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
