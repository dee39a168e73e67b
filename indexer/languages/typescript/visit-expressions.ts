/** Walk of expressions: which names they use and for what, and what is known of their values. */
import ts from "typescript";
import type { FileState, FoundUse } from "./file-state.ts";
import { functionOf, moduleOf, useLiteralKeys } from "./nodes.ts";
import { narrowedScope, type Scope, VALUE, type Value } from "./scope.ts";
import { visitType } from "./visit-types.ts";

const { SyntaxKind } = ts;

/** What an expression does with the last name in it. */
type Role = FoundUse["kind"];

/** Walks an expression and gives what is known of its value. */
export function visitExpression(
  state: FileState,
  node: ts.Node,
  scope: Scope,
  role: Role = "reads",
): Value | undefined {
  switch (node.kind) {
    case SyntaxKind.Identifier:
      return useName(state, node as ts.Identifier, scope, role);
    case SyntaxKind.PropertyAccessExpression: {
      const { expression, name } = node as ts.PropertyAccessExpression;
      return useMember(state, name, visitExpression(state, expression, scope), scope, role);
    }
    case SyntaxKind.ElementAccessExpression: {
      const { expression, argumentExpression } = node as ts.ElementAccessExpression;
      const of = visitExpression(state, expression, scope);
      state.visit(argumentExpression, scope);
      if (ts.isStringLiteralLike(argumentExpression)) return { is: "member", of, name: argumentExpression.text };
      return of && { is: "element", of };
    }
    case SyntaxKind.CallExpression:
      return visitCall(state, node as ts.CallExpression, scope, role);
    case SyntaxKind.NewExpression: {
      const { expression, typeArguments, arguments: given } = node as ts.NewExpression;
      const of = visitExpression(state, expression, scope, "instantiates");
      state.visitAll(typeArguments, scope);
      visitArguments(state, given, of, scope);
      return of && { is: "instance", of };
    }
    case SyntaxKind.TaggedTemplateExpression: {
      const { tag, typeArguments, template } = node as ts.TaggedTemplateExpression;
      const of = visitExpression(state, tag, scope, "calls");
      state.visitAll(typeArguments, scope);
      state.visit(template, scope);
      return of && { is: "result", of };
    }
    case SyntaxKind.ParenthesizedExpression:
    case SyntaxKind.NonNullExpression:
      return visitExpression(state, (node as ts.ParenthesizedExpression).expression, scope, role);
    case SyntaxKind.AwaitExpression:
      return visitExpression(state, (node as ts.AwaitExpression).expression, scope);
    case SyntaxKind.SatisfiesExpression:
    case SyntaxKind.AsExpression:
    case SyntaxKind.TypeAssertionExpression: {
      const { expression, type } = node as ts.AsExpression;
      const of = visitExpression(state, expression, scope, role);
      visitType(state, type, scope);
      useLiteralKeys(state, expression, { is: "typed", type, scope }, scope);
      const keepsType = ts.isSatisfiesExpression(node) || isConstType(type);
      return keepsType ? of : { is: "typed", type, scope };
    }
    case SyntaxKind.ThisKeyword:
      return scope.self;
    case SyntaxKind.SuperKeyword:
      return scope.base;
    case SyntaxKind.BinaryExpression:
      return visitBinary(state, node as ts.BinaryExpression, scope);
    case SyntaxKind.ConditionalExpression: {
      const { condition, whenTrue, whenFalse } = node as ts.ConditionalExpression;
      state.visit(condition, scope);
      const first = state.visit(whenTrue, narrowedScope(condition, scope));
      const second = state.visit(whenFalse, scope);
      return first ?? second;
    }
    case SyntaxKind.PrefixUnaryExpression: {
      const { operator, operand } = node as ts.PrefixUnaryExpression;
      const changes = operator === SyntaxKind.PlusPlusToken || operator === SyntaxKind.MinusMinusToken;
      visitExpression(state, operand, scope, changes ? "writes" : "reads");
      return undefined;
    }
    case SyntaxKind.PostfixUnaryExpression:
      visitExpression(state, (node as ts.PostfixUnaryExpression).operand, scope, "writes");
      return undefined;
    case SyntaxKind.DeleteExpression:
      visitExpression(state, (node as ts.DeleteExpression).expression, scope, "writes");
      return undefined;
    case SyntaxKind.Decorator:
      visitExpression(state, (node as ts.Decorator).expression, scope, "decorates");
      return undefined;
    case SyntaxKind.ShorthandPropertyAssignment: {
      const { name, objectAssignmentInitializer } = node as ts.ShorthandPropertyAssignment;
      useName(state, name, scope, "reads", "value");
      if (objectAssignmentInitializer !== undefined) state.visit(objectAssignmentInitializer, scope);
      return undefined;
    }
    case SyntaxKind.PropertyAssignment: {
      const { name, initializer } = node as ts.PropertyAssignment;
      if (ts.isComputedPropertyName(name)) state.visit(name.expression, scope);
      state.visit(initializer, scope);
      return undefined;
    }
    case SyntaxKind.ReturnStatement: {
      const { expression } = node as ts.ReturnStatement;
      if (expression === undefined) return undefined;
      useLiteralKeys(state, expression, scope.returns, scope);
      return state.visit(expression, scope);
    }
    case SyntaxKind.MetaProperty:
      return undefined;
    case SyntaxKind.FunctionExpression:
    case SyntaxKind.ArrowFunction:
    case SyntaxKind.ClassExpression:
      return state.visit(node, scope);
    case SyntaxKind.JsxOpeningElement:
    case SyntaxKind.JsxSelfClosingElement: {
      const { tagName, typeArguments, attributes } = node as ts.JsxOpeningLikeElement;
      useTag(state, tagName, scope, "calls");
      state.visitAll(typeArguments, scope);
      state.visit(attributes, scope);
      return undefined;
    }
    case SyntaxKind.JsxClosingElement:
      useTag(state, (node as ts.JsxClosingElement).tagName, scope, "reads");
      return undefined;
    case SyntaxKind.JsxAttribute: {
      const { initializer } = node as ts.JsxAttribute;
      if (initializer !== undefined) state.visit(initializer, scope);
      return undefined;
    }
    default:
      ts.forEachChild(node, (child) => void state.visit(child, scope));
      return undefined;
  }
}

