/**
 * What stands literally in a configuration that is a program: its syntax is read, the program is never run.
 *
 * Texts, numbers, lists, objects, constants of the same file, and calls, of which the name and what they are given is
 * kept: `starlight({ title: "Docs" })`. All else is undefined. Pure.
 */
import ts from "typescript";
import { isRecord } from "../../base/read-json.ts";
import { bareExpression } from "../../languages/typescript/nodes.ts";

/** Settings by their keys. */
export type Settings = Readonly<Record<string, unknown>>;

/** Values looked at in one file: constants that hold constants twice each would double without end. */
const MAX_VALUES = 20_000;
const MAX_DEPTH = 60;

/** A call that stands where a value does. */
export interface LiteralCall {
  readonly called: string;
  readonly given: readonly unknown[];
}

/** What a configuration says. */
export interface Literals {
  /** The object that it exports, through `defineConfig` and the like. */
  readonly exported: Settings;
  /** All calls in it with objects, wherever they stand, by what is called. */
  readonly calls: ReadonlyMap<string, Settings>;
}

/** Read a configuration in JavaScript or TypeScript. Never throws. */
export function readLiterals(text: string): Literals {
  const nothing: Literals = { exported: {}, calls: new Map() };
  try {
    const file = ts.createSourceFile("config.ts", text, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX);
    const reader = new LiteralReader(file);
    const exported = file.statements.map(exportedBy).find((expression) => expression !== undefined);
    return {
      exported: exported === undefined ? {} : reader.object(exported),
      calls: reader.calls(),
    };
  } catch (error) {
    // The parser goes down by calls of its own: brackets without end use up its stack.
    if (error instanceof RangeError) return nothing;
    throw error;
  }
}

/** A literal as a call. */
export function asCall(value: unknown): LiteralCall | undefined {
  return isRecord(value) && typeof value.called === "string" && Array.isArray(value.given)
    ? { called: value.called, given: value.given }
    : undefined;
}

/** What a statement exports as the configuration: `export default …` or `module.exports = …`. */
function exportedBy(statement: ts.Statement): ts.Expression | undefined {
  if (ts.isExportAssignment(statement)) return statement.expression;
  if (!ts.isExpressionStatement(statement) || !ts.isBinaryExpression(statement.expression)) return undefined;
  const { left, operatorToken, right } = statement.expression;
  if (operatorToken.kind !== ts.SyntaxKind.EqualsToken || !ts.isPropertyAccessExpression(left)) return undefined;
  return left.name.text === "exports" ? right : undefined;
}

/** Reads one file; counts what it looks at. */
class LiteralReader {
  readonly #constants = new Map<string, ts.Expression | ts.FunctionDeclaration>();
  readonly #file: ts.SourceFile;
  #values = 0;

  constructor(file: ts.SourceFile) {
    this.#file = file;
    for (const statement of file.statements) {
      if (ts.isFunctionDeclaration(statement) && statement.name !== undefined) {
        this.#constants.set(statement.name.text, statement);
      }
      if (!ts.isVariableStatement(statement)) continue;
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (ts.isIdentifier(name) && initializer !== undefined) this.#constants.set(name.text, initializer);
      }
    }
  }

  /** The object that an expression gives, through functions and calls around it. */
  object(expression: ts.Node, depth = 0): Settings {
    if (depth > MAX_DEPTH) return {};
    const inner = unwrap(expression);
    if (ts.isObjectLiteralExpression(inner)) {
      const value = this.#value(inner, depth);
      return isRecord(value) ? value : {};
    }
    if (ts.isIdentifier(inner)) {
      const constant = this.#constants.get(inner.text);
      return constant === undefined ? {} : this.object(constant, depth + 1);
    }
    if (ts.isFunctionLike(inner)) {
      const { body } = inner as ts.FunctionLikeDeclaration;
      if (body === undefined) return {};
      if (!ts.isBlock(body)) return this.object(body, depth + 1);
      const last = body.statements.findLast(ts.isReturnStatement);
      return last?.expression === undefined ? {} : this.object(last.expression, depth + 1);
    }
    if (ts.isCallExpression(inner)) {
      for (const given of inner.arguments) {
        const found = this.object(given, depth + 1);
        if (Object.keys(found).length > 0) return found;
      }
    }
    return {};
  }

  /** Calls in the file that are given an object first. */
  calls(): ReadonlyMap<string, Settings> {
    const found = new Map<string, Settings>();
    const walk = (node: ts.Node, depth: number): void => {
      this.#values++;
      if (depth > MAX_DEPTH || this.#values > MAX_VALUES) return;
      if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && !found.has(node.expression.text)) {
        const [first] = node.arguments;
        if (first !== undefined) found.set(node.expression.text, this.object(first));
      }
      ts.forEachChild(node, (child) => walk(child, depth + 1));
    };
    walk(this.#file, 0);
    return found;
  }

  #value(expression: ts.Expression, depth: number): unknown {
    this.#values++;
    if (depth > MAX_DEPTH || this.#values > MAX_VALUES) return undefined;
    const inner = unwrap(expression);
    if (ts.isStringLiteralLike(inner)) return inner.text;
    if (ts.isNumericLiteral(inner)) return Number(inner.text);
    if (inner.kind === ts.SyntaxKind.TrueKeyword) return true;
    if (inner.kind === ts.SyntaxKind.FalseKeyword) return false;
    if (ts.isArrayLiteralExpression(inner)) return inner.elements.map((element) => this.#value(element, depth + 1));
    if (ts.isObjectLiteralExpression(inner)) return this.#properties(inner, depth);
    if (ts.isIdentifier(inner)) {
      const constant = this.#constants.get(inner.text);
      return constant === undefined || ts.isFunctionDeclaration(constant)
        ? undefined
        : this.#value(constant, depth + 1);
    }
    if (ts.isBinaryExpression(inner)) {
      // `process.env.SITE ?? "https://…"`: what holds where nothing is set.
      const { kind } = inner.operatorToken;
      const isEither = kind === ts.SyntaxKind.BarBarToken || kind === ts.SyntaxKind.QuestionQuestionToken;
      return isEither ? (this.#value(inner.left, depth + 1) ?? this.#value(inner.right, depth + 1)) : undefined;
    }
    if (ts.isCallExpression(inner) && ts.isIdentifier(inner.expression)) {
      const given = inner.arguments.map((argument) => this.#value(argument, depth + 1));
      return { called: inner.expression.text, given } satisfies LiteralCall;
    }
    return undefined;
  }

  #properties(object: ts.ObjectLiteralExpression, depth: number): Settings {
    const entries = new Map<string, unknown>();
    for (const property of object.properties) {
      if (ts.isSpreadAssignment(property)) {
        const spread = this.#value(property.expression, depth + 1);
        if (isRecord(spread)) for (const [key, value] of Object.entries(spread)) entries.set(key, value);
      } else if (ts.isShorthandPropertyAssignment(property)) {
        entries.set(property.name.text, this.#value(property.name, depth + 1));
      } else if (ts.isPropertyAssignment(property) && !ts.isComputedPropertyName(property.name)) {
        entries.set(property.name.text, this.#value(property.initializer, depth + 1));
      }
    }
    return Object.fromEntries(entries);
  }
}

/** An expression without what changes only its type or waits for it. */
function unwrap(node: ts.Node): ts.Node {
  if (!ts.isExpression(node)) return node;
  const bare = bareExpression(node);
  return ts.isAwaitExpression(bare) ? unwrap(bare.expression) : bare;
}
