/**
 * TypeScript and JavaScript files to symbols, imports and uses, by TypeScript's own parser without its type checker.
 *
 * One walk over the tree notes declarations in scopes and names that are used; names are looked up when it is over. What
 * a declaration is follows the navigation tree of TypeScript's language service.
 */
import ts from "typescript";
import { codeLanguageOf } from "../../../src/core/text/code-languages.ts";
import type { Diagnostic, Severity } from "../../base/diagnostic.ts";
import type { CodeFile, CodeImport, CodeSymbol, CodeUse } from "../base/code-file.ts";
import type { SourceLines } from "../base/syntax-tree.ts";
import { FileState, type FoundSymbol, MAX_SYMBOLS, MAX_USES, readFileDoc } from "./file-state.ts";
import { createNameResolver } from "./references.ts";
import { Scope, TYPE } from "./scope.ts";
import { isExportList } from "./visit-modules.ts";
import { visitNode } from "./visit-statements.ts";

/** A source file to parse. */
interface SourceInput {
  /** Its path; the ending says which language it is in. */
  readonly path: string;
  readonly text: string;
}

/** Longest row of modifiers that is parsed: the parser looks through the rest of a row at each word, so 10,000 take 20 s. */
const MAX_MODIFIERS = 500;
const MODIFIER =
  /\b(?:abstract|accessor|async|declare|export|override|private|protected|public|readonly|static)\b(?:\s|\/\*[^*]*\*\/)*/g;

function hasTooManyModifiers(text: string): boolean {
  let row = 0;
  let end = 0;
  for (const {
    index,
    0: { length },
  } of text.matchAll(MODIFIER)) {
    row = index === end ? row + 1 : 1;
    end = index + length;
    if (row > MAX_MODIFIERS) return true;
  }
  return false;
}

/**
 * Symbols, imports and uses of a file. Of broken code the parts are given that could be parsed, with their errors counted.
 *
 * @throws {Error} where the nesting is deeper than the stack, or modifiers stand in a row without end.
 */
export function parseTypeScript({ path, text }: SourceInput): CodeFile {
  const language = codeLanguageOf(path) ?? "typescript";
  return parseScript({ path, text, language, kind: SCRIPT_KINDS[language] ?? ts.ScriptKind.TS });
}

/** A text that is parsed, and what is known of it. */
interface ScriptInput extends SourceInput {
  readonly language: string;
  readonly kind: ts.ScriptKind;
  /** Where it stands in its file, where it is not all of that. */
  readonly lines?: SourceLines;
}

/** Walks the statements of a file. */
type Walk = (state: FileState, scope: Scope) => void;

/** The same of a text in a known dialect. `walk` goes through its statements in place of the order in which they stand. */
export function parseScript(
  { path, text, language, kind, lines }: ScriptInput,
  walk: Walk = (state, scope) => state.visitAll(state.file.statements, scope),
): CodeFile {
  const isJavaScript = kind === ts.ScriptKind.JS || kind === ts.ScriptKind.JSX;
  if (hasTooManyModifiers(text)) throw new Error(`it has more than ${MAX_MODIFIERS} modifiers in a row`);
  try {
    const file = ts.createSourceFile(
      path,
      text,
      // Doc comments are read where there is a symbol; parsing all of them takes a third of the time. In JavaScript they
      // say types.
      {
        languageVersion: ts.ScriptTarget.ESNext,
        jsDocParsingMode: isJavaScript ? ts.JSDocParsingMode.ParseAll : ts.JSDocParsingMode.ParseNone,
      },
      isJavaScript,
      kind,
    );
    return readFile(new FileState(file, text, visitNode, lines), path, language, walk);
  } catch (error) {
    // The parser and the walk go as deep as the code does.
    if (!(error instanceof RangeError)) throw error;
    throw new Error("it is nested deeper than can be parsed", { cause: error });
  }
}

const SCRIPT_KINDS: Readonly<Record<string, ts.ScriptKind>> = {
  typescript: ts.ScriptKind.TS,
  tsx: ts.ScriptKind.TSX,
  javascript: ts.ScriptKind.JS,
  jsx: ts.ScriptKind.JSX,
};

