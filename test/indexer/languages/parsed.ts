/** Parsed sources as lines of text, for tests. */

import type { CodeFile, Reference } from "../../../indexer/languages/base/code-file.ts";
import { loadGrammar } from "../../../indexer/parse/code/grammars.ts";
import { parseWithTreeSitter } from "../../../indexer/parse/code/parse-tree.ts";
import type { CodeLanguage } from "../../../src/core/text/code-languages.ts";

/** Parses a text, with its grammar loaded where it is not yet. */
export async function parseSource(language: CodeLanguage, text: string, path = "a"): Promise<CodeFile> {
  await loadGrammar(language);
  return parseWithTreeSitter({ path, text, language });
}

/** `kind Container.name` and the flags in brackets, one line a symbol. */
export function outlineOf(file: CodeFile): string[] {
  const qualified = (index: number): string => {
    const symbol = file.symbols[index];
    if (symbol === undefined) return "";
    const elsewhere = symbol.memberOf === undefined ? "" : `<${symbol.memberOf}>`;
    return [qualified(symbol.parent), elsewhere, symbol.name].filter((part) => part !== "").join(".");
  };
  return file.symbols.map(({ kind, flags }, index) => {
    const rest = flags.filter((flag) => flag !== "exported");
    return `${kind} ${qualified(index)}${rest.length === 0 ? "" : ` [${rest.join(" ")}]`}`;
  });
}

/** `kind chain` of each use, with the symbol that it stands in. */
export function usesOf(file: CodeFile): string[] {
  return file.uses.map(
    ({ kind, from, target }) => `${kind} ${chainOf(file, target)} in ${file.symbols[from]?.name ?? "file"}`,
  );
}

/** `specifier imported as local` of each import. */
export function importsOf(file: CodeFile): string[] {
  return file.imports.map(
    ({ kind, specifier, imported, local, typeOnly }) =>
      `${kind === "imports" ? "" : "pass "}${specifier} ${imported}${local === imported ? "" : ` as ${local || "nothing"}`}${typeOnly ? " for types" : ""}`,
  );
}

/** A chain in words: `import fmt`, `self Store`, `value(symbol Store).open`. */
export function chainOf(file: CodeFile, { root, members }: Reference): string {
  const name = (): string => {
    switch (root.kind) {
      case "symbol":
      case "self":
      case "super":
        return `${root.kind} ${file.symbols[root.symbol]?.name ?? "?"}`;
      case "import":
        return `import ${file.imports[root.import]?.local ?? "?"}`;
      case "value":
        return `value(${chainOf(file, root.type)})`;
      case "result":
        return `result(${chainOf(file, root.of)})`;
      case "element":
        return `element(${chainOf(file, root.of)})`;
      case "free":
        return `free ${root.name}`;
      default:
        return root.kind;
    }
  };
  return [name(), ...members].join(".");
}
