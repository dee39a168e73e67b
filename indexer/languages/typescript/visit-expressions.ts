/** Walk of expressions: which names they use and for what, and what is known of their values. */
import ts from "typescript";
import type { FileState, FoundUse } from "./file-state.ts";
import { expectValue, functionOf, memberName, moduleOf } from "./nodes.ts";
import { type FoundTypeParameter, NAMESPACE, narrowedScope, type Scope, TYPE, VALUE, type Value } from "./scope.ts";

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
  const visit = EXPRESSIONS[node.kind];
  if (visit !== undefined) return visit(state, node as never, scope, role);
  const walk = WALKS[node.kind];
  if (walk === undefined) ts.forEachChild(node, (child) => void state.visit(child, scope));
  else walk(state, node as never, scope);
  return undefined;
}

type VisitKind = (state: FileState, node: never, scope: Scope, role: Role) => Value | undefined;

const INNER: VisitKind = (state, { expression }: ts.ParenthesizedExpression, scope, role) =>
  visitExpression(state, expression, scope, role);

const ASSERTED: VisitKind = (state, node: ts.AsExpression, scope, role) => {
  const { expression, type } = node;
  if (!isConstType(type)) expectValue(state, expression, { is: "typed", type, scope }, scope);
  const of = visitExpression(state, expression, scope, role);
  visitType(state, type, scope);
  return ts.isSatisfiesExpression(node) || isConstType(type) ? of : { is: "typed", type, scope };
};

const VISITED: VisitKind = (state, node, scope) => state.visit(node, scope);

/** Expressions of whose values something is known. */
const EXPRESSIONS: Readonly<Record<number, VisitKind>> = {
  [SyntaxKind.Identifier]: (state, node: ts.Identifier, scope, role) => useName(state, node, scope, role),
  [SyntaxKind.PropertyAccessExpression]: (state, { expression, name }: ts.PropertyAccessExpression, scope, role) =>
    useMember(state, name, visitExpression(state, expression, scope), scope, role),
  [SyntaxKind.ElementAccessExpression]: (
    state,
    { expression, argumentExpression }: ts.ElementAccessExpression,
    scope,
  ) => {
    const of = visitExpression(state, expression, scope);
    state.visit(argumentExpression, scope);
    if (ts.isStringLiteralLike(argumentExpression)) return { is: "member", of, name: argumentExpression.text };
    const at = ts.isNumericLiteral(argumentExpression) ? Number(argumentExpression.text) : undefined;
    return of && { is: "element", of, ...(at !== undefined && { at }) };
  },
  [SyntaxKind.CallExpression]: visitCall,
  [SyntaxKind.NewExpression]: (state, { expression, typeArguments, arguments: given }: ts.NewExpression, scope) => {
    const of = visitExpression(state, expression, scope, "instantiates");
    state.visitAll(typeArguments, scope);
    const call = { of: of as Value, arguments: [] as (Value | undefined)[], types: typeArguments, scope };
    visitArguments(state, given, of && call, call.arguments, true, scope);
    return of && { is: "instance", ...call };
  },
  [SyntaxKind.TaggedTemplateExpression]: (
    state,
    { tag, typeArguments, template }: ts.TaggedTemplateExpression,
    scope,
  ) => {
    const of = visitExpression(state, tag, scope, "calls");
    state.visitAll(typeArguments, scope);
    state.visit(template, scope);
    return of && { is: "result", of, arguments: [], types: typeArguments, scope };
  },
  [SyntaxKind.ObjectLiteralExpression]: visitObject,
  [SyntaxKind.ArrayLiteralExpression]: visitList,
  [SyntaxKind.ParenthesizedExpression]: INNER,
  [SyntaxKind.NonNullExpression]: INNER,
  [SyntaxKind.AwaitExpression]: (state, { expression }: ts.AwaitExpression, scope) => {
    const of = visitExpression(state, expression, scope);
    return of && (of.is === "import" ? of : { is: "applied", type: "Awaited", of });
  },
  [SyntaxKind.SatisfiesExpression]: ASSERTED,
  [SyntaxKind.AsExpression]: ASSERTED,
  [SyntaxKind.TypeAssertionExpression]: ASSERTED,
  [SyntaxKind.ThisKeyword]: (_state, _node, scope) => scope.self,
  [SyntaxKind.SuperKeyword]: (_state, _node, scope) => scope.base,
  [SyntaxKind.BinaryExpression]: visitBinary,
  [SyntaxKind.ConditionalExpression]: (state, { condition, whenTrue, whenFalse }: ts.ConditionalExpression, scope) => {
    state.visit(condition, scope);
    const first = state.visit(whenTrue, narrowedScope(condition, scope));
    const second = state.visit(whenFalse, scope);
    return eitherOf([first, second]);
  },
  [SyntaxKind.ReturnStatement]: (state, { expression }: ts.ReturnStatement, scope) => {
    expectValue(state, expression, scope.returns, scope);
    const value = state.visit(expression, scope);
    if (value !== undefined) scope.returned?.push(value);
    return value;
  },
  [SyntaxKind.FunctionExpression]: VISITED,
  [SyntaxKind.ArrowFunction]: VISITED,
  [SyntaxKind.ClassExpression]: VISITED,
};

