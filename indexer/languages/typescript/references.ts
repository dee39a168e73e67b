/**
 * Values and types that a walk found to references: names are looked up in scopes, types are read as they are written.
 */
import ts from "typescript";
import type { FunctionType, Reference, ReferenceRoot, Signatures, TypeParameter } from "../base/code-file.ts";
import type { FileState } from "./file-state.ts";
import { memberName } from "./nodes.ts";
import {
  ANY_MEANING,
  type Binding,
  type FoundTypeParameter,
  NAMESPACE,
  type Scope,
  TYPE,
  VALUE,
  type Value,
} from "./scope.ts";
import { typed, withoutThis } from "./visit-expressions.ts";

/** Calls in a chain; longer ones are generated code. */
const MAX_NESTING = 60;
/** A longer chain of members is generated code; its last name is kept. */
const MAX_MEMBERS = 12;
/** Parts of a union or an object that are looked at. */
const MAX_PARTS = 60;

const UNKNOWN: Reference = { root: { kind: "unknown" }, members: [] };

interface Resolved {
  readonly reference: Reference;
  readonly nesting: number;
}

/** Looks up the names of what a walk found, and remembers what it found. */
export function createNameResolver(state: FileState) {
  const known = new Map<Value, Resolved>();
  const knownTypes = new Map<ts.Node, Reference | undefined>();
  const parameters = new Map<number, TypeParameter>();
  /** References to the same name are one, so that they are written once. */
  const names = new Map<string, Reference>();
  const membersOf = new Map<Reference, Map<string, Reference>>();

  const resolve = (value: Value): Resolved => {
    const before = known.get(value);
    if (before !== undefined) return before;
    // A variable that is defined by itself is nothing that is known.
    known.set(value, { reference: UNKNOWN, nesting: 0 });
    const resolved = work(value);
    known.set(value, resolved);
    return resolved;
  };

  const work = (value: Value): Resolved => {
    switch (value.is) {
      case "name": {
        const binding = value.scope.find(value.name, value.meaning);
        if (binding === undefined) return nameOf({ kind: "free", name: value.name });
        if (binding.symbol >= 0) return nameOf({ kind: "symbol", symbol: binding.symbol });
        if (binding.import >= 0) return nameOf({ kind: "import", import: binding.import });
        return binding.value === undefined ? NOTHING_KNOWN : resolve(binding.value);
      }
      case "member":
        return resolveMember(value);
      case "result":
      case "instance":
      case "argument":
        return resolveCall(value);
      case "given":
        return wrap(value.of, (of) => ({ kind: "given", of, parameter: value.parameter }));
      case "element":
        return wrap(value.of, (of) => ({ kind: "element", of, ...(value.at !== undefined && { at: value.at }) }));
      case "applied":
        return wrap(value.of, () => {
          const root: ReferenceRoot = { kind: "free", name: value.type };
          return { kind: "value", type: { root, members: [], arguments: [typeOf(value.of) ?? UNKNOWN] } };
        });
      case "either": {
        const parts = value.of.slice(0, MAX_PARTS).map(resolve);
        const known = parts.map(({ reference }) => reference).filter((part) => !isUnknown(part));
        const nesting = Math.max(0, ...parts.map((part) => part.nesting));
        if (known.length < 2 || nesting >= MAX_NESTING) return { reference: known[0] ?? UNKNOWN, nesting };
        const of = known.map(typePlace);
        return { reference: plainReference({ kind: "either", of }), nesting: nesting + 1 };
      }
      case "object": {
        const parts = [...value.members].slice(0, MAX_PARTS);
        const own = parts.map(([, of]) => (of === undefined ? NOTHING_KNOWN : resolve(of)));
        const others = value.spread.slice(0, MAX_PARTS).map(resolve);
        if (others.length === 0 && own.every(({ reference }) => isUnknown(reference))) return NOTHING_KNOWN;
        const members = Object.fromEntries(own.map(({ reference }, at) => [parts[at]?.[0], reference]));
        const spread = others.length > 0 && { spread: others.map(({ reference }) => reference) };
        return around([...own, ...others], { kind: "object", members, ...spread });
      }
      case "tuple": {
        const parts = value.items.slice(0, MAX_PARTS).map((item) => (item ? resolve(item) : NOTHING_KNOWN));
        return around(parts, { kind: "tuple", items: parts.map(({ reference }) => typePlace(reference)) });
      }
      case "function": {
        const result = state.results.get(value.node);
        const nesting = result === undefined ? 0 : resolve(result).nesting;
        if (nesting >= MAX_NESTING) return NOTHING_KNOWN;
        return {
          reference: plainReference({ kind: "function", ...functionType(value.node, value.scope, true) }),
          nesting: nesting + 1,
        };
      }
      case "parameter":
        return plain(typeParameter(value));
      case "typed": {
        const type = typeReference(value.type, value.scope);
        return type === undefined ? NOTHING_KNOWN : { reference: plainReference({ kind: "value", type }), nesting: 1 };
      }
      case "self":
      case "super":
        return nameOf({ kind: value.is, symbol: value.symbol });
      case "import":
        return nameOf({ kind: "import", import: value.import });
    }
  };

  const nameOf = (root: ReferenceRoot): Resolved => {
    const key = Object.values(root).join(" ");
    const reference = names.get(key) ?? plainReference(root);
    names.set(key, reference);
    return { reference, nesting: 0 };
  };

  const wrap = (value: Value, root: (of: Reference) => ReferenceRoot): Resolved => {
    const { reference, nesting } = resolve(value);
    if (isUnknown(reference) || nesting >= MAX_NESTING) return NOTHING_KNOWN;
    return { reference: plainReference(root(reference)), nesting: nesting + 1 };
  };

  const resolveCall = (value: Value & { is: "result" | "instance" | "argument" }): Resolved => {
    const { reference, nesting } = resolve(value.of);
    const given = value.arguments.map((argument) => (argument === undefined ? undefined : resolve(argument)));
    const deepest = Math.max(nesting, ...given.map((argument) => argument?.nesting ?? 0));
    if (isUnknown(reference) || deepest >= MAX_NESTING) return NOTHING_KNOWN;
    const of = value.types === undefined ? reference : withArguments(reference, value.types, value.scope);
    const isSaid = given.some((argument) => argument !== undefined && !isUnknown(argument.reference));
    const call = { of, ...(isSaid && { arguments: given.map((argument) => argument?.reference ?? UNKNOWN) }) };
    const made = (value.is === "argument" ? value.isMade : value.is === "instance") && { isMade: true as const };
    const root: ReferenceRoot =
      value.is === "argument"
        ? { kind: "argument", argument: value.argument, ...made, ...call }
        : { kind: "result", ...made, ...call };
    return { reference: plainReference(root), nesting: deepest + 1 };
  };

  const resolveMember = (value: Value & { is: "member" }): Resolved => {
    if (value.of === undefined) return { reference: { root: UNKNOWN.root, members: [value.name] }, nesting: 0 };
    const { reference, nesting } = resolve(value.of);
    const known = membersOf.get(reference) ?? new Map<string, Reference>();
    membersOf.set(reference, known);
    const isLong = reference.members.length >= MAX_MEMBERS;
    const added =
      known.get(value.name) ??
      (isLong
        ? { root: UNKNOWN.root, members: [value.name] }
        : { root: reference.root, members: [...reference.members, value.name] });
    known.set(value.name, added);
    return { reference: added, nesting };
  };

  const withArguments = (reference: Reference, nodes: readonly ts.TypeNode[], scope: Scope): Reference => {
    const types = nodes.map((node) => typeReference(node, scope) ?? UNKNOWN);
    return types.every(isUnknown) ? reference : { ...reference, arguments: types };
  };

  /** The type that a node stands for; undefined where nothing can be said of it, as of numbers. */
  const typeReference = (node: ts.TypeNode, scope: Scope): Reference | undefined => {
    if (knownTypes.has(node)) return knownTypes.get(node);
    knownTypes.set(node, undefined);
    const type = readType(node, scope);
    knownTypes.set(node, type);
    return type;
  };

  const readType = (node: ts.TypeNode, around: Scope): Reference | undefined => {
    const scope = state.typeScopes.get(node) ?? around;
    const orUnknown = (type: ts.TypeNode | undefined): Reference =>
      (type === undefined ? undefined : typeReference(type, scope)) ?? UNKNOWN;
    if (ts.isParenthesizedTypeNode(node)) return typeReference(node.type, scope);
    if (ts.isJSDocNullableType(node) || ts.isJSDocNonNullableType(node) || ts.isJSDocOptionalType(node)) {
      return typeReference(node.type, scope);
    }
    if (ts.isJSDocTypeLiteral(node)) {
      const members = (node.jsDocPropertyTags ?? []).flatMap(({ name, typeExpression }) => {
        const type = typeExpression && typeReference(typeExpression.type, scope);
        return type === undefined ? [] : [[name.getText(state.file), plainReference({ kind: "value", type })] as const];
      });
      return plainReference({ kind: "object", members: Object.fromEntries(members) });
    }
    if (ts.isTypeOperatorNode(node)) {
      return node.operator === ts.SyntaxKind.ReadonlyKeyword ? typeReference(node.type, scope) : undefined;
    }
    if (ts.isUnionTypeNode(node) || ts.isIntersectionTypeNode(node)) {
      const of = node.types.slice(0, MAX_PARTS).flatMap((part) => typeReference(part, scope) ?? []);
      return of.length < 2 ? of[0] : plainReference({ kind: "either", of });
    }
    if (node.kind === ts.SyntaxKind.ThisType) {
      return scope.self?.is === "self" ? plainReference({ kind: "self", symbol: scope.self.symbol }) : undefined;
    }
    if (ts.isTypeReferenceNode(node)) return namedType(node, scope);
    if (ts.isInferTypeNode(node)) {
      const value = scope.find(node.typeParameter.name.text, TYPE)?.value;
      return value && resolve(value).reference;
    }
    if (ts.isArrayTypeNode(node)) {
      return { root: { kind: "free", name: "Array" }, members: [], arguments: [orUnknown(node.elementType)] };
    }
    if (ts.isTupleTypeNode(node)) {
      const items = node.elements.slice(0, MAX_PARTS).map((item) => orUnknown(tupleItem(item)));
      return plainReference({ kind: "tuple", items });
    }
    if (ts.isFunctionTypeNode(node) || ts.isConstructorTypeNode(node)) {
      const isMade = ts.isConstructorTypeNode(node) && { isMade: true as const };
      return plainReference({ kind: "function", ...isMade, ...functionType(node, scope, true) });
    }
    if (ts.isTypeLiteralNode(node)) return literalType(node, scope);
    if (ts.isTypeQueryNode(node)) {
      const { exprName, typeArguments } = node;
      if (!ts.isEntityName(exprName)) return undefined;
      const { reference } = resolve(entityValue(exprName, scope, VALUE));
      if (isUnknown(reference)) return undefined;
      const of = typeArguments === undefined ? reference : withArguments(reference, typeArguments, scope);
      return plainReference({ kind: "typeof", of });
    }
    if (ts.isImportTypeNode(node)) {
      const value = state.typeImports.get(node);
      if (value === undefined) return undefined;
      const { reference } = resolve(value);
      if (node.isTypeOf) return plainReference({ kind: "typeof", of: reference });
      return node.typeArguments === undefined ? reference : withArguments(reference, node.typeArguments, scope);
    }
    if (ts.isConditionalTypeNode(node)) {
      const inferred = [...(scope.names ?? [])].flatMap(([, { value }]) =>
        value?.is === "parameter" ? [value.parameter] : [],
      );
      const [check, extended, yes, no] = [node.checkType, node.extendsType, node.trueType, node.falseType].map(
        orUnknown,
      ) as [Reference, Reference, Reference, Reference];
      if (isUnknown(yes) && isUnknown(no)) return undefined;
      return plainReference({ kind: "condition", check, extended, inferred, yes, no });
    }
    if (ts.isMappedTypeNode(node)) return mappedType(node, scope);
    if (ts.isIndexedAccessTypeNode(node)) {
      const of = typeReference(node.objectType, scope);
      if (of === undefined) return undefined;
      const value: ReferenceRoot = { kind: "value", type: of };
      const { indexType } = node;
      if (indexType.kind === ts.SyntaxKind.NumberKeyword || ts.isTypeOperatorNode(indexType)) {
        return plainReference({ kind: "element", of: plainReference(value) });
      }
      return plainReference({ kind: "access", of, key: orUnknown(indexType) });
    }
    if (ts.isLiteralTypeNode(node)) {
      const { literal } = node;
      const isText = ts.isStringLiteralLike(literal) || ts.isNumericLiteral(literal);
      return isText ? plainReference({ kind: "literal", text: literal.text }) : undefined;
    }
    return undefined;
  };

  const namedType = (node: ts.TypeReferenceNode, scope: Scope): Reference | undefined => {
    const { typeName, typeArguments } = node;
    const { reference } = resolve(entityValue(typeName, scope, TYPE));
    const { root, members } = reference;
    // A local name for another type.
    if (root.kind === "value" && members.length === 0) return root.type;
    if (isUnknown(reference)) return undefined;
    return typeArguments === undefined ? reference : withArguments(reference, typeArguments, scope);
  };

  const literalType = (node: ts.TypeLiteralNode, scope: Scope): Reference => {
    const symbol = state.typeSymbols.get(node);
    if (symbol !== undefined) return plainReference({ kind: "self", symbol });
    const members: Record<string, Reference> = { __proto__: null as never };
    for (const member of node.members.slice(0, MAX_PARTS)) {
      if (member.name === undefined || ts.isComputedPropertyName(member.name)) continue;
      const name = memberName(state, member.name);
      const inner = state.typeScopes.get(member) ?? scope;
      if (ts.isMethodSignature(member)) {
        members[name] ??= plainReference({ kind: "function", ...functionType(member, inner, true) });
      } else {
        const { type } = member as ts.PropertySignature;
        const of = type && typeReference(type, inner);
        members[name] = of === undefined ? UNKNOWN : plainReference({ kind: "value", type: of });
      }
    }
    return plainReference({ kind: "object", members, ...signaturesOf(node.members, scope) });
  };

  const signaturesOf = (members: readonly ts.Node[], scope: Scope): Signatures => {
    const functions = (isWanted: (node: ts.Node) => boolean): FunctionType[] =>
      members
        .filter(isWanted)
        .map((node) => functionType(node as ts.SignatureDeclaration, state.typeScopes.get(node) ?? scope, true));
    const calls = functions(ts.isCallSignatureDeclaration);
    const makes = functions(ts.isConstructSignatureDeclaration);
    const held = members.find(ts.isIndexSignatureDeclaration);
    const index = held && typeReference(held.type, state.typeScopes.get(held) ?? scope);
    return { ...(calls.length > 0 && { calls }), ...(makes.length > 0 && { makes }), ...(index && { index }) };
  };

  /** `{ [K in keyof T]: T[K] }` is `T`; with other keys it is an object that holds something behind each. */
  const mappedType = ({ typeParameter, type }: ts.MappedTypeNode, scope: Scope): Reference | undefined => {
    const binding = scope.find(typeParameter.name.text, TYPE)?.value;
    const held = type && typeReference(type, scope);
    if (held === undefined || binding?.is !== "parameter") return undefined;
    const { constraint } = typeParameter;
    const isOfKeys =
      constraint && ts.isTypeOperatorNode(constraint) && constraint.operator === ts.SyntaxKind.KeyOfKeyword;
    const of = isOfKeys ? typeReference(constraint.type, scope) : undefined;
    if (of === undefined) return plainReference({ kind: "object", members: {}, index: held });
    return plainReference({ kind: "mapped", of, key: binding.parameter, type: held });
  };

  const typeParameter = ({ parameter, constraint, preset }: FoundTypeParameter): TypeParameter => {
    const before = parameters.get(parameter);
    if (before !== undefined) return before;
    // One that is its own constraint has none.
    parameters.set(parameter, { kind: "parameter", parameter });
    const [bound, otherwise] = [constraint && typeOf(constraint), preset && typeOf(preset)];
    const found: TypeParameter = {
      kind: "parameter",
      parameter,
      ...(bound !== undefined && { constraint: bound }),
      ...(otherwise !== undefined && { preset: otherwise }),
    };
    parameters.set(parameter, found);
    return found;
  };

  const functionType = (node: ts.SignatureDeclaration, scope: Scope, hasResult: boolean): FunctionType => {
    const declared = withoutThis(node.parameters as readonly ts.ParameterDeclaration[]);
    const typeParameters = (node.typeParameters ?? []).flatMap(({ name }) => {
      const value = scope.find(name.text, TYPE)?.value;
      return value?.is === "parameter" ? [typeParameter(value)] : [];
    });
    const returned = state.results.get(node) ?? typed(node.type, scope);
    const result = hasResult ? typeOf(returned) : undefined;
    return {
      ...(typeParameters.length > 0 && { typeParameters }),
      parameters: declared.map(({ name, type: own }) => {
        if (own !== undefined) return typeReference(own, scope) ?? UNKNOWN;
        return (ts.isIdentifier(name) ? typeOf(scope.find(name.text, VALUE)?.value) : undefined) ?? UNKNOWN;
      }),
      ...(declared.at(-1)?.dotDotDotToken !== undefined && { isRest: true as const }),
      ...(result !== undefined && { result }),
    };
  };

  /** The type of a value, in a place of types; undefined where nothing is known of it. */
  const typeOf = (value: Value | undefined): Reference | undefined => {
    if (value === undefined) return undefined;
    if (value.is === "typed") return typeReference(value.type, value.scope);
    const { reference } = resolve(value);
    return isUnknown(reference) ? undefined : typePlace(reference);
  };

  return {
    /** Where a use leads; undefined where it is a local, so that there is nothing to tell. */
    targetOf: (value: Value): Reference | undefined => {
      if (value.is === "name") {
        const binding = value.scope.find(value.name, value.meaning);
        if (binding !== undefined && isLocal(binding)) return undefined;
      }
      return resolve(value).reference;
    },
    typeOf,
    typeParameter,
    functionType,
    signaturesOf,
    withArguments,
  };
}

