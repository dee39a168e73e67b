/**
 * Declarations that are written as assignments: exports of CommonJS, methods of a prototype, properties of a function.
 */
import ts from "typescript";
import { addImport, type FileState } from "./file-state.ts";
import { specifierOfCall } from "./module-calls.ts";
import { bareExpression, memberName, objectLiteralOf } from "./names.ts";
import { findBinding, type Scope, VALUE, type Value } from "./scope.ts";
import { visitExpression } from "./visit-expressions.ts";
import { addExport, EXPORT_EQUALS } from "./visit-modules.ts";
import { addValueSymbol, visitNamedValue, visitObjectMembers } from "./visit-values.ts";

const { SyntaxKind } = ts;

/** Walks a statement `a.b = …` at the top of a file that declares something; false for other statements. */
export function visitAssignmentStatement(state: FileState, node: ts.ExpressionStatement, scope: Scope): boolean {
  if (!isAssignment(node.expression)) return false;
  const targets: ts.Expression[] = [];
  let value: ts.Expression = node.expression;
  while (isAssignment(value)) {
    targets.push(value.left);
    value = value.right;
  }
  const names = targets.map((target) => exportedName(state, target, scope));
  const exported = names.filter((name) => name !== undefined);
  if (exported.length > 0) {
    for (const [index, target] of targets.entries()) {
      if (names[index] === undefined && !isModuleObject(state, target, scope)) {
        visitExpression(state, target, scope, "writes");
      }
    }
    visitExported(
      state,
      node,
      targets[names.findIndex((name) => name !== undefined)] as ts.Expression,
      exported,
      value,
      scope,
    );
    return true;
  }
  const [target] = targets;
  return targets.length === 1 && target !== undefined && visitProperty(state, node, target, value, scope);
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
  target: ts.Expression,
  names: readonly string[],
  value: ts.Expression,
  scope: Scope,
): void {
  const bare = bareExpression(value);
  const [first = ""] = names;
  const specifier = specifierOfCall(bare, scope);
  if (specifier !== undefined) {
    for (const name of names) addReexport(state, specifier, name === EXPORT_EQUALS ? "*" : name, scope);
    return;
  }
  if (ts.isIdentifier(bare)) {
    for (const name of names) addExport(state, bare, scope, name, false);
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
  const nameNode = isWhole ? undefined : (target as ts.PropertyAccessExpression).name;
  const symbol = addValueSymbol(state, {
    plainKind: "constant",
    functionKind: "function",
    value,
    name: !isWhole
      ? first
      : written !== undefined && ts.isIdentifier(written) && hasOwnName(bare)
        ? written.text
        : "default",
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
      const specifier = specifierOfCall(property.expression, scope);
      if (specifier !== undefined) addReexport(state, specifier, "*", scope);
      else state.visit(property.expression, scope);
      continue;
    }
    const name = memberName(state, property.name);
    const value = ts.isPropertyAssignment(property) ? bareExpression(property.initializer) : undefined;
    const specifier = value && specifierOfCall(value, scope);
    if (specifier !== undefined) {
      addReexport(state, specifier, name, scope);
    } else if (value !== undefined && ts.isIdentifier(value)) {
      addExport(state, value, scope, name, false);
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
    plainKind: asMethod === undefined ? "constant" : "function",
    functionKind: "function",
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
function visitProperty(
  state: FileState,
  node: ts.ExpressionStatement,
  target: ts.Expression,
  value: ts.Expression,
  scope: Scope,
): boolean {
  if (!ts.isPropertyAccessExpression(target)) return false;
  const isPrototype = target.name.text === "prototype";
  const owner = target.expression;
  const isOfPrototype = ts.isPropertyAccessExpression(owner) && owner.name.text === "prototype";
  const named = isOfPrototype ? owner.expression : owner;
  if (!ts.isIdentifier(named)) return false;
  const container = findBinding(scope, named.text, VALUE)?.symbol ?? -1;
  const holder = state.symbols[container];
  if (holder === undefined) return false;
  const literal = objectLiteralOf(value);
  const self: Value = { is: "self", symbol: container };
  if (isPrototype && literal !== undefined) {
    visitExpression(state, target, scope, "writes");
    visitObjectMembers(state, literal, scope, container);
    return true;
  }
  // Functions, classes and empty objects are built up like this; elsewhere it is a property that changes.
  const grows = holder.kind === "function" || holder.kind === "class" || state.emptyObjects.has(container);
  if (isPrototype || !grows) return false;
  const key = `${container} ${target.name.text}`;
  if (state.assigned.has(key)) return false;
  state.assigned.add(key);
  const symbol = addValueSymbol(state, {
    plainKind: "property",
    functionKind: "method",
    value,
    name: target.name.text,
    nameNode: target.name,
    node,
    scope,
    parent: container,
    flags: isOfPrototype ? [] : ["static"],
  });
  visitExpression(state, owner, scope);
  visitNamedValue(state, value, scope, symbol, { self, base: undefined });
  return true;
}

function addReexport(state: FileState, specifier: ts.StringLiteralLike, name: string, scope: Scope): void {
  const entry = { kind: "reexports", specifier: specifier.text, imported: "*", local: name, typeOnly: false } as const;
  addImport(state, { ...entry, from: scope.from }, specifier);
}

function isAssignment(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.EqualsToken;
}

function hasOwnName(node: ts.Expression): boolean {
  return ts.isFunctionExpression(node) || ts.isClassExpression(node);
}