/** What else does more than its children. */
const WALKS: Readonly<Record<number, (state: FileState, node: never, scope: Scope) => void>> = {
  [SyntaxKind.PrefixUnaryExpression]: (state, { operator, operand }: ts.PrefixUnaryExpression, scope) => {
    const changes = operator === SyntaxKind.PlusPlusToken || operator === SyntaxKind.MinusMinusToken;
    visitExpression(state, operand, scope, changes ? "writes" : "reads");
  },
  [SyntaxKind.PostfixUnaryExpression]: (state, { operand }: ts.PostfixUnaryExpression, scope) => {
    visitExpression(state, operand, scope, "writes");
  },
  [SyntaxKind.DeleteExpression]: (state, { expression }: ts.DeleteExpression, scope) => {
    visitExpression(state, expression, scope, "writes");
  },
  [SyntaxKind.Decorator]: (state, { expression }: ts.Decorator, scope) => {
    visitExpression(state, expression, scope, "decorates");
  },
  [SyntaxKind.ShorthandPropertyAssignment]: visitProperty,
  [SyntaxKind.PropertyAssignment]: visitProperty,
  [SyntaxKind.MetaProperty]: () => undefined,
  [SyntaxKind.JsxOpeningElement]: visitTag,
  [SyntaxKind.JsxSelfClosingElement]: visitTag,
  [SyntaxKind.JsxClosingElement]: (state, { tagName }: ts.JsxClosingElement, scope) => {
    useTag(state, tagName, scope, "reads");
  },
  [SyntaxKind.JsxAttribute]: (state, { initializer }: ts.JsxAttribute, scope) => {
    state.visit(initializer, scope);
  },
};

function visitTag(
  state: FileState,
  { tagName, typeArguments, attributes }: ts.JsxOpeningLikeElement,
  scope: Scope,
): void {
  const of = useTag(state, tagName, scope, "calls");
  state.visitAll(typeArguments, scope);
  if (of !== undefined) {
    const call = { of, arguments: [], types: typeArguments, scope };
    const props: Value = { is: "argument", argument: 0, isMade: false, ...call };
    for (const attribute of attributes.properties) {
      if (!ts.isJsxAttribute(attribute) || !ts.isIdentifier(attribute.name)) continue;
      const member: Value = { is: "member", of: props, name: attribute.name.text };
      state.addUse("writes", attribute.name, member, scope, { isSure: true });
      const { initializer } = attribute;
      if (initializer === undefined || !ts.isJsxExpression(initializer)) continue;
      expectValue(state, initializer.expression, member, scope);
    }
  }
  state.visit(attributes, scope);
}

