/** Hand-made parse results of source files, for tests of linking that need no parser. */

import type {
  CodeFile,
  CodeImport,
  CodeSymbol,
  CodeUse,
  Reference,
  ReferenceRoot,
} from "../../indexer/languages/base/code-file.ts";
import type { LinkFile } from "../../indexer/languages/base/language.ts";
import type { ManifestText } from "../../indexer/languages/base/manifests.ts";
import { TREE_DIALECTS } from "../../indexer/languages/languages.ts";
import { type LinkedCode, linkCode } from "../../indexer/link/code/link-files.ts";
import { loadGrammar } from "../../indexer/parse/code/grammars.ts";
import { parseWithTreeSitter } from "../../indexer/parse/code/parse-tree.ts";
import type { SymbolFlag, SymbolKind } from "../../src/core/format/code-model.ts";
import { codeLanguageOf } from "../../src/core/text/code-languages.ts";

/** A file being put together; every call gives the number of what it adds. */
export interface FileBuilder {
  readonly symbol: (kind: SymbolKind, name: string, more?: Partial<CodeSymbol>) => number;
  readonly import: (specifier: string, imported: string, local?: string, more?: Partial<CodeImport>) => number;
  readonly use: (kind: CodeUse["kind"], root: ReferenceRoot, members?: readonly string[], from?: number) => number;
}

/** A reference from its root and members. */
export function reference(root: ReferenceRoot, ...members: readonly string[]): Reference {
  return { root, members };
}

/** A file of the collection `code`; each thing stands on a line of its own, in the order it is added. */
export function codeFile(path: string, fill: (file: FileBuilder) => void = () => undefined, namespace = ""): LinkFile {
  const symbols: CodeSymbol[] = [];
  const imports: CodeImport[] = [];
  const uses: CodeUse[] = [];
  let line = 0;
  const next = () => ({ line: ++line, column: 1 });
  fill({
    symbol: (kind, name, more = {}) => {
      const at = next();
      const plain = { kind, name, parent: -1, at, start: at, end: at, leadLine: at.line, signature: name, doc: "" };
      const rest = { flags: [] as SymbolFlag[], exportedAs: [], typeText: "", bases: [] };
      return symbols.push({ ...plain, ...rest, ...more }) - 1;
    },
    import: (specifier, imported, local = imported, more = {}) => {
      const plain = { kind: "imports", specifier, imported, local, typeOnly: false, from: -1, at: next() } as const;
      return imports.push({ ...plain, ...more }) - 1;
    },
    use: (kind, root, members = [], from = -1) =>
      uses.push({ kind, from, at: next(), target: { root, members }, typeOnly: false }) - 1,
  });
  const language = codeLanguageOf(path) ?? path.slice(path.lastIndexOf(".") + 1);
  const code: CodeFile = { language, namespace, doc: "", symbols, imports, uses, errors: 0, diagnostics: [] };
  return { collection: "code", id: `code:${path}`, path, hash: "0000000000000000", code, sectionOf: (it) => it + 1 };
}

/** Sources of a collection as they are parsed and linked, in the order of their paths. */
export async function linkSources(sources: Readonly<Record<string, string>>): Promise<LinkedCode> {
  const files: LinkFile[] = [];
  for (const [path, text] of Object.entries(sources).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const language = codeLanguageOf(path);
    if (language === undefined || !TREE_DIALECTS.has(language))
      throw new Error(`${path} is not of a language with a grammar`);
    await loadGrammar(language);
    files.push({ ...codeFile(path), code: parseWithTreeSitter({ path, text, language }) });
  }
  return link(files);
}

/** Where an edge out of a file begins, in front of what `edgesOf` says: `1:5 calls scope b.c#f`. */
export function placedEdgesOf(linked: LinkedCode, path: string): string[] {
  const number = linked.files.findIndex(({ id }) => id === `code:${path}`);
  const lines = edgesOf(linked, path);
  return (linked.edges[number] ?? []).map(({ at }, index) => `${at.line}:${at.column} ${lines[index]}`);
}

/** A manifest of the collection `code`. */
export function manifest(path: string, content: string | object): ManifestText {
  return { collection: "code", path, text: typeof content === "string" ? content : JSON.stringify(content) };
}

/** Files and manifests linked. */
export function link(
  files: readonly LinkFile[],
  manifests: readonly ManifestText[] = [],
  more: Partial<Parameters<typeof linkCode>[0]> = {},
): LinkedCode {
  return linkCode({ files, manifests, ...more });
}

/** Edges out of a file as lines: `calls scope src/b.ts#Store.open`, `imports scope npm:react`. */
export function edgesOf(linked: LinkedCode, path: string): string[] {
  const number = linked.files.findIndex(({ id }) => id === `code:${path}`);
  return (linked.edges[number] ?? []).map(({ kind, tier, to }) => {
    if ("external" in to) return `${kind} ${tier} ${to.external}`;
    if ("id" in to) return `${kind} ${tier} ${to.id}`;
    const file = linked.files[to.file];
    const symbol = file?.symbols[to.symbol];
    return `${kind} ${tier} ${file?.id.slice("code:".length)}${symbol === undefined ? "" : `#${symbol.path}`}`;
  });
}

/** Codes and messages of the diagnostics. */
export function findingsOf({ diagnostics }: LinkedCode): string[] {
  return diagnostics.map(({ code, path, message }) => `${code} ${path}: ${message}`);
}

/** Flags of an exported symbol. */
export const EXPORTED: Partial<CodeSymbol> = { flags: ["exported"] };
