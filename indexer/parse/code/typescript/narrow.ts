/** What a condition says of local variables where it holds: `if (error instanceof StoreError)`. */
import ts from "typescript";
import { declare, findBinding, openScopeAs, type Scope, VALUE, type Value } from "./scope.ts";

const { SyntaxKind } = ts;

/** The scope of what runs only where a condition holds; the same where it says nothing. */
export function narrowedScope(condition: ts.Expression, scope: Scope): Scope {
  return narrow(condition, scope, scope);
}

function narrow(condition: ts.Expression, scope: Scope, known: Scope): Scope {
  let inner = known;
  // Conditions hang to the left, so they are gone through without recursion there.
  for (let at = condition; ; ) {
    if (ts.isParenthesizedExpression(at)) {
      at = at.expression;
    } else if (ts.isBinaryExpression(at) && at.operatorToken.kind === SyntaxKind.AmpersandAmpersandToken) {
      inner = narrow(at.right, scope, inner);
      at = at.left;
    } else if (ts.isBinaryExpression(at) && at.operatorToken.kind === SyntaxKind.InstanceOfKeyword) {
      return withInstance(at.left, at.right, inner, scope);
    } else {
      return inner;
    }
  }
}

function withInstance(left: ts.Expression, right: ts.Expression, inner: Scope, scope: Scope): Scope {
  if (!ts.isIdentifier(left)) return inner;
  const variable = findBinding(scope, left.text, VALUE);
  const of = classValue(right, scope);
  // What is a symbol or an import stays what it is: its uses lead there.
  if (of === undefined || variable === undefined || variable.symbol >= 0 || variable.import >= 0) return inner;
  const narrowed = inner === scope ? openScopeAs(scope, {}, false) : inner;
  declare(narrowed, left.text, { meaning: VALUE, symbol: -1, import: -1, value: { is: "instance", of } });
  return narrowed;
}

/** A class that is named; undefined for one in a local variable, of which nothing is known. */
function classValue(node: ts.Expression, scope: Scope): Value | undefined {
  if (ts.isPropertyAccessExpression(node)) {
    const of = classValue(node.expression, scope);
    return of && { is: "member", of, name: node.name.text };
  }
  if (!ts.isIdentifier(node)) return undefined;
  const binding = findBinding(scope, node.text, VALUE);
  const isLocal = binding !== undefined && binding.symbol < 0 && binding.import < 0;
  return isLocal ? undefined : { is: "name", name: node.text, scope, meaning: VALUE };
}