/** Walks an object literal that is no symbol. */
function visitObject(state: FileState, literal: ts.ObjectLiteralExpression, scope: Scope): Value | undefined {
  const members = new Map<string, Value | undefined>();
  const spread: Value[] = [];
  for (const property of literal.properties) {
    const value = visitProperty(state, property, scope);
    if (!ts.isSpreadAssignment(property)) members.set(memberName(state, property.name), value);
    else if (value !== undefined) spread.unshift(value);
  }
  return literal.properties.length === 0 ? undefined : { is: "object", members, spread };
}

function visitProperty(state: FileState, property: ts.ObjectLiteralElementLike, scope: Scope): Value | undefined {
  if (ts.isPropertyAssignment(property)) {
    if (ts.isComputedPropertyName(property.name)) state.visit(property.name.expression, scope);
    return state.visit(property.initializer, scope);
  }
  if (ts.isSpreadAssignment(property)) return state.visit(property.expression, scope);
  if (!ts.isShorthandPropertyAssignment(property)) {
    const value = state.visit(property, scope);
    return ts.isMethodDeclaration(property) ? value : state.results.get(property);
  }
  const value = useName(state, property.name, scope, "reads", "value");
  state.visit(property.objectAssignmentInitializer, scope);
  return value;
}

function visitList(state: FileState, { elements }: ts.ArrayLiteralExpression, scope: Scope): Value | undefined {
  const items = elements.map((element) =>
    state.visit(ts.isSpreadElement(element) ? element.expression : element, scope),
  );
  if (!elements.some(ts.isSpreadElement))
    return items.some((item) => item !== undefined) ? { is: "tuple", items } : undefined;
  const held = eitherOf(
    items.map((item, at) =>
      item !== undefined && ts.isSpreadElement(elements[at] as ts.Expression) ? { is: "element", of: item } : item,
    ),
  );
  return held && { is: "applied", type: "Array", of: held };
}

/** One of several values; of what is unknown nothing is said. */
export function eitherOf(values: readonly (Value | undefined)[]): Value | undefined {
  const known = [...new Set(values)].filter((value) => value !== undefined);
  return known.length > 1 ? { is: "either", of: known } : known[0];
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
    state.visit(property.objectAssignmentInitializer, scope);
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
  const call = { of: of as Value, arguments: [] as (Value | undefined)[], types: typeArguments, scope };
  visitArguments(state, given, of && call, call.arguments, false, scope);
  // A function that is called where it stands: `(() => store.items)()`.
  const own = functionOf(expression);
  return own === undefined ? of && { is: "result", ...call } : state.results.get(own);
}

/** Walks the arguments of a call, and adds their values. What is called says what they are expected to be. */
function visitArguments(
  state: FileState,
  given: readonly ts.Expression[] | undefined,
  call: Omit<Value & { is: "argument" }, "is" | "argument" | "isMade"> | undefined,
  values: (Value | undefined)[],
  isMade: boolean,
  scope: Scope,
): void {
  // Functions may need to know what they are given before they say what they give.
  const others = (given ?? []).map((): Value | undefined => undefined);
  for (const [argument, node] of (given ?? []).entries()) {
    if (call !== undefined && EXPECTANT.has(node.kind)) {
      expectValue(state, node, { is: "argument", ...call, arguments: others, argument, isMade }, scope);
    }
    const value = state.visit(node, scope);
    values.push(ts.isSpreadElement(node) ? undefined : value);
    if (value?.is !== "function" && value?.is !== "object" && !ts.isSpreadElement(node)) others[argument] = value;
  }
}

/** Values that can say more where it is known what their place expects. */
const EXPECTANT: ReadonlySet<ts.SyntaxKind> = new Set([
  SyntaxKind.ArrowFunction,
  SyntaxKind.FunctionExpression,
  SyntaxKind.ObjectLiteralExpression,
  SyntaxKind.ArrayLiteralExpression,
  SyntaxKind.ConditionalExpression,
  SyntaxKind.ParenthesizedExpression,
  SyntaxKind.BinaryExpression,
]);

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
        value = eitherOf([value, other]);
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
  expectValue(state, node.right, target, scope);
  return state.visit(node.right, scope);
}

