/**
 * Symbols by their main declarations: a prototype and its definition, the parts of a type are one symbol, and uses lead to
 * one of them. Pure apart from the reader's I/O.
 */
import type { IndexReader } from "../index/index-reader.ts";
import { factsOf } from "../text/code-languages.ts";
import { loadPlacesWithEdges } from "./load-files.ts";
import type { LoadedSymbol } from "./model.ts";
import { outgoingEdges } from "./outgoing-edges.ts";

/** Whether a symbol can have declarations in other files. */
export function standsApart({ inFile }: LoadedSymbol): boolean {
  return factsOf(inFile.language).hasSplitDeclarations === true;
}

/**
 * The main declaration of each symbol, in the order given: itself where it is one. Two waves where some symbols can have
 * others, else none.
 */
export async function mainDeclarations(
  reader: IndexReader,
  symbols: readonly LoadedSymbol[],
): Promise<readonly LoadedSymbol[]> {
  const apart = symbols.filter(standsApart);
  if (apart.length === 0) return symbols;
  const files = await loadPlacesWithEdges(reader, apart);
  const mains = new Map<LoadedSymbol, LoadedSymbol>();
  for (const [at, symbol] of apart.entries()) {
    const file = files[at];
    if (file === undefined) continue;
    const from = new Set([symbol.symbol]);
    const { edges } = await outgoingEdges(reader, file, { kinds: ["declares"], from }, { offset: 0, limit: 1 });
    const [edge] = edges;
    if (edge?.to.kind === "symbol") mains.set(symbol, edge.to.symbol);
  }
  return symbols.map((symbol) => mains.get(symbol) ?? symbol);
}
