/**
 * Imports and exports, of ES modules and of CommonJS.
 */
import ts from "typescript";
import type { SymbolFlag } from "../../../src/core/format/code-model.ts";
import type { FileState } from "./file-state.ts";
import {
  bareExpression,
  hasModifier,
  type LoadedModule,
  loadedModuleOf,
  memberName,
  objectLiteralOf,
} from "./nodes.ts";
import { ANY_MEANING, declareIn, NAMESPACE, type Scope, VALUE, type Value } from "./scope.ts";
import { addValueSymbol, exportsOf, visitNamedValue, visitObjectMembers } from "./visit-classes.ts";
import { useEntity, visitExpression, visitTarget } from "./visit-expressions.ts";

const { SyntaxKind } = ts;

/** Name of what a module exports as a whole: `export =` and `module.exports =`. */
export const EXPORT_EQUALS = "export=";

/** Walks `import a = require("…")` and `import A = B.C`. */
export function visitImportEquals(state: FileState, node: ts.ImportEqualsDeclaration, scope: Scope): void {
  const { name, moduleReference, isTypeOnly } = node;
  if (ts.isExternalModuleReference(moduleReference)) {
    const { expression } = moduleReference;
    if (!ts.isStringLiteralLike(expression)) return;
    const entry = { specifier: expression.text, imported: "*", local: name.text, typeOnly: isTypeOnly };
    const index = state.addImport(entry, scope, name);
    scope.declare(name.text, { meaning: ANY_MEANING, import: index });
    if (hasModifier(node, SyntaxKind.ExportKeyword)) state.addImport({ ...entry, kind: "reexports" }, scope, name);
    return;
  }
  const value = useEntity(state, moduleReference, scope, ANY_MEANING, "reads");
  if (!hasModifier(node, SyntaxKind.ExportKeyword)) {
    scope.declare(name.text, { meaning: ANY_MEANING, value });
    return;
  }
  const exported = exportsOf(node, name.text, scope);
  const symbol = state.addSymbol({ kind: "namespace", nameNode: name, node, scope, ...exported });
  scope.declare(name.text, { meaning: ANY_MEANING, symbol, value });
}

/** Walks `export { … }`, `export * from "…"`, `export * as ns from "…"`. */
export function visitExport(state: FileState, node: ts.ExportDeclaration, scope: Scope): void {
  const { moduleSpecifier, exportClause, isTypeOnly } = node;
  if (moduleSpecifier === undefined) {
    if (exportClause === undefined || !ts.isNamedExports(exportClause)) return;
    for (const element of exportClause.elements) {
      const from = element.propertyName ?? element.name;
      const typeOnly = isTypeOnly || element.isTypeOnly;
      addExport(state, from, scope, element.name.text, typeOnly, element.name);
    }
    return;
  }
  if (!ts.isStringLiteral(moduleSpecifier)) return;
  const specifier = moduleSpecifier.text;
  const pass = (imported: string, local: string, typeOnly: boolean, at: ts.Node, name = at): void => {
    state.addImport({ kind: "reexports", specifier, imported, local, typeOnly }, scope, at, name);
  };
  if (exportClause === undefined) {
    pass("*", "*", isTypeOnly, moduleSpecifier);
  } else if (ts.isNamespaceExport(exportClause)) {
    pass("*", exportClause.name.text, isTypeOnly, exportClause.name);
  } else if (exportClause.elements.length === 0) {
    state.addImport({ specifier, typeOnly: isTypeOnly }, scope, moduleSpecifier);
  } else {
    for (const { propertyName, name, isTypeOnly: alone } of exportClause.elements) {
      pass((propertyName ?? name).text, name.text, isTypeOnly || alone, propertyName ?? name, name);
    }
  }
}

/** Walks `export default …` and `export = …` of an expression. */
export function visitExportAssignment(state: FileState, node: ts.ExportAssignment, scope: Scope): void {
  const exportedAs = node.isExportEquals === true ? EXPORT_EQUALS : "default";
  const { expression } = node;
  if (ts.isIdentifier(expression)) {
    addExport(state, expression, scope, exportedAs, false);
    return;
  }
  if (ts.isPropertyAccessExpression(expression) && node.isExportEquals === true) {
    state.visit(expression, scope);
    return;
  }
  const flags: SymbolFlag[] = ["exported", "defaultExport"];
  const symbol = addValueSymbol(state, {
    plainKind: "constant",
    functionKind: "function",
    value: expression,
    name: "default",
    node,
    scope,
    flags,
    exportedAs: [exportedAs],
  });
  visitNamedValue(state, expression, scope, symbol);
}

