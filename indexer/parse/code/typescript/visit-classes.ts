/** Walk of classes, interfaces, enums and of the members of type literals. */
import ts from "typescript";
import type { SymbolFlag } from "../../../../src/core/format/code-model.ts";
import { addSymbol, addUse, type FileState, startOf } from "./file-state.ts";
import { useLiteralKeys } from "./literal-keys.ts";
import { flagsOf, memberName, modifiersOf } from "./names.ts";
import { declare, NAMESPACE, openScopeAs, type Scope, TYPE, VALUE, type Value } from "./scope.ts";
import { foldSource } from "./signature.ts";
import { visitExpression } from "./visit-expressions.ts";
import { addParameterProperty, visitFunction } from "./visit-functions.ts";
import {
  declareLocal,
  declareTypeParameters,
  noteGiven,
  typed,
  visitSignature,
  visitTypeMember,
} from "./visit-types.ts";

const { SyntaxKind } = ts;

/** Names of what a class or interface extends and implements, without type arguments. */
export function basesOf(state: FileState, node: ts.ClassLikeDeclaration | ts.InterfaceDeclaration): string[] {
  return (node.heritageClauses ?? []).flatMap((clause) =>
    clause.types.map(({ expression }) => foldSource(state.text, startOf(state, expression), expression.end)),
  );
}

/** Where the body of a class, interface, enum or module begins. */
export function bodyStartOf(state: FileState, members: ts.NodeArray<ts.Node> | undefined): number | undefined {
  if (members === undefined) return undefined;
  const brace = state.text.lastIndexOf("{", members.pos);
  return brace < 0 ? members.pos : brace;
}

/** Walks a class. Without a symbol (-1) its members are none either. */
export function visitClass(state: FileState, node: ts.ClassLikeDeclaration, scope: Scope, symbol: number): void {
  const inside = symbol < 0 ? scope.from : symbol;
  const self: Value | undefined = symbol < 0 ? undefined : { is: "self", symbol };
  const base: Value | undefined = symbol < 0 ? undefined : { is: "super", symbol };
  const outside = openScopeAs(scope, { from: inside }, false);
  for (const modifier of modifiersOf(node)) if (ts.isDecorator(modifier)) state.visit(modifier, outside);
  const inner = openScopeAs(scope, { from: inside, container: inside, self, base }, false);
  if (ts.isClassExpression(node) && node.name !== undefined) {
    declare(inner, node.name.text, { meaning: VALUE | TYPE, symbol, import: -1, value: undefined });
  }
  declareTypeParameters(state, node.typeParameters, inner);
  for (const clause of node.heritageClauses ?? []) {
    for (const type of clause.types) {
      if (clause.token === SyntaxKind.ImplementsKeyword) useBase(state, type, inner, "implements");
      else visitExpression(state, type.expression, inner, "extends");
      for (const argument of type.typeArguments ?? []) state.visit(argument, inner);
    }
  }
  for (const member of node.members) visitClassMember(state, member, inner, symbol);
}

/** Walks an interface. */
export function visitInterface(state: FileState, node: ts.InterfaceDeclaration, scope: Scope, symbol: number): void {
  const inside = symbol < 0 ? scope.from : symbol;
  const inner = openScopeAs(scope, { from: inside, container: inside }, false);
  declareTypeParameters(state, node.typeParameters, inner);
  for (const clause of node.heritageClauses ?? []) {
    for (const type of clause.types) {
      useBase(state, type, inner, "extends");
      for (const argument of type.typeArguments ?? []) state.visit(argument, inner);
    }
  }
  visitTypeMembers(state, node.members, inner, symbol);
}

/** Walks members of an interface or type literal: properties and methods are symbols where their container is one. */
export function visitTypeMembers(
  state: FileState,
  members: readonly ts.TypeElement[],
  scope: Scope,
  container: number,
): void {
  for (const member of members) {
    const { name } = member;
    if (container < 0 || name === undefined) {
      visitTypeMember(state, member, scope);
      continue;
    }
    const isMethod = ts.isMethodSignature(member);
    const symbol = addSymbol(state, {
      kind: isMethod ? "method" : "property",
      name: memberName(state, name),
      nameNode: name,
      node: member,
      scope,
      parent: container,
      flags: flagsOf(member),
      typeNode: (member as ts.PropertySignature).type,
    });
    const inner = symbol < 0 ? scope : openScopeAs(scope, { from: symbol }, false);
    if (ts.isPropertySignature(member)) {
      visitTypeMember(state, member, inner);
      continue;
    }
    if (ts.isComputedPropertyName(name)) state.visit(name, inner);
    const signature = visitSignature(state, member as ts.MethodSignature, inner);
    const found = state.symbols[symbol];
    const { type } = member as ts.MethodSignature;
    if (found !== undefined && type !== undefined) found.type = { is: "typed", type, scope: signature };
    if (isMethod) noteGiven(state, symbol, member.parameters, signature);
  }
}

