/**
 * Statements: declarations, variables, loops; every other node is passed on to its children.
 */

import ts from "typescript";
import { cutText } from "../../../src/core/text/short-text.ts";
import { type FileState, foldSource, MAX_SIGNATURE } from "./file-state.ts";
import { classOf, expectValue, functionOf, type LoadedModule, loadedModuleOf, memberName } from "./nodes.ts";
import { ANY_MEANING, NAMESPACE, narrowedScope, type Scope, TYPE, VALUE, type Value } from "./scope.ts";
import {
  addValueSymbol,
  basesOf,
  bindPattern,
  exportsOf,
  noteType,
  visitClass,
  visitEnum,
  visitFunction,
  visitInterface,
  visitNamedValue,
  visitTypeMembers,
} from "./visit-classes.ts";
import {
  declareLocal,
  declareTypeParameters,
  typed,
  visitExpression,
  visitTarget,
  visitType,
} from "./visit-expressions.ts";
import {
  EXPORT_EQUALS,
  splitAssignments,
  visitAssignmentStatement,
  visitExport,
  visitExportAssignment,
  visitImportEquals,
  visitModule,
} from "./visit-modules.ts";

const { SyntaxKind } = ts;

/** Walks a node of any kind; gives what is known of its value if it is an expression. */
export function visitNode(state: FileState, node: ts.Node, scope: Scope): Value | undefined {
  const { kind } = node;
  const isType = kind >= SyntaxKind.FirstTypeNode && kind <= SyntaxKind.LastTypeNode;
  const visit = isType ? visitType : STATEMENTS[kind];
  if (visit === undefined) return FUNCTIONS[kind]?.(state, node as never, scope) ?? visitExpression(state, node, scope);
  visit(state, node as never, scope);
  return undefined;
}

type TypeDeclaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.EnumDeclaration;

/** Functions that are values. Those of classes and named objects do not come here. */
const FUNCTIONS: Readonly<Record<number, (state: FileState, node: never, scope: Scope) => Value>> = {
  [SyntaxKind.ArrowFunction]: visitUnnamed,
  [SyntaxKind.FunctionExpression]: visitFunctionExpression,
  [SyntaxKind.MethodDeclaration]: visitUnnamed,
  [SyntaxKind.GetAccessor]: visitUnnamed,
  [SyntaxKind.SetAccessor]: visitUnnamed,
};

/** What is walked in another way than expressions. */
const STATEMENTS: Readonly<Record<number, (state: FileState, node: never, scope: Scope) => void>> = {
  [SyntaxKind.VariableStatement]: (state, node: ts.VariableStatement, scope) =>
    visitVariables(state, node.declarationList, scope, node),
  [SyntaxKind.FunctionDeclaration]: visitFunctionDeclaration,
  [SyntaxKind.ClassDeclaration]: visitClassDeclaration,
  [SyntaxKind.InterfaceDeclaration]: visitTypeDeclaration,
  [SyntaxKind.TypeAliasDeclaration]: visitTypeDeclaration,
  [SyntaxKind.EnumDeclaration]: visitTypeDeclaration,
  [SyntaxKind.ModuleDeclaration]: (state, node: ts.ModuleDeclaration, scope) => visitModule(state, node, scope),
  [SyntaxKind.ImportDeclaration]: visitImport,
  [SyntaxKind.ImportEqualsDeclaration]: visitImportEquals,
  [SyntaxKind.ExportDeclaration]: visitExport,
  [SyntaxKind.ExportAssignment]: visitExportAssignment,
  [SyntaxKind.ExpressionStatement]: (state, node: ts.ExpressionStatement, scope) => {
    const isDeclaration = scope.place === "module" && visitAssignmentStatement(state, node, scope);
    if (!isDeclaration) state.visit(node.expression, scope);
  },
  [SyntaxKind.ClassExpression]: visitClassExpression,
  [SyntaxKind.Block]: visitBlock,
  [SyntaxKind.CaseBlock]: visitBlock,
  [SyntaxKind.IfStatement]: (state, { expression, thenStatement, elseStatement }: ts.IfStatement, scope) => {
    state.visit(expression, scope);
    state.visit(thenStatement, narrowedScope(expression, scope));
    state.visit(elseStatement, scope);
  },
  [SyntaxKind.ForStatement]: (state, node: ts.ForStatement, scope) => {
    const inner = scope.open();
    ts.forEachChild(node, (child) => {
      if (ts.isVariableDeclarationList(child)) visitVariables(state, child, inner, undefined);
      else state.visit(child, inner);
    });
  },
  [SyntaxKind.ForInStatement]: visitLoop,
  [SyntaxKind.ForOfStatement]: visitLoop,
  [SyntaxKind.CatchClause]: visitCatch,
  [SyntaxKind.LabeledStatement]: (state, node: ts.LabeledStatement, scope) => void state.visit(node.statement, scope),
  [SyntaxKind.BreakStatement]: () => undefined,
  [SyntaxKind.ContinueStatement]: () => undefined,
  [SyntaxKind.NamespaceExportDeclaration]: () => undefined,
};

