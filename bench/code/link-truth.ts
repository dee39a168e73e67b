/**
 * What TypeScript's checker says of a folder of sources: which file an import leads to, which declaration a name means.
 */
import { join, relative } from "node:path";
import ts from "typescript";

/** Where a declaration's name stands: `file:line:column`, the file relative to the folder. */
export type Place = string;

/** A place where a name is used, with all declarations that it may mean. */
export interface TrueUse {
  readonly place: Place;
  readonly name: string;
  /** Places of the names of its declarations; empty for what is declared outside of the folder. */
  readonly declarations: readonly Place[];
  readonly isCall: boolean;
  /** A name alone, not behind a dot. */
  readonly isPlain: boolean;
  /**
   * What stands before it, for a name behind a dot: a module or namespace; `this` or a value that is declared to be of a class
   * or interface; one that is declared to be of another type, as an alias of a union; a value of which nothing is declared.
   */
  readonly receiver: "none" | "module" | "declared" | "computed" | "inferred";
}

/** See the header. */
export interface LinkTruth {
  /** `from to` of imports between files of the folder. */
  readonly imports: ReadonlySet<string>;
  /** Lines (`file:line`) of imports by the name of the folder's own package that it leads nowhere: they are not judged. */
  readonly notJudged: ReadonlySet<string>;
  readonly uses: readonly TrueUse[];
  /** Names in lists of imports and exports: they bind what they name, and are no uses. */
  readonly bindings: readonly TrueUse[];
}

/** Ask the checker about `files`, given relative to `folder`. */
export function askChecker(folder: string, files: readonly string[]): LinkTruth {
  const program = ts.createProgram({
    rootNames: files.map((file) => join(folder, file)),
    options: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      jsx: ts.JsxEmit.Preserve,
      allowJs: true,
      checkJs: false,
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      resolveJsonModule: true,
      types: [],
      customConditions: sourceConditions(folder),
    },
  });
  const own = readManifest(folder).name;
  const checker = program.getTypeChecker();
  const known = new Set(files);
  const imports = new Set<string>();
  const notJudged = new Set<string>();
  const uses: TrueUse[] = [];
  const bindings: TrueUse[] = [];
  const placeOf = (node: ts.Node): Place => {
    const source = node.getSourceFile();
    const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source, false));
    return `${relative(folder, source.fileName)}:${line + 1}:${character + 1}`;
  };
  for (const file of files) {
    const source = program.getSourceFile(join(folder, file));
    if (source === undefined) continue;
    const visitBindings = (node: ts.Node): void => {
      if (ts.isImportSpecifier(node) || ts.isExportSpecifier(node) || ts.isImportClause(node)) {
        const name = ts.isImportClause(node) ? node.name : (node.propertyName ?? node.name);
        const bound =
          name !== undefined && ts.isIdentifier(name) ? bindingOf(checker, name, placeOf, folder) : undefined;
        if (bound !== undefined) bindings.push(bound);
      }
      ts.forEachChild(node, visitBindings);
    };
    const visit = (node: ts.Node): void => {
      const specifier = specifierOf(node);
      if (specifier !== undefined) {
        const target = resolveModule(program, source, specifier);
        const to = target === undefined ? undefined : relative(folder, target);
        if (to !== undefined && known.has(to) && to !== file) imports.add(`${file} ${to}`);
        const isOwn = specifier.text === own || specifier.text.startsWith(`${own}/`);
        if (isOwn && (to === undefined || !known.has(to))) {
          const [from, last] = [node.getStart(source), node.end].map(
            (at) => source.getLineAndCharacterOfPosition(at).line + 1,
          ) as [number, number];
          for (let line = from; line <= last; line++) notJudged.add(`${file}:${line}`);
        }
      }
      // Names in import and export lists are bindings, not uses.
      if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isExportAssignment(node)) {
        visitBindings(node);
        if (ts.isExportAssignment(node) && !ts.isIdentifier(node.expression)) ts.forEachChild(node, visit);
        return;
      }
      if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
        const use = useOf(checker, node, placeOf, folder, known);
        if (use !== undefined) uses.push(use);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { imports, notJudged, uses, bindings };
}

interface Manifest {
  readonly name?: string;
  readonly exports?: unknown;
}

function readManifest(folder: string): Manifest {
  const text = ts.sys.readFile(join(folder, "package.json"));
  return text === undefined ? {} : (JSON.parse(text) as Manifest);
}

/** Conditions of the package's `exports` that lead to sources, such as `@zod/source`: its own build is told of them. */
function sourceConditions(folder: string): string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, target] of Object.entries(value)) {
      const isSource = typeof target === "string" && /\.[cm]?tsx?$/.test(target) && !/\.d\.[cm]?ts$/.test(target);
      if (isSource && !/^(?:\.|types$|import$|require$|default$)/.test(key)) found.add(key);
      visit(target);
    }
  };
  visit(readManifest(folder).exports);
  return [...found];
}

function specifierOf(node: ts.Node): ts.StringLiteralLike | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
    const { moduleSpecifier } = node;
    return moduleSpecifier !== undefined && ts.isStringLiteralLike(moduleSpecifier) ? moduleSpecifier : undefined;
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    const { literal } = node.argument;
    return ts.isStringLiteralLike(literal) ? literal : undefined;
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [argument] = node.arguments;
    return argument !== undefined && ts.isStringLiteralLike(argument) ? argument : undefined;
  }
  return undefined;
}