/** Walks an enum. Its members know one another by their names. */
export function visitEnum(state: FileState, node: ts.EnumDeclaration, scope: Scope, symbol: number): void {
  const inside = symbol < 0 ? scope.from : symbol;
  const inner = openScopeAs(scope, { from: inside, container: inside }, false);
  for (const member of node.members) {
    const name = memberName(state, member.name);
    const added =
      symbol < 0
        ? -1
        : addSymbol(state, { kind: "enumMember", name, nameNode: member.name, node: member, scope: inner });
    if (added < 0) declareLocal(inner, name, undefined);
    else declare(inner, name, { meaning: VALUE | TYPE, symbol: added, import: -1, value: undefined });
    const own = added < 0 ? inner : openScopeAs(inner, { from: added }, false);
    if (member.initializer !== undefined) state.visit(member.initializer, own);
  }
}

function visitClassMember(state: FileState, member: ts.ClassElement, scope: Scope, container: number): void {
  if (ts.isClassStaticBlockDeclaration(member)) {
    const inner = openScopeAs(scope, { place: "function" }, true);
    for (const statement of member.body.statements) state.visit(statement, inner);
    return;
  }
  if (ts.isIndexSignatureDeclaration(member)) {
    visitSignature(state, member, scope);
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
  const body = (member as ts.MethodDeclaration).body;
  const initializer = ts.isPropertyDeclaration(member) ? member.initializer : undefined;
  return addSymbol(state, {
    kind: isConstructor ? "constructor" : isMethod ? "method" : "property",
    name: name === undefined ? "constructor" : memberName(state, name),
    nameNode: name,
    node: member,
    bodyStart: body === undefined ? bodyOfValue(state, initializer) : startOf(state, body),
    scope,
    parent: container,
    flags,
    typeNode: (member as ts.MethodDeclaration).type,
  });
}

/** Where what is no signature any more begins in a value: the body of a function or class, the brace of an object. */
export function bodyOfValue(state: FileState, value: ts.Expression | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) return startOf(state, value.body);
  if (ts.isClassExpression(value)) return bodyStartOf(state, value.members);
  return ts.isObjectLiteralExpression(value) ? startOf(state, value) : undefined;
}

function visitProperty(state: FileState, member: ts.PropertyDeclaration, scope: Scope, symbol: number): void {
  const inner = symbol < 0 ? scope : openScopeAs(scope, { from: symbol, container: symbol }, false);
  for (const modifier of modifiersOf(member)) if (ts.isDecorator(modifier)) state.visit(modifier, inner);
  if (member.type !== undefined) state.visit(member.type, inner);
  if (member.initializer === undefined) return;
  const value = state.visit(member.initializer, inner);
  useLiteralKeys(state, member.initializer, typed(member.type, inner), inner);
  const found = state.symbols[symbol];
  if (found !== undefined) found.type ??= value;
}

function useBase(
  state: FileState,
  { expression }: ts.ExpressionWithTypeArguments,
  scope: Scope,
  kind: "extends" | "implements",
): void {
  const use = (node: ts.Expression, meaning: number, as: "extends" | "implements" | "type"): Value | undefined => {
    if (ts.isIdentifier(node)) {
      if (node.text === "") return undefined;
      const value: Value = { is: "name", name: node.text, scope, meaning };
      addUse(state, as, node, value, scope, { typeOnly: true });
      return value;
    }
    if (ts.isPropertyAccessExpression(node)) {
      const value: Value = { is: "member", of: use(node.expression, NAMESPACE, "type"), name: node.name.text };
      addUse(state, as, node.name, value, scope, { typeOnly: true });
      return value;
    }
    return state.visit(node, scope);
  };
  use(expression, TYPE, kind);
}