/** Notes that a name of the scope is exported, and uses it there. `as` is where the exported name stands, where it does. */
function addExport(
  state: FileState,
  name: ts.ModuleExportName,
  scope: Scope,
  exportedAs: string,
  typeOnly: boolean,
  as: ts.Node = name,
): void {
  if (name.text === "") return;
  const exportedAt = as === name ? undefined : state.startOf(as);
  state.exports.push({ name: name.text, scope, exportedAs, offset: state.startOf(name), exportedAt, typeOnly });
}

/** Walks a namespace or ambient module. */
export function visitModule(state: FileState, node: ts.ModuleDeclaration, scope: Scope, outer: ts.Node = node): void {
  const { name, body } = node;
  const isAmbient = ts.isStringLiteral(name) || (node.flags & ts.NodeFlags.GlobalAugmentation) !== 0;
  const isDotted = outer !== node;
  const exported = isAmbient ? { flags: [], exportedAs: [] } : exportsOf(isDotted ? node : outer, name.text, scope);
  if (isDotted && !exported.flags.includes("exported")) exported.flags.push("exported");
  const block = innermostBlock(node);
  const symbol = state.addSymbol({
    kind: ts.isStringLiteral(name) ? "module" : "namespace",
    nameNode: name,
    node,
    bodyStart: block && state.braceBefore(block.statements),
    scope,
    ...exported,
  });
  if (!isAmbient) {
    const meaning = hasValues(node) ? VALUE | NAMESPACE : NAMESPACE;
    scope.declare(name.text, { meaning, symbol });
  }
  if (body === undefined || ts.isIdentifier(body)) return;
  const inside = symbol < 0 ? scope.from : symbol;
  const statements = ts.isModuleBlock(body) ? body.statements : undefined;
  const isDeclared =
    scope.exportsAll || isAmbient || hasModifier(outer, SyntaxKind.DeclareKeyword) || state.file.isDeclarationFile;
  const exportsAll = isDeclared && !(statements ?? []).some(isExportList);
  const path = `${pathOf(state, scope.container)} ${ts.isStringLiteral(name) ? JSON.stringify(name.text) : name.text}`;
  const shared = state.sharedNames.get(path) ?? new Map();
  state.sharedNames.set(path, shared);
  const change = { place: "module", from: inside, container: inside, self: undefined, base: undefined } as const;
  const inner = scope.openAs({ ...change, exportsAll, shared }, true);
  if (statements === undefined) visitModule(state, body as ts.ModuleDeclaration, inner, outer);
  for (const statement of statements ?? []) state.visit(statement, inner);
  for (const [declared, binding] of inner.names ?? []) {
    if (state.symbols[binding.symbol]?.flags.includes("exported")) declareIn(shared, declared, binding);
  }
}

/** Whether a statement says itself what is exported, so that nothing else is. */
export function isExportList(statement: ts.Statement): boolean {
  return ts.isExportDeclaration(statement) || ts.isExportAssignment(statement);
}

/** Names of a namespace and of those around it. */
function pathOf(state: FileState, symbol: number): string {
  const found = state.symbols[symbol];
  return found === undefined ? "" : `${pathOf(state, found.parent)} ${found.name}`;
}

function innermostBlock(node: ts.ModuleDeclaration): ts.ModuleBlock | undefined {
  let body: ts.Node | undefined = node.body;
  while (body !== undefined && ts.isModuleDeclaration(body)) body = body.body;
  return body !== undefined && ts.isModuleBlock(body) ? body : undefined;
}

/** Whether a namespace is a value at run time: it holds more than types. */
function hasValues(node: ts.ModuleDeclaration): boolean {
  const block = innermostBlock(node);
  return (block?.statements ?? []).some(
    (statement) =>
      !ts.isInterfaceDeclaration(statement) &&
      !ts.isTypeAliasDeclaration(statement) &&
      !(ts.isModuleDeclaration(statement) && !hasValues(statement)),
  );
}

/** What a chain `exports = module.exports = value` assigns, and to what. */
interface AssignmentChain {
  readonly value: ts.Expression | undefined;
  /** Names under which it exports the value, and where they stand. */
  readonly exported: readonly { readonly name: string; readonly at: ts.MemberName }[];
  /** Targets that are neither exports nor the object that holds them. */
  readonly others: readonly ts.Expression[];
}

/** Takes a chain of assignments apart; without any, all of it is the value. */
export function splitAssignments(state: FileState, node: ts.Expression | undefined, scope: Scope): AssignmentChain {
  const exported: AssignmentChain["exported"][number][] = [];
  const others: ts.Expression[] = [];
  let value = node;
  for (; value !== undefined && isAssignment(value); value = value.right) {
    const { left } = value;
    const name = exportedName(state, left, scope);
    if (name !== undefined) exported.push({ name, at: (left as ts.PropertyAccessExpression).name });
    else if (!isModuleObject(state, left, scope)) others.push(left);
  }
  return { value, exported, others };
}

