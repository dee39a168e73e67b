/**
 * Renames tried for real: the certain edits of a plan are made in memory, and a compiler says whether the code still stands.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { loadPlaces, readWithFiles, symbolAt } from "../../src/core/code/load-files.ts";
import type { LoadedSymbol } from "../../src/core/code/model.ts";
import type { RenameEdit, RenamePlan } from "../../src/core/code/rename-plan.ts";
import { splitDocumentId } from "../../src/core/docs/node-id.ts";
import type { SymbolKind } from "../../src/core/format/code-model.ts";
import type { IndexReader } from "../../src/core/index/index-reader.ts";
import { planRename } from "../../src/mcp/plan-rename.ts";

/** Kinds of symbols that renames are tried of. */
export const RENAMED_KINDS = [
  "function",
  "class",
  "method",
  "property",
  "interface",
  "typeAlias",
  "enum",
  "enumMember",
  "constant",
  "variable",
  "field",
] as const satisfies readonly SymbolKind[];

/** What came of one rename. */
export interface RenameOutcome {
  readonly symbol: LoadedSymbol;
  readonly plan: RenamePlan;
  readonly edits: number;
  /** Errors that were not there before, each with its place. */
  readonly errors: readonly string[];
}

/** Says which errors texts bring that were not there before. */
export type FindErrors = (changed: ReadonlyMap<string, string>, newName: string, oldName: string) => readonly string[];

/** Files below a folder, as paths relative to it. */
export function listFiles(dir: string, ends: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ends))
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
}

/** All symbols of an index of these kinds that have a plain name, in the order of their files. */
export async function listSymbols(reader: IndexReader, kinds: readonly SymbolKind[]): Promise<LoadedSymbol[]> {
  const { lists } = await readWithFiles(reader, []);
  const places = [...lists].flatMap(([shard, list]) => list.map(({ number }) => ({ shard, file: number })));
  const files = [...(await loadPlaces(reader, places)).values()];
  return files.flatMap((file) =>
    file.record.symbols.flatMap(({ kind, name }, at) =>
      kinds.includes(kind) && /^#?[A-Za-z_$][\w$]*$/.test(name) && name !== "default" && !/^__\w+__$/.test(name)
        ? [symbolAt(file, at)]
        : [],
    ),
  );
}

/** Make the certain edits of a plan and say what they break. */
export async function tryRename(
  reader: IndexReader,
  symbol: LoadedSymbol,
  newName: string,
  dir: string,
  findErrors: FindErrors,
): Promise<RenameOutcome> {
  const plan = await planRename(reader, symbol, newName);
  const changed = new Map<string, string>();
  let edits = 0;
  for (const { record, certain } of plan.files) {
    if (certain.length === 0) continue;
    const { path } = splitDocumentId(record.id);
    edits += certain.length;
    changed.set(path, applyEdits(readFileSync(join(dir, path), "utf8"), certain));
  }
  return { symbol, plan, edits, errors: findErrors(changed, newName, symbol.record.name) };
}

/** A text with edits made. @throws where the old text is not at its place. */
export function applyEdits(text: string, edits: readonly RenameEdit[]): string {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  let out = "";
  let last = 0;
  for (const { at, oldText, newText } of edits) {
    const offset = (starts[at.line - 1] as number) + at.column - 1;
    if (offset < last || !text.startsWith(oldText, offset)) {
      throw new Error(`${oldText} is not at ${at.line}:${at.column}`);
    }
    out += text.slice(last, offset) + newText;
    last = offset + oldText.length;
  }
  return out + text.slice(last);
}

/** TypeScript's compiler over the files of a folder, as `tsc --noEmit` runs it. Files that do not change are read once. */
export function createCompiler(dir: string, paths: readonly string[]): FindErrors {
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    noImplicitAny: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    experimentalDecorators: true,
    jsx: ts.JsxEmit.Preserve,
    allowJs: true,
    checkJs: true,
    lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const parsed = new Map<string, ts.SourceFile | undefined>();
  const readSource = host.getSourceFile.bind(host);
  let overlay: ReadonlyMap<string, string> = new Map();
  host.getSourceFile = (fileName, version) => {
    const text = overlay.get(fileName);
    if (text !== undefined) return ts.createSourceFile(fileName, text, version, true);
    if (!parsed.has(fileName)) parsed.set(fileName, readSource(fileName, version));
    return parsed.get(fileName);
  };
  const roots = paths.map((path) => join(dir, path));
  let program: ts.Program | undefined;
  const check = (): string[] => {
    program = ts.createProgram(roots, options, host, program);
    const found = [...program.getSyntacticDiagnostics(), ...program.getSemanticDiagnostics()];
    return found.map(({ file, start = 0, messageText }) => {
      const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
      const name = file?.fileName.slice(dir.length + 1) ?? "";
      return `${name}:${line} ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
    });
  };
  const before = check();
  return (changed, newName, oldName) => {
    overlay = new Map([...changed].map(([path, text]) => [join(dir, path), text]));
    const plain = (message: string): string => message.replaceAll(newName, oldName);
    const known = new Set(before.map(plain));
    return check().filter((message) => !known.has(plain(message)));
  };
}
