/** Walk of statements and declarations; the entry of the walk, which hands every node to the file that knows it. */
import ts from "typescript";
import { addSymbol, type FileState, startOf } from "./file-state.ts";
import { narrowedScope } from "./narrow.ts";
import { declare, NAMESPACE, openScope, openScopeAs, type Scope, TYPE, VALUE, type Value } from "./scope.ts";
import { basesOf, bodyStartOf, visitClass, visitEnum, visitInterface, visitTypeMembers } from "./visit-classes.ts";
import { visitAssignmentStatement } from "./visit-commonjs.ts";
import { visitExpression, visitTarget } from "./visit-expressions.ts";
import { bindPattern, visitFunction } from "./visit-functions.ts";
import { visitExport, visitExportAssignment, visitImport, visitImportEquals, visitModule } from "./visit-modules.ts";
import { declareLocal, declareTypeParameters, typed, visitType } from "./visit-types.ts";
import { exportsOf } from "./visit-values.ts";
import { visitVariables } from "./visit-variables.ts";

const { SyntaxKind } = ts;
/** Types in one another that an alias is looked through. */
const MAX_TYPE_DEPTH = 8;

/** Walks a node of any kind; gives what is known of its value if it is an expression. */
export function visitNode(state: FileState, node: ts.Node, scope: Scope): Value | undefined {
  const { kind } = node;
  if (kind >= SyntaxKind.FirstTypeNode && kind <= SyntaxKind.LastTypeNode) {
    visitType(state, node, scope);
    return undefined;
  }
  switch (kind) {
    case SyntaxKind.VariableStatement:
      visitVariables(state, (node as ts.VariableStatement).declarationList, scope, node as ts.VariableStatement);
      return undefined;
    case SyntaxKind.FunctionDeclaration:
      visitFunctionDeclaration(state, node as ts.FunctionDeclaration, scope);
      return undefined;
    case SyntaxKind.ClassDeclaration:
      visitClassDeclaration(state, node as ts.ClassDeclaration, scope);
      return undefined;
    case SyntaxKind.InterfaceDeclaration:
    case SyntaxKind.TypeAliasDeclaration:
    case SyntaxKind.EnumDeclaration:
      visitTypeDeclaration(state, node as TypeDeclaration, scope);
      return undefined;
    case SyntaxKind.ModuleDeclaration:
      visitModule(state, node as ts.ModuleDeclaration, scope);
      return undefined;
    case SyntaxKind.ImportDeclaration:
      visitImport(state, node as ts.ImportDeclaration, scope);
      return undefined;
    case SyntaxKind.ImportEqualsDeclaration:
      visitImportEquals(state, node as ts.ImportEqualsDeclaration, scope);
      return undefined;
    case SyntaxKind.ExportDeclaration:
      visitExport(state, node as ts.ExportDeclaration, scope);
      return undefined;
    case SyntaxKind.ExportAssignment:
      visitExportAssignment(state, node as ts.ExportAssignment, scope);
      return undefined;
    case SyntaxKind.ExpressionStatement:
      if (scope.place === "module" && visitAssignmentStatement(state, node as ts.ExpressionStatement, scope)) {
        return undefined;
      }
      state.visit((node as ts.ExpressionStatement).expression, scope);
      return undefined;
    case SyntaxKind.ArrowFunction:
      visitFunction(state, node as ts.ArrowFunction, scope, -1);
      return undefined;
    case SyntaxKind.FunctionExpression:
      visitFunctionExpression(state, node as ts.FunctionExpression, scope);
      return undefined;
    case SyntaxKind.ClassExpression:
      visitClassExpression(state, node as ts.ClassExpression, scope);
      return undefined;
    case SyntaxKind.MethodDeclaration:
    case SyntaxKind.GetAccessor:
    case SyntaxKind.SetAccessor: {
      // Those of classes and named objects do not come here.
      const method = node as ts.MethodDeclaration;
      if (ts.isComputedPropertyName(method.name)) state.visit(method.name.expression, scope);
      visitFunction(state, method, scope, -1);
      return undefined;
    }
    case SyntaxKind.Block:
    case SyntaxKind.CaseBlock:
      ts.forEachChild(node, childrenIn(state, openScope(scope)));
      return undefined;
    case SyntaxKind.IfStatement: {
      const { expression, thenStatement, elseStatement } = node as ts.IfStatement;
      state.visit(expression, scope);
      state.visit(thenStatement, narrowedScope(expression, scope));
      if (elseStatement !== undefined) state.visit(elseStatement, scope);
      return undefined;
    }
    case SyntaxKind.ForStatement: {
      const inner = openScope(scope);
      ts.forEachChild(node, (child) => {
        if (ts.isVariableDeclarationList(child)) visitVariables(state, child, inner, undefined);
        else state.visit(child, inner);
      });
      return undefined;
    }
    case SyntaxKind.ForInStatement:
    case SyntaxKind.ForOfStatement:
      visitLoop(state, node as ts.ForOfStatement, openScope(scope));
      return undefined;
    case SyntaxKind.CatchClause:
      visitCatch(state, node as ts.CatchClause, openScope(scope));
      return undefined;
    case SyntaxKind.LabeledStatement:
      state.visit((node as ts.LabeledStatement).statement, scope);
      return undefined;
    case SyntaxKind.BreakStatement:
    case SyntaxKind.ContinueStatement:
    case SyntaxKind.NamespaceExportDeclaration:
      return undefined;
    default:
      return visitExpression(state, node, scope);
  }
}

type TypeDeclaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.EnumDeclaration;

function childrenIn(state: FileState, scope: Scope): (child: ts.Node) => void {
  return (child) => void state.visit(child, scope);
}

function visitFunctionDeclaration(state: FileState, node: ts.FunctionDeclaration, scope: Scope): void {
  const name = node.name?.text ?? "default";
  const symbol = addSymbol(state, {
    kind: "function",
    name,
    nameNode: node.name,
    node,
    bodyStart: node.body && startOf(state, node.body),
    scope,
    typeNode: node.type,
    ...exportsOf(node, name, scope),
  });
  if (node.name !== undefined) declare(scope, name, { meaning: VALUE, symbol, import: -1, value: undefined });
  visitFunction(state, node, scope, symbol);
}

function visitClassDeclaration(state: FileState, node: ts.ClassDeclaration, scope: Scope): void {
  const name = node.name?.text ?? "default";
  const symbol = addSymbol(state, {
    kind: "class",
    name,
    nameNode: node.name,
    node,
    bodyStart: bodyStartOf(state, node.members),
    scope,
    bases: basesOf(state, node),
    ...exportsOf(node, name, scope),
  });
  if (node.name !== undefined) declare(scope, name, { meaning: VALUE | TYPE, symbol, import: -1, value: undefined });
  visitClass(state, node, scope, symbol);
}

/** A function in an expression is a symbol where it has a name. */
function visitFunctionExpression(state: FileState, node: ts.FunctionExpression, scope: Scope): void {
  let symbol = -1;
  if (node.name !== undefined) {
    const { name, type } = node;
    const bodyStart = startOf(state, node.body);
    const flags = exportsOf(node, name.text, scope).flags;
    symbol = addSymbol(state, {
      kind: "function",
      name: name.text,
      nameNode: name,
      node,
      bodyStart,
      scope,
      flags,
      typeNode: type,
    });
  }
  visitFunction(state, node, scope, symbol);
}

function visitClassExpression(state: FileState, node: ts.ClassExpression, scope: Scope): void {
  let symbol = -1;
  if (node.name !== undefined) {
    const bodyStart = bodyStartOf(state, node.members);
    const { name } = node;
    const bases = basesOf(state, node);
    symbol = addSymbol(state, { kind: "class", name: name.text, nameNode: name, node, bodyStart, scope, bases });
  }
  visitClass(state, node, scope, symbol);
}

