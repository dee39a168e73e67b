/**
 * Functions, classes, interfaces, enums, and values that have a name.
 */
import ts from "typescript";
import type { SymbolFlag } from "../../../src/core/format/code-model.ts";
import { type FileState, foldSource, type SymbolInput } from "./file-state.ts";
import {
  bareExpression,
  classOf,
  expectValue,
  functionOf,
  hasModifier,
  memberName,
  modifiersOf,
  objectLiteralOf,
} from "./nodes.ts";
import { type FoundTypeParameter, NAMESPACE, type Scope, TYPE, VALUE, type Value } from "./scope.ts";
import {
  declareLocal,
  declareTypeParameters,
  eitherOf,
  typed,
  visitExpression,
  visitSignature,
  visitTypeMember,
  withoutThis,
} from "./visit-expressions.ts";

const { SyntaxKind } = ts;

/** What a function is a function of, for `this` and `super`; arrow functions have those around them. */
interface Receiver {
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
  const change = {
    place: "function",
    from,
    container: from,
    exportsAll: false,
    returns: undefined,
    returned: undefined,
  } as const;
  let around = scope;
  if (ts.isFunctionExpression(node) && node.name !== undefined) {
    // Its own name stands outside of what it declares itself.
    around = scope.openAs({}, false);
    around.declare(node.name.text, { meaning: VALUE, symbol });
  }
  const inner = around.openAs(ts.isArrowFunction(node) ? change : { ...change, ...receiver }, true);
  // Decorators stand outside, where parameters are not known.
  const outside = symbol < 0 ? scope : scope.openAs({ from: symbol }, false);
  for (const modifier of modifiersOf(node)) if (ts.isDecorator(modifier)) state.visit(modifier, outside);
  declareTypeParameters(state, node.typeParameters, inner);
  const expected = state.expected.get(node);
  const first = node.parameters.length - withoutThis(node.parameters).length;
  for (const [at, parameter] of node.parameters.entries()) {
    const index = at - first;
    const given: Value | undefined =
      expected && index >= 0 ? { is: "given", of: expected, parameter: index } : undefined;
    visitParameter(state, parameter, inner, outside, given);
  }
  state.visit(node.type, inner);
  const isAsync = hasModifier(node, SyntaxKind.AsyncKeyword);
  const declared =
    typed(node.type, inner) ??
    (expected && { is: "result", of: expected, arguments: [], types: undefined, scope: inner });
  const returned: Value[] = [];
  if (node.asteriskToken === undefined) {
    const returns: Value | undefined =
      declared && isAsync ? { is: "applied", type: "Awaited", of: declared } : declared;
    Object.assign(inner, { returns, returned });
  }
  const { body } = node;
  if (body !== undefined && ts.isBlock(body)) {
    for (const statement of body.statements) state.visit(statement, inner);
  } else if (body !== undefined) {
    expectValue(state, body, inner.returns, inner);
    const value = state.visit(body, inner);
    if (value !== undefined) returned.push(value);
  }
  const own = eitherOf(returned);
  const given: Value | undefined = own && isAsync ? { is: "applied", type: "Promise", of: own } : own;
  // Without a declared type, what is returned says as much.
  const result = typed(node.type, inner) ?? (node.asteriskToken === undefined ? (given ?? declared) : undefined);
  if (result !== undefined) state.results.set(node, result);
  const found = state.symbols[symbol];
  if (found !== undefined) {
    // What a variable is declared to be says what calling it gives.
    if (found.type?.is !== "typed" || found.type.type === node.type) found.type = result;
    else if (!ts.isAccessor(node)) found.type = declared;
    if (!ts.isAccessor(node)) found.takes = { is: "function", node, scope: inner };
    else if (ts.isSetAccessor(node)) found.type = typed(node.parameters[0]?.type, inner);
  }
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
  for (const [at, element] of pattern.elements.entries()) {
    if (ts.isOmittedExpression(element)) continue;
    const own = partOf(state, pattern, element, at, value, scope);
    expectValue(state, element.initializer, own, scope);
    const preset = state.visit(element.initializer, scope);
    const part = own ?? preset;
    if (ts.isIdentifier(element.name)) bind(element, element.name, part, isShort(pattern, element));
    else bindPattern(state, element.name, part, scope, bind);
  }
}

