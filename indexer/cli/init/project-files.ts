/**
 * Files of a project as `treeline init` reads and writes them. It reads through an interface, so that rules for tools are pure functions over it
 * and tests give them folders in memory; as data, as far as it is written out in JSON, YAML, TOML, JavaScript and TypeScript.
 * Of a configuration that is a program, the syntax is read; the program is never run.
 *
 * Nothing is run, nothing is read through a link that leads out of the folder, and nothing throws: what cannot be read is
 * not there.
 *
 * Plans all files first: made, left alone, lines added, or replaced with consent. Checks every obstacle, then writes each file whole.
 */

import { isUtf8 } from "node:buffer";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import {
  access,
  constants,
  copyFile,
  lstat,
  mkdir,
  readFile,
  realpath,
  rename,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import ts from "typescript";
import { parseDocument } from "yaml";
import { InputError } from "../../../src/core/errors.ts";
import { isRecord } from "../../../src/core/parse-text.ts";
import {
  createReadError,
  describeFsError,
  failWith,
  isFsError,
  onFsError,
  orAbsent,
  readJson,
} from "../../base/file-system.ts";
import { readToml } from "../../languages/base/manifests.ts";
import { bareExpression } from "../../languages/typescript/nodes.ts";
import { isInside } from "../../sources/discover.ts";

/** Largest file that is read as settings; what is larger was not written by a person. */
const MAX_SETTINGS_BYTES = 1024 * 1024;
const MAX_NAMES = 10_000;

/** A project's files, by paths with `/` that start at its folder; `""` is that folder. */
export interface ProjectFolder {
  /** Text of a file; undefined where there is none that can be a file of settings. */
  readonly read: (path: string) => string | undefined;
  /** Names in a folder, sorted; none where there is no such folder. */
  readonly names: (path: string) => readonly string[];
  readonly isFolder: (path: string) => boolean;
}

export function openProjectFolder(dir: string): ProjectFolder {
  const top = realpathSync(dir);
  /** Absolute path without links, if it is inside. */
  const locate = (path: string): string | undefined => {
    const real = realpathSync(join(top, path));
    return isInside(real, top) ? real : undefined;
  };
  return {
    read: (path) =>
      ifThere(() => {
        const file = locate(path);
        if (file === undefined) return undefined;
        const status = statSync(file);
        if (!status.isFile() || status.size > MAX_SETTINGS_BYTES) return undefined;
        const bytes = readFileSync(file);
        return isUtf8(bytes) ? new TextDecoder().decode(bytes) : undefined;
      }),
    names: (path) =>
      ifThere(() => {
        const folder = locate(path);
        return folder === undefined ? [] : readdirSync(folder).sort().slice(0, MAX_NAMES);
      }) ?? [],
    isFolder: (path) =>
      ifThere(() => {
        const folder = locate(path);
        return folder !== undefined && statSync(folder).isDirectory();
      }) ?? false,
  };
}

export function below(folder: string, path: string): string {
  if (path === "" || path === ".") return folder;
  return folder === "" ? path : `${folder}/${path}`;
}

function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isFsError(error)) return undefined;
    throw error;
  }
}

/** Settings of a JSON file, comments allowed. */
export function readJsonSettings(folder: ProjectFolder, path: string): Settings {
  return toSettings(readJson(folder.read(path) ?? "").value);
}

/** Settings of a YAML file. Values with tags of a tool's own (`!!python/name:…`) are read as if they had none. */
export function readYamlSettings(folder: ProjectFolder, path: string): Settings {
  const text = folder.read(path);
  if (text === undefined) return {};
  try {
    return toSettings(parseDocument(text, { logLevel: "silent", merge: true, uniqueKeys: false }).toJS());
  } catch (error) {
    // Aliases that lead nowhere or are too many, values nested too deeply.
    if (error instanceof ReferenceError || error instanceof RangeError || error instanceof TypeError) return {};
    throw error;
  }
}

/** Texts of a TOML file, by keys such as `output.html.site-url`. */
export function readTomlSettings(folder: ProjectFolder, path: string): Settings {
  const text = folder.read(path);
  if (text === undefined) return {};
  return Object.fromEntries(
    [...readToml(text).strings].flatMap(([key, [value]]) => (value === undefined ? [] : [[key, value]])),
  );
}

/** A value as a text that is not empty; undefined where it is none. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

export function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => textOf(one) ?? []);
}

/** Names of the packages that a `package.json` asks for. */
export function dependenciesOf(manifest: Settings): ReadonlySet<string> {
  const lists = [manifest.dependencies, manifest.devDependencies, manifest.peerDependencies];
  return new Set(lists.flatMap((list) => (isRecord(list) ? Object.keys(list) : [])));
}

export function toSettings(value: unknown): Settings {
  return isRecord(value) ? value : {};
}

export type Settings = Readonly<Record<string, unknown>>;

/** Values looked at in one file: constants that hold constants twice each would double without end. */
const MAX_VALUES = 20_000;
const MAX_DEPTH = 60;

interface LiteralCall {
  readonly called: string;
  readonly given: readonly unknown[];
}