function resolveModule(
  program: ts.Program,
  source: ts.SourceFile,
  specifier: ts.StringLiteralLike,
): string | undefined {
  return ts.resolveModuleName(specifier.text, source.fileName, program.getCompilerOptions(), ts.sys).resolvedModule
    ?.resolvedFileName;
}

function useOf(
  checker: ts.TypeChecker,
  node: ts.Identifier | ts.PrivateIdentifier,
  placeOf: (node: ts.Node) => Place,
  folder: string,
  known: ReadonlySet<string>,
): TrueUse | undefined {
  const { parent } = node;
  if (isDeclarationName(node) || ts.isJsxAttribute(parent) || ts.isBindingElement(parent)) return undefined;
  let symbol = ts.isShorthandPropertyAssignment(parent)
    ? checker.getShorthandAssignmentValueSymbol(parent)
    : checker.getSymbolAtLocation(node);
  if (symbol === undefined) return undefined;
  if ((symbol.flags & ts.SymbolFlags.Alias) !== 0) symbol = checker.getAliasedSymbol(symbol);
  // What is imported from where the checker finds no module is not judged.
  if (checker.isUnknownSymbol(symbol)) return undefined;
  // What stands for a module as a whole has no declaration with a name.
  if (symbol.declarations?.some(ts.isSourceFile) === true) return undefined;
  const isMember =
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isQualifiedName(parent) && parent.right === node);
  const chain = isMember ? parent : node;
  const isCall =
    (ts.isCallExpression(chain.parent) || ts.isNewExpression(chain.parent)) && chain.parent.expression === chain;
  const declarations = declarationsOf(symbol, placeOf, folder);
  // A package that has its own output beside its sources: which of the two is meant is not judged.
  const isOutput = (place: Place): boolean => !known.has(place.replace(/:\d+:\d+$/, ""));
  if (declarations.length > 0 && declarations.every(isOutput)) return undefined;
  const receiver = isMember
    ? receiverOf(checker, ts.isQualifiedName(parent) ? parent.left : parent.expression, node.text)
    : "none";
  return { place: placeOf(node), name: node.text, declarations, isCall, isPlain: !isMember, receiver };
}

function receiverOf(checker: ts.TypeChecker, left: ts.Node, name: string): TrueUse["receiver"] {
  if (left.kind === ts.SyntaxKind.ThisKeyword) return isThisDeclared(left) ? "declared" : "inferred";
  if (left.kind === ts.SyntaxKind.SuperKeyword) return "declared";
  const symbol = checker.getSymbolAtLocation(left);
  if (symbol === undefined) return "inferred";
  const meant = (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
  if ((meant.flags & (ts.SymbolFlags.ValueModule | ts.SymbolFlags.NamespaceModule)) !== 0) return "module";
  if ((meant.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Enum)) !== 0) return "declared";
  const { valueDeclaration: declaration } = meant;
  if (declaration === undefined || !ts.isIdentifier(left)) return "inferred";
  const isTyped = ts.isVariableDeclaration(declaration) || ts.isParameter(declaration);
  if (!isTyped) return "inferred";
  const { type, initializer } = declaration;
  if (type === undefined) return initializer !== undefined && ts.isNewExpression(initializer) ? "declared" : "inferred";
  const named = ts.isTypeReferenceNode(type) ? checker.getSymbolAtLocation(type.typeName) : undefined;
  if (named === undefined) return "computed";
  const target = (named.flags & ts.SymbolFlags.Alias) === 0 ? named : checker.getAliasedSymbol(named);
  if ((target.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface)) === 0) return "computed";
  // What the declared type does not have, a test of the value told.
  return checker.getTypeFromTypeNode(type).getProperty(name) === undefined ? "inferred" : "declared";
}

/** Whether `this` is an object of the class around it, or of what a parameter `this` says: not what a callback is called on. */
function isThisDeclared(node: ts.Node): boolean {
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isClassElement(at)) return true;
    if (!ts.isFunctionExpression(at) && !ts.isFunctionDeclaration(at)) continue;
    const [first] = at.parameters;
    return first !== undefined && ts.isIdentifier(first.name) && first.name.text === "this";
  }
  return false;
}

function bindingOf(
  checker: ts.TypeChecker,
  name: ts.Identifier,
  placeOf: (node: ts.Node) => Place,
  folder: string,
): TrueUse | undefined {
  const symbol = checker.getSymbolAtLocation(name);
  if (symbol === undefined) return undefined;
  const meant = (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
  const declarations = declarationsOf(meant, placeOf, folder);
  return { place: placeOf(name), name: name.text, declarations, isCall: false, isPlain: true, receiver: "none" };
}

function declarationsOf(symbol: ts.Symbol, placeOf: (node: ts.Node) => Place, folder: string): Place[] {
  return (symbol.declarations ?? [])
    .filter((declaration) => !ts.isSourceFile(declaration))
    .map((declaration) => ts.getNameOfDeclaration(declaration) ?? declaration)
    .filter((name) => name.getSourceFile().fileName.startsWith(`${folder}/`))
    .map(placeOf);
}

function isDeclarationName(node: ts.Identifier | ts.PrivateIdentifier): boolean {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent)) return false;
  if (ts.isPropertyAssignment(parent)) return parent.name === node;
  if (ts.isMetaProperty(parent) || ts.isLabeledStatement(parent) || ts.isBreakOrContinueStatement(parent)) return true;
  if (ts.isNamedTupleMember(parent) || ts.isTypePredicateNode(parent)) return parent.getChildren()[0] === node;
  return (parent as Partial<ts.NamedDeclaration>).name === node && !ts.isPropertyAccessExpression(parent);
}