function visitBlock(state: FileState, node: ts.Block | ts.CaseBlock, scope: Scope): void {
  const inner = scope.open();
  ts.forEachChild(node, (child) => void state.visit(child, inner));
}

function visitUnnamed(state: FileState, node: ts.ArrowFunction | ts.MethodDeclaration, scope: Scope): Value {
  if (node.name !== undefined && ts.isComputedPropertyName(node.name)) state.visit(node.name.expression, scope);
  return { is: "function", node, scope: visitFunction(state, node, scope, -1) };
}

function visitFunctionDeclaration(state: FileState, node: ts.FunctionDeclaration, scope: Scope): void {
  const symbol = addDeclared(state, node, scope, VALUE, { kind: "function", typeNode: node.type });
  visitFunction(state, node, scope, symbol);
}

function visitClassDeclaration(state: FileState, node: ts.ClassDeclaration, scope: Scope): void {
  const symbol = addDeclared(state, node, scope, VALUE | TYPE, { kind: "class", bases: basesOf(state, node) });
  visitClass(state, node, scope, symbol);
}

function addDeclared(
  state: FileState,
  node: ts.FunctionDeclaration | ts.ClassDeclaration,
  scope: Scope,
  meaning: number,
  facts: Pick<Parameters<FileState["addSymbol"]>[0], "kind" | "typeNode" | "bases">,
): number {
  const name = node.name?.text ?? "default";
  const symbol = state.addSymbol({ ...facts, name, nameNode: node.name, node, scope, ...exportsOf(node, name, scope) });
  if (node.name !== undefined) scope.declare(name, { meaning, symbol });
  return symbol;
}

/** A function in an expression is a symbol where it has a name. */
function visitFunctionExpression(state: FileState, node: ts.FunctionExpression, scope: Scope): Value {
  const { name: nameNode, type: typeNode } = node;
  const flags = nameNode && exportsOf(node, nameNode.text, scope).flags;
  const symbol = nameNode && state.addSymbol({ kind: "function", nameNode, node, scope, typeNode, flags });
  return { is: "function", node, scope: visitFunction(state, node, scope, symbol ?? -1) };
}

function visitClassExpression(state: FileState, node: ts.ClassExpression, scope: Scope): void {
  const { name: nameNode } = node;
  const bases = basesOf(state, node);
  visitClass(state, node, scope, nameNode ? state.addSymbol({ kind: "class", nameNode, node, scope, bases }) : -1);
}

function visitTypeDeclaration(state: FileState, node: TypeDeclaration, scope: Scope): void {
  const name = node.name.text;
  const isAlias = ts.isTypeAliasDeclaration(node);
  const kind = isAlias ? "typeAlias" : ts.isEnumDeclaration(node) ? "enum" : "interface";
  const symbol = state.addSymbol({
    kind,
    nameNode: node.name,
    node,
    scope,
    bases: ts.isInterfaceDeclaration(node) ? basesOf(state, node) : [],
    ...exportsOf(node, name, scope),
  });
  const meaning = kind === "enum" ? VALUE | TYPE | NAMESPACE : TYPE;
  const inside = symbol < 0 ? scope.from : symbol;
  const inner = scope.openAs({ from: inside, container: inside }, false);
  scope.declare(name, { meaning, symbol, value: isAlias ? typed(node.type, inner) : undefined });
  if (ts.isEnumDeclaration(node)) visitEnum(state, node, scope, symbol);
  else if (ts.isInterfaceDeclaration(node)) visitInterface(state, node, scope, symbol);
  else visitAlias(state, node, inner, symbol);
}