interface Literals {
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

export interface WantedFile {
  /** Absolute path of the folder that it must stay in. */
  readonly base: string;
  readonly path: string;
  /** Whole text; or, of a file that has other lines as well, the text out of what it holds now (`""`: no file). */
  readonly text: string | ((before: string) => string);
}

export interface PlannedFile {
  readonly path: string;
  /** As people read it, from the project's folder. */
  readonly shown: string;
  /** `create`: it is not there. `keep`: it says the same. `append`: lines are missing. `differs`: it says something else and stays, unless that is agreed to. */
  readonly action: "create" | "keep" | "append" | "differs";
  readonly before: string | undefined;
  readonly text: string;
  /** Why it is left alone although it differs, where consent changes nothing. */
  readonly reason?: string;
}

/** @throws {InputError} where something stands in the way of a file, leads out, or may not be written. */
export async function planFiles(wanted: readonly WantedFile[], dir: string): Promise<PlannedFile[]> {
  const planned: PlannedFile[] = [];
  for (const file of wanted) planned.push(await planFile(file, dir));
  return planned;
}

async function planFile({ base, path: below, text }: WantedFile, dir: string): Promise<PlannedFile> {
  const path = join(base, ...below.split("/"));
  const shown = relative(dir, path).split(sep).join("/");
  await checkFolders(base, dirname(path), shown);
  const status = await look(path, shown);
  const textOf = (before: string): string => (typeof text === "string" ? text : text(before));
  const planned = { path, shown, before: undefined, text: textOf("") };
  if (status === undefined) return { ...planned, action: "create" };
  if (status.isDirectory()) {
    throw new InputError(`${shown} is a folder; move it away, or leave this file out with --only`);
  }
  // A link may lead anywhere; what is behind it is not this project's to change.
  if (status.isSymbolicLink()) return { ...planned, action: "differs", reason: "it is a link" };
  if (!status.isFile()) return { ...planned, action: "differs", reason: "it is no regular file" };
  if (status.size > MAX_SETTINGS_BYTES) {
    return { ...planned, action: "differs", reason: "it is too large to be compared" };
  }
  const before = await readFile(path, "utf8").catch(failWith(`${shown} cannot be read`));
  const after = textOf(before);
  if (sameText(before, after)) return { path, shown, action: "keep", before, text: after };
  await checkWritable(path, shown);
  return { path, shown, action: typeof text === "string" ? "differs" : "append", before, text: after };
}

/** Texts are the same in an editor that writes other line ends. */
function sameText(before: string, after: string): boolean {
  const plain = (text: string): string =>
    text
      .replace(/^\uFEFF/, "")
      .replaceAll("\r\n", "\n")
      .trimEnd();
  return plain(before) === plain(after);
}

/** The folders on the way are folders inside the base, or will be made. */
async function checkFolders(base: string, folder: string, shown: string): Promise<void> {
  const realBase = await realpath(base);
  for (let at = folder; ; at = dirname(at)) {
    const status = await look(at, shown);
    if (status === undefined) continue;
    if (!status.isDirectory() && !status.isSymbolicLink()) {
      throw new InputError(`${shown} cannot be made: ${JSON.stringify(relative(base, at))} is no folder`);
    }
    const real = await realpath(at).catch(
      onFsError((error): never => {
        throw createReadError(`${shown} cannot be made: a link on its way: ${describeFsError(error)}`, error);
      }),
    );
    if (!isInside(real, realBase)) {
      throw new InputError(
        `${shown} cannot be made: ${JSON.stringify(relative(base, at))} is a link that leads out of the folder`,
      );
    }
    await checkWritable(at, shown);
    return;
  }
}

function look(path: string, shown: string) {
  return lstat(path)
    .catch(orAbsent)
    .catch(failWith(`${shown} cannot be looked at`));
}

function checkWritable(path: string, shown: string): Promise<void> {
  return access(path, constants.W_OK).catch(failWith(`${shown} cannot be written`));
}

/**
 * Write files: those to `create`, `append` to, and those that differ, which must be agreed to.
 *
 * @returns Copies of what was replaced, by the path of the file.
 * @throws {InputError} where one cannot be written.
 */
export async function writePlanned(files: readonly PlannedFile[]): Promise<Map<string, string>> {
  const copies = new Map<string, string>();
  for (const file of files) {
    try {
      await write(file, copies);
    } catch (error) {
      if (!isFsError(error)) throw error;
      const reason = error.code === "EEXIST" ? "something else wrote it meanwhile" : describeFsError(error);
      throw createReadError(`${file.shown} cannot be written: ${reason}`, error);
    }
  }
  return copies;
}

async function write(file: PlannedFile, copies: Map<string, string>): Promise<void> {
  const { path, text, before, action } = file;
  await mkdir(dirname(path), { recursive: true });
  if (before === undefined) return writeFile(path, text, { flag: "wx" });
  if (action === "differs") copies.set(path, await copyBeside(path));
  const partial = `${path}.treeline-init`;
  await writeFile(partial, text, { mode: (await stat(path)).mode & 0o777 });
  return rename(partial, path);
}

async function copyBeside(path: string): Promise<string> {
  for (let at = 0; ; at++) {
    const copy = `${path}.bak${at === 0 ? "" : at}`;
    if (existsSync(copy)) continue;
    await copyFile(path, copy, constants.COPYFILE_EXCL);
    return copy;
  }
}
