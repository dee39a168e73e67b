/** Walk of imports, exports, namespaces and ambient modules. */
import ts from "typescript";
import type { SymbolFlag } from "../../../../src/core/format/code-model.ts";
import { addImport, addSymbol, type FileState, startOf } from "./file-state.ts";
import { hasModifier } from "./names.ts";
import { ANY_MEANING, declare, declareIn, NAMESPACE, openScopeAs, type Scope, VALUE } from "./scope.ts";
import { bodyStartOf } from "./visit-classes.ts";
import { useEntity } from "./visit-types.ts";
import { addValueSymbol, exportsOf, visitNamedValue } from "./visit-values.ts";

const { SyntaxKind } = ts;

/** Name of what a module exports as a whole: `export =` and `module.exports =`. */
export const EXPORT_EQUALS = "export=";

/** Walks `import … from "…"`. */
export function visitImport(state: FileState, node: ts.ImportDeclaration, scope: Scope): void {
  const { moduleSpecifier, importClause } = node;
  if (!ts.isStringLiteral(moduleSpecifier)) return;
  const specifier = moduleSpecifier.text;
  const bind = (imported: string, name: ts.Identifier, typeOnly: boolean, at: ts.ModuleExportName = name): void => {
    if (name.text === "") return;
    const entry = { kind: "imports", specifier, imported, local: name.text, typeOnly, from: scope.from } as const;
    const index = addImport(state, { ...entry, ...(at.text !== imported && { renamed: true }) }, at, name);
    // A module as a whole is no type: `Record` beside `import * as Record` is the global one.
    declare(scope, name.text, {
      meaning: imported === "*" ? VALUE | NAMESPACE : ANY_MEANING,
      symbol: -1,
      import: index,
      value: undefined,
    });
  };
  const named = importClause?.namedBindings;
  if (importClause === undefined || (importClause.name === undefined && isEmpty(named))) {
    const typeOnly = importClause?.isTypeOnly ?? false;
    addImport(
      state,
      { kind: "imports", specifier, imported: "", local: "", typeOnly, from: scope.from },
      moduleSpecifier,
    );
    return;
  }
  const { isTypeOnly, name } = importClause;
  if (name !== undefined) bind("default", name, isTypeOnly);
  if (named === undefined) return;
  if (ts.isNamespaceImport(named)) {
    bind("*", named.name, isTypeOnly);
    return;
  }
  for (const element of named.elements) {
    const { propertyName = element.name } = element;
    bind(propertyName.text, element.name, isTypeOnly || element.isTypeOnly, propertyName);
  }
}

/** Walks `import a = require("…")` and `import A = B.C`. */
export function visitImportEquals(state: FileState, node: ts.ImportEqualsDeclaration, scope: Scope): void {
  const { name, moduleReference, isTypeOnly } = node;
  if (ts.isExternalModuleReference(moduleReference)) {
    const { expression } = moduleReference;
    if (!ts.isStringLiteralLike(expression)) return;
    const isExported = hasModifier(node, SyntaxKind.ExportKeyword);
    const entry = {
      specifier: expression.text,
      imported: "*",
      local: name.text,
      typeOnly: isTypeOnly,
      from: scope.from,
    };
    const index = addImport(state, { kind: "imports", ...entry }, name);
    declare(scope, name.text, { meaning: ANY_MEANING, symbol: -1, import: index, value: undefined });
    if (isExported) addImport(state, { kind: "reexports", ...entry }, name);
    return;
  }
  const value = useEntity(state, moduleReference, scope, ANY_MEANING, "reads");
  if (!hasModifier(node, SyntaxKind.ExportKeyword)) {
    declare(scope, name.text, { meaning: ANY_MEANING, symbol: -1, import: -1, value });
    return;
  }
  const exported = exportsOf(node, name.text, scope);
  const symbol = addSymbol(state, { kind: "namespace", name: name.text, nameNode: name, node, scope, ...exported });
  declare(scope, name.text, { meaning: ANY_MEANING, symbol, import: -1, value });
}

/** Walks `export { … }`, `export * from "…"`, `export * as ns from "…"`. */
export function visitExport(state: FileState, node: ts.ExportDeclaration, scope: Scope): void {
  const { moduleSpecifier, exportClause, isTypeOnly } = node;
  if (moduleSpecifier === undefined) {
    if (exportClause === undefined || !ts.isNamedExports(exportClause)) return;
    for (const element of exportClause.elements) {
      const from = element.propertyName ?? element.name;
      const typeOnly = isTypeOnly || element.isTypeOnly;
      addExport(state, from, scope, element.name.text, typeOnly, element.name);
    }
    return;
  }
  if (!ts.isStringLiteral(moduleSpecifier)) return;
  const specifier = moduleSpecifier.text;
  const pass = (imported: string, local: string, typeOnly: boolean, at: ts.Node, name = at): void => {
    addImport(state, { kind: "reexports", specifier, imported, local, typeOnly, from: scope.from }, at, name);
  };
  if (exportClause === undefined) {
    pass("*", "*", isTypeOnly, moduleSpecifier);
  } else if (ts.isNamespaceExport(exportClause)) {
    pass("*", exportClause.name.text, isTypeOnly, exportClause.name);
  } else if (exportClause.elements.length === 0) {
    addImport(
      state,
      { kind: "imports", specifier, imported: "", local: "", typeOnly: isTypeOnly, from: scope.from },
      moduleSpecifier,
    );
  } else {
    for (const { propertyName, name, isTypeOnly: alone } of exportClause.elements) {
      pass((propertyName ?? name).text, name.text, isTypeOnly || alone, propertyName ?? name, name);
    }
  }
}

