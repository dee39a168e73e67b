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
export function describeReference(file: CodeFile, { root, members, arguments: given }: Reference): string {
  const types = given === undefined ? "" : `<${given.map((type) => describeReference(file, type)).join(", ")}>`;
  return [describeRoot(file, root), ...members].join(".") + types;
}

function describeRoot(file: CodeFile, root: Reference["root"]): string {
  const inner = (reference: Reference): string => describeReference(file, reference);
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
      return `value(${inner(root.type)})`;
    case "result":
      return `${root.isMade === true ? "made" : "result"}(${inner(root.of)})`;
    case "argument":
      return `argument(${inner(root.of)} ${root.argument})`;
    case "given":
      return `given(${inner(root.of)} ${root.parameter})`;
    case "element":
      return `element(${inner(root.of)}${root.at === undefined ? "" : ` ${root.at}`})`;
    case "typeof":
      return `${root.kind}(${inner(root.of)})`;
    case "either":
      return `(${root.of.map(inner).join(" | ")})`;
    case "tuple":
      return `[${root.items.map(inner).join(", ")}]`;
    case "object":
      return `{${Object.entries(root.members)
        .map(([name, member]) => `${name}: ${inner(member)}`)
        .join(", ")}}`;
    case "function":
      return `(${root.parameters.map(inner).join(", ")}) => ${root.result === undefined ? "?" : inner(root.result)}`;
    case "parameter":
      return `parameter ${root.parameter}${root.constraint === undefined ? "" : `: ${inner(root.constraint)}`}`;
    case "literal":
      return JSON.stringify(root.text);
    case "free":
      return `free ${root.name}`;
    case "unknown":
      return "?";
    default:
      return root.kind;
  }
}

function qualifiedName(file: CodeFile, symbol: CodeSymbol): string {
  const parent = file.symbols[symbol.parent];
  return parent === undefined ? symbol.name : `${qualifiedName(file, parent)}.${symbol.name}`;
}
