/**
 * Components: files of markup with scripts in them. Scripts are parsed where they stand; the markup is code behind them.
 *
 * The component is a symbol, the module's default export, and its properties are members of it. What runs for each component made is
 * part of it, and so is what its markup uses.
 */
import ts from "typescript";
import type { CodePosition, SymbolFlag } from "../../../src/core/format/code-model.ts";
import { cutText } from "../../../src/core/text/short-text.ts";
import type { CodeFile, CodeSymbol, CodeUse } from "../base/code-file.ts";
import type { CodeParser } from "../base/language.ts";
import type { FileState, FoundSymbol } from "./file-state.ts";
import { CodeWriter, type ComponentLines, type ComponentSource, type ScriptBlock } from "./markup.ts";
import { bareExpression, functionOf, hasModifier, memberName, objectLiteralOf } from "./nodes.ts";
import { parseScript } from "./parse.ts";
import { type Scope, TYPE, VALUE, type Value } from "./scope.ts";
import { visitObjectMembers, visitTypeMembers } from "./visit-classes.ts";
import { typed, visitExpression } from "./visit-expressions.ts";

/** A parser of files that `read` takes apart. */
export function createComponentParser(language: string, read: (code: CodeWriter) => ComponentSource): CodeParser {
  return ({ path, text }) => {
    const code = new CodeWriter(text);
    code.add("(async()=>{");
    const source = read(code);
    code.add("\n});");
    for (const path of source.sources ?? []) code.wrap("import ", path, ";");
    const lines = code.finish(source.scripts);
    const walk = new ComponentWalk(source, lines, nameOf(path));
    const kind = kindOf(source.scripts);
    const file = parseScript({ path, text: lines.text, language, kind, lines }, (state, scope) =>
      walk.run(state, scope),
    );
    return settle(file, walk);
  };
}

/** What a component is called: `my-button.vue` is used as `MyButton`. */
function nameOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  if (name === "index" || !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name)) return name;
  return name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function kindOf(scripts: readonly ScriptBlock[]): ts.ScriptKind {
  const languages = new Set(scripts.map(({ language }) => language));
  if (languages.has("tsx") || languages.has("jsx")) return ts.ScriptKind.TSX;
  return languages.has("ts") || languages.has("typescript") ? ts.ScriptKind.TS : ts.ScriptKind.JS;
}

/** The component as a type, and what Astro gives it. */
const SELF = ts.factory.createTypeReferenceNode("$Component");
const GIVEN = ts.factory.createTypeLiteralNode([
  ts.factory.createPropertySignature([], "props", undefined, ts.factory.createTypeReferenceNode("Props")),
]);
/** Options whose members are those of the component. */
const SHARED: ReadonlySet<string> = new Set(["props", "methods", "computed"]);
/** Options that are functions and give members of the component. */
const GIVING: ReadonlySet<string> = new Set(["data", "setup"]);
const MAX_SIGNATURE = 400;

/** Walks the statements of a component: those of its scripts, then the code of its markup. */
class ComponentWalk {
  readonly source: ComponentSource;
  readonly lines: ComponentLines;
  readonly #name: string;
  readonly #properties: string[] = [];
  /** Its symbol, -1 where the module exports none. */
  component = -1;

  constructor(source: ComponentSource, lines: ComponentLines, name: string) {
    this.source = source;
    this.lines = lines;
    this.#name = name;
  }

