/**
 * Declarations that are one symbol to whoever uses it: overloads, a getter and its setter.
 *
 * The linker leads every use to the first of them; what a body uses leaves from the one that has it, the last. Pure.
 */
import { symbolAt } from "./load-files.ts";
import type { LoadedSymbol } from "./model.ts";

/** All declarations of a symbol, itself included, in the order of the source: same name, kind and container. */
export function declarationsOf({ shard, file, record, inFile }: LoadedSymbol): LoadedSymbol[] {
  return inFile.symbols.flatMap(({ name, kind, parent }, at) =>
    name === record.name && kind === record.kind && parent === record.parent
      ? [symbolAt({ shard, file, record: inFile }, at)]
      : [],
  );
}

/** Whether symbols are declarations of one. */
export function areOneSymbol(symbols: readonly LoadedSymbol[]): boolean {
  const [first] = symbols;
  if (first === undefined) return false;
  const ids = new Set(declarationsOf(first).map(({ id }) => id));
  return symbols.every(({ id }) => ids.has(id));
}