function visitAlias(state: FileState, node: ts.TypeAliasDeclaration, scope: Scope, symbol: number): void {
  const typeParameters = declareTypeParameters(state, node.typeParameters, scope);
  const parts = ts.isIntersectionTypeNode(node.type) ? node.type.types : [node.type];
  const literals = (parts as readonly ts.TypeNode[]).filter(ts.isTypeLiteralNode);
  const found = state.symbols[symbol];
  if (found !== undefined) {
    // What an alias stands for is what members are looked up in.
    found.type = typed(node.type, scope);
    const members = literals.flatMap((literal) => [...literal.members]);
    noteType(state, symbol, typeParameters, members, scope);
    for (const literal of literals) state.typeSymbols.set(literal, symbol);
  }
  for (const part of parts) {
    if (ts.isTypeLiteralNode(part)) visitTypeMembers(state, part.members, scope, symbol);
    else state.visit(part, scope);
  }
}

function visitLoop(state: FileState, node: ts.ForOfStatement | ts.ForInStatement, around: Scope): void {
  const scope = around.open();
  const { initializer, expression, statement } = node;
  // What is gone through comes after the variable in the source, and its value is that of the variable.
  const value = state.visit(expression, scope);
  const element: Value | undefined =
    ts.isForOfStatement(node) && value !== undefined ? { is: "element", of: value } : undefined;
  if (ts.isVariableDeclarationList(initializer)) visitVariables(state, initializer, scope, undefined, element);
  else visitTarget(state, initializer, scope);
  state.visit(statement, scope);
}

function visitCatch(state: FileState, { variableDeclaration, block }: ts.CatchClause, around: Scope): void {
  const scope = around.open();
  if (variableDeclaration !== undefined) {
    const { name, type } = variableDeclaration;
    state.visit(type, scope);
    if (ts.isIdentifier(name)) declareLocal(scope, name.text, typed(type, scope));
    else bindPattern(state, name, undefined, scope, (_, bound) => declareLocal(scope, bound.text, undefined));
  }
  state.visit(block, scope);
}

/** Patterns in one another, and places of a list in front of a variable, that are written out. */
const MAX_PATTERNS = 6;

const MAX_PLACES = 8;

/** Walks a list of variables; `element` is what a loop gives each of them. */
function visitVariables(
  state: FileState,
  list: ts.VariableDeclarationList,
  scope: Scope,
  statement: ts.VariableStatement | undefined,
  element?: Value,
): void {
  const isVar = (list.flags & ts.NodeFlags.BlockScoped) === 0;
  const keyword = isVar ? "var" : (list.flags & ts.NodeFlags.Const) === 0 ? "let" : "const";
  const owner = isVar ? scope.variables : scope;
  const only = list.declarations.length === 1;
  const isPlain = only && list.declarations.every(({ name }) => ts.isIdentifier(name));
  const head = statement === undefined || isPlain ? `${keyword} ` : variableHead(state, statement);
  for (const declaration of list.declarations) {
    visitVariable(state, declaration, {
      scope,
      owner,
      kind: keyword === "const" ? "constant" : "variable",
      // The statement belongs to a variable that stands alone in it; others begin at their names.
      node: only && statement !== undefined ? statement : declaration,
      prefix: only && statement !== undefined ? "" : head,
      head,
      statement,
      element,
    });
  }
}

interface VariablePlace {
  readonly scope: Scope;
  /** Scope that the name is declared in. */
  readonly owner: Scope;
  readonly kind: "constant" | "variable";
  readonly node: ts.Node;
  readonly prefix: string;
  /** Words of the statement in front of its variables. */
  readonly head: string;
  readonly statement: ts.VariableStatement | undefined;
  readonly element: Value | undefined;
}

