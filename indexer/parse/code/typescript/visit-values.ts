/**
 * Values that are symbols with what stands in them: functions, classes and object literals behind a name of the module.
 */
import ts from "typescript";
import type { SymbolFlag } from "../../../../src/core/format/code-model.ts";
import { addSymbol, type FileState, type SymbolInput, startOf } from "./file-state.ts";
import { bareExpression, classOf, flagsOf, functionOf, hasModifier, memberName, objectLiteralOf } from "./names.ts";
import { openScopeAs, type Scope, type Value } from "./scope.ts";
import { basesOf, bodyOfValue, visitClass } from "./visit-classes.ts";
import { type Receiver, visitFunction } from "./visit-functions.ts";

/** A value that is given a name, and what is said of it. */
export interface NamedValue extends Omit<SymbolInput, "kind" | "bodyStart" | "bases"> {
  /** What the symbol is if its value is neither a function nor a class. */
  readonly plainKind: SymbolInput["kind"];
  /** What it is as a function. */
  readonly functionKind: SymbolInput["kind"];
  readonly value: ts.Expression | undefined;
  /** What functions in it have as `this`, where it is a member. */
  readonly receiver?: Receiver;
}

/** Adds the symbol of a value that is given a name. */
export function addValueSymbol(state: FileState, input: NamedValue): number {
  const { value, plainKind, functionKind } = input;
  const asFunction = value && functionOf(value);
  const asClass = value && classOf(value);
  const flags: SymbolFlag[] = [...(input.flags ?? [])];
  if (asFunction !== undefined) flags.push(...flagsOf(asFunction));
  const body = value && (objectLiteralOf(value) ?? bareExpression(value));
  return addSymbol(state, {
    ...input,
    kind: asFunction !== undefined ? functionKind : asClass !== undefined ? "class" : plainKind,
    flags,
    bodyStart: bodyOfValue(state, body),
    bases: asClass === undefined ? [] : basesOf(state, asClass),
    typeNode: input.typeNode ?? asFunction?.type,
  });
}

/** Walks a value as that of a symbol (or of none, -1): what is written in it are members of the symbol. */
export function visitNamedValue(
  state: FileState,
  value: ts.Expression,
  scope: Scope,
  symbol: number,
  receiver?: Receiver,
): Value | undefined {
  const bare = bareExpression(value);
  const asFunction = functionOf(value);
  const asClass = classOf(value);
  const asObject = symbol < 0 ? undefined : objectLiteralOf(value);
  const inner = symbol < 0 ? scope : openScopeAs(scope, { from: symbol, container: symbol }, false);
  if (asFunction !== undefined) {
    visitTypesAround(state, value, asFunction, inner);
    visitFunction(state, asFunction, scope, symbol, receiver);
    return undefined;
  }
  if (asClass !== undefined) {
    visitTypesAround(state, value, asClass, inner);
    visitClass(state, asClass, scope, symbol);
    return undefined;
  }
  if (asObject !== undefined) {
    visitTypesAround(state, value, asObject, inner);
    state.objectSizes.set(symbol, asObject.properties.length);
    visitObjectMembers(state, asObject, inner, symbol);
    const isAsserted = ts.isAsExpression(value) && value.type.getText(state.file) !== "const";
    return isAsserted ? { is: "typed", type: value.type, scope: inner } : undefined;
  }
  const found = state.visit(value, inner);
  const settled = settledValue(found);
  const record = state.symbols[symbol];
  if (record !== undefined && !ts.isIdentifier(bare)) record.type ??= settled;
  return found;
}

/** Walks the members of an object literal as members of a symbol. */
export function visitObjectMembers(
  state: FileState,
  literal: ts.ObjectLiteralExpression,
  scope: Scope,
  container: number,
): void {
  const self: Value = { is: "self", symbol: container };
  const inner = openScopeAs(scope, { from: container, container }, false);
  const receiver: Receiver = { self, base: undefined };
  for (const property of literal.properties) {
    if (ts.isSpreadAssignment(property)) {
      state.visit(property.expression, inner);
      continue;
    }
    const { name } = property;
    if (ts.isComputedPropertyName(name)) state.visit(name.expression, inner);
    const value = ts.isPropertyAssignment(property) ? property.initializer : undefined;
    const body = (property as ts.MethodDeclaration).body;
    const common = { name: memberName(state, name), nameNode: name, node: property, scope: inner, parent: container };
    if (body !== undefined || ts.isMethodDeclaration(property)) {
      const kind = ts.isMethodDeclaration(property) ? "method" : "property";
      const symbol = addSymbol(state, {
        ...common,
        kind,
        bodyStart: body && startOf(state, body),
        flags: flagsOf(property),
        typeNode: (property as ts.MethodDeclaration).type,
      });
      visitFunction(state, property as ts.MethodDeclaration, inner, symbol, receiver);
      continue;
    }
    const flags: SymbolFlag[] = ts.isShorthandPropertyAssignment(property) ? ["shorthand"] : [];
    const symbol = addValueSymbol(state, { ...common, plainKind: "property", functionKind: "method", value, flags });
    if (value !== undefined) visitNamedValue(state, value, inner, symbol, receiver);
    else state.visit(property, symbol < 0 ? inner : openScopeAs(inner, { from: symbol }, false));
  }
}

/** Flags and names of a declaration that is exported under its own name or as the default. */
export function exportsOf(
  node: ts.Node,
  name: string,
  scope: Scope,
): { readonly flags: SymbolFlag[]; readonly exportedAs: string[] } {
  const flags = flagsOf(node);
  const isExported = flags.includes("exported") || (scope.exportsAll && scope.place === "module");
  if (!isExported) return { flags, exportedAs: [] };
  if (!flags.includes("exported")) flags.push("exported");
  // What a namespace exports is exported by it, not by the file.
  if (scope.container >= 0) return { flags, exportedAs: [] };
  return { flags, exportedAs: [hasModifier(node, ts.SyntaxKind.DefaultKeyword) ? "default" : name] };
}

/** What says of which type a value is, as far as it can be said of a symbol; a name of another value is not that. */
function settledValue(value: Value | undefined): Value | undefined {
  return value?.is === "instance" || value?.is === "result" || value?.is === "typed" ? value : undefined;
}

/** Types of `as` and `satisfies` around a value. */
function visitTypesAround(state: FileState, outer: ts.Expression, inner: ts.Expression, scope: Scope): void {
  let at = outer;
  while (at !== inner) {
    if (ts.isAsExpression(at) || ts.isSatisfiesExpression(at) || ts.isTypeAssertionExpression(at)) {
      state.visit(at.type, scope);
      at = at.expression;
    } else if (ts.isParenthesizedExpression(at) || ts.isNonNullExpression(at)) {
      at = at.expression;
    } else if (ts.isCallExpression(at)) {
      // `Object.freeze({…})`: the only call that is looked through.
      state.visit(at.expression, scope);
      at = at.arguments[0] as ts.Expression;
    } else {
      return;
    }
  }
}
