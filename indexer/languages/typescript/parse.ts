/**
 * TypeScript and JavaScript files to symbols, imports and uses, by TypeScript's own parser without its type checker.
 *
 * One walk over the tree notes declarations in scopes and names that are used; names are looked up when it is over. What
 * a declaration is follows the navigation tree of TypeScript's language service.
 */
import ts from "typescript";
import { codeLanguageOf } from "../../../src/core/text/code-languages.ts";
import type { Diagnostic, Severity } from "../../base/diagnostic.ts";
import type { CodeFile, CodeImport, CodeSymbol, CodeUse, Reference, ReferenceRoot } from "../base/code-file.ts";
import type { SourceLines } from "../base/syntax-tree.ts";
import { FileState, type FoundSymbol, MAX_SYMBOLS, MAX_USES, readFileDoc } from "./file-state.ts";
import { ANY_MEANING, type Binding, NAMESPACE, Scope, TYPE, VALUE, type Value } from "./scope.ts";
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
  if (hasTooManyModifiers(text)) throw new Error(`it has more than ${MAX_MODIFIERS} modifiers in a row`);
  try {
    const file = ts.createSourceFile(
      path,
      text,
      // Doc comments are read where there is a symbol; parsing all of them takes a third of the time.
      { languageVersion: ts.ScriptTarget.ESNext, jsDocParsingMode: ts.JSDocParsingMode.ParseNone },
      false,
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

function makeSymbol({ lines }: FileState, symbol: FoundSymbol, resolver: NameResolver): CodeSymbol {
  const type = resolver.typeOf(symbol.type);
  const element = resolver.elementOf(symbol.type);
  const gives = symbol.gives.flatMap(({ argument, parameter, value }) => {
    const given = resolver.typeOf(value);
    return given === undefined ? [] : [{ argument, parameter, type: given }];
  });
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
    ...(element !== undefined && { element }),
    ...(symbol.standsForArgument && { standsForArgument: true as const }),
    ...(gives.length > 0 && { gives }),
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
  for (const { kind, from, offset, target, typeOnly, isSure, short } of state.uses) {
    const reference = resolver.targetOf(target);
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

/** Results of results of results: deeper ones are in builder chains, where each would repeat all before it. */
const MAX_NESTING = 8;
/** A longer chain of members is generated code; its last name is kept. */
const MAX_MEMBERS = 12;
/** Types that are followed through constraints and aliases; more are a circle. */
const MAX_FOLLOWED = 16;

const UNKNOWN: Reference = { root: { kind: "unknown" }, members: [] };

/** Types whose members are those of their first argument, as far as names go. */
const WRAPPERS = new Set(["Promise", "PromiseLike", "Awaited", "Readonly", "Partial", "Required", "NonNullable"]);
/** Types that hold many of their first argument. */
const LISTS = new Set([
  "Array",
  "ReadonlyArray",
  "Set",
  "ReadonlySet",
  "Iterable",
  "IterableIterator",
  "AsyncIterable",
]);

/** Methods of lists that call a function with elements, and which of its parameters these are. */
const GIVEN_ELEMENT: Readonly<Record<string, readonly number[] | undefined>> = {
  __proto__: null as never,
  map: [0],
  forEach: [0],
  filter: [0],
  find: [0],
  findLast: [0],
  findIndex: [0],
  findLastIndex: [0],
  some: [0],
  every: [0],
  flatMap: [0],
  reduce: [1],
  reduceRight: [1],
  sort: [0, 1],
  toSorted: [0, 1],
};
/** Methods of lists that give a list of the same. */
const SAME_ELEMENTS = new Set(["filter", "slice", "sort", "toSorted", "reverse", "toReversed", "concat", "values"]);

interface TypeInScope {
  readonly type: ts.TypeNode;
  readonly scope: Scope;
}

interface Resolved {
  readonly reference: Reference;
  readonly nesting: number;
}

type NameResolver = ReturnType<typeof createNameResolver>;

/** Looks up the names of what a walk found, and remembers what it found. */
function createNameResolver(state: FileState) {
  const known = new Map<Value, Resolved>();

  const resolve = (value: Value): Resolved => {
    const before = known.get(value);
    if (before !== undefined) return before;
    // A variable that is defined by itself is nothing that is known.
    known.set(value, { reference: UNKNOWN, nesting: 0 });
    const resolved = work(value);
    known.set(value, resolved);
    return resolved;
  };

  const work = (value: Value): Resolved => {
    switch (value.is) {
      case "name": {
        const binding = value.scope.find(value.name, value.meaning);
        if (binding === undefined) return plain({ kind: "free", name: value.name });
        return rootOf(binding) ?? (binding.value === undefined ? plain(UNKNOWN.root) : resolve(binding.value));
      }
      case "member":
        return resolveMember(value);
      case "result":
      case "instance": {
        const { reference: of, nesting } = resolve(value.of);
        if (isUnknown(of) || nesting >= MAX_NESTING) return plain(UNKNOWN.root);
        const root: ReferenceRoot = value.is === "result" ? { kind: "result", of } : { kind: "value", type: of };
        return { reference: { root, members: [] }, nesting: nesting + 1 };
      }
      case "element": {
        const held = listOf(value.of);
        const list = declaredType(held, 0);
        const type = list && elementType(list);
        if (type !== undefined) return resolveTyped(type);
        // A list that another file declares; of what a call gives the function says what the list holds.
        const { reference: of, nesting } = resolve(held.is === "result" ? held.of : held);
        if (isUnknown(of) || nesting >= MAX_NESTING) return plain(UNKNOWN.root);
        return { reference: { root: { kind: "element", of }, members: [] }, nesting: nesting + 1 };
      }
      case "given":
        return resolveGiven(value);
      case "typed":
        return resolveTyped(value);
      case "self":
      case "super":
        return plain({ kind: value.is, symbol: value.symbol });
      case "import":
        return plain({ kind: "import", import: value.import });
    }
  };

  const resolveGiven = ({ by, argument, parameter }: Value & { is: "given" }): Resolved => {
    const element: Value | undefined =
      by.is === "member" &&
      by.of !== undefined &&
      argument === 0 &&
      GIVEN_ELEMENT[by.name]?.includes(parameter) === true
        ? { is: "element", of: by.of }
        : undefined;
    const otherwise = element && resolve(element);
    // A list that this file declares is one of the language's.
    if (otherwise?.reference.root.kind === "value") return otherwise;
    const { reference, nesting } = resolve(by);
    if (isUnknown(reference) || nesting >= MAX_NESTING) return plain(UNKNOWN.root);
    const isSaid = otherwise !== undefined && !isUnknown(otherwise.reference);
    const root: ReferenceRoot = {
      kind: "given",
      by: reference,
      argument,
      parameter,
      ...(isSaid && { otherwise: otherwise.reference }),
    };
    return { reference: { root, members: [] }, nesting: Math.max(nesting, otherwise?.nesting ?? 0) + 1 };
  };

  const resolveMember = (value: Value & { is: "member" }): Resolved => {
    if (value.of === undefined) return { reference: { root: UNKNOWN.root, members: [value.name] }, nesting: 0 };
    const literal = literalMember(value.of, value.name);
    const { reference, nesting } = literal === undefined ? resolve(value.of) : resolveTyped(literal);
    if (literal !== undefined) return { reference, nesting };
    const isLong = reference.members.length >= MAX_MEMBERS;
    const added = isLong
      ? { root: UNKNOWN.root, members: [value.name] }
      : { root: reference.root, members: [...reference.members, value.name] };
    return { reference: added, nesting };
  };

  const resolveTyped = ({ type, scope }: TypeInScope): Resolved => {
    const bare = bareType(type);
    if (ts.isTypeQueryNode(bare)) {
      return ts.isEntityName(bare.exprName) ? resolve(entityValue(bare.exprName, scope, VALUE)) : plain(UNKNOWN.root);
    }
    const named = typeReference(bare, scope, 0);
    return named === undefined
      ? plain(UNKNOWN.root)
      : { reference: { root: { kind: "value", type: named }, members: [] }, nesting: 1 };
  };

  /** The type that a node names. */
  const typeReference = (node: ts.TypeNode, scope: Scope, followed: number): Reference | undefined => {
    if (followed > MAX_FOLLOWED) return undefined;
    const type = bareType(node);
    if (ts.isIntersectionTypeNode(type)) {
      for (const part of type.types) {
        const found = typeReference(part, scope, followed + 1);
        if (found !== undefined) return found;
      }
      return undefined;
    }
    if (type.kind === ts.SyntaxKind.ThisType) {
      return scope.self?.is === "self"
        ? { root: { kind: "symbol", symbol: scope.self.symbol }, members: [] }
        : undefined;
    }
    if (!ts.isTypeReferenceNode(type)) return undefined;
    const { typeName, typeArguments } = type;
    if (!ts.isIdentifier(typeName)) {
      const { reference } = resolve(entityValue(typeName, scope, TYPE));
      return isUnknown(reference) ? undefined : reference;
    }
    const binding = scope.find(typeName.text, TYPE);
    if (binding === undefined) {
      const argument = typeArguments?.[0];
      if (argument !== undefined && WRAPPERS.has(typeName.text)) return typeReference(argument, scope, followed + 1);
      return { root: { kind: "free", name: typeName.text }, members: [] };
    }
    const root = rootOf(binding);
    const argument = typeArguments?.[0];
    const mayBeAlias = binding.import >= 0 || state.symbols[binding.symbol]?.kind === "typeAlias";
    if (root !== undefined && argument !== undefined && mayBeAlias) {
      const to = typeReference(argument, scope, followed + 1);
      if (to !== undefined) return { root: { kind: "applied", type: root.reference, to }, members: [] };
    }
    if (root !== undefined) return root.reference;
    const { value } = binding;
    return value?.is === "typed" ? typeReference(value.type, value.scope, followed + 1) : undefined;
  };

  /** The type that a value is declared with in this file. */
  const declaredType = (value: Value, followed: number): TypeInScope | undefined => {
    if (followed > MAX_FOLLOWED) return undefined;
    switch (value.is) {
      case "typed":
        return value;
      case "name": {
        const binding = value.scope.find(value.name, value.meaning);
        const held = binding && (state.symbols[binding.symbol]?.type ?? binding.value);
        return held && declaredType(held, followed + 1);
      }
      case "member": {
        if (value.of === undefined) return undefined;
        const literal = literalMember(value.of, value.name);
        if (literal !== undefined) return literal;
        const own =
          value.of.is === "self" ? state.symbols[state.memberOf(value.of.symbol, value.name)]?.type : undefined;
        return own && declaredType(own, followed + 1);
      }
      case "element": {
        const list = declaredType(value.of, followed + 1);
        return list && elementType(list);
      }
      default:
        return undefined;
    }
  };

  /** Type of a member of a value whose type is written out as a literal. */
  const literalMember = (of: Value, name: string): TypeInScope | undefined => {
    if (of.is !== "typed" && of.is !== "name") return undefined;
    const holder = of.is === "typed" ? of : localType(of);
    if (holder === undefined) return undefined;
    const type = bareType(holder.type);
    if (!ts.isTypeLiteralNode(type)) return undefined;
    for (const member of type.members) {
      if (!ts.isPropertySignature(member) || member.type === undefined) continue;
      if (ts.isIdentifier(member.name) && member.name.text === name) return { type: member.type, scope: holder.scope };
    }
    return undefined;
  };

  const localType = (value: Value & { is: "name" }): TypeInScope | undefined => {
    const binding = value.scope.find(value.name, value.meaning);
    return binding !== undefined && binding.symbol < 0 && binding.value?.is === "typed" ? binding.value : undefined;
  };

  return {
    /** Where a use leads; undefined where it is a local, so that there is nothing to tell. */
    targetOf: (value: Value): Reference | undefined => {
      if (value.is === "name") {
        const binding = value.scope.find(value.name, value.meaning);
        if (binding !== undefined && isLocal(binding)) return undefined;
      }
      return resolve(value).reference;
    },
    /** What a symbol holds or gives a list of, where that is a type with a name. */
    elementOf: (value: Value | undefined): Reference | undefined => {
      const list = value?.is === "typed" ? elementType(value) : undefined;
      return list && typeReference(list.type, list.scope, 0);
    },
    /** The type of a symbol, as a reference; undefined where it is none that has a name. */
    typeOf: (value: Value | undefined): Reference | undefined => {
      if (value === undefined) return undefined;
      if (value.is === "typed") return typeReference(value.type, value.scope, 0);
      if (value.is !== "instance" && value.is !== "result") return undefined;
      const { reference } = resolve(value.is === "instance" ? value.of : value);
      return isUnknown(reference) ? undefined : reference;
    },
  };
}

/** Whether nothing leads out of a declaration: it is neither symbol nor import, nor another name for one. */
function isLocal(binding: Binding): boolean {
  return binding.symbol < 0 && binding.import < 0 && !(binding.meaning === ANY_MEANING && binding.value !== undefined);
}

function rootOf(binding: Binding): Resolved | undefined {
  if (binding.symbol >= 0) return plain({ kind: "symbol", symbol: binding.symbol });
  return binding.import >= 0 ? plain({ kind: "import", import: binding.import }) : undefined;
}

function plain(root: ReferenceRoot): Resolved {
  return { reference: root.kind === "unknown" ? UNKNOWN : { root, members: [] }, nesting: 0 };
}

/** Whether nothing is known, or nothing but names of members. */
function isUnknown(reference: Reference): boolean {
  return reference.root.kind === "unknown";
}

function entityValue(name: ts.EntityName, scope: Scope, meaning: number): Value {
  if (ts.isIdentifier(name)) return { is: "name", name: name.text, scope, meaning };
  const of = entityValue(name.left, scope, meaning === TYPE ? NAMESPACE : meaning);
  return { is: "member", of, name: name.right.text };
}

/** A type without parentheses, `readonly`, and without `null` and `undefined` beside it. */
function bareType(node: ts.TypeNode): ts.TypeNode {
  let at = node;
  for (;;) {
    if (ts.isParenthesizedTypeNode(at)) {
      at = at.type;
    } else if (ts.isTypeOperatorNode(at) && at.operator === ts.SyntaxKind.ReadonlyKeyword) {
      at = at.type;
    } else if (ts.isUnionTypeNode(at)) {
      const parts: readonly ts.TypeNode[] = at.types.filter((type) => !isNothing(type));
      const [only] = parts;
      if (parts.length !== 1 || only === undefined) return at;
      at = only;
    } else {
      return at;
    }
  }
}

function isNothing(type: ts.TypeNode): boolean {
  if (ts.isLiteralTypeNode(type)) return type.literal.kind === ts.SyntaxKind.NullKeyword;
  return type.kind === ts.SyntaxKind.UndefinedKeyword || type.kind === ts.SyntaxKind.VoidKeyword;
}

function elementType({ type, scope }: TypeInScope): TypeInScope | undefined {
  let bare = bareType(type);
  for (;;) {
    if (ts.isArrayTypeNode(bare)) return { type: bare.elementType, scope };
    if (!ts.isTypeReferenceNode(bare) || !ts.isIdentifier(bare.typeName)) return undefined;
    const [first] = bare.typeArguments ?? [];
    if (first === undefined) return undefined;
    if (LISTS.has(bare.typeName.text)) return { type: first, scope };
    if (!WRAPPERS.has(bare.typeName.text)) return undefined;
    bare = bareType(first);
  }
}

/** The list that a value is made from by methods that keep its elements. */
function listOf(value: Value): Value {
  let at = value;
  while (at.is === "result" && at.of.is === "member" && at.of.of !== undefined && SAME_ELEMENTS.has(at.of.name)) {
    at = at.of.of;
  }
  return at;
}