function visitVariable(state: FileState, declaration: ts.VariableDeclaration, place: VariablePlace): void {
  const { scope, owner } = place;
  const { name, type } = declaration;
  const loaded = loadedModuleOf(declaration.initializer, scope);
  if (loaded !== undefined && bindModule(state, name, loaded, scope, owner)) return;
  if (!ts.isIdentifier(name)) {
    visitPattern(state, declaration, name, place);
    return;
  }
  const { value: initializer, exported: assigned, others } = splitAssignments(state, declaration.initializer, scope);
  for (const other of others) visitTarget(state, other, scope);
  const isNamed = initializer !== undefined && (functionOf(initializer) ?? classOf(initializer)) !== undefined;
  if (owner.place !== "module" && !isNamed) {
    state.visit(type, scope);
    expectValue(state, initializer, typed(type, scope), scope);
    const held = initializer === undefined ? place.element : state.visit(initializer, scope);
    declareLocal(owner, name.text, typed(type, scope) ?? held);
    return;
  }
  const { flags, exportedAs } = exportsOf(place.statement ?? declaration, name.text, owner);
  const names = assigned.map((it) => it.name);
  if (names.length > 0) flags.push("exported");
  if (names.includes(EXPORT_EQUALS)) flags.push("defaultExport");
  const symbol = addValueSymbol(state, {
    plainKind: place.kind,
    functionKind: "function",
    value: initializer,
    nameNode: name,
    node: place.node,
    signaturePrefix: place.prefix,
    scope: owner.place === "module" ? owner : scope,
    typeNode: type,
    flags,
    exportedAs: [...exportedAs, ...names],
  });
  const asClass = initializer && classOf(initializer);
  owner.declare(name.text, { meaning: asClass ? VALUE | TYPE : VALUE, symbol, value: typed(type, scope) });
  // `const open = exports.open = …`: who asks for it names what is written there.
  for (const { at } of assigned) {
    if (at.text === name.text)
      state.addUse("writes", at, { is: "name", name: name.text, scope, meaning: VALUE }, scope);
  }
  const inner = symbol < 0 ? scope : scope.openAs({ from: symbol }, false);
  state.visit(type, inner);
  expectValue(state, initializer, typed(type, inner), inner);
  if (initializer !== undefined) visitNamedValue(state, initializer, scope, symbol);
}

/** `const { a, b: [c] } = …` */
function visitPattern(
  state: FileState,
  declaration: ts.VariableDeclaration,
  pattern: ts.BindingPattern,
  { scope, owner, kind, statement, head, element }: VariablePlace,
): void {
  const { type, initializer } = declaration;
  state.visit(type, scope);
  expectValue(state, initializer, typed(type, scope), scope);
  const held = initializer === undefined ? element : state.visit(initializer, scope);
  bindPattern(state, pattern, typed(type, scope) ?? held, scope, (node, name, value, isShort) => {
    if (owner.place !== "module") {
      declareLocal(owner, name.text, value);
      return;
    }
    const exported = exportsOf(statement ?? declaration, name.text, owner);
    if (isShort) exported.flags.push("shorthand");
    const symbol = state.addSymbol({
      kind,
      nameNode: name,
      node,
      signature: patternSignature(state, head, declaration, node),
      scope: owner,
      ...exported,
    });
    const found = state.symbols[symbol];
    if (found !== undefined) found.type = value;
    owner.declare(name.text, { meaning: VALUE, symbol, value });
  });
}

/** Makes imports of a variable that holds a module; false where its pattern goes deeper than one name each. */
function bindModule(
  state: FileState,
  name: ts.BindingName,
  { specifier, imported: part, member }: LoadedModule,
  scope: Scope,
  owner: Scope,
): boolean {
  if (ts.isIdentifier(name)) {
    const entry = { specifier: specifier.text, imported: part, local: name.text };
    const added = state.addImport(entry, scope, member ?? name, name);
    owner.declare(name.text, { meaning: ANY_MEANING, import: added });
    return true;
  }
  if (!ts.isObjectBindingPattern(name) || part !== "*") return false;
  const isPlain = name.elements.every(
    (element) =>
      ts.isIdentifier(element.name) &&
      element.dotDotDotToken === undefined &&
      (element.propertyName === undefined || !ts.isComputedPropertyName(element.propertyName)),
  );
  if (!isPlain) return false;
  if (name.elements.length === 0) state.addImport({ specifier: specifier.text }, scope, specifier);
  for (const element of name.elements) {
    const bound = element.name as ts.Identifier;
    const { propertyName = bound } = element;
    const entry = { specifier: specifier.text, imported: memberName(state, propertyName), local: bound.text };
    const added = state.addImport(entry, scope, propertyName, bound);
    owner.declare(bound.text, { meaning: ANY_MEANING, import: added });
    state.visit(element.initializer, scope);
  }
  return true;
}

