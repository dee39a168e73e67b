/**
 * What TypeScript's checker says of files: declarations with their kinds, and where plain names lead.
 *
 * Made to hold the parser against, so it shares nothing with it: declarations are all that the compiler's binder gives a
 * symbol, each judged by its parents and by the flags of its symbol, and names are what the checker resolves.
 */
import ts from "typescript";

/** One declaration. */
export interface TrueSymbol {
  readonly name: string;
  readonly kind: string;
  /** Offset of the name. */
  readonly at: number;
  /** Offset behind the declaration. */
  readonly end: number;
}

/** A plain name that is used, and the offsets of the names of the declarations or imports that it may mean. */
export interface TrueUse {
  readonly at: number;
  readonly targets: readonly number[];
}

/** One file as the checker knows it. */
export interface TrueFile {
  readonly file: ts.SourceFile;
  readonly symbols: readonly TrueSymbol[];
  readonly uses: readonly TrueUse[];
  /** Offsets of plain names of which the truth says nothing: other names for namespaces. */
  readonly unsaid: ReadonlySet<number>;
}

/** Truth of all files of a program; modules of other packages are not looked at. */
export function readTruth(paths: readonly string[]): TrueFile[] {
  const program = ts.createProgram({
    rootNames: [...paths],
    options: {
      allowJs: true,
      noLib: true,
      noResolve: true,
      jsx: ts.JsxEmit.Preserve,
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      types: [],
    },
  });
  const checker = program.getTypeChecker();
  return paths.flatMap((path) => {
    const file = program.getSourceFile(path);
    return file === undefined ? [] : [readFile(file, checker)];
  });
}

function readFile(file: ts.SourceFile, checker: ts.TypeChecker): TrueFile {
  const symbols: TrueSymbol[] = [];
  const declared = new Map<ts.Node, number>();
  const names = new Set<ts.Node>();
  const collect = (node: ts.Node): void => {
    const found = judge(node, file);
    if (found !== undefined) {
      const at = found.name?.getStart(file) ?? startWithoutComment(node, file);
      symbols.push({ name: found.text, kind: found.kind, at, end: rangeOf(node).end });
      declared.set(node, at);
      if (found.name !== undefined) names.add(found.name);
    }
    ts.forEachChild(node, collect);
  };
  collect(file);

  const uses: TrueUse[] = [];
  const unsaid = new Set<number>();
  const resolve = (node: ts.Node): void => {
    if (
      ts.isIdentifier(node) &&
      (!names.has(node) || ts.isShorthandPropertyAssignment(node.parent)) &&
      isPlainName(node)
    ) {
      const symbol = symbolOf(node, checker);
      const declarations = symbol?.declarations?.filter((found) => found.getSourceFile() === file) ?? [];
      if (declarations.some(ts.isImportEqualsDeclaration) || ts.isImportEqualsDeclaration(node.parent))
        unsaid.add(node.getStart(file));
      const targets = declarations.flatMap((found) => {
        const at = declared.get(found) ?? importedName(found)?.getStart(file);
        return at === undefined ? [] : [at];
      });
      if (targets.length > 0) uses.push({ at: node.getStart(file), targets });
    }
    ts.forEachChild(node, resolve);
  };
  resolve(file);
  return { file, symbols, uses, unsaid };
}

function symbolOf(node: ts.Identifier, checker: ts.TypeChecker): ts.Symbol | undefined {
  if (ts.isShorthandPropertyAssignment(node.parent)) return checker.getShorthandAssignmentValueSymbol(node.parent);
  if (ts.isExportSpecifier(node.parent)) return checker.getExportSpecifierLocalTargetSymbol(node.parent);
  return checker.getSymbolAtLocation(node);
}

interface Judged {
  readonly name: ts.Node | undefined;
  readonly text: string;
  readonly kind: string;
}

/** Members that have no name, as TypeScript's outlines call them. */
const UNNAMED: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.Constructor, "constructor"],
  [ts.SyntaxKind.CallSignature, "()"],
  [ts.SyntaxKind.ConstructSignature, "new()"],
  [ts.SyntaxKind.IndexSignature, "[]"],
]);

