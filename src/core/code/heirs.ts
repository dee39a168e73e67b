/**
 * What derives from a symbol: types that extend or implement it, members that override it, directly or through one another.
 */
import type { EdgeKind } from "../format/code-model.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { type IncomingEdge, incomingEdges } from "./edges.ts";
import type { LoadedSymbol } from "./model.ts";
import { declaredTogether } from "./rename-family.ts";

/** Kinds of edges that lead to what something derives from. */
export const DERIVING: readonly EdgeKind[] = ["extends", "implements", "overrides"];
const MAX_LEVELS = 8;
const MAX_HEIRS = 500;
const MAX_EDGES = 5_000;

/** Something that derives from a symbol. */
export interface Heir {
  readonly edge: IncomingEdge;
  /** What it derives from, where that is an heir itself. */
  readonly through: LoadedSymbol | undefined;
}

/** Heirs of a symbol whose direct ones are known. Up to two waves a level. `isWhole` is false where a bound was met. @param isWanted Others are no heirs. */
export async function findHeirs(
  reader: IndexReader,
  direct: readonly IncomingEdge[],
  isWanted: (edge: IncomingEdge) => boolean,
) {
  const list: Heir[] = direct.map((edge) => ({ edge, through: undefined }));
  const seen = new Set<string>();
  let level = list;
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_LEVELS || list.length > MAX_HEIRS) return { list, isWhole: false };
    const types = level.flatMap(({ edge: { from } }) => {
      if (from === undefined || seen.has(from.id)) return [];
      seen.add(from.id);
      return [from];
    });
    const owners = new Map(types.flatMap((type) => declaredTogether(type).map(({ id }) => [id, type])));
    const targets = [...owners.keys()].map((id) => ({ id }));
    if (targets.length === 0) break;
    const { edges } = await incomingEdges(reader, targets, { kinds: DERIVING }, { offset: 0, limit: MAX_EDGES });
    level = edges.flatMap((edge): Heir[] => {
      const through = "id" in edge.to ? owners.get(edge.to.id) : undefined;
      const isKnown = edge.from !== undefined && seen.has(edge.from.id);
      return isKnown || edge.tier === "name" || !isWanted(edge) ? [] : [{ edge, through }];
    });
    list.push(...level);
  }
  return { list, isWhole: true };
}
