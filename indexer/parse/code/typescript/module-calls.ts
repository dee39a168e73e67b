/** Modules that are loaded by a call: `import("./a")` and `require("./a")`. */
import ts from "typescript";
import { addImport, type FileState } from "./file-state.ts";
import { bareExpression } from "./names.ts";
import { findBinding, type Scope, VALUE, type Value } from "./scope.ts";

const { SyntaxKind } = ts;

/** The literal that names the module which a call loads; undefined for other calls and where it is worked out. */
function specifierOfCall(node: ts.Node, scope: Scope): ts.StringLiteralLike | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  const { expression, arguments: given } = node;
  const argument = given[0];
  if (argument === undefined || !ts.isStringLiteralLike(argument)) return undefined;
  if (expression.kind === SyntaxKind.ImportKeyword) return argument;
  const isRequire =
    ts.isIdentifier(expression) &&
    expression.text === "require" &&
    given.length === 1 &&
    findBinding(scope, "require", VALUE) === undefined;
  return isRequire ? argument : undefined;
}

/** A module that a value loads, and which of its names: `*` for all, `b` of `require("./a").b`. */
export interface LoadedModule {
  readonly specifier: ts.StringLiteralLike;
  readonly imported: string;
  /** Where that name stands, where it is one. */
  readonly member?: ts.MemberName;
}

/** The module that a value loads, also behind `await`; undefined for other values. */
export function loadedModuleOf(node: ts.Expression | undefined, scope: Scope): LoadedModule | undefined {
  if (node === undefined) return undefined;
  const bare = bareExpression(node);
  if (ts.isPropertyAccessExpression(bare)) {
    const specifier = specifierOfCall(bareExpression(bare.expression), scope);
    const isRequire = specifier !== undefined && !ts.isAwaitExpression(bare.expression);
    return isRequire ? { specifier, imported: bare.name.text, member: bare.name } : undefined;
  }
  const specifier = specifierOfCall(ts.isAwaitExpression(bare) ? bareExpression(bare.expression) : bare, scope);
  return specifier && { specifier, imported: "*" };
}

/** Adds the import of a call that loads a module; undefined for other calls. */
export function moduleOf(state: FileState, node: ts.CallExpression, scope: Scope): Value | undefined {
  const specifier = specifierOfCall(node, scope);
  if (specifier === undefined) return undefined;
  for (const further of node.arguments.slice(1)) state.visit(further, scope);
  return { is: "import", import: addModule(state, specifier, "*", "", scope, specifier) };
}

/** Adds an import of a value and gives its index. `localNode` is that of the bound name, where it is another than `at`. */
export function addModule(
  state: FileState,
  specifier: ts.StringLiteralLike,
  imported: string,
  local: string,
  scope: Scope,
  at: ts.Node,
  localNode: ts.Node = at,
): number {
  const entry = {
    kind: "imports",
    specifier: specifier.text,
    imported,
    local,
    typeOnly: false,
    from: scope.from,
  } as const;
  return addImport(state, entry, at, localNode);
}