/** The reference to a value as one to its type. */
function typePlace(reference: Reference): Reference {
  const { root, members } = reference;
  if (root.kind === "value" && members.length === 0) return root.type;
  const isName = root.kind === "symbol" || root.kind === "import" || root.kind === "free";
  return isName || members.length > 0 ? plainReference({ kind: "typeof", of: reference }) : reference;
}

function tupleItem(node: ts.TypeNode | ts.NamedTupleMember): ts.TypeNode | undefined {
  if (ts.isNamedTupleMember(node)) return node.dotDotDotToken === undefined ? node.type : undefined;
  if (ts.isRestTypeNode(node)) return undefined;
  return ts.isOptionalTypeNode(node) ? node.type : node;
}

/** Whether nothing leads out of a declaration: it is neither symbol nor import, nor another name for one. */
function isLocal(binding: Binding): boolean {
  return binding.symbol < 0 && binding.import < 0 && !(binding.meaning === ANY_MEANING && binding.value !== undefined);
}

const NOTHING_KNOWN: Resolved = { reference: UNKNOWN, nesting: 0 };

/** What is made of others; nothing where they are nested too deep. */
function around(parts: readonly Resolved[], root: ReferenceRoot): Resolved {
  const nesting = Math.max(0, ...parts.map((part) => part.nesting));
  return nesting >= MAX_NESTING ? NOTHING_KNOWN : { reference: plainReference(root), nesting: nesting + 1 };
}

function plain(root: ReferenceRoot): Resolved {
  return { reference: plainReference(root), nesting: 0 };
}

function plainReference(root: ReferenceRoot): Reference {
  return { root, members: [] };
}

/** Whether nothing is known, or nothing but names of members. */
function isUnknown(reference: Reference): boolean {
  return reference.root.kind === "unknown";
}

function entityValue(name: ts.EntityName, scope: Scope, meaning: number): Value {
  if (ts.isIdentifier(name)) return { is: "name", name: name.text, scope, meaning };
  const of = entityValue(name.left, scope, meaning === TYPE ? NAMESPACE : meaning);
  return { is: "member", of, name: name.right.text };
}