/** Walks a statement `a.b = …` at the top of a file that declares something; false for other statements. */
export function visitAssignmentStatement(state: FileState, node: ts.ExpressionStatement, scope: Scope): boolean {
  if (!isAssignment(node.expression)) return false;
  const { value, exported, others } = splitAssignments(state, node.expression, scope);
  if (value === undefined) return false;
  if (exported.length === 0) return visitMembers(state, node, others, value, scope);
  for (const other of others) visitTarget(state, other, scope);
  visitExported(state, node, exported, value, scope);
  return true;
}

/** Under which name `exports.a`, `module.exports.a` (`a`) or `module.exports` (`export=`) export. */
function exportedName(state: FileState, target: ts.Expression, scope: Scope): string | undefined {
  if (!ts.isPropertyAccessExpression(target)) return undefined;
  if (isModuleObject(state, target.expression, scope)) return target.name.text;
  return isModuleExports(state, target, scope) ? EXPORT_EQUALS : undefined;
}

/** Whether an expression is `exports` or `module.exports`. */
function isModuleObject(state: FileState, node: ts.Expression, scope: Scope): boolean {
  return isUnbound(state, node, "exports", scope) || isModuleExports(state, node, scope);
}

function isModuleExports(state: FileState, node: ts.Expression, scope: Scope): boolean {
  return (
    ts.isPropertyAccessExpression(node) &&
    node.name.text === "exports" &&
    isUnbound(state, node.expression, "module", scope)
  );
}

function isUnbound(state: FileState, node: ts.Expression, name: string, scope: Scope): boolean {
  return state.isCommonJs && ts.isIdentifier(node) && node.text === name && scope.find(name, VALUE) === undefined;
}

function visitExported(
  state: FileState,
  node: ts.ExpressionStatement,
  exported: AssignmentChain["exported"],
  value: ts.Expression,
  scope: Scope,
): void {
  const bare = bareExpression(value);
  const [first] = exported as [AssignmentChain["exported"][number]];
  const isWhole = first.name === EXPORT_EQUALS;
  const loaded = loadedModuleOf(bare, scope);
  const passed = isWhole ? undefined : passedMember(state, bare, scope);
  if (passed !== undefined) {
    const { specifier, imported } = passed;
    const from = { kind: "reexports", specifier, imported } as const;
    for (const { name, at } of exported) state.addImport({ ...from, local: name }, scope, passed.at, at);
    visitExpression(state, bare, scope);
    return;
  }
  if (loaded !== undefined) {
    for (const { name, at } of exported) {
      const isAll = name === EXPORT_EQUALS && loaded.imported === "*";
      addReexport(state, loaded, isAll ? "*" : name, scope, at);
    }
    return;
  }
  if (ts.isIdentifier(bare)) {
    for (const { name, at } of exported) addExport(state, bare, scope, name, false, at);
    return;
  }
  if (isWhole && ts.isObjectLiteralExpression(bare)) {
    visitExportedObject(state, bare, scope);
    return;
  }
  // `exports.a = void 0` only makes room for a name.
  if (ts.isVoidExpression(bare)) return;
  const ownName = ts.isFunctionExpression(bare) || ts.isClassExpression(bare) ? bare.name : undefined;
  const symbol = addValueSymbol(state, {
    plainKind: "constant",
    functionKind: "function",
    value,
    name: isWhole ? (ownName?.text ?? "default") : first.name,
    nameNode: isWhole ? ownName : first.at,
    node,
    scope,
    flags: isWhole ? ["exported", "defaultExport"] : ["exported"],
    exportedAs: exported.map(({ name }) => name),
  });
  visitNamedValue(state, value, scope, symbol);
}

/** `module.exports = { a, b: c, d() {} }` exports names of the file and what it declares itself. */
function visitExportedObject(state: FileState, literal: ts.ObjectLiteralExpression, scope: Scope): void {
  for (const property of literal.properties) {
    if (ts.isShorthandPropertyAssignment(property)) {
      addExport(state, property.name, scope, property.name.text, false);
      continue;
    }
    if (ts.isSpreadAssignment(property)) {
      const loaded = loadedModuleOf(property.expression, scope);
      if (loaded?.imported === "*") addReexport(state, loaded, "*", scope);
      else state.visit(property.expression, scope);
      continue;
    }
    const name = memberName(state, property.name);
    const value = ts.isPropertyAssignment(property) ? bareExpression(property.initializer) : undefined;
    const loaded = value && loadedModuleOf(value, scope);
    if (loaded !== undefined) {
      addReexport(state, loaded, name, scope, property.name);
    } else if (value !== undefined && ts.isIdentifier(value)) {
      addExport(state, value, scope, name, false, property.name);
    } else {
      visitExportedMember(state, property, name, scope);
    }
  }
}

