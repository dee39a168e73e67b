/**
 * Facts that TypeScript's checker gives about one file: what it defines, and what each name in it means.
 *
 * Names of parameters, type parameters and local variables are left out: no symbol of the index is one.
 */
import ts from "typescript";
import type { PreciseDefinition, PreciseDocument, PreciseReference } from "../base/language.ts";

type Name = ts.Node & { readonly text?: string };

/** Keys of the declarations of a file, none where it is not indexed or no symbol of the index can be one. */
type KeysIn = (source: ts.SourceFile) => ReadonlyMap<ts.Node, string>;

/** Makes keys that do not depend on lines: names around, own name, ordinal. */
export function createKeys(idOf: (source: ts.SourceFile) => string | undefined): KeysIn {
  const known = new Map<ts.SourceFile, ReadonlyMap<ts.Node, string>>();
  return (source) => {
    const id = idOf(source);
    const keys = known.get(source) ?? (id === undefined ? new Map() : readKeys(source, `${id}#`));
    known.set(source, keys);
    return keys;
  };
}

function readKeys(source: ts.SourceFile, file: string): ReadonlyMap<ts.Node, string> {
  const keys = new Map<ts.Node, string>([[source, file]]);
  const counts = new Map<string, number>();
  const visit = (node: ts.Node, around: string): void => {
    const name = nameOfDeclared(node);
    const path = `${around}${name}`;
    const count = name === undefined ? 0 : (counts.get(path) ?? 0) + 1;
    const key = count > 1 ? `${path}~${count}` : path;
    if (count > 0) {
      counts.set(path, count);
      keys.set(node, key);
    }
    ts.forEachChild(node, (child) => visit(child, count > 0 ? `${key}.` : around));
  };
  ts.forEachChild(source, (child) => visit(child, file));
  return keys;
}

/** Name of a declaration that may be a symbol of the index. */
function nameOfDeclared(node: ts.Node): string | undefined {
  if (ts.isConstructorDeclaration(node)) return "constructor";
  if (isLocal(node) || ts.isImportSpecifier(node) || ts.isExportSpecifier(node) || ts.isImportClause(node))
    return undefined;
  if (ts.isExportAssignment(node)) return "default";
  const name = ts.getNameOfDeclaration(node as ts.Declaration);
  if (name !== undefined && name.parent !== node && !ts.isBinaryExpression(node)) return undefined;
  if (name === undefined) return ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) ? "default" : undefined;
  return textOfName(name);
}

function textOfName(name: Name): string | undefined {
  if (ts.isComputedPropertyName(name)) return ts.isStringLiteralLike(name.expression) ? name.expression.text : "[]";
  if (ts.isPropertyAccessExpression(name)) return name.name.text;
  if (ts.isElementAccessExpression(name)) return textOfName(name.argumentExpression);
  return typeof name.text === "string" ? name.text : undefined;
}

/** Whether a declaration is a parameter, a type parameter or a variable inside of a function that is no function. */
function isLocal(node: ts.Node): boolean {
  if (ts.isParameter(node)) return !ts.isParameterPropertyDeclaration(node, node.parent);
  if (ts.isTypeParameterDeclaration(node)) return true;
  if (ts.isBindingElement(node)) return isLocal(ts.walkUpBindingElementsAndPatterns(node));
  if (!ts.isVariableDeclaration(node)) return false;
  const { initializer } = node;
  const isFunction = initializer !== undefined && (ts.isFunctionLike(initializer) || ts.isClassExpression(initializer));
  return !isFunction && ts.findAncestor(node, ts.isFunctionLike) !== undefined;
}

/** What asking needs. */
interface Asked {
  readonly checker: ts.TypeChecker;
  readonly keysIn: KeysIn;
}

/** Symbol that stands for whatever is declared outside of the indexed files. */
const OUTSIDE = "-";

