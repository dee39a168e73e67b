/**
 * Declarations that are written as assignments: exports of CommonJS, methods of a prototype, properties of a function.
 */
import ts from "typescript";
import { addImport, type FileState, memberOf } from "./file-state.ts";
import { type LoadedModule, loadedModuleOf } from "./module-calls.ts";
import { bareExpression, memberName, objectLiteralOf } from "./names.ts";
import { findBinding, type Scope, VALUE, type Value } from "./scope.ts";
import { visitExpression, visitTarget } from "./visit-expressions.ts";
import { addExport, EXPORT_EQUALS } from "./visit-modules.ts";
import { addValueSymbol, visitNamedValue, visitObjectMembers } from "./visit-values.ts";

const { SyntaxKind } = ts;

/** What a chain `exports = module.exports = value` assigns, and to what. */
interface AssignmentChain {
  readonly value: ts.Expression | undefined;
  /** Names under which it exports the value. */
  readonly names: readonly string[];
  /** Where each of them stands. */
  readonly nameNodes: readonly ts.MemberName[];
  /** The first target that exports. */
  readonly target: ts.PropertyAccessExpression | undefined;
  /** Targets that are neither exports nor the object that holds them. */
  readonly others: readonly ts.Expression[];
}

/** Takes a chain of assignments apart; without any, all of it is the value. */
export function splitAssignments(state: FileState, node: ts.Expression | undefined, scope: Scope): AssignmentChain {
  const names: string[] = [];
  const nameNodes: ts.MemberName[] = [];
  const others: ts.Expression[] = [];
  let target: ts.PropertyAccessExpression | undefined;
  let value = node;
  while (value !== undefined && isAssignment(value)) {
    const { left, right } = value;
    const name = exportedName(state, left, scope);
    if (name !== undefined) {
      names.push(name);
      nameNodes.push((left as ts.PropertyAccessExpression).name);
      target ??= left as ts.PropertyAccessExpression;
    } else if (!isModuleObject(state, left, scope)) {
      others.push(left);
    }
    value = right;
  }
  return { value, names, nameNodes, target, others };
}

/** Walks a statement `a.b = …` at the top of a file that declares something; false for other statements. */
export function visitAssignmentStatement(state: FileState, node: ts.ExpressionStatement, scope: Scope): boolean {
  if (!isAssignment(node.expression)) return false;
  const { value, names, nameNodes, target, others } = splitAssignments(state, node.expression, scope);
  if (value === undefined) return false;
  if (target !== undefined) {
    for (const other of others) visitTarget(state, other, scope);
    visitExported(state, node, target, names, nameNodes, value, scope);
    return true;
  }
  return visitMembers(state, node, others, value, scope);
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
  return (
    state.isCommonJs && ts.isIdentifier(node) && node.text === name && findBinding(scope, name, VALUE) === undefined
  );
}

function visitExported(
  state: FileState,
  node: ts.ExpressionStatement,
  target: ts.PropertyAccessExpression,
  names: readonly string[],
  nameNodes: readonly ts.MemberName[],
  value: ts.Expression,
  scope: Scope,
): void {
  const bare = bareExpression(value);
  const [first = ""] = names;
  const loaded = loadedModuleOf(bare, scope);
  const passed = passedMember(state, bare, scope);
  if (passed !== undefined && first !== EXPORT_EQUALS) {
    const from = {
      kind: "reexports",
      specifier: passed.specifier,
      imported: passed.imported,
      typeOnly: false,
    } as const;
    for (const [index, name] of names.entries()) {
      addImport(state, { ...from, local: name, from: scope.from }, passed.at, nameNodes[index]);
    }
    visitExpression(state, bare, scope);
    return;
  }
  if (loaded !== undefined) {
    for (const [index, name] of names.entries()) {
      const isWhole = name === EXPORT_EQUALS && loaded.imported === "*";
      addReexport(state, loaded, isWhole ? "*" : name, scope, nameNodes[index]);
    }
    return;
  }
  if (ts.isIdentifier(bare)) {
    for (const [index, name] of names.entries()) addExport(state, bare, scope, name, false, nameNodes[index]);
    return;
  }
  if (first === EXPORT_EQUALS && ts.isObjectLiteralExpression(bare)) {
    visitExportedObject(state, bare, scope);
    return;
  }
  // `exports.a = void 0` only makes room for a name.
  if (ts.isVoidExpression(bare)) return;
  const isWhole = first === EXPORT_EQUALS;
  const written = (bare as { readonly name?: ts.Node }).name;
  const ownName = written !== undefined && ts.isIdentifier(written) && hasOwnName(bare) ? written : undefined;
  const nameNode = isWhole ? ownName : target.name;
  const symbol = addValueSymbol(state, {
    plainKind: "constant",
    functionKind: "function",
    value,
    name: isWhole ? (ownName?.text ?? "default") : first,
    nameNode,
    node,
    scope,
    flags: isWhole ? ["exported", "defaultExport"] : ["exported"],
    exportedAs: names,
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
  const container = findBinding(scope, target.expression.text, VALUE)?.symbol ?? -1;
  if (container < 0) return false;
  visitExpression(state, target, scope, "writes");
  visitObjectMembers(state, literal, scope, container);
  return true;
}

interface AssignedMember {
  readonly name: ts.MemberName;
  readonly owner: ts.Expression;
  readonly container: number;
  readonly isOfPrototype: boolean;
}

/** The symbol that `a` or `a.b` names, where this file declares it; else -1. */
function symbolOf(state: FileState, node: ts.Expression, scope: Scope): number {
  if (ts.isIdentifier(node)) return findBinding(scope, node.text, VALUE)?.symbol ?? -1;
  if (!ts.isPropertyAccessExpression(node)) return -1;
  const owner = symbolOf(state, node.expression, scope);
  return owner < 0 ? -1 : memberOf(state, owner, node.name.text);
}

/** The member that an assignment declares; undefined where it changes one, or something else. */
function assignedMember(state: FileState, target: ts.Expression, scope: Scope): AssignedMember | undefined {
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
  const module = state.imports[findBinding(scope, node.expression.text, VALUE)?.import ?? -1];
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
  const entry = { kind: "reexports", specifier: specifier.text, imported, local: name, typeOnly: false } as const;
  addImport(state, { ...entry, from: scope.from }, member ?? specifier, member && as);
}

function isAssignment(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.EqualsToken;
}

function hasOwnName(node: ts.Expression): boolean {
  return ts.isFunctionExpression(node) || ts.isClassExpression(node);
}