/** What stands in front of the first variable of a statement: `export const `. */
function variableHead(state: FileState, statement: ts.VariableStatement): string {
  const [first] = statement.declarationList.declarations;
  const end = first === undefined ? statement.end : state.startOf(first);
  return `${foldSource(state.text, state.startOf(statement), end)} `;
}

/**
 * A declaration with one variable of its pattern alone, up to what is a body: `const { beta: gamma } = make()` for `gamma` in
 * `const { alpha, beta: gamma } = make()`. At most 400 characters.
 */
function patternSignature(
  state: FileState,
  head: string,
  { name, type, initializer }: ts.VariableDeclaration,
  variable: ts.BindingElement,
): string {
  let open = head;
  let close = "";
  let pattern = name;
  for (let level = 0; !ts.isIdentifier(pattern); level++) {
    const index = pattern.elements.findIndex(({ end }) => end >= variable.end);
    const element = pattern.elements[index];
    const isObject = ts.isObjectBindingPattern(pattern);
    open += isObject ? "{ " : `[${index > MAX_PLACES ? "…, " : ", ".repeat(index)}`;
    close = `${isObject ? " }" : "]"}${close}`;
    if (element === undefined || ts.isOmittedExpression(element)) break;
    if (element === variable || level === MAX_PATTERNS) {
      open += element === variable ? foldNode(state, variable) : `… ${foldNode(state, variable)}`;
      break;
    }
    if (element.propertyName !== undefined) open += `${foldNode(state, element.propertyName)}: `;
    pattern = element.name;
  }
  const typed = type === undefined ? "" : `: ${foldNode(state, type)}`;
  const isBody =
    initializer === undefined || ts.isObjectLiteralExpression(initializer) || ts.isFunctionLike(initializer);
  return cutText(`${open}${close}${typed}${isBody ? "" : ` = ${foldNode(state, initializer)}`}`, MAX_SIGNATURE);
}

function foldNode(state: FileState, node: ts.Node): string {
  return foldSource(state.text, state.startOf(node), node.end);
}

/** Walks `import … from "…"`. */
function visitImport(state: FileState, node: ts.ImportDeclaration, scope: Scope): void {
  const { moduleSpecifier, importClause } = node;
  if (!ts.isStringLiteral(moduleSpecifier)) return;
  const specifier = moduleSpecifier.text;
  const bind = (imported: string, name: ts.Identifier, typeOnly: boolean, at: ts.ModuleExportName = name): void => {
    if (name.text === "") return;
    const renamed = at.text !== imported && ({ renamed: true } as const);
    const index = state.addImport({ specifier, imported, local: name.text, typeOnly, ...renamed }, scope, at, name);
    // A module as a whole is no type: `Record` beside `import * as Record` is the global one.
    scope.declare(name.text, {
      meaning: imported === "*" ? VALUE | NAMESPACE : ANY_MEANING,
      import: index,
    });
  };
  const named = importClause?.namedBindings;
  if (importClause === undefined || (importClause.name === undefined && isEmpty(named))) {
    state.addImport({ specifier, typeOnly: importClause?.isTypeOnly ?? false }, scope, moduleSpecifier);
    return;
  }
  const { isTypeOnly, name } = importClause;
  if (name !== undefined) bind("default", name, isTypeOnly);
  if (named === undefined) return;
  if (ts.isNamespaceImport(named)) {
    bind("*", named.name, isTypeOnly);
    return;
  }
  for (const element of named.elements) {
    const { propertyName = element.name } = element;
    bind(propertyName.text, element.name, isTypeOnly || element.isTypeOnly, propertyName);
  }
}

function isEmpty(named: ts.NamedImportBindings | undefined): boolean {
  return named === undefined || (ts.isNamedImports(named) && named.elements.length === 0);
}