/** Adds the use of a plain name. */
function useName(
  state: FileState,
  node: ts.Identifier,
  scope: Scope,
  role: Role,
  short?: FoundUse["short"],
): Value | undefined {
  const name = node.text;
  // The parser makes up empty names where one is missing.
  if (name === "" || name === "undefined" || name === "arguments") return undefined;
  const value: Value = { is: "name", name, scope, meaning: VALUE };
  state.addUse(role, node, value, scope, { short });
  return value;
}

/** Walks what is assigned to, patterns included. */
export function visitTarget(state: FileState, node: ts.Node, scope: Scope): Value | undefined {
  if (ts.isArrayLiteralExpression(node)) {
    for (const element of node.elements) visitTarget(state, element, scope);
  } else if (ts.isSpreadElement(node) || ts.isSpreadAssignment(node)) {
    visitTarget(state, node.expression, scope);
  } else if (ts.isObjectLiteralExpression(node)) {
    for (const property of node.properties) visitTargetProperty(state, property, scope);
  } else if (ts.isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.EqualsToken) {
    visitTarget(state, node.left, scope);
    state.visit(node.right, scope);
  } else if (ts.isParenthesizedExpression(node)) {
    return visitTarget(state, node.expression, scope);
  } else {
    return visitExpression(state, node, scope, "writes");
  }
  return undefined;
}

function visitTargetProperty(state: FileState, property: ts.ObjectLiteralElementLike, scope: Scope): void {
  if (ts.isShorthandPropertyAssignment(property)) {
    useName(state, property.name, scope, "writes", "value");
    if (property.objectAssignmentInitializer !== undefined) state.visit(property.objectAssignmentInitializer, scope);
  } else if (ts.isPropertyAssignment(property)) {
    if (ts.isComputedPropertyName(property.name)) state.visit(property.name.expression, scope);
    visitTarget(state, property.initializer, scope);
  } else if (ts.isSpreadAssignment(property)) {
    visitTarget(state, property.expression, scope);
  } else {
    state.visit(property, scope);
  }
}