  run(state: FileState, module: Scope): void {
    const { scripts } = this.source;
    const own = state.file.statements.filter((statement) => state.startOf(statement) < this.lines.own);
    const exported = own.find(isDefaultExport);
    const hasInstance = scripts.some(({ isInstance }) => isInstance);
    if (hasInstance || exported === undefined) this.component = this.#addComponent(state, module, undefined);
    const instance = module.openAs({ from: this.component }, true);
    instance.declare("$Component", { meaning: TYPE | VALUE, symbol: this.component });
    if (this.source.props === "interface") instance.declare("Astro", { meaning: VALUE, value: typed(GIVEN, instance) });
    const apart = new Map(scripts.map((it) => [it, instance.openAs({ container: this.component }, true)]));
    for (const statement of own) {
      const at = state.startOf(statement);
      const block = scripts.find(({ start, end }) => at >= start && at <= end);
      if (block?.isApart === true) {
        state.visit(statement, apart.get(block) as Scope);
      } else if (block?.isInstance === true) {
        this.#visitSetup(state, statement, instance);
      } else if (statement !== exported) {
        state.visit(statement, module);
      } else if (hasInstance && ts.isExportAssignment(statement)) {
        state.visit(statement.expression, instance);
      } else {
        this.#visitDefault(state, statement, module);
      }
    }
    const component = state.symbols[this.component];
    if (component === undefined) return;
    const inner = instance.openAs({ from: this.component }, true);
    if (inner.find(this.#name, VALUE) === undefined) {
      inner.declare(this.#name, { meaning: TYPE | VALUE, symbol: this.component });
    }
    state.visitAll(state.file.statements.slice(own.length), inner);
    const signature = `component ${component.name}(${this.#properties.join(", ")})`;
    state.symbols[this.component] = { ...component, signature: cutText(signature, MAX_SIGNATURE) };
    if (this.source.props === "exports") useStores(state);
  }

  #addComponent(state: FileState, scope: Scope, node: ts.Node | undefined): number {
    const { start, end } = this.source;
    return state.addSymbol({
      kind: "class",
      name: this.#name,
      node: node ?? ({ pos: start, end } as ts.Node),
      ...(node === undefined && { start }),
      signature: "",
      scope,
      flags: ["exported", "defaultExport"],
      exportedAs: ["default"],
    });
  }

  /** A statement that runs for each component made, and what it says of properties. */
  #visitSetup(state: FileState, statement: ts.Statement, scope: Scope): void {
    const { props } = this.source;
    const first = state.symbols.length;
    const calls = callsIn(statement);
    if (props === "options") for (const { call } of calls) this.#readMacro(state, call, scope);
    for (const { call, declaration } of calls) {
      const isProps = props === "exports" && nameOfCall(call) === "$props";
      if (isProps) this.#readType(state, declaration?.type ?? call.typeArguments?.[0], scope);
    }
    const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
    if (props === "interface" && isType && statement.name.text === "Props") this.#addBase(state, statement.name, scope);
    if (props === "exports") declareReactive(state, statement, scope);
    state.visit(statement, scope);
    for (let symbol = first; symbol < state.symbols.length; symbol++) {
      const { flags, name } = state.symbols[symbol] as FoundSymbol;
      const isProperty = props === "exports" && flags.includes("exported");
      // Beside the component itself, one of its name would be another declaration of it.
      if (isProperty || name === this.#name) this.#adopt(state, symbol, isProperty);
    }
    for (const { call, declaration } of calls) {
      const name = declaration?.name;
      if (name === undefined) continue;
      if (ts.isIdentifier(name)) {
        const found = state.symbols[scope.find(name.text, VALUE)?.symbol ?? -1];
        if (found !== undefined && nameOfCall(macroOf(call)) === "defineProps") found.type = typed(SELF, scope);
      } else if (nameOfCall(call) === "$props" && declaration?.type === undefined && ts.isObjectBindingPattern(name)) {
        for (const element of name.elements) this.#readElement(state, element, scope);
      }
    }
  }

  /** `defineProps<Props>()`, `defineProps({…})`, `defineModel("open")` */
  #readMacro(state: FileState, outer: ts.CallExpression, scope: Scope): void {
    const call = macroOf(outer);
    const [argument] = call.arguments;
    const name = nameOfCall(call);
    if (name === "defineProps") {
      this.#readType(state, call.typeArguments?.[0], scope);
      if (argument !== undefined) this.#readOptions(state, argument, scope);
    } else if (name === "defineModel") {
      const isNamed = argument !== undefined && ts.isStringLiteral(argument);
      this.#addProperty(state, isNamed ? argument.text : "modelValue", isNamed ? argument : call, scope);
    }
  }

