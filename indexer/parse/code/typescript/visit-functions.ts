/** Walk of functions: their scope, parameters and body. */
import ts from "typescript";
import { addSymbol, addUse, type FileState } from "./file-state.ts";
import { useLiteralKeys } from "./literal-keys.ts";
import { flagsOf, memberName, modifiersOf } from "./names.ts";
import { declare, openScopeAs, type Scope, VALUE, type Value } from "./scope.ts";
import { declareLocal, declareTypeParameters, noteGiven, typed, withoutThis } from "./visit-types.ts";

/** What a function is a function of, for `this` and `super`; arrow functions have those around them. */
export interface Receiver {
  readonly self: Value | undefined;
  readonly base: Value | undefined;
}

const NO_RECEIVER: Receiver = { self: undefined, base: undefined };

/**
 * Walks a function and gives its scope.
 *
 * @param symbol Its symbol, or -1: then what is inside belongs to what is around it.
 */
export function visitFunction(
  state: FileState,
  node: ts.FunctionLikeDeclaration,
  scope: Scope,
  symbol: number,
  receiver: Receiver = NO_RECEIVER,
): Scope {
  const from = symbol < 0 ? scope.from : symbol;
  const change = { place: "function", from, container: from, exportsAll: false, returns: undefined } as const;
  let around = scope;
  if (ts.isFunctionExpression(node) && node.name !== undefined) {
    // Its own name stands outside of what it declares itself.
    around = openScopeAs(scope, {}, false);
    declare(around, node.name.text, { meaning: VALUE, symbol, import: -1, value: undefined });
  }
  const inner = openScopeAs(around, ts.isArrowFunction(node) ? change : { ...change, ...receiver }, true);
  // Decorators stand outside, where parameters are not known.
  const outside = symbol < 0 ? scope : openScopeAs(scope, { from: symbol }, false);
  for (const modifier of modifiersOf(node)) if (ts.isDecorator(modifier)) state.visit(modifier, outside);
  declareTypeParameters(state, node.typeParameters, inner);
  const caller = state.callers.get(node);
  const first = node.parameters.length - withoutThis(node.parameters).length;
  for (const [at, parameter] of node.parameters.entries()) {
    const index = at - first;
    const given: Value | undefined = caller && index >= 0 ? { is: "given", ...caller, parameter: index } : undefined;
    visitParameter(state, parameter, inner, outside, given);
  }
  noteGiven(state, symbol, node.parameters, inner);
  if (node.type !== undefined) state.visit(node.type, inner);
  const returns = node.asteriskToken === undefined ? typed(node.type, inner) : undefined;
  (inner as { returns: Value | undefined }).returns = returns;
  const { body } = node;
  let given: Value | undefined;
  if (body !== undefined && ts.isBlock(body)) {
    const isResult = body.statements.length === 1 && node.asteriskToken === undefined;
    for (const statement of body.statements) {
      const value = state.visit(statement, inner);
      if (isResult && ts.isReturnStatement(statement)) given = value;
    }
  } else if (body !== undefined) {
    given = state.visit(body, inner);
    useLiteralKeys(state, body, returns, inner);
  }
  const found = state.symbols[symbol];
  // Without a declared type, a result that is written as the whole body says as much.
  const result = typed(node.type, inner) ?? given;
  if (found !== undefined) found.type = result;
  else if (result !== undefined) state.results.set(node, result);
  return inner;
}

/** Declares what a pattern binds, each name with what is known of its value, and walks defaults and computed names. */
export function bindPattern(
  state: FileState,
  pattern: ts.BindingPattern,
  value: Value | undefined,
  scope: Scope,
  bind: (element: ts.BindingElement, name: ts.Identifier, value: Value | undefined, isShort: boolean) => void,
): void {
  for (const element of pattern.elements) {
    if (ts.isOmittedExpression(element)) continue;
    const part = partOf(state, pattern, element, value, scope);
    if (element.initializer !== undefined) state.visit(element.initializer, scope);
    if (ts.isIdentifier(element.name)) bind(element, element.name, part, isShort(pattern, element));
    else bindPattern(state, element.name, part, scope, bind);
  }
}

/** Adds the symbol of a property that a parameter of a constructor declares. */
export function addParameterProperty(
  state: FileState,
  parameter: ts.ParameterDeclaration,
  classScope: Scope,
  classSymbol: number,
): void {
  if (classSymbol < 0 || !ts.isIdentifier(parameter.name) || !modifiersOf(parameter).some(ts.isModifier)) return;
  const symbol = addSymbol(state, {
    kind: "property",
    name: parameter.name.text,
    nameNode: parameter.name,
    node: parameter,
    scope: classScope,
    parent: classSymbol,
    flags: flagsOf(parameter),
    typeNode: parameter.type,
  });
  state.parameterProperties.set(parameter, symbol);
}

/** Walks a parameter; `given` is what is known of its value by who calls the function. */
function visitParameter(
  state: FileState,
  parameter: ts.ParameterDeclaration,
  scope: Scope,
  outside: Scope,
  given: Value | undefined,
): void {
  const { name, type, initializer } = parameter;
  for (const modifier of modifiersOf(parameter)) if (ts.isDecorator(modifier)) state.visit(modifier, outside);
  if (type !== undefined) state.visit(type, scope);
  const preset = initializer === undefined ? undefined : state.visit(initializer, scope);
  useLiteralKeys(state, initializer, typed(type, scope), scope);
  const value = parameter.dotDotDotToken === undefined ? (typed(type, scope) ?? given ?? preset) : typed(type, scope);
  if (!ts.isIdentifier(name)) {
    bindPattern(state, name, value, scope, (_, bound, part) => declareLocal(scope, bound.text, part));
  } else if (name.text === "this") {
    (scope as { self: Value | undefined }).self = value;
  } else {
    const symbol = state.parameterProperties.get(parameter) ?? -1;
    declare(scope, name.text, { meaning: VALUE, symbol, import: -1, value });
  }
}

/** What is known of one element of a pattern. */
function partOf(
  state: FileState,
  pattern: ts.BindingPattern,
  element: ts.BindingElement,
  value: Value | undefined,
  scope: Scope,
): Value | undefined {
  const key = element.propertyName ?? element.name;
  if (ts.isComputedPropertyName(key)) state.visit(key.expression, scope);
  if (value === undefined || element.dotDotDotToken !== undefined) return undefined;
  if (ts.isArrayBindingPattern(pattern)) return { is: "element", of: value };
  if (ts.isComputedPropertyName(key) || ts.isObjectBindingPattern(key) || ts.isArrayBindingPattern(key))
    return undefined;
  const part: Value = { is: "member", of: value, name: memberName(state, key) };
  addUse(state, "reads", key, part, scope, { short: isShort(pattern, element) ? "key" : undefined });
  return part;
}

/** Whether an element is the name of the member and of the variable: `{ open }`. */
function isShort(pattern: ts.BindingPattern, { propertyName, name, dotDotDotToken }: ts.BindingElement): boolean {
  const isNamed = propertyName !== undefined || dotDotDotToken !== undefined;
  return ts.isObjectBindingPattern(pattern) && !isNamed && ts.isIdentifier(name);
}