/** The facts of a file. */
export function askFile({ checker, keysIn }: Asked, source: ts.SourceFile): Omit<PreciseDocument, "id"> {
  const references: PreciseReference[] = [];
  const implementations: { readonly symbol: string; readonly of: readonly string[] }[] = [];
  const keyOf = (declaration: ts.Node): string | undefined => keysIn(declaration.getSourceFile()).get(declaration);
  const placeOf = (node: ts.Node) => {
    const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source, false));
    return { line: line + 1, column: character + 1 };
  };
  const keysOf = (symbol: ts.Symbol | undefined): readonly string[] => {
    if (symbol === undefined) return [];
    const meant = (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
    if (checker.isUnknownSymbol(meant)) return [];
    const found = new Set<string>();
    const roots = (meant.flags & ts.SymbolFlags.Transient) === 0 ? [meant] : checker.getRootSymbols(meant);
    let isLocalName = false;
    for (const declaration of roots.flatMap(({ declarations = [] }) => declarations)) {
      if (isLocal(declaration)) isLocalName = true;
      else found.add(keyOf(declaration) ?? OUTSIDE);
    }
    if (found.size > 1) found.delete(OUTSIDE);
    if (found.size === 0 && !isLocalName) found.add(OUTSIDE);
    return [...found].sort();
  };
  const refer = (node: ts.Node, symbols: readonly string[], short?: PreciseReference["short"]): void => {
    if (symbols.length === 0) return;
    const at = placeOf(node);
    const isWrite = isWritten(node);
    for (const symbol of symbols) references.push({ symbol, at, isWrite, ...(short !== undefined && { short }) });
  };
  const symbolAt = (node: ts.Node): readonly string[] => keysOf(checker.getSymbolAtLocation(node));
  /** The literal that was last asked for, with its type: its keys are asked for one after another. */
  let latest: { readonly object?: ts.Node; readonly type?: ts.Type | undefined } = {};
  const contextual = (object: ts.Expression, name: ts.Node): readonly string[] => {
    if (latest.object !== object) latest = { object, type: checker.getContextualType(object) };
    return propertyOf(latest.type, name);
  };
  const propertyOf = (type: ts.Type | undefined, name: ts.Node): readonly string[] => {
    const text = textOfName(name);
    if (type === undefined || text === undefined) return [];
    const found = propertiesOf(type, text).flatMap((symbol) => keysOf(symbol));
    return [...new Set(found)].sort();
  };

  /** What a name at its own declaration refers to beside that. */
  const visitDeclared = (node: ts.Declaration, name: ts.Node): void => {
    const { parent } = node;
    if (ts.isBindingElement(node) && ts.isObjectBindingPattern(parent)) {
      if (node.propertyName !== undefined || node.dotDotDotToken !== undefined) return;
      refer(name, propertyOf(checker.getTypeAtLocation(parent), name), "key");
    } else if (ts.isShorthandPropertyAssignment(node)) {
      refer(name, keysOf(checker.getShorthandAssignmentValueSymbol(node)), "value");
      refer(name, contextual(node.parent, name), "key");
    } else if (ts.isObjectLiteralElement(node) && ts.isObjectLiteralExpression(parent)) {
      refer(name, contextual(parent, name));
    } else if (ts.isJsxAttribute(node)) {
      refer(name, contextual(node.parent as ts.Node as ts.Expression, name));
    }
  };

  const visitName = (node: ts.Identifier | ts.PrivateIdentifier | ts.StringLiteralLike): void => {
    const { parent } = node;
    if (ts.isBindingElement(parent) && parent.propertyName === node) {
      refer(node, propertyOf(checker.getTypeAtLocation(parent.parent), node));
      return;
    }
    if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isImportClause(parent)) {
      refer(node, symbolAt(node));
      return;
    }
    const declared = parent as Partial<ts.NamedDeclaration>;
    const isOwnName = declared.name === node && !ts.isPropertyAccessExpression(parent) && !ts.isMetaProperty(parent);
    if (isOwnName) visitDeclared(parent as ts.NamedDeclaration, node);
    else if (isName(node)) refer(node, symbolAt(node));
  };

  const visitHeritage = (node: ts.ClassLikeDeclaration | ts.InterfaceDeclaration): void => {
    const bases = (node.heritageClauses ?? []).flatMap(({ types }) => types);
    if (bases.length === 0) return;
    const types = bases.map((base) => checker.getTypeAtLocation(base));
    for (const member of node.members) {
      const symbol = keyOf(member);
      const name = member.name && textOfName(member.name);
      if (symbol === undefined || name === undefined || ts.isPrivateIdentifier(member.name as ts.Node)) continue;
      if ((ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0) continue;
      const found = types.flatMap((type) => keysOf(checker.getPropertyOfType(type, name)));
      const of = [...new Set(found)].filter((key) => key !== OUTSIDE && key !== symbol).sort();
      if (of.length > 0) implementations.push({ symbol, of });
    }
  };

  const visit = (node: ts.Node): void => {
    // The end of a chain first: the checker keeps what it finds out about the links before it.
    if (ts.isPropertyAccessExpression(node)) {
      visitName(node.name as ts.Identifier);
      visit(node.expression);
      return;
    }
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) visitName(node);
    else if (ts.isStringLiteralLike(node)) visitName(node);
    else if (node.kind === ts.SyntaxKind.SuperKeyword && ts.isCallExpression(node.parent)) {
      const declaration = checker.getResolvedSignature(node.parent)?.declaration;
      const made = declaration && ts.isConstructorDeclaration(declaration) ? keyOf(declaration) : undefined;
      refer(node, made === undefined ? symbolAt(node) : [made]);
    } else if (ts.isClassLike(node) || ts.isInterfaceDeclaration(node)) visitHeritage(node);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);

  const definitions: PreciseDefinition[] = [];
  for (const [node, symbol] of keysIn(source)) {
    const start = ts.isSourceFile(node) ? { line: 1, column: 1 } : placeOf(nameNodeOf(node as ts.Declaration) ?? node);
    const end = ts.isSourceFile(node) ? start : { line: start.line, column: start.column + 1 };
    definitions.push({ symbol, start, end });
  }
  return { definitions, references, implementations };
}