  /** Properties as a type. */
  #readType(state: FileState, type: ts.TypeNode | undefined, scope: Scope): void {
    if (type === undefined) return;
    if (ts.isIntersectionTypeNode(type)) {
      for (const part of type.types) this.#readType(state, part, scope);
    } else if (ts.isTypeLiteralNode(type)) {
      const first = state.symbols.length;
      visitTypeMembers(state, type.members, this.#inside(scope), this.component);
      this.#note(state, first);
    } else if (ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName)) {
      this.#addBase(state, type.typeName, scope);
    }
  }

  /** Properties as an object or a list of names. */
  #readOptions(state: FileState, node: ts.Expression, scope: Scope): void {
    const first = state.symbols.length;
    const literal = objectLiteralOf(node);
    if (literal !== undefined) visitObjectMembers(state, literal, this.#inside(scope), this.component);
    this.#note(state, first);
    const names = ts.isArrayLiteralExpression(node) ? node.elements.filter(ts.isStringLiteralLike) : [];
    for (const name of names) this.#addProperty(state, name.text, name, scope);
  }

  #inside(scope: Scope): Scope {
    return scope.openAs({ from: this.component, container: this.component }, false);
  }

  #note(state: FileState, first: number): void {
    for (const { name, parent } of state.symbols.slice(first))
      if (parent === this.component) this.#properties.push(name);
  }

  #addProperty(state: FileState, name: string, node: ts.Node, scope: Scope): void {
    state.addSymbol({ kind: "property", name, nameNode: node, node, scope, parent: this.component });
    this.#properties.push(name);
  }

  /** The component has the members of a type. */
  #addBase(state: FileState, name: ts.Identifier, scope: Scope): void {
    const value: Value = { is: "name", name: name.text, scope, meaning: TYPE };
    state.addUse("implements", name, value, this.#inside(scope), { typeOnly: true });
    state.symbols[this.component]?.bases.push(name.text);
    this.#properties.push(`...${name.text}`);
  }

  /** Makes what stands in a script a member of the component. */
  #adopt(state: FileState, symbol: number, isProperty = true): void {
    const found = state.symbols[symbol];
    if (found === undefined || found.parent >= 0) return;
    const flags = found.flags.filter((flag) => flag !== "defaultExport");
    state.symbols[symbol] = { ...found, parent: this.component, depth: found.depth + 1, exportedAs: [], flags };
    if (isProperty) this.#properties.push(found.name);
  }

  #readElement(state: FileState, { name, propertyName, dotDotDotToken }: ts.BindingElement, scope: Scope): void {
    if (dotDotDotToken !== undefined) return;
    if (propertyName !== undefined) this.#addProperty(state, memberName(state, propertyName), propertyName, scope);
    else if (ts.isIdentifier(name)) this.#adopt(state, scope.find(name.text, VALUE)?.symbol ?? -1);
  }

  /** `export default {…}`, `export default defineComponent({…})`, or something else that is the component. */
  #visitDefault(state: FileState, statement: ts.Statement, scope: Scope): void {
    const expression = ts.isExportAssignment(statement) ? bareExpression(statement.expression) : undefined;
    const call = expression !== undefined && ts.isCallExpression(expression) ? expression : undefined;
    const options = expression && objectLiteralOf(call?.arguments[0] ?? expression);
    if (options === undefined) {
      state.visit(statement, scope);
      const isNamed = expression !== undefined && ts.isIdentifier(expression);
      this.component = isNamed
        ? (scope.find(expression.text, VALUE)?.symbol ?? -1)
        : state.symbols.findLastIndex(({ flags, parent }) => parent < 0 && flags.includes("defaultExport"));
      return;
    }
    this.component = this.#addComponent(state, scope, statement);
    const inner = this.#inside(scope);
    if (call !== undefined) {
      visitExpression(state, call.expression, inner, "calls");
      state.visitAll(call.typeArguments, inner);
      state.visitAll(call.arguments.slice(1), inner);
    }
    const isShared = (property: ts.ObjectLiteralElementLike): property is ts.PropertyAssignment =>
      ts.isPropertyAssignment(property) && SHARED.has(memberName(state, property.name));
    for (const { name, initializer } of options.properties.filter(isShared)) {
      const isProps = memberName(state, name) === "props";
      const literal = objectLiteralOf(initializer);
      if (isProps) this.#readOptions(state, initializer, inner);
      else if (literal !== undefined) visitObjectMembers(state, literal, inner, this.component);
      if (literal === undefined) state.visit(initializer, inner);
    }
    const properties = options.properties.filter((property) => !isShared(property));
    visitObjectMembers(state, { properties }, inner, this.component);
    for (const property of properties) this.#addGiven(state, property, inner);
  }

  /** Members that `data()` or `setup()` gives. Their values are walked where they stand. */
  #addGiven(state: FileState, property: ts.ObjectLiteralElementLike, scope: Scope): void {
    if (property.name === undefined || !GIVING.has(memberName(state, property.name))) return;
    const value = ts.isPropertyAssignment(property) ? functionOf(property.initializer) : property;
    const { body } = value as { readonly body?: ts.ConciseBody };
    const result = body && ts.isBlock(body) ? body.statements.find(ts.isReturnStatement)?.expression : body;
    const literal = result && objectLiteralOf(result as ts.Expression);
    for (const node of literal?.properties ?? []) {
      if (node.name === undefined || ts.isComputedPropertyName(node.name)) continue;
      const flags: SymbolFlag[] = ts.isShorthandPropertyAssignment(node) ? ["shorthand"] : [];
      const name = memberName(state, node.name);
      state.addSymbol({ kind: "property", name, nameNode: node.name, node, scope, parent: this.component, flags });
    }
  }
}

