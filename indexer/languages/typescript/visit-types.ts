/** Walk of types: which names they use, and the scopes that they open. */
import ts from "typescript";
import type { FileState, FoundUse } from "./file-state.ts";
import { NAMESPACE, type Scope, TYPE, VALUE, type Value } from "./scope.ts";

const { SyntaxKind } = ts;

/** Walks a type node. */
export function visitType(state: FileState, node: ts.Node, scope: Scope): void {
  switch (node.kind) {
    case SyntaxKind.TypeReference: {
      const { typeName, typeArguments } = node as ts.TypeReferenceNode;
      // `as const` is parsed as a reference to a type of that name.
      if (!(ts.isIdentifier(typeName) && typeName.text === "const")) useEntity(state, typeName, scope, TYPE, "type");
      state.visitAll(typeArguments, scope);
      return;
    }
    case SyntaxKind.TypeQuery: {
      const { exprName, typeArguments } = node as ts.TypeQueryNode;
      if (ts.isEntityName(exprName)) useEntity(state, exprName, scope, VALUE, "type");
      else visitType(state, exprName, scope);
      state.visitAll(typeArguments, scope);
      return;
    }
    case SyntaxKind.ImportType:
      visitImportType(state, node as ts.ImportTypeNode, scope);
      return;
    case SyntaxKind.TypePredicate: {
      // The name before `is` is a parameter or `this`.
      const { type } = node as ts.TypePredicateNode;
      if (type !== undefined) state.visit(type, scope);
      return;
    }
    case SyntaxKind.ConditionalType: {
      const { checkType, extendsType, trueType, falseType } = node as ts.ConditionalTypeNode;
      const inner = scope.openAs({ infers: true }, false);
      state.visit(checkType, scope);
      state.visit(extendsType, inner);
      state.visit(trueType, inner);
      state.visit(falseType, scope);
      return;
    }
    case SyntaxKind.InferType: {
      let owner: Scope = scope;
      while (!owner.infers && owner.parent !== undefined) owner = owner.parent;
      declareTypeParameters(state, [(node as ts.InferTypeNode).typeParameter], owner);
      return;
    }
    case SyntaxKind.MappedType: {
      const { typeParameter, nameType, type } = node as ts.MappedTypeNode;
      const inner = scope.openAs({}, false);
      declareTypeParameters(state, [typeParameter], inner);
      for (const part of [nameType, type]) if (part !== undefined) state.visit(part, inner);
      return;
    }
    case SyntaxKind.FunctionType:
    case SyntaxKind.ConstructorType:
      visitSignature(state, node as ts.FunctionTypeNode, scope);
      return;
    case SyntaxKind.TypeLiteral:
      for (const member of (node as ts.TypeLiteralNode).members) visitTypeMember(state, member, scope);
      return;
    case SyntaxKind.ExpressionWithTypeArguments: {
      const { expression, typeArguments } = node as ts.ExpressionWithTypeArguments;
      state.visit(expression, scope);
      state.visitAll(typeArguments, scope);
      return;
    }
    case SyntaxKind.NamedTupleMember:
      state.visit((node as ts.NamedTupleMember).type, scope);
      return;
    default:
      ts.forEachChild(node, (child) => void state.visit(child, scope));
  }
}

/** Walks a member of an interface or of a type literal without making a symbol of it. */
export function visitTypeMember(state: FileState, member: ts.TypeElement, scope: Scope): void {
  if (member.name !== undefined && ts.isComputedPropertyName(member.name)) state.visit(member.name, scope);
  if (ts.isPropertySignature(member)) {
    if (member.type !== undefined) state.visit(member.type, scope);
    return;
  }
  visitSignature(state, member as ts.MethodSignature, scope);
}

/** Walks type parameters, parameters and result of a signature that has no body. Gives its scope. */
export function visitSignature(state: FileState, node: ts.SignatureDeclaration, scope: Scope): Scope {
  const inner = scope.openAs(scope.place === "function" ? {} : { place: "block" }, false);
  declareTypeParameters(state, node.typeParameters, inner);
  for (const parameter of node.parameters) {
    if (ts.isIdentifier(parameter.name)) declareLocal(inner, parameter.name.text, typed(parameter.type, inner));
    if (parameter.type !== undefined) state.visit(parameter.type, inner);
  }
  if (node.type !== undefined) state.visit(node.type, inner);
  return inner;
}

