/**
 * Single nodes of a syntax tree: names, modifiers, keys of literals, calls that load modules.
 */
import ts from "typescript";
import { type FileState, foldSource } from "./file-state.ts";
import { type Scope, VALUE, type Value } from "./scope.ts";

const { SyntaxKind } = ts;

export function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return modifiersOf(node).some((modifier) => modifier.kind === kind);
}

/** Modifiers and decorators of a node. */
export function modifiersOf(node: ts.Node): readonly ts.ModifierLike[] {
  return (node as { readonly modifiers?: readonly ts.ModifierLike[] }).modifiers ?? [];
}

/** Name of a member as it is read: without quotes; `[Symbol.iterator]` where it is computed. */
export function memberName(state: FileState, name: ts.PropertyName | ts.BindingName): string {
  if (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) return name.text;
  if (ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text;
  if (ts.isComputedPropertyName(name)) {
    const { expression } = name;
    if (ts.isStringLiteralLike(expression) || ts.isNumericLiteral(expression)) return expression.text;
    return `[${foldSource(state.text, expression.getStart(state.file, false), expression.end)}]`;
  }
  return state.sourceOf(name);
}

/** An expression without what does not change its value: parentheses, `as`, `satisfies`, `!`. */
export function bareExpression(node: ts.Expression): ts.Expression {
  let at = node;
  while (
    ts.isParenthesizedExpression(at) ||
    ts.isAsExpression(at) ||
    ts.isSatisfiesExpression(at) ||
    ts.isTypeAssertionExpression(at) ||
    ts.isNonNullExpression(at)
  ) {
    at = at.expression;
  }
  return at;
}

/** The object literal that a value is written as, also frozen; undefined where it is none. */
export function objectLiteralOf(node: ts.Expression): ts.ObjectLiteralExpression | undefined {
  const bare = bareExpression(node);
  if (ts.isObjectLiteralExpression(bare)) return bare;
  if (!ts.isCallExpression(bare) || bare.arguments.length !== 1) return undefined;
  const callee = bare.expression;
  const isFreeze =
    ts.isPropertyAccessExpression(callee) &&
    callee.name.text === "freeze" &&
    ts.isIdentifier(callee.expression) &&
    callee.expression.text === "Object";
  const argument = bare.arguments[0];
  return isFreeze && argument !== undefined ? objectLiteralOf(argument) : undefined;
}

/** The function that a value is written as. */
export function functionOf(node: ts.Expression): ts.ArrowFunction | ts.FunctionExpression | undefined {
  const bare = bareExpression(node);
  return ts.isArrowFunction(bare) || ts.isFunctionExpression(bare) ? bare : undefined;
}

/** The class that a value is written as. */
export function classOf(node: ts.Expression): ts.ClassExpression | undefined {
  const bare = bareExpression(node);
  return ts.isClassExpression(bare) ? bare : undefined;
}

/** The literal that names the module which a call loads; undefined for other calls and where it is worked out. */
function specifierOfCall(node: ts.Node, scope: Scope): ts.StringLiteralLike | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  const { expression, arguments: given } = node;
  const argument = given[0];
  if (argument === undefined || !ts.isStringLiteralLike(argument)) return undefined;
  if (expression.kind === SyntaxKind.ImportKeyword) return argument;
  const isRequire =
    ts.isIdentifier(expression) &&
    expression.text === "require" &&
    given.length === 1 &&
    scope.find("require", VALUE) === undefined;
  return isRequire ? argument : undefined;
}

/** A module that a value loads, and which of its names: `*` for all, `b` of `require("./a").b`. */
export interface LoadedModule {
  readonly specifier: ts.StringLiteralLike;
  readonly imported: string;
  /** Where that name stands, where it is one. */
  readonly member?: ts.MemberName;
}

/** The module that a value loads, also behind `await`; undefined for other values. */
export function loadedModuleOf(node: ts.Expression | undefined, scope: Scope): LoadedModule | undefined {
  if (node === undefined) return undefined;
  const bare = bareExpression(node);
  if (ts.isPropertyAccessExpression(bare)) {
    const specifier = specifierOfCall(bareExpression(bare.expression), scope);
    const isRequire = specifier !== undefined && !ts.isAwaitExpression(bare.expression);
    return isRequire ? { specifier, imported: bare.name.text, member: bare.name } : undefined;
  }
  const specifier = specifierOfCall(ts.isAwaitExpression(bare) ? bareExpression(bare.expression) : bare, scope);
  return specifier && { specifier, imported: "*" };
}

/** Adds the import of a call that loads a module; undefined for other calls. */
export function moduleOf(state: FileState, node: ts.CallExpression, scope: Scope): Value | undefined {
  const specifier = specifierOfCall(node, scope);
  if (specifier === undefined) return undefined;
  for (const further of node.arguments.slice(1)) state.visit(further, scope);
  return { is: "import", import: state.addImport({ specifier: specifier.text, imported: "*" }, scope, specifier) };
}

/**
 * Says what the place of an expression expects, before the expression is walked: functions in it know then what they are given.
 * Adds a use for each key of the object literals.
 */
export function expectValue(
  state: FileState,
  node: ts.Node | undefined,
  expected: Value | undefined,
  scope: Scope,
): void {
  if (node === undefined || expected === undefined) return;
  if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node)) {
    expectValue(state, node.expression, expected, scope);
  } else if (ts.isConditionalExpression(node)) {
    expectValue(state, node.whenTrue, expected, scope);
    expectValue(state, node.whenFalse, expected, scope);
  } else if (ts.isBinaryExpression(node)) {
    const { operatorToken, left, right } = node;
    const isEither =
      operatorToken.kind === SyntaxKind.BarBarToken || operatorToken.kind === SyntaxKind.QuestionQuestionToken;
    if (isEither && ts.isObjectLiteralExpression(left)) expectValue(state, left, expected, scope);
    if (isEither) expectValue(state, right, expected, scope);
  } else if (ts.isArrayLiteralExpression(node)) {
    for (const [at, element] of node.elements.entries()) {
      expectValue(state, element, { is: "element", of: expected, at }, scope);
    }
  } else if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) {
    state.expected.set(node, expected);
  } else if (ts.isObjectLiteralExpression(node)) {
    for (const property of node.properties) {
      const { name } = property;
      if (name === undefined || ts.isComputedPropertyName(name)) continue;
      const member: Value = { is: "member", of: expected, name: memberName(state, name) };
      const short = ts.isShorthandPropertyAssignment(property) ? "key" : undefined;
      state.addUse("writes", name, member, scope, { isSure: true, short });
      if (ts.isPropertyAssignment(property)) expectValue(state, property.initializer, member, scope);
      else if (ts.isMethodDeclaration(property)) state.expected.set(property, member);
    }
  }
}