/** What a node declares, if that is a symbol of the index. */
function judge(node: ts.Node, file: ts.SourceFile): Judged | undefined {
  const symbol = (node as { readonly symbol?: ts.Symbol }).symbol;
  if (symbol === undefined) return undefined;
  if (ts.isExportAssignment(node)) {
    if (ts.isIdentifier(node.expression) || ts.isPropertyAccessExpression(node.expression)) return undefined;
    return { name: undefined, text: "default", kind: kindOfValue(node.expression) ?? "constant" };
  }
  if (ts.isPropertyAccessExpression(node)) return judgeAssigned(node, symbol, file);
  if (!ts.isDeclarationStatement(node) && !isMember(node) && !isVariable(node) && !isNamedExpression(node))
    return undefined;
  const kind = kindOf(node, symbol);
  if (kind === undefined || !isKept(node)) return undefined;
  const name = (node as ts.NamedDeclaration).name;
  const text = name === undefined ? (UNNAMED.get(node.kind) ?? "default") : textOf(name, file);
  return { name, text, kind };
}

/** `exports.a = …`, `A.prototype.b = …` at the top of a file, where the value is no other name. */
function judgeAssigned(node: ts.PropertyAccessExpression, symbol: ts.Symbol, file: ts.SourceFile): Judged | undefined {
  if ((symbol.flags & ts.SymbolFlags.Alias) !== 0) return undefined;
  if (symbol.valueDeclaration !== node || node.name.text === "prototype") return undefined;
  let chain: ts.Node = node.parent;
  if (!ts.isBinaryExpression(chain) || chain.left !== node) return undefined;
  while (ts.isBinaryExpression(chain.parent) && chain.parent.right === chain) chain = chain.parent;
  if (!ts.isExpressionStatement(chain.parent) || chain.parent.parent !== file) return undefined;
  let right = (node.parent as ts.BinaryExpression).right;
  while (ts.isBinaryExpression(right) && right.operatorToken.kind === ts.SyntaxKind.EqualsToken) right = right.right;
  if (ts.isVoidExpression(right)) return undefined;
  const ofExports = /^(?:module\.)?exports$/.test(node.expression.getText(file));
  if (ofExports && (ts.isIdentifier(right) || ts.isPropertyAccessExpression(right) || isLoading(right)))
    return undefined;
  const value = kindOfValue(right);
  const kind = ofExports ? (value ?? "constant") : value === "function" ? "method" : (value ?? "property");
  return { name: node.name, text: node.name.text, kind };
}

function isJavaScript(file: ts.SourceFile): boolean {
  return /\.[cm]?jsx?$/.test(file.fileName);
}

function kindOf(node: ts.Node, symbol: ts.Symbol): string | undefined {
  const { flags } = symbol;
  const has = (flag: ts.SymbolFlags): boolean => (flags & flag) !== 0;
  if (ts.isImportEqualsDeclaration(node)) return "namespace";
  if (ts.isModuleDeclaration(node)) return ts.isStringLiteral(node.name) ? "module" : "namespace";
  if (ts.isVariableDeclaration(node) || ts.isBindingElement(node)) {
    if (has(ts.SymbolFlags.Alias)) return undefined;
    const value = ts.isVariableDeclaration(node) && node.initializer ? kindOfValue(node.initializer) : undefined;
    return value ?? (ts.getCombinedNodeFlags(node) & ts.NodeFlags.Const ? "constant" : "variable");
  }
  if (ts.isPropertyAssignment(node) && kindOfValue(node.initializer) !== undefined) {
    return kindOfValue(node.initializer) === "class" ? "class" : "method";
  }
  // One symbol can be several things; what this declaration is of them says its syntax.
  if (ts.isInterfaceDeclaration(node)) return "interface";
  if (ts.isClassLike(node)) return "class";
  if (ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node)) return "function";
  if (has(ts.SymbolFlags.Constructor)) return "constructor";
  if (has(ts.SymbolFlags.Signature)) return ts.isIndexSignatureDeclaration(node) ? "property" : "method";
  if (has(ts.SymbolFlags.Method)) return "method";
  if (has(ts.SymbolFlags.Property) || has(ts.SymbolFlags.Accessor)) return "property";
  if (has(ts.SymbolFlags.EnumMember)) return "enumMember";
  if (has(ts.SymbolFlags.Enum)) return "enum";
  if (has(ts.SymbolFlags.TypeAlias)) return "typeAlias";
  return undefined;
}

function kindOfValue(value: ts.Expression): "function" | "class" | undefined {
  const bare = ts.skipPartiallyEmittedExpressions(value);
  if (ts.isParenthesizedExpression(bare) || ts.isAsExpression(bare) || ts.isSatisfiesExpression(bare)) {
    return kindOfValue(bare.expression);
  }
  if (ts.isArrowFunction(bare) || ts.isFunctionExpression(bare)) return "function";
  return ts.isClassExpression(bare) ? "class" : undefined;
}