/** Names of components; elements of HTML begin with a small letter. */
function useTag(state: FileState, tag: ts.JsxTagNameExpression, scope: Scope, role: Role): Value | undefined {
  if (ts.isJsxNamespacedName(tag)) return undefined;
  if (ts.isIdentifier(tag) && /^[a-z]/.test(tag.text) && scope.find(tag.text, VALUE) === undefined) return undefined;
  return visitExpression(state, tag, scope, role);
}

function isConstType(type: ts.TypeNode): boolean {
  return ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName) && type.typeName.text === "const";
}

/** Walks a type node. */
export function visitType(state: FileState, node: ts.Node, scope: Scope): void {
  const visit = TYPES[node.kind];
  if (visit === undefined) ts.forEachChild(node, (child) => void state.visit(child, scope));
  else visit(state, node as never, scope);
}

/** Types that use names, open a scope, or hold names that are no uses. */
const TYPES: Readonly<Record<number, (state: FileState, node: never, scope: Scope) => void>> = {
  [SyntaxKind.TypeReference]: (state, { typeName, typeArguments }: ts.TypeReferenceNode, scope) => {
    // `as const` is parsed as a reference to a type of that name.
    if (!(ts.isIdentifier(typeName) && typeName.text === "const")) useEntity(state, typeName, scope, TYPE, "type");
    state.visitAll(typeArguments, scope);
  },
  [SyntaxKind.TypeQuery]: (state, { exprName, typeArguments }: ts.TypeQueryNode, scope) => {
    if (ts.isEntityName(exprName)) useEntity(state, exprName, scope, VALUE, "type");
    else visitType(state, exprName, scope);
    state.visitAll(typeArguments, scope);
  },
  [SyntaxKind.ImportType]: visitImportType,
  // The name before `is` is a parameter or `this`.
  [SyntaxKind.TypePredicate]: (state, { type }: ts.TypePredicateNode, scope) => void state.visit(type, scope),
  [SyntaxKind.ConditionalType]: (state, node: ts.ConditionalTypeNode, scope) => {
    const inner = scope.openAs({ infers: true }, false);
    state.typeScopes.set(node, inner);
    state.visit(node.checkType, scope);
    state.visit(node.extendsType, inner);
    state.visit(node.trueType, inner);
    state.visit(node.falseType, scope);
  },
  [SyntaxKind.InferType]: (state, { typeParameter }: ts.InferTypeNode, scope) => {
    let owner: Scope = scope;
    while (!owner.infers && owner.parent !== undefined) owner = owner.parent;
    declareTypeParameters(state, [typeParameter], owner);
  },
  [SyntaxKind.MappedType]: (state, node: ts.MappedTypeNode, scope) => {
    const { typeParameter, nameType, type } = node;
    const inner = scope.openAs({}, false);
    state.typeScopes.set(node, inner);
    declareTypeParameters(state, [typeParameter], inner);
    state.visit(nameType, inner);
    state.visit(type, inner);
  },
  [SyntaxKind.FunctionType]: visitSignature,
  [SyntaxKind.ConstructorType]: visitSignature,
  [SyntaxKind.TypeLiteral]: (state, { members }: ts.TypeLiteralNode, scope) => {
    for (const member of members) visitTypeMember(state, member, scope);
  },
  [SyntaxKind.ExpressionWithTypeArguments]: (state, node: ts.ExpressionWithTypeArguments, scope) => {
    state.visit(node.expression, scope);
    state.visitAll(node.typeArguments, scope);
  },
  [SyntaxKind.NamedTupleMember]: (state, { type }: ts.NamedTupleMember, scope) => void state.visit(type, scope),
};