function nameNodeOf(node: ts.Declaration): ts.Node | undefined {
  const name = ts.isConstructorDeclaration(node) ? undefined : ts.getNameOfDeclaration(node);
  // `open` of `Store.prototype.open = …`.
  return name !== undefined && ts.isPropertyAccessExpression(name) ? name.name : name;
}

/** Properties of that name, of each of the members of a union. */
function propertiesOf(type: ts.Type, name: string): readonly ts.Symbol[] {
  if (type.isUnion()) return type.types.flatMap((one) => propertiesOf(one, name));
  const found = type.getProperty(name);
  return found === undefined ? [] : [found];
}

/** Whether a node names something: a text does as the key of a type or a value, and as the path of a module. */
function isName(node: ts.Identifier | ts.PrivateIdentifier | ts.StringLiteralLike): boolean {
  if (!ts.isStringLiteralLike(node)) return true;
  const { parent } = node;
  if (ts.isElementAccessExpression(parent)) return parent.argumentExpression === node;
  if (ts.isLiteralTypeNode(parent))
    return ts.isIndexedAccessTypeNode(parent.parent) || ts.isImportTypeNode(parent.parent);
  return ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isExternalModuleReference(parent);
}

function isWritten(node: ts.Node): boolean {
  const { parent } = node;
  const whole = (ts.isPropertyAccessExpression(parent) && parent.name === node) || ts.isElementAccessExpression(parent);
  const target = whole ? parent : node;
  const around = target.parent;
  if (ts.isPrefixUnaryExpression(around) || ts.isPostfixUnaryExpression(around))
    return around.operator === ts.SyntaxKind.PlusPlusToken || around.operator === ts.SyntaxKind.MinusMinusToken;
  if (!ts.isBinaryExpression(around) || around.left !== target) return false;
  const { kind } = around.operatorToken;
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

/** Types are written out, with the way to those that stand in other files. */
const WHOLE_TYPES =
  ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseFullyQualifiedType | ts.TypeFormatFlags.InTypeAlias;

/**
 * All that other files can see of a file, as a text: its own without bodies of functions, and the keys of what it declares. Where
 * no type of the result is written, the one that the body has stands for it. Values that are called at once, such as tests, are
 * left out.
 *
 * In JavaScript bodies add members to what they are called on, and stay; so do those of constructors.
 */
export function shapeOf({ checker, keysIn }: Asked, source: ts.SourceFile): string {
  const { text } = source;
  if (/\.[cm]?jsx?$/.test(source.fileName)) return text;
  const parts: string[] = [...keysIn(source).values()];
  let from = 0;
  const replace = (node: ts.Node, by: string): void => {
    parts.push(text.slice(from, node.getStart(source)), by);
    from = node.end;
  };
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) {
      for (const parameter of node.parameters) visit(parameter);
      if (!ts.isConstructorDeclaration(node)) replace(node.body as ts.Node, resultOf(node));
      return;
    }
    ts.forEachChild(node, visit);
  };
  const resultOf = (node: ts.SignatureDeclaration): string => {
    const signature = node.type === undefined ? checker.getSignatureFromDeclaration(node) : undefined;
    if (signature === undefined) return "";
    const predicate = checker.getTypePredicateOfSignature(signature);
    const result =
      predicate === undefined
        ? checker.typeToString(checker.getReturnTypeOfSignature(signature), undefined, WHOLE_TYPES)
        : checker.typePredicateToString(predicate, undefined, WHOLE_TYPES);
    // What stands first in a union depends on what the checker met before, so the words of the type stand for it.
    return result
      .split(/[\s|&,;()[\]{}<>]+/)
      .sort()
      .join(" ");
  };
  for (const statement of source.statements) {
    const isCalled = ts.isExpressionStatement(statement) && ts.isCallExpression(statement.expression);
    if (isCalled) replace(statement, "");
    else visit(statement);
  }
  return parts.join("\n") + text.slice(from);
}