function isMember(node: ts.Node): boolean {
  return (
    ts.isClassElement(node) ||
    ts.isTypeElement(node) ||
    ts.isEnumMember(node) ||
    ts.isObjectLiteralElement(node) ||
    ts.isParameter(node)
  );
}

function isVariable(node: ts.Node): boolean {
  return ts.isVariableDeclaration(node) || ts.isBindingElement(node);
}

/** A function or class in an expression that has a name of its own and no other. */
function isNamedExpression(node: ts.Node): boolean {
  if (!(ts.isFunctionExpression(node) || ts.isClassExpression(node)) || node.name === undefined) return false;
  let at: ts.Node = node.parent;
  while (ts.isParenthesizedExpression(at) || ts.isAsExpression(at) || ts.isSatisfiesExpression(at)) at = at.parent;
  if (ts.isVariableDeclaration(at)) return false;
  if (ts.isExportAssignment(at)) return false;
  if (ts.isPropertyAssignment(at)) return !isKept(at);
  if (ts.isBinaryExpression(at) && at.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    return (at.left as { readonly symbol?: ts.Symbol }).symbol === undefined;
  }
  return true;
}

/** Whether a declaration stands where the index has symbols: not a local, a parameter, or in a nameless object or type. */
function isKept(node: ts.Node): boolean {
  if (ts.isImportEqualsDeclaration(node)) {
    return (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export) !== 0 && ts.isEntityName(node.moduleReference);
  }
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return false;
  if (ts.isNamespaceExportDeclaration(node)) return false;
  if (ts.isClassStaticBlockDeclaration(node)) return false;
  if (ts.isParameter(node)) return ts.isParameterPropertyDeclaration(node, node.parent) && isKept(node.parent.parent);
  if (ts.isVariableDeclaration(node) || ts.isBindingElement(node)) return isKeptVariable(node);
  if (ts.isObjectLiteralElement(node) || ts.isEnumMember(node) || ts.isClassElement(node) || ts.isTypeElement(node)) {
    return isKeptMember(node);
  }
  return true;
}

function isKeptVariable(node: ts.VariableDeclaration | ts.BindingElement): boolean {
  let root: ts.Node = node;
  while (ts.isBindingElement(root)) root = root.parent.parent;
  if (!ts.isVariableDeclaration(root)) return false;
  if (!ts.isIdentifier(node.name)) return false;
  if (ts.isBindingElement(node) && isLoading(root.initializer)) return false;
  if (ts.isVariableDeclaration(node) && isLoading(node.initializer)) return false;
  if (ts.isVariableDeclaration(node) && node.initializer && kindOfValue(node.initializer) !== undefined) return true;
  if (ts.isCatchClause(root.parent) || isInFunction(root)) return false;
  const isBlockScoped = (ts.getCombinedNodeFlags(root) & ts.NodeFlags.BlockScoped) !== 0;
  const holder = root.parent.parent;
  const isAtTop = ts.isVariableStatement(holder) && (ts.isSourceFile(holder.parent) || ts.isModuleBlock(holder.parent));
  return isAtTop || !isBlockScoped;
}

/** A module that is loaded into a variable is an import. */
function isLoading(value: ts.Expression | undefined): boolean {
  if (value === undefined) return false;
  const bare = ts.isAwaitExpression(value) || ts.isPropertyAccessExpression(value) ? value.expression : value;
  if (!ts.isCallExpression(bare) || bare.arguments.length !== 1) return false;
  const isLoader =
    bare.expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(bare.expression) && bare.expression.text === "require");
  return isLoader && ts.isStringLiteralLike(bare.arguments[0] as ts.Expression);
}

function isKeptMember(node: ts.Node): boolean {
  if (ts.isSpreadAssignment(node) || ts.isSemicolonClassElement(node)) return false;
  const holder = node.parent;
  if (ts.isInterfaceDeclaration(holder) || ts.isEnumDeclaration(holder)) return isKept(holder);
  if (ts.isClassDeclaration(holder)) return true;
  if (ts.isClassExpression(holder)) return holder.name !== undefined || isValueOfKept(holder);
  if (ts.isTypeLiteralNode(holder)) {
    const alias = ts.isIntersectionTypeNode(holder.parent) ? holder.parent.parent : holder.parent;
    return ts.isTypeAliasDeclaration(alias) && isKept(alias);
  }
  if (isOfModuleExports(holder)) return !ts.isShorthandPropertyAssignment(node) && !isPassedOn(node);
  return ts.isObjectLiteralExpression(holder) && isValueOfKept(holder);
}