function isDefaultExport(statement: ts.Statement): boolean {
  if (ts.isExportAssignment(statement)) return statement.isExportEquals !== true;
  return hasModifier(statement, ts.SyntaxKind.DefaultKeyword);
}

/** Calls that a statement is, or that its variables hold. */
function callsIn(
  statement: ts.Statement,
): { readonly call: ts.CallExpression; readonly declaration?: ts.VariableDeclaration }[] {
  if (ts.isExpressionStatement(statement)) {
    return ts.isCallExpression(statement.expression) ? [{ call: statement.expression }] : [];
  }
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap((declaration) => {
    const call = declaration.initializer && bareExpression(declaration.initializer);
    return call !== undefined && ts.isCallExpression(call) ? [{ call, declaration }] : [];
  });
}

function nameOfCall({ expression }: ts.CallExpression): string {
  return ts.isIdentifier(expression) ? expression.text : "";
}

/** `defineProps()` in `withDefaults(defineProps(), {…})`. */
function macroOf(call: ts.CallExpression): ts.CallExpression {
  const [inner] = call.arguments;
  return nameOfCall(call) === "withDefaults" && inner !== undefined && ts.isCallExpression(inner) ? inner : call;
}

/** `$: total = a + b` declares `total` where nothing else does. */
function declareReactive(state: FileState, node: ts.Statement, scope: Scope): void {
  if (!ts.isLabeledStatement(node) || node.label.text !== "$" || !ts.isExpressionStatement(node.statement)) return;
  const assignment = bareExpression(node.statement.expression);
  if (!ts.isBinaryExpression(assignment) || assignment.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return;
  const { left } = assignment;
  if (!ts.isIdentifier(left) || scope.find(left.text, VALUE) !== undefined) return;
  scope.declare(left.text, {
    meaning: VALUE,
    symbol: state.addSymbol({ kind: "variable", nameNode: left, node, scope }),
  });
}

/** In Svelte, `$items` is what the store `items` holds. */
function useStores(state: FileState): void {
  for (const [index, use] of state.uses.entries()) {
    const { target, offset } = use;
    if (target.is !== "name" || !/^\$[\p{L}_]/u.test(target.name)) continue;
    const name = target.name.slice(1);
    if (target.scope.find(target.name, VALUE) !== undefined || target.scope.find(name, VALUE) === undefined) continue;
    state.uses[index] = { ...use, target: { ...target, name }, offset: offset + 1 };
  }
}

/** Takes out what stands nowhere in the file, and puts the rest into its order. */
function settle(file: CodeFile, { source, lines, component }: ComponentWalk): CodeFile {
  const isComponent = file.symbols[component]?.kind === "class";
  const within = { root: { kind: "self", symbol: component }, members: [] } as const;
  const seesMembers = source.props === "options" && isComponent;
  const uses = file.uses
    .filter(({ at }) => at.line > 0)
    .map((use): CodeUse => {
      const { root, members } = use.target;
      const at = lines.lineStart(use.at.line) + use.at.column;
      const isIn = ({ start, end }: { readonly start: number; readonly end: number }) => at > start && at <= end;
      // Templates see the members of their component.
      const isSeen = seesMembers && isIn(source) && !source.scripts.some(isIn);
      return isSeen && root.kind === "free" ? { ...use, target: { root: { ...root, within }, members } } : use;
    });
  const keyOf = ({ at, kind, short }: CodeUse): string => `${at.line} ${at.column} ${kind} ${short}`;
  const kept = [...new Map(uses.toReversed().map((use) => [keyOf(use), use])).values()];
  return {
    ...file,
    symbols: file.symbols.map((symbol) => placed(symbol, file.symbols[component]?.start)),
    imports: file.imports
      .filter(({ at }) => at.line > 0)
      .map((it) => (it.from === component ? { ...it, from: -1 } : it)),
    uses: kept.sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column),
  };
}

/** Of markup that no parser understands, code for it may become a symbol: it stands where the component does. */
function placed(symbol: CodeSymbol, otherwise: CodePosition = { line: 1, column: 1 }): CodeSymbol {
  const { at, start, end, leadLine } = symbol;
  if (start.line > 0 && end.line > 0 && at.line > 0) return symbol;
  const place = at.line > 0 ? at : otherwise;
  return { ...symbol, at: place, start: place, end: place, leadLine: leadLine > 0 ? leadLine : place.line };
}