function visitExportedMember(
  state: FileState,
  property: ts.ObjectLiteralElementLike,
  name: string,
  scope: Scope,
): void {
  const asMethod = ts.isMethodDeclaration(property) ? property : undefined;
  const value = ts.isPropertyAssignment(property) ? property.initializer : undefined;
  const symbol = addValueSymbol(state, {
    plainKind: asMethod === undefined ? "property" : "method",
    functionKind: "method",
    value,
    name,
    nameNode: property.name,
    node: property,
    scope,
    flags: ["exported"],
    exportedAs: [name],
  });
  if (value !== undefined) visitNamedValue(state, value, scope, symbol);
  else state.visit(property, scope);
}

/** `Store.prototype.open = …`, `Store.prototype = {…}`, `open.later = …` of what the file declares above. */
function visitMembers(
  state: FileState,
  node: ts.ExpressionStatement,
  targets: readonly ts.Expression[],
  value: ts.Expression,
  scope: Scope,
): boolean {
  const [target] = targets;
  if (targets.length === 1 && target !== undefined && visitPrototype(state, target, value, scope)) return true;
  const members = targets.flatMap((at) => assignedMember(state, at, scope) ?? []);
  if (members.length !== targets.length) return false;
  let last = -1;
  for (const { name, container, isOfPrototype } of members) {
    last = addValueSymbol(state, {
      plainKind: "property",
      functionKind: "method",
      value,
      name: name.text,
      nameNode: name,
      node,
      scope,
      parent: container,
      flags: isOfPrototype ? [] : ["static"],
    });
  }
  for (const { owner } of members) visitExpression(state, owner, scope);
  const [first] = members;
  const self: Value | undefined = first && { is: "self", symbol: first.container };
  visitNamedValue(state, value, scope, last, { self, base: undefined });
  return true;
}

function visitPrototype(state: FileState, target: ts.Expression, value: ts.Expression, scope: Scope): boolean {
  if (!ts.isPropertyAccessExpression(target) || target.name.text !== "prototype") return false;
  const literal = objectLiteralOf(value);
  if (literal === undefined || !ts.isIdentifier(target.expression)) return false;
  const container = scope.find(target.expression.text, VALUE)?.symbol ?? -1;
  if (container < 0) return false;
  visitExpression(state, target, scope, "writes");
  visitObjectMembers(state, literal, scope, container);
  return true;
}

/** The symbol that `a` or `a.b` names, where this file declares it; else -1. */
function symbolOf(state: FileState, node: ts.Expression, scope: Scope): number {
  if (ts.isIdentifier(node)) return scope.find(node.text, VALUE)?.symbol ?? -1;
  if (!ts.isPropertyAccessExpression(node)) return -1;
  const owner = symbolOf(state, node.expression, scope);
  return owner < 0 ? -1 : state.memberOf(owner, node.name.text);
}

/** The member that an assignment declares; undefined where it changes one, or something else. */
function assignedMember(state: FileState, target: ts.Expression, scope: Scope) {
  if (!ts.isPropertyAccessExpression(target) || target.name.text === "prototype") return undefined;
  const { expression: owner, name } = target;
  const isOfPrototype = ts.isPropertyAccessExpression(owner) && owner.name.text === "prototype";
  const named = isOfPrototype ? owner.expression : owner;
  const container = symbolOf(state, named, scope);
  const holder = state.symbols[container];
  if (holder === undefined) return undefined;
  // Functions and empty objects are built up like this; in JavaScript, whatever is not written as an object with members.
  const size = state.objectSizes.get(container);
  const grows =
    holder.kind === "function" ||
    holder.kind === "class" ||
    size === 0 ||
    (state.isJavaScript && size === undefined && (holder.kind === "constant" || holder.kind === "variable"));
  const key = `${container} ${name.text}`;
  if (!grows || scope.place !== "module" || state.assigned.has(key)) return undefined;
  state.assigned.add(key);
  return { name, owner, container, isOfPrototype };
}

/** What `parser.json` is of, where `parser` is an imported module. */
function passedMember(
  state: FileState,
  node: ts.Expression,
  scope: Scope,
): { readonly specifier: string; readonly imported: string; readonly at: ts.Node } | undefined {
  if (!ts.isPropertyAccessExpression(node) || !ts.isIdentifier(node.expression)) return undefined;
  const module = state.imports[scope.find(node.expression.text, VALUE)?.import ?? -1];
  return module?.imported === "*"
    ? { specifier: module.specifier, imported: node.name.text, at: node.name }
    : undefined;
}

/** `as` is where the name stands under which it is passed on. */
function addReexport(
  state: FileState,
  { specifier, imported, member }: LoadedModule,
  name: string,
  scope: Scope,
  as?: ts.Node,
): void {
  const entry = { kind: "reexports", specifier: specifier.text, imported, local: name } as const;
  state.addImport(entry, scope, member ?? specifier, member && as);
}

function isAssignment(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.EqualsToken;
}
