/** Walk of variable declarations: symbols at the top of a module, locals elsewhere. */
import ts from "typescript";
import { cutText } from "../../../../src/core/text/short-text.ts";
import { addSymbol, addUse, type FileState, startOf } from "./file-state.ts";
import { useLiteralKeys } from "./literal-keys.ts";
import { addModule, type LoadedModule, loadedModuleOf } from "./module-calls.ts";
import { classOf, functionOf, memberName } from "./names.ts";
import { ANY_MEANING, declare, openScopeAs, type Scope, TYPE, VALUE, type Value } from "./scope.ts";
import { foldSource, MAX_SIGNATURE } from "./signature.ts";
import { splitAssignments } from "./visit-commonjs.ts";
import { visitTarget } from "./visit-expressions.ts";
import { bindPattern } from "./visit-functions.ts";
import { EXPORT_EQUALS } from "./visit-modules.ts";
import { declareLocal, typed } from "./visit-types.ts";
import { addValueSymbol, exportsOf, visitNamedValue } from "./visit-values.ts";

/** Patterns in one another, and places of a list in front of a variable, that are written out. */
const MAX_PATTERNS = 6;

const MAX_PLACES = 8;

/** Walks a list of variables; `element` is what a loop gives each of them. */
export function visitVariables(
  state: FileState,
  list: ts.VariableDeclarationList,
  scope: Scope,
  statement: ts.VariableStatement | undefined,
  element?: Value,
): void {
  const isVar = (list.flags & ts.NodeFlags.BlockScoped) === 0;
  const keyword = isVar ? "var" : (list.flags & ts.NodeFlags.Const) === 0 ? "let" : "const";
  const owner = isVar ? scope.variables : scope;
  const only = list.declarations.length === 1;
  const isPlain = only && list.declarations.every(({ name }) => ts.isIdentifier(name));
  const head = statement === undefined || isPlain ? `${keyword} ` : variableHead(state, statement);
  for (const declaration of list.declarations) {
    visitVariable(state, declaration, {
      scope,
      owner,
      kind: keyword === "const" ? "constant" : "variable",
      // The statement belongs to a variable that stands alone in it; others begin at their names.
      node: only && statement !== undefined ? statement : declaration,
      prefix: only && statement !== undefined ? "" : head,
      head,
      statement,
      element,
    });
  }
}

interface VariablePlace {
  readonly scope: Scope;
  /** Scope that the name is declared in. */
  readonly owner: Scope;
  readonly kind: "constant" | "variable";
  readonly node: ts.Node;
  readonly prefix: string;
  /** Words of the statement in front of its variables. */
  readonly head: string;
  readonly statement: ts.VariableStatement | undefined;
  readonly element: Value | undefined;
}

function visitVariable(state: FileState, declaration: ts.VariableDeclaration, place: VariablePlace): void {
  const { scope, owner } = place;
  const { name, type } = declaration;
  const loaded = loadedModuleOf(declaration.initializer, scope);
  if (loaded !== undefined && bindModule(state, name, loaded, scope, owner)) return;
  if (!ts.isIdentifier(name)) {
    visitPattern(state, declaration, name, place);
    return;
  }
  const { value: initializer, names, nameNodes, others } = splitAssignments(state, declaration.initializer, scope);
  for (const other of others) visitTarget(state, other, scope);
  const isNamed = initializer !== undefined && (functionOf(initializer) ?? classOf(initializer)) !== undefined;
  if (owner.place !== "module" && !isNamed) {
    if (type !== undefined) state.visit(type, scope);
    const held = initializer === undefined ? place.element : state.visit(initializer, scope);
    useLiteralKeys(state, initializer, typed(type, scope), scope);
    declareLocal(owner, name.text, typed(type, scope) ?? held);
    return;
  }
  const { flags, exportedAs } = exportsOf(place.statement ?? declaration, name.text, owner);
  if (names.length > 0) flags.push("exported");
  if (names.includes(EXPORT_EQUALS)) flags.push("defaultExport");
  const symbol = addValueSymbol(state, {
    plainKind: place.kind,
    functionKind: "function",
    value: initializer,
    name: name.text,
    nameNode: name,
    node: place.node,
    signaturePrefix: place.prefix,
    scope: owner.place === "module" ? owner : scope,
    typeNode: type,
    flags,
    exportedAs: [...exportedAs, ...names],
  });
  const asClass = initializer !== undefined && classOf(initializer) !== undefined;
  declare(owner, name.text, { meaning: asClass ? VALUE | TYPE : VALUE, symbol, import: -1, value: typed(type, scope) });
  // `const open = exports.open = …`: who asks for it names what is written there.
  for (const node of nameNodes) {
    if (node.text === name.text)
      addUse(state, "writes", node, { is: "name", name: name.text, scope, meaning: VALUE }, scope);
  }
  const inner = symbol < 0 ? scope : openScopeAs(scope, { from: symbol }, false);
  if (type !== undefined) state.visit(type, inner);
  if (initializer !== undefined) visitNamedValue(state, initializer, scope, symbol);
  useLiteralKeys(state, initializer, typed(type, inner), inner);
}

