/** Names of declarations and members, and the modifiers before them. Pure. */
import ts from "typescript";
import type { SymbolFlag } from "../../../../src/core/format/code-model.ts";
import { type FileState, sourceOf } from "./file-state.ts";
import { foldSource } from "./signature.ts";

const FLAG_OF_MODIFIER: ReadonlyMap<ts.SyntaxKind, SymbolFlag> = new Map([
  [ts.SyntaxKind.ExportKeyword, "exported"],
  [ts.SyntaxKind.DefaultKeyword, "defaultExport"],
  [ts.SyntaxKind.StaticKeyword, "static"],
  [ts.SyntaxKind.AbstractKeyword, "abstract"],
  [ts.SyntaxKind.AsyncKeyword, "async"],
  [ts.SyntaxKind.PrivateKeyword, "private"],
  [ts.SyntaxKind.ProtectedKeyword, "protected"],
] as const);

/** Flags that the modifiers of a declaration say. */
export function flagsOf(node: ts.Node): SymbolFlag[] {
  const flags: SymbolFlag[] = [];
  for (const modifier of modifiersOf(node)) {
    const flag = FLAG_OF_MODIFIER.get(modifier.kind);
    if (flag !== undefined) flags.push(flag);
  }
  return flags;
}

/** Whether a declaration has a modifier. */
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
  return sourceOf(state, name);
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