function isOfModuleExports(node: ts.Node): boolean {
  const { parent } = node;
  return ts.isBinaryExpression(parent) && parent.right === node && parent.left.getText() === "module.exports";
}

/** Whether a member of what a module exports is another name for something. */
function isPassedOn(node: ts.Node): boolean {
  return ts.isPropertyAssignment(node) && (ts.isIdentifier(node.initializer) || isLoading(node.initializer));
}

/** Whether an object or class is written as the value of something that is kept. */
function isValueOfKept(node: ts.Node): boolean {
  let value = node;
  let at = node.parent;
  const isAround = (): boolean =>
    ts.isParenthesizedExpression(at) ||
    ts.isAsExpression(at) ||
    ts.isSatisfiesExpression(at) ||
    ts.isTypeAssertionExpression(at) ||
    (ts.isCallExpression(at) && at.expression.getText() === "Object.freeze");
  while (isAround()) {
    value = at;
    at = at.parent;
  }
  if (ts.isExportAssignment(at)) return true;
  if (ts.isVariableDeclaration(at)) return at.initializer === value && isKept(at);
  if (ts.isPropertyAssignment(at)) return at.initializer === value && isKeptMember(at);
  if (!ts.isBinaryExpression(at) || at.right !== value || !isJavaScript(at.getSourceFile())) return false;
  if (!ts.isExpressionStatement(at.parent) || !ts.isSourceFile(at.parent.parent)) return false;
  return (
    (at as { symbol?: ts.Symbol }).symbol !== undefined || (at.left as { symbol?: ts.Symbol }).symbol !== undefined
  );
}

function isInFunction(node: ts.Node): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (ts.isFunctionLike(at) || ts.isClassStaticBlockDeclaration(at)) return true;
  }
  return false;
}

/** The node that a declaration's range is that of: a variable that stands alone in its statement has the statement's. */
function rangeOf(node: ts.Node): ts.Node {
  if (ts.isVariableDeclaration(node) && ts.isVariableDeclarationList(node.parent)) {
    const list = node.parent;
    if (list.declarations.length === 1 && ts.isVariableStatement(list.parent)) return list.parent;
  }
  return ts.isPropertyAccessExpression(node) ? node.parent.parent : node;
}

function startWithoutComment(node: ts.Node, file: ts.SourceFile): number {
  return node.getStart(file, false);
}

function textOf(name: ts.Node, file: ts.SourceFile): string {
  if (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) return name.text;
  if (ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text;
  if (ts.isComputedPropertyName(name) && ts.isStringLiteralLike(name.expression)) return name.expression.text;
  return name.getText(file).replace(/\s+/g, " ");
}

/** Names that stand for what a scope declares: no members, keys, labels, and no specifiers. */
function isPlainName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (isJavaScript(node.getSourceFile()) && (node.text === "exports" || node.text === "module")) return false;
  if (ts.isPropertyAccessExpression(parent)) return parent.name !== node;
  if (ts.isQualifiedName(parent)) return parent.right !== node;
  if (ts.isImportTypeNode(parent) || ts.isMetaProperty(parent) || ts.isJsxAttribute(parent)) return false;
  if (ts.isImportSpecifier(parent) || ts.isImportClause(parent)) return false;
  if (ts.isNamespaceImport(parent) || ts.isNamespaceExport(parent)) return false;
  if (ts.isExportSpecifier(parent)) {
    const from = parent.parent.parent.moduleSpecifier;
    return from === undefined && (parent.propertyName ?? parent.name) === node;
  }
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isNamedTupleMember(parent) || ts.isTypePredicateNode(parent)) return false;
  return (parent as ts.NamedDeclaration).name !== node;
}

/** Where an import or a variable that loads a module binds its name. */
function importedName(node: ts.Node): ts.Node | undefined {
  if (ts.isImportSpecifier(node) || ts.isNamespaceImport(node) || ts.isImportClause(node)) return node.name;
  if (ts.isVariableDeclaration(node) && isLoading(node.initializer)) return node.name;
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return undefined;
  const holder = node.parent.parent;
  return ts.isVariableDeclaration(holder) && isLoading(holder.initializer) ? node.name : undefined;
}
