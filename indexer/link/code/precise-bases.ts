/** Edges for what a compiler says implements or overrides something: ours confirmed, and those that were missing. Pure. */
import type { EdgeRecord } from "../../../src/core/format/code-records.ts";
import type { PreciseDocument } from "../scip/place-document.ts";
import { addToList } from "./add-to-list.ts";
import { type CodeWorld, type Entity, isOnlyType, isType, pickSymbol } from "./code-world.ts";
import { type PreciseTargets, symbolOfEdge, targetOfSymbol } from "./precise-targets.ts";

type Kind = EdgeRecord["kind"];

const OF_TYPES: ReadonlySet<Kind> = new Set(["extends", "implements"]);
const OF_MEMBERS: ReadonlySet<Kind> = new Set(["overrides"]);

/** The edges out of a file with those of its relationships. */
export function addImplementations(
  world: CodeWorld,
  targets: PreciseTargets,
  file: number,
  { implementations }: PreciseDocument,
  edges: readonly EdgeRecord[],
): EdgeRecord[] {
  const result = [...edges];
  const first = world.first[file] as number;
  const known = new Map<number, number[]>();
  for (const [index, { kind, from }] of edges.entries()) {
    if (OF_TYPES.has(kind) || OF_MEMBERS.has(kind)) addToList(known, first + from, index);
  }
  for (const { symbol, of } of implementations) {
    const sources = targets.entitiesOf(symbol).filter((entity) => isSymbolOf(world, entity, file));
    const [source] = sources;
    if (source === undefined) continue;
    const isTyped = isType(world.symbol(source));
    const kinds = isTyped ? OF_TYPES : OF_MEMBERS;
    for (const base of nearestBases(targets, of)) {
      const among = targets.entitiesOf(base).filter((entity) => world.asFile(entity) < 0);
      if (among.length === 0) continue;
      const target = pickSymbol(world, among, isTyped);
      let isKnown = false;
      for (const index of sources.flatMap((entity) => known.get(entity) ?? [])) {
        const edge = result[index] as EdgeRecord;
        if (!kinds.has(edge.kind) || !among.includes(symbolOfEdge(world, edge))) continue;
        isKnown = true;
        result[index] = { ...edge, tier: "precise" };
      }
      if (isKnown || target === source) continue;
      const kind = isTyped ? kindOfBase(world, source, target) : "overrides";
      const typeOnly = kind === "implements" && isOnlyType(world.symbol(target));
      const { at } = world.symbol(source);
      const to = targetOfSymbol(world, target);
      result.push({ kind, tier: "precise", typeOnly, from: source - first, at, to });
    }
  }
  return result;
}

function isSymbolOf(world: CodeWorld, entity: Entity, file: number): boolean {
  return world.asFile(entity) < 0 && world.fileOf(entity) === file;
}

/** Those that no other of them implements: indexers list what is inherited, too, and edges lead to the next base alone. */
function nearestBases(targets: PreciseTargets, of: readonly string[]): readonly string[] {
  if (of.length < 2) return of;
  const inherited = new Set(of.flatMap((base) => targets.implementedBy(base).filter((further) => further !== base)));
  return of.filter((base) => !inherited.has(base));
}

/** A class extends a class and an interface an interface; what is of another kind than its base implements that. */
function kindOfBase(world: CodeWorld, source: Entity, target: Entity): Kind {
  const isSame = isOnlyType(world.symbol(source)) === isOnlyType(world.symbol(target));
  return isSame && world.symbol(target).kind !== "trait" ? "extends" : "implements";
}