function readFile(state: FileState, path: string, language: string, walk: Walk): CodeFile {
  const { file, text } = state;
  // In a declaration file everything is exported unless a list says what is.
  const exportsAll = file.isDeclarationFile && ts.isExternalModule(file) && !file.statements.some(isExportList);
  const scope = Scope.ofFile(exportsAll);
  if (state.isJavaScript) readDocTypes(state, file, scope);
  walk(state, scope);

  const resolver = createNameResolver(state);
  const imports = [...state.imports];
  const exportUses = settleExports(state, imports);
  const errors = parseErrorsOf(file);
  const firstStatement = file.statements[0]?.getStart(file, false) ?? text.length;
  return {
    language,
    namespace: "",
    doc: readFileDoc(text, firstStatement),
    symbols: state.symbols.map((symbol) => makeSymbol(state, symbol, resolver)),
    imports,
    uses: makeUses(state, resolver, exportUses),
    errors: errors.length,
    diagnostics: diagnosticsOf(state, path, errors),
  };
}

/** Takes over the types that comments of JavaScript say, and declares those that they define. */
function readDocTypes(state: FileState, node: ts.Node, scope: Scope): void {
  const typed = node as { type?: ts.TypeNode | undefined; readonly jsDoc?: readonly ts.JSDoc[] };
  const isFunction = ts.isFunctionLike(node);
  const isVariable = ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isPropertyDeclaration(node);
  if (typed.type === undefined && (isFunction || isVariable)) {
    const type = isFunction ? ts.getJSDocReturnType(node) : ts.getJSDocType(node);
    if (type !== undefined) typed.type = type;
  }
  for (const tag of typed.jsDoc?.flatMap(({ tags }) => [...(tags ?? [])]) ?? []) {
    if (!ts.isJSDocTypedefTag(tag) || tag.name === undefined || tag.typeExpression === undefined) continue;
    const { typeExpression } = tag;
    const type = ts.isJSDocTypeExpression(typeExpression) ? typeExpression.type : typeExpression;
    scope.declare(tag.name.text, { meaning: TYPE, value: { is: "typed", type: type as ts.TypeNode, scope } });
    state.visit(type, scope);
  }
  ts.forEachChild(node, (child) => readDocTypes(state, child, scope));
}

type NameResolver = ReturnType<typeof createNameResolver>;

function makeSymbol({ lines }: FileState, symbol: FoundSymbol, resolver: NameResolver): CodeSymbol {
  const type = resolver.typeOf(symbol.type);
  const typeParameters = symbol.typeParameters.map(resolver.typeParameter);
  const takes = symbol.takes && resolver.functionType(symbol.takes.node, symbol.takes.scope, false);
  const signatures = symbol.signatures && resolver.signaturesOf(symbol.signatures.members, symbol.signatures.scope);
  return {
    kind: symbol.kind,
    name: symbol.name,
    parent: symbol.parent,
    at: lines.positionAt(symbol.nameStart),
    start: lines.positionAt(symbol.start),
    end: lines.positionAt(symbol.end),
    leadLine: lines.lineAt(symbol.leadStart),
    signature: symbol.signature,
    doc: symbol.doc,
    flags: symbol.flags,
    exportedAs: symbol.exportedAs,
    typeText: symbol.typeText,
    ...(type !== undefined && { type }),
    ...(typeParameters.length > 0 && { typeParameters }),
    ...(takes !== undefined && { takes }),
    ...(signatures !== undefined && { signatures }),
    bases: symbol.bases,
  };
}

interface PlacedUse {
  readonly offset: number;
  readonly use: Omit<CodeUse, "at">;
}