function useMember(state: FileState, name: ts.MemberName, of: Value | undefined, scope: Scope, role: Role): Value {
  const value: Value = { is: "member", of, name: name.text };
  if (name.text !== "") state.addUse(role, name, value, scope);
  return value;
}

function visitCall(state: FileState, node: ts.CallExpression, scope: Scope, role: Role): Value | undefined {
  const { expression, typeArguments, arguments: given } = node;
  const module = moduleOf(state, node, scope);
  if (module !== undefined) return module;
  let of: Value | undefined;
  if (expression.kind === SyntaxKind.SuperKeyword) {
    of = scope.base && { is: "member", of: scope.base, name: "constructor" };
    if (of !== undefined) state.addUse("calls", expression, of, scope);
  } else {
    of = visitExpression(state, expression, scope, role === "decorates" ? "decorates" : "calls");
  }
  state.visitAll(typeArguments, scope);
  visitArguments(state, given, of, scope);
  // A function that is called where it stands: `(() => store.items)()`.
  const own = functionOf(expression);
  return own === undefined ? of && { is: "result", of } : state.results.get(own);
}

/** Walks the arguments of a call. What is called says what functions among them are called with. */
function visitArguments(
  state: FileState,
  given: readonly ts.Expression[] | undefined,
  by: Value | undefined,
  scope: Scope,
): void {
  for (const [argument, node] of (given ?? []).entries()) {
    const asFunction = functionOf(node);
    if (by !== undefined && asFunction !== undefined) state.callers.set(asFunction, { by, argument });
    state.visit(node, scope);
  }
}

/** Chains of operators hang to the left, thousands deep in generated code, so they are gone through without recursion. */
function visitBinary(state: FileState, node: ts.BinaryExpression, scope: Scope): Value | undefined {
  const chain: ts.BinaryExpression[] = [];
  let left: ts.Expression = node;
  while (ts.isBinaryExpression(left) && !isAssignment(left.operatorToken.kind)) {
    chain.push(left);
    left = left.left;
  }
  let value = ts.isBinaryExpression(left) ? visitAssignment(state, left, scope) : state.visit(left, scope);
  let inner = scope;
  for (const { operatorToken, left: before, right } of chain.reverse()) {
    const isAnd = operatorToken.kind === SyntaxKind.AmpersandAmpersandToken;
    // Of a chain of `&&` each part adds to what the next ones know.
    if (!isAnd) inner = scope;
    else inner = narrowedScope(isAndChain(before) ? before.right : before, inner);
    const other = state.visit(right, inner);
    switch (operatorToken.kind) {
      case SyntaxKind.BarBarToken:
      case SyntaxKind.QuestionQuestionToken:
        value ??= other;
        break;
      case SyntaxKind.AmpersandAmpersandToken:
      case SyntaxKind.CommaToken:
        value = other;
        break;
      default:
        value = undefined;
    }
  }
  return value;
}

function isAndChain(node: ts.Expression): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.AmpersandAmpersandToken;
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= SyntaxKind.FirstAssignment && kind <= SyntaxKind.LastAssignment;
}

function visitAssignment(state: FileState, node: ts.BinaryExpression, scope: Scope): Value | undefined {
  const target = visitTarget(state, node.left, scope);
  useLiteralKeys(state, node.right, target, scope);
  return state.visit(node.right, scope);
}

/** Names of components; elements of HTML begin with a small letter. */
function useTag(state: FileState, tag: ts.JsxTagNameExpression, scope: Scope, role: Role): void {
  if (ts.isJsxNamespacedName(tag)) return;
  if (ts.isIdentifier(tag) && /^[a-z]/.test(tag.text) && scope.find(tag.text, VALUE) === undefined) return;
  visitExpression(state, tag, scope, role);
}

function isConstType(type: ts.TypeNode): boolean {
  return ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName) && type.typeName.text === "const";
}
