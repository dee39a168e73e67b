/**
 * What types extend and implement, and the members that they have from there. Pure apart from the reader's I/O.
 */
import type { EdgeRecord } from "../format/code-records.ts";
import type { EdgeKind } from "../format/edge-kinds.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { declarationsOf } from "./declarations.ts";
import { loadPlacesWithEdges, symbolAt } from "./load-files.ts";
import type { LoadedSymbol } from "./model.ts";
import { type FoundEdge, findTargets, loadTargets, type OutgoingEdge } from "./outgoing-edges.ts";

const BASES: readonly EdgeKind[] = ["extends", "implements"];
/** Bases of bases that are gone through, and types in all. */
const MAX_LEVELS = 8;
const MAX_TYPES = 48;

/** Edges from each of some types to what it extends and implements, in the order of the source; guesses left out. Two waves. */
export async function basesOf(
  reader: IndexReader,
  symbols: readonly LoadedSymbol[],
): Promise<readonly (readonly OutgoingEdge[])[]> {
  const files = await loadPlacesWithEdges(reader, symbols);
  const found: FoundEdge[][] = [];
  for (const [at, symbol] of symbols.entries()) {
    const declarations = new Set(declarationsOf(symbol).map((one) => one.symbol));
    const isBase = ({ from, kind, tier }: EdgeRecord): boolean =>
      declarations.has(from) && BASES.includes(kind) && tier !== "name";
    found.push(await findTargets(reader, symbol.shard, files[at]?.edges.filter(isBase) ?? []));
  }
  const loaded = await loadTargets(reader, found.flat());
  let end = 0;
  return found.map(({ length }) => {
    end += length;
    return loaded.slice(end - length, end);
  });
}

/** Members that a type has of its bases, those of the nearest first: a list for each level above it. Two waves a level. */
export async function* inheritedMembers(reader: IndexReader, type: LoadedSymbol): AsyncGenerator<LoadedSymbol[]> {
  const seen = new Set([type.id]);
  let level = [type];
  for (let above = 0; above < MAX_LEVELS && level.length > 0; above++) {
    const edges = (await basesOf(reader, level)).flat();
    const bases = edges.flatMap(({ to }) => (to.kind === "symbol" ? [to.symbol] : []));
    level = [];
    for (const base of bases) {
      if (seen.has(base.id) || seen.size >= MAX_TYPES) continue;
      seen.add(base.id);
      level.push(base);
    }
    if (level.length > 0) yield level.flatMap(membersOf);
  }
}

/** Members of all declarations of a type that those below it have, too. */
function membersOf(type: LoadedSymbol): LoadedSymbol[] {
  const { shard, file, inFile } = type;
  const containers = new Set(declarationsOf(type).map(({ symbol }) => symbol));
  return inFile.symbols.flatMap(({ parent, kind, flags, name }, at) =>
    containers.has(parent) && kind !== "constructor" && !flags.includes("private") && !name.startsWith("#")
      ? [symbolAt({ shard, file, record: inFile }, at)]
      : [],
  );
}