/** Tells symbols under which names lists export them; what is imported and exported is passed on. */
function settleExports(state: FileState, imports: CodeImport[]): PlacedUse[] {
  const uses: PlacedUse[] = [];
  for (const { name, scope, exportedAs, offset, exportedAt, typeOnly } of state.exports) {
    const placeOfName = exportedAt === undefined ? undefined : state.lines.positionAt(exportedAt);
    let first = -1;
    let binding = scope.findDeclarations(name);
    for (; binding !== undefined; binding = binding.next) {
      const symbol = state.symbols[binding.symbol];
      const imported = imports[binding.import];
      if (symbol !== undefined) {
        if (first < 0) first = binding.symbol;
        if (!symbol.flags.includes("exported")) symbol.flags.push("exported");
        const isDefault = exportedAs === "default" || exportedAs === "export=";
        if (isDefault && !symbol.flags.includes("defaultExport")) symbol.flags.push("defaultExport");
        if (scope.container < 0 && !symbol.exportedAs.includes(exportedAs)) symbol.exportedAs.push(exportedAs);
      } else if (imported !== undefined) {
        const passed = { kind: "reexports", local: exportedAs, typeOnly: typeOnly || imported.typeOnly } as const;
        const { localAt, renamed, ...entry } = imported;
        imports.push({
          ...entry,
          ...passed,
          from: scope.from,
          at: state.lines.positionAt(offset),
          ...(placeOfName !== undefined && { localAt: placeOfName }),
          // What stands here is what the file calls it.
          ...((localAt !== undefined || renamed || entry.imported === "*") && { renamed: true as const }),
        });
      }
    }
    if (first < 0) continue;
    const target = { root: { kind: "symbol", symbol: first }, members: [] } as const;
    const exportedName = placeOfName && { name: exportedAs, at: placeOfName };
    const isNamed = exportedName !== undefined && exportedAs !== "default" && exportedAs !== "export=";
    uses.push({ offset, use: { kind: "reads", from: scope.from, target, typeOnly, ...(isNamed && { exportedName }) } });
  }
  return uses;
}

function makeUses(state: FileState, resolver: NameResolver, exportUses: readonly PlacedUse[]): CodeUse[] {
  const placed: PlacedUse[] = [...exportUses];
  for (const { kind, from, offset, target, typeOnly, isSure, short, types } of state.uses) {
    const named = resolver.targetOf(target);
    const reference = named && types ? resolver.withArguments(named, types.nodes, types.scope) : named;
    if (isSure && (reference?.root.kind === "unknown" || reference?.members.length === 0)) continue;
    const use = { kind, from, typeOnly, ...(short !== undefined && { short }) };
    if (reference !== undefined) placed.push({ offset, use: { ...use, target: reference } });
  }
  placed.sort((a, b) => a.offset - b.offset);
  return placed.map(({ offset, use }) => ({ ...use, at: state.lines.positionAt(offset) }));
}

/** The parser's own findings stand in a property that its types do not show; only its checker hands them out. */
function parseErrorsOf(file: ts.SourceFile): readonly ts.DiagnosticWithLocation[] {
  return (file as { readonly parseDiagnostics?: readonly ts.DiagnosticWithLocation[] }).parseDiagnostics ?? [];
}

function diagnosticsOf(state: FileState, path: string, errors: readonly ts.DiagnosticWithLocation[]): Diagnostic[] {
  const found: Diagnostic[] = [];
  const add = (severity: Severity, code: string, message: string, line: number): void => {
    found.push({ severity, code, message, path, line });
  };
  const [first] = errors;
  if (first !== undefined) {
    const reason = ts.flattenDiagnosticMessageText(first.messageText, " ");
    const count = errors.length === 1 ? "One syntax error" : `${errors.length} syntax errors, the first`;
    add(
      "warning",
      "syntax-error",
      `${count}: ${reason} What could be parsed is indexed.`,
      state.lines.lineAt(first.start),
    );
  }
  if (state.isCut) {
    const limit = `more than ${MAX_SYMBOLS} symbols or ${MAX_USES} uses of names`;
    add(
      "warning",
      "too-many-symbols",
      `The file has ${limit}. What comes after them is left out; exclude generated code.`,
      0,
    );
  }
  return found;
}
