/**
 * Names of SCIP symbols: `scip-typescript npm shop 1.0.0 src/\`store.ts\`/Store#open().` is called `open`.
 *
 * The grammar is that of `Symbol` in https://github.com/sourcegraph/scip/blob/main/scip.proto. Pure.
 */

const NAME_UNIT = /[\w+$-]/;
/** Behind the name of a type, a value, a method and a macro. */
const NAMED = /[#.!]$/;
const METHOD_END = /\([\w+$-]*\)\.$/;

/** Whether the symbol is known inside of its document alone. */
export function isLocalSymbol(symbol: string): boolean {
  return symbol.startsWith("local ");
}

/**
 * The name that the source has where the symbol is defined; undefined where it may have another: of a file, a package, a
 * parameter, of what indexers make up (`<constructor>`, `kids0:`) and of local symbols.
 */
export function nameOfSymbol(symbol: string): string | undefined {
  if (isLocalSymbol(symbol) || !NAMED.test(symbol)) return undefined;
  const suffix = METHOD_END.exec(symbol.slice(-100))?.[0].length ?? 1;
  const end = symbol.length - suffix;
  let start = end;
  if (symbol[end - 1] !== "`") {
    while (start > 0 && NAME_UNIT.test(symbol[start - 1] as string)) start--;
    return start === end ? undefined : symbol.slice(start, end);
  }
  // Inside of backticks two of them stand for one.
  for (start = end - 2; start >= 0 && !(symbol[start] === "`" && symbol[start - 1] !== "`"); start--) {
    if (symbol[start] === "`") start--;
  }
  const name = symbol.slice(start + 1, end - 1).replaceAll("``", "`");
  return start < 0 || name === "" || /[<>\s]/.test(name) ? undefined : name;
}