/** Walks `export default …` and `export = …` of an expression. */
export function visitExportAssignment(state: FileState, node: ts.ExportAssignment, scope: Scope): void {
  const exportedAs = node.isExportEquals === true ? EXPORT_EQUALS : "default";
  const { expression } = node;
  if (ts.isIdentifier(expression)) {
    addExport(state, expression, scope, exportedAs, false);
    return;
  }
  if (ts.isPropertyAccessExpression(expression) && node.isExportEquals === true) {
    state.visit(expression, scope);
    return;
  }
  const flags: SymbolFlag[] = ["exported", "defaultExport"];
  const symbol = addValueSymbol(state, {
    plainKind: "constant",
    functionKind: "function",
    value: expression,
    name: "default",
    node,
    scope,
    flags,
    exportedAs: [exportedAs],
  });
  visitNamedValue(state, expression, scope, symbol);
}

/** Notes that a name of the scope is exported, and uses it there. `as` is where the exported name stands, where it does. */
export function addExport(
  state: FileState,
  name: ts.ModuleExportName,
  scope: Scope,
  exportedAs: string,
  typeOnly: boolean,
  as: ts.Node = name,
): void {
  if (name.text === "") return;
  const exportedAt = as === name ? undefined : startOf(state, as);
  state.exports.push({ name: name.text, scope, exportedAs, offset: startOf(state, name), exportedAt, typeOnly });
}

/** Walks a namespace or ambient module. */
export function visitModule(state: FileState, node: ts.ModuleDeclaration, scope: Scope, outer: ts.Node = node): void {
  const { name, body } = node;
  const isAmbient = ts.isStringLiteral(name) || (node.flags & ts.NodeFlags.GlobalAugmentation) !== 0;
  const isDotted = outer !== node;
  const exported = exportsOf(isDotted ? node : outer, name.text, scope);
  if (isDotted && !exported.flags.includes("exported")) exported.flags.push("exported");
  const block = innermostBlock(node);
  const symbol = addSymbol(state, {
    kind: ts.isStringLiteral(name) ? "module" : "namespace",
    name: name.text,
    nameNode: name,
    node,
    bodyStart: block === undefined ? undefined : bodyStartOf(state, block.statements),
    scope,
    ...exported,
  });
  if (!isAmbient) {
    const meaning = hasValues(node) ? VALUE | NAMESPACE : NAMESPACE;
    declare(scope, name.text, { meaning, symbol, import: -1, value: undefined });
  }
  if (body === undefined || ts.isIdentifier(body)) return;
  const inside = symbol < 0 ? scope.from : symbol;
  const statements = ts.isModuleBlock(body) ? body.statements : undefined;
  const isDeclared =
    scope.exportsAll || isAmbient || hasModifier(outer, SyntaxKind.DeclareKeyword) || state.file.isDeclarationFile;
  const exportsAll = isDeclared && !(statements ?? []).some(isExportList);
  const path = `${pathOf(state, scope.container)} ${ts.isStringLiteral(name) ? JSON.stringify(name.text) : name.text}`;
  const shared = state.sharedNames.get(path) ?? new Map();
  state.sharedNames.set(path, shared);
  const change = { place: "module", from: inside, container: inside, self: undefined, base: undefined } as const;
  const inner = openScopeAs(scope, { ...change, exportsAll, shared }, true);
  if (statements === undefined) visitModule(state, body as ts.ModuleDeclaration, inner, outer);
  for (const statement of statements ?? []) state.visit(statement, inner);
  for (const [declared, binding] of inner.names ?? []) {
    if (state.symbols[binding.symbol]?.flags.includes("exported")) declareIn(shared, declared, binding);
  }
}

/** Whether a statement says itself what is exported, so that nothing else is. */
export function isExportList(statement: ts.Statement): boolean {
  return ts.isExportDeclaration(statement) || ts.isExportAssignment(statement);
}

/** Names of a namespace and of those around it. */
function pathOf(state: FileState, symbol: number): string {
  const found = state.symbols[symbol];
  return found === undefined ? "" : `${pathOf(state, found.parent)} ${found.name}`;
}

function isEmpty(named: ts.NamedImportBindings | undefined): boolean {
  return named === undefined || (ts.isNamedImports(named) && named.elements.length === 0);
}

function innermostBlock(node: ts.ModuleDeclaration): ts.ModuleBlock | undefined {
  let body: ts.Node | undefined = node.body;
  while (body !== undefined && ts.isModuleDeclaration(body)) body = body.body;
  return body !== undefined && ts.isModuleBlock(body) ? body : undefined;
}

/** Whether a namespace is a value at run time: it holds more than types. */
function hasValues(node: ts.ModuleDeclaration): boolean {
  const block = innermostBlock(node);
  return (block?.statements ?? []).some(
    (statement) =>
      !ts.isInterfaceDeclaration(statement) &&
      !ts.isTypeAliasDeclaration(statement) &&
      !(ts.isModuleDeclaration(statement) && !hasValues(statement)),
  );
}
