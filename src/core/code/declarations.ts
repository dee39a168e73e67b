/**
 * Declarations that are one symbol to whoever uses it: overloads, a getter and its setter.
 *
 * The linker leads every use to the first of them; what a body uses leaves from the one that has it, the last. Pure.
 */
import { containerPath } from "../format/symbol-id.ts";
import type { UseTarget } from "./incoming-edges.ts";
import { symbolAt } from "./load-files.ts";
import type { LoadedSymbol } from "./model.ts";

/** All declarations of a symbol, itself included, in the order of the source: same name, kind and container. */
export function declarationsOf({ shard, file, record, inFile }: LoadedSymbol): LoadedSymbol[] {
  const container = containerPath(record);
  return inFile.symbols.flatMap((symbol, at) =>
    symbol.name === record.name &&
    symbol.kind === record.kind &&
    symbol.parent === record.parent &&
    // Members of two types of other files may stand side by side.
    containerPath(symbol) === container
      ? [symbolAt({ shard, file, record: inFile }, at)]
      : [],
  );
}

/**
 * What edges to a symbol lead to: each of its declarations; of a constructor also its class, where that is instantiated, as
 * `new Store()` names the class.
 */
export function useTargetsOf(symbol: LoadedSymbol): UseTarget[] {
  const own = declarationsOf(symbol).map(({ id }): UseTarget => ({ id }));
  const { record, inFile, ...place } = symbol;
  if (record.kind !== "constructor" || inFile.symbols[record.parent] === undefined) return own;
  const ofClass = declarationsOf(symbolAt({ ...place, record: inFile }, record.parent));
  return [...own, ...ofClass.map(({ id }): UseTarget => ({ id, kinds: ["instantiates"] }))];
}

/** Whether symbols are declarations of one. */
export function areOneSymbol(symbols: readonly LoadedSymbol[]): boolean {
  const [first] = symbols;
  if (first === undefined) return false;
  const ids = new Set(declarationsOf(first).map(({ id }) => id));
  return symbols.every(({ id }) => ids.has(id));
}