/** Types inside functions are locals. */
function visitTypeDeclaration(state: FileState, node: TypeDeclaration, scope: Scope): void {
  const name = node.name.text;
  const isAlias = ts.isTypeAliasDeclaration(node);
  const kind = isAlias ? "typeAlias" : ts.isEnumDeclaration(node) ? "enum" : "interface";
  const symbol =
    scope.place === "function"
      ? -1
      : addSymbol(state, {
          kind,
          name,
          nameNode: node.name,
          node,
          bodyStart: isAlias ? undefined : bodyStartOf(state, node.members),
          scope,
          bases: ts.isInterfaceDeclaration(node) ? basesOf(state, node) : [],
          ...exportsOf(node, name, scope),
        });
  const meaning = kind === "enum" ? VALUE | TYPE | NAMESPACE : TYPE;
  const inside = symbol < 0 ? scope.from : symbol;
  const inner = openScopeAs(scope, { from: inside, container: inside }, false);
  declare(scope, name, { meaning, symbol, import: -1, value: isAlias ? typed(node.type, inner) : undefined });
  if (ts.isEnumDeclaration(node)) visitEnum(state, node, scope, symbol);
  else if (ts.isInterfaceDeclaration(node)) visitInterface(state, node, scope, symbol);
  else visitAlias(state, node, inner, symbol);
}

function visitAlias(state: FileState, node: ts.TypeAliasDeclaration, scope: Scope, symbol: number): void {
  declareTypeParameters(state, node.typeParameters, scope);
  const found = state.symbols[symbol];
  // What an alias stands for is what members are looked up in.
  if (found !== undefined) {
    found.type = typed(node.type, scope);
    found.standsForArgument = standsForArgument(node);
  }
  const parts = ts.isIntersectionTypeNode(node.type) ? node.type.types : [node.type];
  for (const part of parts) {
    if (ts.isTypeLiteralNode(part)) visitTypeMembers(state, part.members, scope, symbol);
    else state.visit(part, scope);
  }
}

/** Whether an alias is its first type parameter, or has its members: a union or an intersection with it, on a condition. */
function standsForArgument({ typeParameters, type }: ts.TypeAliasDeclaration): boolean {
  const name = typeParameters?.[0]?.name.text;
  return name !== undefined && isOrHas(type, name, 0);
}

function isOrHas(type: ts.TypeNode, name: string, depth: number): boolean {
  if (depth > MAX_TYPE_DEPTH) return false;
  if (ts.isParenthesizedTypeNode(type)) return isOrHas(type.type, name, depth + 1);
  if (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type)) {
    return type.types.some((part) => isOrHas(part, name, depth + 1));
  }
  if (ts.isConditionalTypeNode(type)) {
    return isOrHas(type.trueType, name, depth + 1) || isOrHas(type.falseType, name, depth + 1);
  }
  return ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName) && type.typeName.text === name;
}

function visitLoop(state: FileState, node: ts.ForOfStatement | ts.ForInStatement, scope: Scope): void {
  const { initializer, expression, statement } = node;
  // What is gone through comes after the variable in the source, and its value is that of the variable.
  const value = state.visit(expression, scope);
  const element: Value | undefined =
    ts.isForOfStatement(node) && value !== undefined ? { is: "element", of: value } : undefined;
  if (ts.isVariableDeclarationList(initializer)) visitVariables(state, initializer, scope, undefined, element);
  else visitTarget(state, initializer, scope);
  state.visit(statement, scope);
}

function visitCatch(state: FileState, node: ts.CatchClause, scope: Scope): void {
  const { variableDeclaration, block } = node;
  if (variableDeclaration !== undefined) {
    const { name, type } = variableDeclaration;
    if (type !== undefined) state.visit(type, scope);
    if (ts.isIdentifier(name)) declareLocal(scope, name.text, typed(type, scope));
    else bindPattern(state, name, undefined, scope, (_, bound) => declareLocal(scope, bound.text, undefined));
  }
  state.visit(block, scope);
}
