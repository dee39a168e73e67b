/** Keys of object literals as uses of the members of a type that is written next to them. */
import ts from "typescript";
import { addUse, type FileState } from "./file-state.ts";
import { memberName } from "./names.ts";
import type { Scope, Value } from "./scope.ts";

const { SyntaxKind } = ts;

/**
 * Adds a use for each key of the object literals that an expression gives as a value of a known type: what is annotated,
 * returned from a function that says what it returns, assigned. Does not walk the values.
 */
export function useLiteralKeys(
  state: FileState,
  node: ts.Node | undefined,
  expected: Value | undefined,
  scope: Scope,
): void {
  if (node === undefined || expected === undefined) return;
  if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isSatisfiesExpression(node)) {
    useLiteralKeys(state, node.expression, expected, scope);
  } else if (ts.isConditionalExpression(node)) {
    useLiteralKeys(state, node.whenTrue, expected, scope);
    useLiteralKeys(state, node.whenFalse, expected, scope);
  } else if (ts.isBinaryExpression(node)) {
    const { operatorToken, left, right } = node;
    const isEither =
      operatorToken.kind === SyntaxKind.BarBarToken || operatorToken.kind === SyntaxKind.QuestionQuestionToken;
    if (isEither && ts.isObjectLiteralExpression(left)) useLiteralKeys(state, left, expected, scope);
    if (isEither) useLiteralKeys(state, right, expected, scope);
  } else if (ts.isArrayLiteralExpression(node)) {
    for (const element of node.elements) useLiteralKeys(state, element, { is: "element", of: expected }, scope);
  } else if (ts.isObjectLiteralExpression(node)) {
    for (const property of node.properties) {
      const { name } = property;
      if (name === undefined || ts.isComputedPropertyName(name)) continue;
      const member: Value = { is: "member", of: expected, name: memberName(state, name) };
      const short = ts.isShorthandPropertyAssignment(property) ? "key" : undefined;
      addUse(state, "writes", name, member, scope, { isSure: true, short });
      if (ts.isPropertyAssignment(property)) useLiteralKeys(state, property.initializer, member, scope);
    }
  }
}