/** Walks a member of an interface or of a type literal without making a symbol of it. */
export function visitTypeMember(state: FileState, member: ts.TypeElement, scope: Scope): void {
  if (member.name !== undefined && ts.isComputedPropertyName(member.name)) state.visit(member.name, scope);
  if (ts.isPropertySignature(member)) {
    state.visit(member.type, scope);
    return;
  }
  visitSignature(state, member as ts.MethodSignature, scope);
}

/** Walks type parameters, parameters and result of a signature that has no body. Gives its scope. */
export function visitSignature(state: FileState, node: ts.SignatureDeclaration, scope: Scope): Scope {
  const inner = scope.openAs(scope.place === "function" ? {} : { place: "block" }, false);
  state.typeScopes.set(node, inner);
  declareTypeParameters(state, node.typeParameters, inner);
  for (const parameter of node.parameters) {
    if (ts.isIdentifier(parameter.name)) declareLocal(inner, parameter.name.text, typed(parameter.type, inner));
    state.visit(parameter.type, inner);
  }
  state.visit(node.type, inner);
  return inner;
}

/** Declares type parameters in a scope and walks their constraints and defaults. */
export function declareTypeParameters(
  state: FileState,
  parameters: readonly ts.TypeParameterDeclaration[] | undefined,
  scope: Scope,
): FoundTypeParameter[] {
  return (parameters ?? []).map(({ name, constraint, default: preset }) => {
    const parameter = state.typeParameterCount++;
    const found = { parameter, constraint: typed(constraint, scope), preset: typed(preset, scope) };
    scope.declare(name.text, { meaning: TYPE, value: { is: "parameter", ...found } });
    state.visit(constraint, scope);
    state.visit(preset, scope);
    return found;
  });
}

/** Parameters as calls count them: what stands first and says the type of `this` is none. */
export function withoutThis(parameters: readonly ts.ParameterDeclaration[]): readonly ts.ParameterDeclaration[] {
  const [first] = parameters;
  return first !== undefined && ts.isIdentifier(first.name) && first.name.text === "this"
    ? parameters.slice(1)
    : parameters;
}

/** Declares a variable that is no symbol. */
export function declareLocal(scope: Scope, name: string, value: Value | undefined): void {
  scope.declare(name, { meaning: VALUE, value });
}

/** A value of a type that is written down; undefined where none is. */
export function typed(type: ts.TypeNode | undefined, scope: Scope): Value | undefined {
  return type === undefined ? undefined : { is: "typed", type, scope };
}

/** Adds the uses of `a.b.c` in a place of types, one for each name: of what is in scope, or is a member of `around`. */
export function useEntity(
  state: FileState,
  name: ts.EntityName,
  scope: Scope,
  meaning: number,
  kind: FoundUse["kind"],
  around?: Value,
): Value {
  const outer = meaning === TYPE ? NAMESPACE : meaning;
  const of = ts.isIdentifier(name) ? around : useEntity(state, name.left, scope, outer, "type", around);
  const last = ts.isIdentifier(name) ? name : name.right;
  const value: Value =
    of === undefined ? { is: "name", name: last.text, scope, meaning } : { is: "member", of, name: last.text };
  if (last.text !== "") state.addUse(kind, last, value, scope, { typeOnly: true });
  return value;
}

/** `import("./a").Store` imports the module and uses what follows. */
function visitImportType(state: FileState, node: ts.ImportTypeNode, scope: Scope): void {
  const { argument, qualifier, typeArguments } = node;
  if (ts.isLiteralTypeNode(argument) && ts.isStringLiteral(argument.literal)) {
    const { literal } = argument;
    const isInComment = (node.flags & ts.NodeFlags.JSDoc) !== 0 && ({ isInComment: true } as const);
    const entry = { specifier: literal.text, imported: "*", typeOnly: true, ...isInComment };
    const module: Value = { is: "import", import: state.addImport(entry, scope, literal) };
    state.typeImports.set(
      node,
      qualifier === undefined ? module : useEntity(state, qualifier, scope, TYPE, "type", module),
    );
  }
  state.visitAll(typeArguments, scope);
}