/** `const { a, b: [c] } = …` */
function visitPattern(
  state: FileState,
  declaration: ts.VariableDeclaration,
  pattern: ts.BindingPattern,
  { scope, owner, kind, statement, head, element }: VariablePlace,
): void {
  const { type, initializer } = declaration;
  if (type !== undefined) state.visit(type, scope);
  const held = initializer === undefined ? element : state.visit(initializer, scope);
  bindPattern(state, pattern, typed(type, scope) ?? held, scope, (node, name, value, isShort) => {
    if (owner.place !== "module") {
      declareLocal(owner, name.text, value);
      return;
    }
    const exported = exportsOf(statement ?? declaration, name.text, owner);
    if (isShort) exported.flags.push("shorthand");
    const symbol = addSymbol(state, {
      kind,
      name: name.text,
      nameNode: name,
      node,
      signature: patternSignature(state, head, declaration, node),
      scope: owner,
      ...exported,
    });
    declare(owner, name.text, { meaning: VALUE, symbol, import: -1, value });
  });
}

/** Makes imports of a variable that holds a module; false where its pattern goes deeper than one name each. */
function bindModule(
  state: FileState,
  name: ts.BindingName,
  { specifier, imported: part, member }: LoadedModule,
  scope: Scope,
  owner: Scope,
): boolean {
  if (ts.isIdentifier(name)) {
    const added = addModule(state, specifier, part, name.text, scope, member ?? name, name);
    declare(owner, name.text, { meaning: ANY_MEANING, symbol: -1, import: added, value: undefined });
    return true;
  }
  if (!ts.isObjectBindingPattern(name) || part !== "*") return false;
  const isPlain = name.elements.every(
    (element) =>
      ts.isIdentifier(element.name) &&
      element.dotDotDotToken === undefined &&
      (element.propertyName === undefined || !ts.isComputedPropertyName(element.propertyName)),
  );
  if (!isPlain) return false;
  if (name.elements.length === 0) addModule(state, specifier, "", "", scope, specifier);
  for (const element of name.elements) {
    const bound = element.name as ts.Identifier;
    const { propertyName = bound } = element;
    const imported = memberName(state, propertyName);
    const added = addModule(state, specifier, imported, bound.text, scope, propertyName, bound);
    declare(owner, bound.text, { meaning: ANY_MEANING, symbol: -1, import: added, value: undefined });
    if (element.initializer !== undefined) state.visit(element.initializer, scope);
  }
  return true;
}

/** What stands in front of the first variable of a statement: `export const `. */
function variableHead(state: FileState, statement: ts.VariableStatement): string {
  const [first] = statement.declarationList.declarations;
  const end = first === undefined ? statement.end : startOf(state, first);
  return `${foldSource(state.text, startOf(state, statement), end)} `;
}

/**
 * A declaration with one variable of its pattern alone, up to what is a body: `const { beta: gamma } = make()` for `gamma` in
 * `const { alpha, beta: gamma } = make()`. At most 400 characters.
 */
function patternSignature(
  state: FileState,
  head: string,
  { name, type, initializer }: ts.VariableDeclaration,
  variable: ts.BindingElement,
): string {
  let open = head;
  let close = "";
  let pattern = name;
  for (let level = 0; !ts.isIdentifier(pattern); level++) {
    const index = placeOf(pattern, variable);
    const element = pattern.elements[index];
    const isObject = ts.isObjectBindingPattern(pattern);
    open += isObject ? "{ " : `[${index > MAX_PLACES ? "…, " : ", ".repeat(index)}`;
    close = `${isObject ? " }" : "]"}${close}`;
    if (element === undefined || ts.isOmittedExpression(element)) break;
    if (element === variable || level === MAX_PATTERNS) {
      open += element === variable ? foldNode(state, variable) : `… ${foldNode(state, variable)}`;
      break;
    }
    if (element.propertyName !== undefined) open += `${foldNode(state, element.propertyName)}: `;
    pattern = element.name;
  }
  const typed = type === undefined ? "" : `: ${foldNode(state, type)}`;
  const isBody =
    initializer === undefined || ts.isObjectLiteralExpression(initializer) || ts.isFunctionLike(initializer);
  return cutText(`${open}${close}${typed}${isBody ? "" : ` = ${foldNode(state, initializer)}`}`, MAX_SIGNATURE);
}

/** Index of the element that a variable lies in. */
function placeOf({ elements }: ts.BindingPattern, variable: ts.BindingElement): number {
  let low = 0;
  let high = elements.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((elements[middle] as ts.ArrayBindingElement).end >= variable.end) high = middle;
    else low = middle + 1;
  }
  return low;
}

function foldNode(state: FileState, node: ts.Node): string {
  return foldSource(state.text, startOf(state, node), node.end);
}