/** Declares type parameters in a scope and walks their constraints and defaults. */
export function declareTypeParameters(
  state: FileState,
  parameters: readonly ts.TypeParameterDeclaration[] | undefined,
  scope: Scope,
): void {
  for (const { name, constraint, default: preset } of parameters ?? []) {
    scope.declare(name.text, { meaning: TYPE, symbol: -1, import: -1, value: typed(constraint, scope) });
    if (constraint !== undefined) state.visit(constraint, scope);
    if (preset !== undefined) state.visit(preset, scope);
  }
}

/** Notes on a symbol what it calls functions among its arguments with, as far as their parameters have types. */
export function noteGiven(
  state: FileState,
  symbol: number,
  parameters: readonly ts.ParameterDeclaration[],
  scope: Scope,
): void {
  const found = state.symbols[symbol];
  if (found === undefined) return;
  for (const [argument, { type }] of withoutThis(parameters).entries()) {
    const called = type && functionTypeOf(type);
    for (const [parameter, { type: given }] of withoutThis(called?.parameters ?? []).entries()) {
      const value = typed(given, scope);
      if (value !== undefined) found.gives.push({ argument, parameter, value });
    }
  }
}

/** Parameters as calls count them: what stands first and says the type of `this` is none. */
export function withoutThis(parameters: readonly ts.ParameterDeclaration[]): readonly ts.ParameterDeclaration[] {
  const [first] = parameters;
  return first !== undefined && ts.isIdentifier(first.name) && first.name.text === "this"
    ? parameters.slice(1)
    : parameters;
}

/** The one type of a function in a type; undefined for none and for several. */
function functionTypeOf(type: ts.TypeNode): ts.FunctionTypeNode | undefined {
  if (ts.isFunctionTypeNode(type)) return type;
  if (ts.isParenthesizedTypeNode(type)) return functionTypeOf(type.type);
  if (!ts.isUnionTypeNode(type)) return undefined;
  const [only, ...others] = type.types.flatMap((part) => functionTypeOf(part) ?? []);
  return others.length === 0 ? only : undefined;
}

/** Declares a variable that is no symbol. */
export function declareLocal(scope: Scope, name: string, value: Value | undefined): void {
  scope.declare(name, { meaning: VALUE, symbol: -1, import: -1, value });
}

/** A value of a type that is written down; undefined where none is. */
export function typed(type: ts.TypeNode | undefined, scope: Scope): Value | undefined {
  return type === undefined ? undefined : { is: "typed", type, scope };
}

/** Adds the uses of `a.b.c` in a place of types, one for each name. */
export function useEntity(
  state: FileState,
  name: ts.EntityName,
  scope: Scope,
  meaning: number,
  kind: FoundUse["kind"],
): Value {
  if (ts.isIdentifier(name)) {
    const value: Value = { is: "name", name: name.text, scope, meaning };
    if (name.text !== "") state.addUse(kind, name, value, scope, { typeOnly: true });
    return value;
  }
  const of = useEntity(state, name.left, scope, meaning === TYPE ? NAMESPACE : meaning, "type");
  const value: Value = { is: "member", of, name: name.right.text };
  if (name.right.text !== "") state.addUse(kind, name.right, value, scope, { typeOnly: true });
  return value;
}

/** `import("./a").Store` imports the module and uses what follows. */
function visitImportType(state: FileState, node: ts.ImportTypeNode, scope: Scope): void {
  const { argument, qualifier, typeArguments } = node;
  if (ts.isLiteralTypeNode(argument) && ts.isStringLiteral(argument.literal)) {
    const entry = {
      kind: "imports",
      specifier: argument.literal.text,
      imported: "*",
      local: "",
      typeOnly: true,
      from: scope.from,
    } as const;
    const index = state.addImport(entry, argument.literal);
    if (qualifier !== undefined) useQualifier(state, qualifier, { is: "import", import: index }, scope);
  }
  state.visitAll(typeArguments, scope);
}

function useQualifier(state: FileState, name: ts.EntityName, of: Value, scope: Scope): Value {
  const [base, last] = ts.isIdentifier(name) ? [of, name] : [useQualifier(state, name.left, of, scope), name.right];
  const value: Value = { is: "member", of: base, name: last.text };
  state.addUse("type", last, value, scope, { typeOnly: true });
  return value;
}