/** Adds the symbol of a property that a parameter of a constructor declares. */
function addParameterProperty(
  state: FileState,
  parameter: ts.ParameterDeclaration,
  classScope: Scope,
  classSymbol: number,
): void {
  if (classSymbol < 0 || !ts.isIdentifier(parameter.name) || !modifiersOf(parameter).some(ts.isModifier)) return;
  const symbol = state.addSymbol({
    kind: "property",
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
  state.visit(type, scope);
  expectValue(state, initializer, typed(type, scope), scope);
  const preset = state.visit(initializer, scope);
  const value = parameter.dotDotDotToken === undefined ? (typed(type, scope) ?? given ?? preset) : typed(type, scope);
  if (!ts.isIdentifier(name)) {
    bindPattern(state, name, value, scope, (_, bound, part) => declareLocal(scope, bound.text, part));
  } else if (name.text === "this") {
    (scope as { self: Value | undefined }).self = value;
  } else {
    const symbol = state.parameterProperties.get(parameter) ?? -1;
    scope.declare(name.text, { meaning: VALUE, symbol, value });
  }
}

/** What is known of one element of a pattern. */
function partOf(
  state: FileState,
  pattern: ts.BindingPattern,
  element: ts.BindingElement,
  at: number,
  value: Value | undefined,
  scope: Scope,
): Value | undefined {
  const key = element.propertyName ?? element.name;
  if (ts.isComputedPropertyName(key)) state.visit(key.expression, scope);
  if (value === undefined) return undefined;
  const isList = ts.isArrayBindingPattern(pattern);
  // The rest of an object or a list has the same members, or elements.
  if (element.dotDotDotToken !== undefined) {
    return isList ? { is: "applied", type: "Array", of: { is: "element", of: value } } : value;
  }
  if (isList) return { is: "element", of: value, at };
  if (ts.isComputedPropertyName(key) || ts.isObjectBindingPattern(key) || ts.isArrayBindingPattern(key))
    return undefined;
  const part: Value = { is: "member", of: value, name: memberName(state, key) };
  state.addUse("reads", key, part, scope, { short: isShort(pattern, element) ? "key" : undefined });
  return part;
}

/** Whether an element is the name of the member and of the variable: `{ open }`. */
function isShort(pattern: ts.BindingPattern, { propertyName, name, dotDotDotToken }: ts.BindingElement): boolean {
  const isNamed = propertyName !== undefined || dotDotDotToken !== undefined;
  return ts.isObjectBindingPattern(pattern) && !isNamed && ts.isIdentifier(name);
}

/** Names of what a class or interface extends and implements, without type arguments. */
export function basesOf(state: FileState, node: ts.ClassLikeDeclaration | ts.InterfaceDeclaration): string[] {
  return (node.heritageClauses ?? []).flatMap((clause) =>
    clause.types.map(({ expression }) => foldSource(state.text, state.startOf(expression), expression.end)),
  );
}

/** Walks a class. Without a symbol (-1) its members are none either. */
export function visitClass(state: FileState, node: ts.ClassLikeDeclaration, scope: Scope, symbol: number): void {
  const inside = symbol < 0 ? scope.from : symbol;
  const self: Value | undefined = symbol < 0 ? undefined : { is: "self", symbol };
  const base: Value | undefined = symbol < 0 ? undefined : { is: "super", symbol };
  const outside = scope.openAs({ from: inside }, false);
  for (const modifier of modifiersOf(node)) if (ts.isDecorator(modifier)) state.visit(modifier, outside);
  const inner = scope.openAs({ from: inside, container: inside, self, base }, false);
  if (ts.isClassExpression(node) && node.name !== undefined) {
    inner.declare(node.name.text, { meaning: VALUE | TYPE, symbol });
  }
  const typeParameters = declareTypeParameters(state, node.typeParameters, inner);
  noteType(state, symbol, typeParameters, node.members, inner);
  for (const clause of node.heritageClauses ?? []) {
    for (const type of clause.types) {
      if (clause.token === SyntaxKind.ImplementsKeyword) useBase(state, type, inner, "implements");
      else useBaseClass(state, type, inner);
      for (const argument of type.typeArguments ?? []) state.visit(argument, inner);
    }
  }
  for (const member of node.members) visitClassMember(state, member, inner, symbol);
}

export function visitInterface(state: FileState, node: ts.InterfaceDeclaration, scope: Scope, symbol: number): void {
  const inside = symbol < 0 ? scope.from : symbol;
  const self: Value | undefined = symbol < 0 ? undefined : { is: "self", symbol };
  const inner = scope.openAs({ from: inside, container: inside, self }, false);
  noteType(state, symbol, declareTypeParameters(state, node.typeParameters, inner), node.members, inner);
  for (const clause of node.heritageClauses ?? []) {
    for (const type of clause.types) {
      useBase(state, type, inner, "extends");
      for (const argument of type.typeArguments ?? []) state.visit(argument, inner);
    }
  }
  visitTypeMembers(state, node.members, inner, symbol);
}

/** Notes what a type takes, and which of its members are signatures without a name. */
export function noteType(
  state: FileState,
  symbol: number,
  typeParameters: readonly FoundTypeParameter[],
  members: readonly ts.Node[],
  scope: Scope,
): void {
  const found = state.symbols[symbol];
  if (found === undefined) return;
  found.typeParameters = typeParameters;
  const unnamed = members.filter(
    (member) =>
      ts.isCallSignatureDeclaration(member) ||
      ts.isConstructSignatureDeclaration(member) ||
      ts.isIndexSignatureDeclaration(member),
  );
  if (unnamed.length > 0) found.signatures = { members: unnamed, scope };
}

/** Names of members that have none, as TypeScript's outlines have them. */
const NAMES_OF_SIGNATURES: Readonly<Partial<Record<ts.SyntaxKind, string>>> = {
  [SyntaxKind.CallSignature]: "()",
  [SyntaxKind.ConstructSignature]: "new()",
  [SyntaxKind.IndexSignature]: "[]",
};

/** Walks members of an interface or type literal, which are symbols where their container is one. */
export function visitTypeMembers(
  state: FileState,
  members: readonly ts.TypeElement[],
  scope: Scope,
  container: number,
): void {
  for (const member of members) {
    const { name } = member;
    const unnamed = NAMES_OF_SIGNATURES[member.kind];
    if (container < 0 || (name === undefined && unnamed === undefined)) {
      visitTypeMember(state, member, scope);
      continue;
    }
    const isMethod = unnamed === undefined ? ts.isMethodSignature(member) : !ts.isIndexSignatureDeclaration(member);
    const symbol = state.addSymbol({
      kind: isMethod ? "method" : "property",
      name: unnamed ?? memberName(state, name as ts.PropertyName),
      nameNode: name,
      node: member,
      scope,
      parent: container,
      flags: flagsOf(member),
      typeNode: (member as ts.PropertySignature).type,
    });
    const inner = symbol < 0 ? scope : scope.openAs({ from: symbol }, false);
    if (ts.isPropertySignature(member)) {
      visitTypeMember(state, member, inner);
      continue;
    }
    if (name !== undefined && ts.isComputedPropertyName(name)) state.visit(name, inner);
    const signature = visitSignature(state, member as ts.MethodSignature, inner);
    const found = state.symbols[symbol];
    const { type } = member as ts.MethodSignature;
    if (found === undefined) continue;
    if (type !== undefined) found.type = { is: "typed", type, scope: signature };
    if (isMethod) found.takes = { is: "function", node: member as ts.MethodSignature, scope: signature };
    else if (ts.isSetAccessor(member)) found.type = typed(member.parameters[0]?.type, signature);
  }
}

/** Walks an enum. Its members know one another by their names. */
export function visitEnum(state: FileState, node: ts.EnumDeclaration, scope: Scope, symbol: number): void {
  const inside = symbol < 0 ? scope.from : symbol;
  const inner = scope.openAs({ from: inside, container: inside }, false);
  for (const member of node.members) {
    const name = memberName(state, member.name);
    const added =
      symbol < 0
        ? -1
        : state.addSymbol({ kind: "enumMember", name, nameNode: member.name, node: member, scope: inner });
    if (added < 0) declareLocal(inner, name, undefined);
    else inner.declare(name, { meaning: VALUE | TYPE, symbol: added });
    const own = added < 0 ? inner : inner.openAs({ from: added }, false);
    state.visit(member.initializer, own);
  }
}

function visitClassMember(state: FileState, member: ts.ClassElement, scope: Scope, container: number): void {
  if (ts.isClassStaticBlockDeclaration(member)) {
    const inner = scope.openAs({ place: "function" }, true);
    for (const statement of member.body.statements) state.visit(statement, inner);
    return;
  }
  if (ts.isIndexSignatureDeclaration(member)) {
    visitTypeMembers(state, [member], scope, container);
    return;
  }
  if (ts.isSemicolonClassElement(member)) return;
  const { name } = member;
  if (name !== undefined && ts.isComputedPropertyName(name)) state.visit(name, scope);
  const symbol = container < 0 ? -1 : addMember(state, member, scope, container);
  if (ts.isPropertyDeclaration(member)) {
    visitProperty(state, member, scope, symbol);
    return;
  }
  const functionLike = member as ts.ConstructorDeclaration | ts.MethodDeclaration | ts.AccessorDeclaration;
  if (ts.isConstructorDeclaration(functionLike)) {
    for (const parameter of functionLike.parameters) addParameterProperty(state, parameter, scope, container);
  }
  visitFunction(state, functionLike, scope, symbol, { self: scope.self, base: scope.base });
}

function addMember(state: FileState, member: ts.ClassElement, scope: Scope, container: number): number {
  const { name } = member;
  const flags: SymbolFlag[] = flagsOf(member);
  if (name !== undefined && ts.isPrivateIdentifier(name)) flags.push("private");
  const isConstructor = ts.isConstructorDeclaration(member);
  const isMethod = ts.isMethodDeclaration(member);
  return state.addSymbol({
    kind: isConstructor ? "constructor" : isMethod ? "method" : "property",
    name: name === undefined ? "constructor" : memberName(state, name),
    nameNode: name,
    node: member,
    bodyStart: ts.isPropertyDeclaration(member) ? bodyOfValue(state, member.initializer) : undefined,
    scope,
    parent: container,
    flags,
    typeNode: (member as ts.MethodDeclaration).type,
  });
}

/** Where what is no signature any more begins in a value: the body of a function or class, the brace of an object. */
function bodyOfValue(state: FileState, value: ts.Expression | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) return state.startOf(value.body);
  if (ts.isClassExpression(value)) return state.braceBefore(value.members);
  return ts.isObjectLiteralExpression(value) ? state.startOf(value) : undefined;
}

function visitProperty(state: FileState, member: ts.PropertyDeclaration, scope: Scope, symbol: number): void {
  const inner = symbol < 0 ? scope : scope.openAs({ from: symbol, container: symbol }, false);
  for (const modifier of modifiersOf(member)) if (ts.isDecorator(modifier)) state.visit(modifier, inner);
  state.visit(member.type, inner);
  if (member.initializer === undefined) return;
  expectValue(state, member.initializer, typed(member.type, inner), inner);
  const value = state.visit(member.initializer, inner);
  const found = state.symbols[symbol];
  if (found !== undefined) found.type ??= value;
}

/** A base class is a value. */
function useBaseClass(
  state: FileState,
  { expression, typeArguments }: ts.ExpressionWithTypeArguments,
  scope: Scope,
): void {
  const first = state.uses.length;
  const value = visitExpression(state, expression, scope, "extends");
  for (const use of state.uses.slice(first)) {
    if (use.target === value && use.kind === "extends") use.types = typeArguments && { nodes: typeArguments, scope };
  }
}

function useBase(
  state: FileState,
  { expression, typeArguments }: ts.ExpressionWithTypeArguments,
  scope: Scope,
  kind: "extends" | "implements",
): void {
  const types = typeArguments && { nodes: typeArguments, scope };
  const use = (node: ts.Expression, meaning: number, as: "extends" | "implements" | "type"): Value | undefined => {
    const isName = ts.isIdentifier(node);
    if (!isName && !ts.isPropertyAccessExpression(node)) return state.visit(node, scope);
    const last = isName ? node : node.name;
    if (isName && last.text === "") return undefined;
    const value: Value = isName
      ? { is: "name", name: last.text, scope, meaning }
      : { is: "member", of: use(node.expression, NAMESPACE, "type"), name: last.text };
    state.addUse(as, last, value, scope, { typeOnly: true, types: as === "type" ? undefined : types });
    return value;
  };
  use(expression, TYPE, kind);
}

/** A value that is given a name, and what is said of it. */
interface NamedValue extends Omit<SymbolInput, "kind" | "bodyStart" | "bases"> {
  /** What the symbol is if its value is neither a function nor a class. */
  readonly plainKind: SymbolInput["kind"];
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
  return state.addSymbol({
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
  const asFunction = functionOf(value);
  const asClass = classOf(value);
  const asObject = symbol < 0 ? undefined : objectLiteralOf(value);
  const inner = symbol < 0 ? scope : scope.openAs({ from: symbol, container: symbol }, false);
  if (asFunction !== undefined) {
    visitTypesAround(state, value, asFunction, inner);
    const type = state.symbols[symbol]?.type;
    if (type?.is === "typed" && type.type !== asFunction.type) state.expected.set(asFunction, type);
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
  const record = state.symbols[symbol];
  if (record !== undefined) record.type ??= found;
  return found;
}

/** Walks the members of an object literal as members of a symbol. */
export function visitObjectMembers(
  state: FileState,
  literal: { readonly properties: readonly ts.ObjectLiteralElementLike[] },
  scope: Scope,
  container: number,
): void {
  const self: Value = { is: "self", symbol: container };
  const inner = scope.openAs({ from: container, container }, false);
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
      const symbol = state.addSymbol({
        ...common,
        kind,
        flags: flagsOf(property),
        typeNode: (property as ts.MethodDeclaration).type,
      });
      visitFunction(state, property as ts.MethodDeclaration, inner, symbol, receiver);
      continue;
    }
    const flags: SymbolFlag[] = ts.isShorthandPropertyAssignment(property) ? ["shorthand"] : [];
    const symbol = addValueSymbol(state, { ...common, plainKind: "property", functionKind: "method", value, flags });
    if (value !== undefined) visitNamedValue(state, value, inner, symbol, receiver);
    else state.visit(property, symbol < 0 ? inner : inner.openAs({ from: symbol }, false));
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

/** Types of `as` and `satisfies` around a value. */
function visitTypesAround(state: FileState, outer: ts.Expression, inner: ts.Expression, scope: Scope): void {
  let at = outer;
  while (at !== inner) {
    if (ts.isAsExpression(at) || ts.isSatisfiesExpression(at) || ts.isTypeAssertionExpression(at)) {
      if (!ts.isAsExpression(at) || at.type.getText(state.file) !== "const") {
        expectValue(state, at.expression, { is: "typed", type: at.type, scope }, scope);
      }
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
function flagsOf(node: ts.Node): SymbolFlag[] {
  const flags: SymbolFlag[] = [];
  for (const modifier of modifiersOf(node)) {
    const flag = FLAG_OF_MODIFIER.get(modifier.kind);
    if (flag !== undefined) flags.push(flag);
  }
  return flags;
}
