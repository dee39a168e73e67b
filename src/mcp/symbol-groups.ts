/** Symbols by what they are: declarations that are one symbol together, of several symbols those that are used most first. */
import type { LoadedSymbol } from "../core/code/model.ts";
import { declaredTogether } from "../core/code/rename-family.ts";
import { mainDeclarations } from "../core/code/resolve-symbol.ts";
import { roleOf } from "../core/docs/roles.ts";
import { containerPath, isExported } from "../core/format/code-model.ts";
import type { IndexReader } from "../core/index/index-reader.ts";

export interface SymbolGroup {
  /** Its longest declaration: of overloads the one with the body. */
  readonly main: LoadedSymbol;
  /** All in its file, in the order of the source. */
  readonly declarations: readonly LoadedSymbol[];
}

/** The symbols that some declarations are of, production and exported ones first. Two waves where some stand apart. */
export async function groupDeclarations(reader: IndexReader, symbols: readonly LoadedSymbol[]): Promise<SymbolGroup[]> {
  const mains = await mainDeclarations(reader, symbols);
  const ordered = [...mains].sort((a, b) => compareKeys(orderOf(reader, a), orderOf(reader, b)));
  const seen = new Set<string>();
  return ordered.flatMap((symbol): SymbolGroup[] => {
    if (seen.has(symbol.id)) return [];
    const declarations = declaredTogether(symbol).sort((a, b) => a.symbol - b.symbol);
    for (const { id } of declarations) seen.add(id);
    const main = declarations.reduce((best, one) => (linesOf(one) > linesOf(best) ? one : best));
    return [{ main, declarations }];
  });
}

function linesOf({ record: { start, end } }: LoadedSymbol): number {
  return end.line - start.line;
}

/** Numbers that order symbols, the first that differs decides. */
function orderOf(reader: IndexReader, { record, inFile }: LoadedSymbol): readonly number[] {
  return [
    Number(roleOf(reader, inFile.id) !== "production"),
    Number(record.flags.includes("inner")),
    // A member may stand in another file than its type.
    Number(containerPath(record) !== ""),
    Number(!isExported(inFile.language, inFile.symbols, record)),
    -record.rank,
  ];
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] as number) - (b[at] as number);
}
