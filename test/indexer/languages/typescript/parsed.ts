/** What the parser makes of a source, in words that tests can hold against: `class Store`, `value(symbol Store).open`. */
import type { CodeFile, CodeSymbol, Reference } from "../../../../indexer/languages/base/code-file.ts";
import { parseTypeScript } from "../../../../indexer/languages/typescript/parse.ts";

/** A parsed source; a TypeScript file without a path. */
export function parse(text: string, path = "a.ts"): CodeFile {
  return parseTypeScript({ path, text });
}

/** Kind and qualified name of every symbol. */
export function outlineOf(file: CodeFile): string[] {
  return file.symbols.map((symbol) => `${symbol.kind} ${qualifiedName(file, symbol)}`);
}

/** The symbol of a qualified name; the first where there are several. */
export function symbolOf(file: CodeFile, name: string): CodeSymbol {
  const found = file.symbols.find((symbol) => qualifiedName(file, symbol) === name);
  if (found === undefined) throw new Error(`no symbol ${name} among ${outlineOf(file).join(", ")}`);
  return found;
}

/** Every use as kind and target, those of types marked with `type-only`. */
export function usesOf(file: CodeFile): string[] {
  return file.uses.map(
    ({ kind, target, typeOnly }) => `${kind} ${describeReference(file, target)}${typeOnly ? " (type-only)" : ""}`,
  );
}

/** Every import as `imported as local from specifier`. */
export function importsOf(file: CodeFile): string[] {
  return file.imports.map(
    ({ kind, specifier, imported, local, typeOnly }) =>
      `${kind} ${imported || "-"} as ${local || "-"} from ${specifier}${typeOnly ? " (type-only)" : ""}`,
  );
}

/** A reference in words. */
export function describeReference(file: CodeFile, { root, members }: Reference): string {
  return [describeRoot(file, root), ...members].join(".");
}

function describeRoot(file: CodeFile, root: Reference["root"]): string {
  switch (root.kind) {
    case "symbol":
    case "self":
    case "super": {
      const symbol = file.symbols[root.symbol];
      return `${root.kind} ${symbol === undefined ? "?" : qualifiedName(file, symbol)}`;
    }
    case "import":
      return `import ${file.imports[root.import]?.local || file.imports[root.import]?.specifier}`;
    case "value":
      return `value(${describeReference(file, root.type)})`;
    case "result":
      return `result(${describeReference(file, root.of)})`;
    case "applied":
      return `${describeReference(file, root.type)}<${describeReference(file, root.to)}>`;
    case "element":
      return `element(${describeReference(file, root.of)})`;
    case "given":
      return `given(${describeReference(file, root.by)} ${root.argument} ${root.parameter})`;
    case "free":
      return `free ${root.name}`;
    case "unknown":
      return "?";
  }
}

function qualifiedName(file: CodeFile, symbol: CodeSymbol): string {
  const parent = file.symbols[symbol.parent];
  return parent === undefined ? symbol.name : `${qualifiedName(file, parent)}.${symbol.name}`;
}
