/**
 * Files of settings: the configuration, the glossary and the categories. Reads the text, parses it as JSON with comments
 * and trailing commas, checks it against a zod schema, and says what is wrong by file, line and column.
 *
 * Every problem of a file is reported at once. The file is named relative to its own folder, so that no message tells
 * where on the machine it lies.
 */
import { isUtf8 } from "node:buffer";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { z } from "zod";
import { InputError } from "../../src/core/errors.ts";
import { nearestNames, quoteName, quoteValue } from "../../src/core/text/nearest.ts";
import { createReadError, failWith, onFsError, orAbsent } from "../base/file-system.ts";

export const CONFIG_FILE_NAME = "treeline.config.json";

/** Largest file of settings that is read; a larger one is something else under that name. */
const MAX_SETTINGS_BYTES = 1024 * 1024;
/** Problems printed of one file; a file with more is not a configuration, and the first ones tell why. */
const MAX_PRINTED = 50;

/**
 * The text of the file `name` in `dir`, or undefined when there is none.
 *
 * @throws {InputError} when it cannot be read, is no UTF-8 text or too large to be what its name says.
 */
export async function readSettingsFile(dir: string, name: string): Promise<string | undefined> {
  const bytes = await readFile(join(dir, name))
    .catch(orAbsent)
    .catch(failWith(`${name} cannot be read`));
  if (bytes === undefined) return undefined;
  if (bytes.length > MAX_SETTINGS_BYTES) {
    throw new InputError(`${name} has ${bytes.length} bytes, at most ${MAX_SETTINGS_BYTES} are read`);
  }
  if (!isUtf8(bytes)) throw new InputError(`${name} is not UTF-8 text; save it as UTF-8`);
  return new TextDecoder().decode(bytes);
}

/** The text of a configuration that somebody named. @throws {InputError} when it is not there, or cannot be read. */
export async function readNamedConfig(file: string): Promise<string> {
  const text = await readSettingsFile(dirname(file), basename(file));
  if (text !== undefined) return text;
  const beside = await readdir(dirname(file)).catch(onFsError(() => []));
  const likely = nearestNames(
    basename(file),
    beside.filter((name) => /\.jsonc?$/.test(name)),
  );
  throw new InputError(
    `there is no configuration ${quoteName(file)}`,
    likely.map((name) => join(dirname(file), name)),
  );
}

interface ConfigProblem {
  /** UTF-16 offset in the file's text, its byte order mark not counted. */
  readonly offset: number;
  readonly message: string;
}

/**
 * Checks a file against its schema.
 *
 * @param file How messages name the file.
 * @param name How messages call the whole of it.
 * @throws {InputError} with one line `file:line:column: message` for every problem.
 */
export function checkSettings<Schema extends z.ZodType>(
  { text, tree }: SettingsSyntax,
  schema: Schema,
  file: string,
  name: string,
) {
  const problems: ConfigProblem[] = [];
  const given = toValue(tree, name, [], problems);
  const { data, error } = schema.safeParse(given, { error: listKnownKeys });
  const seen = new Set<string>();
  for (const { path, offset, message } of (error?.issues ?? []).flatMap((issue) => describeIssue(tree, name, issue))) {
    // Of several faults of a value the first is told: the others often follow from it.
    const key = path.join("\0");
    if (!seen.has(key)) problems.push({ offset, message });
    seen.add(key);
  }
  if (problems.length > 0) throw createConfigError(text, problems, file);
  const offsetOf = (path: Path): number => (findNodeAtLocation(tree, [...path]) ?? tree).offset;
  return {
    value: data as z.output<Schema>,
    /** As it was written, without defaults. */
    given: given as z.input<Schema>,
    lineOf: (path: Path): number => locate(text, offsetOf(path)).line,
    /** The error for what is wrong with values that the schema cannot see, by their places. */
    describeFaults: (faults: readonly (readonly [place: Path, message: string])[]): InputError =>
      createConfigError(
        text,
        faults.map(([place, message]) => ({ offset: offsetOf(place), message })),
        file,
      ),
  };
}

/** Checks of several values go on beside faults of single ones, but not in what is no object or list at all. */
export function isWhole({ value }: z.core.ParsePayload): boolean {
  return typeof value === "object" && value !== null;
}

/** Parameter of an issue that is about a key, not about its value. */
export const ABOUT_KEY = { isAboutKey: true };

/**
 * The syntax tree of a file's text; `file` is how messages name it.
 *
 * @throws {InputError} with one line `file:line:column: message` for every fault in the syntax.
 */
export function parseSyntax(source: string, file: string) {
  const text = source.startsWith("\uFEFF") ? source.slice(1) : source;
  const errors: ParseError[] = [];
  let tree: Node | undefined;
  try {
    tree = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
  } catch (error) {
    // The parser recurses: brackets nested tens of thousands deep exhaust the stack.
    if (error instanceof RangeError) throw createReadError(`${file}: brackets are nested too deeply`, error);
    throw error;
  }
  if (errors.length > 0 || tree === undefined) {
    // What stands after a fault in the syntax may be misread, so nothing else is said about this file.
    const problems = errors.map(({ offset, error }) => ({ offset, message: describeSyntax(error) }));
    throw createConfigError(text, problems, file);
  }
  return { text, tree };
}

/** The text of a file without its byte order mark, and its syntax tree. */
type SettingsSyntax = Readonly<ReturnType<typeof parseSyntax>>;

/** Messages by jsonc-parser's names of errors. */
const SYNTAX_MESSAGES: Readonly<Record<string, string>> = {
  InvalidSymbol: "this is not JSON; keys and strings need double quotes",
  InvalidNumberFormat: "this is not a number",
  PropertyNameExpected: "a key in double quotes is missing here",
  ValueExpected: "a value is missing here",
  ColonExpected: "a colon is missing here",
  CommaExpected: "a comma is missing here",
  CloseBraceExpected: "a closing } is missing here",
  CloseBracketExpected: "a closing ] is missing here",
  EndOfFileExpected: "the file ends before this; remove what follows",
  UnexpectedEndOfComment: "this comment is not closed",
  UnexpectedEndOfString: "this text is not closed by a double quote",
  UnexpectedEndOfNumber: "this number ends too early",
  InvalidUnicode: "\\u needs four hexadecimal digits",
  InvalidEscapeCharacter: "this escape does not exist in JSON; a backslash is written \\\\",
  InvalidCharacter: "control characters are not allowed in a text",
};

function describeSyntax(code: ParseError["error"]): string {
  const name = printParseErrorCode(code);
  return SYNTAX_MESSAGES[name] ?? `this is not JSON (${name})`;
}

/** The error for all problems of one file: one line `file:line:column: message` each, in order of place. */
function createConfigError(text: string, problems: readonly ConfigProblem[], file: string): InputError {
  const sorted = [...problems].sort((a, b) => a.offset - b.offset);
  const lines = sorted.slice(0, MAX_PRINTED).map((problem) => {
    const { line, column } = locate(text, problem.offset);
    return `${file}:${line}:${column}: ${problem.message}`;
  });
  if (sorted.length > MAX_PRINTED) lines.push(`${file}: ${sorted.length - MAX_PRINTED} more problems`);
  return new InputError(lines.join("\n"));
}

/** 1-based line and column of an offset; a column counts UTF-16 units, as editors do. Lines end in LF, CRLF or CR. */
function locate(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\r(?!\n)|\n/);
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

type Path = readonly (string | number)[];

/** The value of a tree. Keys that are given twice are problems, and so is the one that JavaScript takes for a prototype. */
function toValue(node: Node, name: string, path: Path, problems: ConfigProblem[]): unknown {
  if (node.type === "array")
    return (node.children ?? []).map((child, at) => toValue(child, name, [...path, at], problems));
  if (node.type !== "object") return node.value;
  const values: Record<string, unknown> = {};
  for (const { children: [keyNode, valueNode] = [] } of node.children ?? []) {
    if (keyNode === undefined || valueNode === undefined) continue;
    const key = String(keyNode.value);
    const fault = Object.hasOwn(values, key) ? "is given twice" : "is a reserved key";
    if (Object.hasOwn(values, key) || key === "__proto__") {
      problems.push({ offset: keyNode.offset, message: `${placeOf(name, [...path, key])} ${fault}` });
    } else values[key] = toValue(valueNode, name, [...path, key], problems);
  }
  return values;
}

/** A place in words: `collections[0].weight`. The configuration is left out where something in it is named. */
function placeOf(name: string, path: Path): string {
  const place = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("");
  return name.includes(" ") && place !== "" ? place.replace(/^\./, "") : `${name}${place}`;
}

/** The keys of an object that has others; an issue does not tell them. */
function listKnownKeys({ code, inst }: z.core.$ZodRawIssue): string | undefined {
  return code === "unrecognized_keys" ? Object.keys((inst as z.ZodObject).shape).join(" ") : undefined;
}

/** What an issue of zod is called here; of unknown keys there are several in one issue. */
function describeIssue(tree: Node, name: string, issue: z.core.$ZodIssue): (ConfigProblem & { readonly path: Path })[] {
  const path = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
  const node = findNodeAtLocation(tree, path);
  const place = placeOf(name, path);
  if (issue.code === "unrecognized_keys") {
    const known = issue.message.split(" ");
    return issue.keys.map((key) => ({
      path: [...path, key],
      offset: keyOffset(tree, [...path, key]),
      message: `${place} has no key ${quoteValue(key)}${suggest(nearestNames(key, known, 1), known, "its keys are")}`,
    }));
  }
  const aboutKey = issue.code === "invalid_key" ? issue.issues[0] : issue;
  if (issue.code === "invalid_key" || (issue.code === "custom" && issue.params === ABOUT_KEY)) {
    const message = `${placeOf(name, path.slice(0, -1))}: ${aboutKey?.message}`;
    return [{ path, offset: keyOffset(tree, path), message }];
  }
  const owner = path.slice(0, -1);
  if (node === undefined) {
    const { offset } = findNodeAtLocation(tree, owner) ?? tree;
    // A value that is left out has its default, which may not fit the others.
    if (issue.code === "custom") return [{ path, offset, message: `${place} ${issue.message}` }];
    const key = path.at(-1);
    return [{ path, offset, message: `${placeOf(name, owner)} lacks the required key ${quoteValue(key)}` }];
  }
  if (issue.code === "invalid_union") {
    // Of a value that may be of several types, the faults in that of its own.
    const own = issue.errors.find((issues) => !issues.some((inner) => isOfType(inner)));
    if (own !== undefined)
      return own.flatMap((inner) => describeIssue(tree, name, { ...inner, path: [...path, ...inner.path] }));
  }
  return [{ path, offset: node.offset, message: `${place} ${describeFault(issue, node)}` }];
}

function isOfType({ code, path }: z.core.$ZodIssue): boolean {
  return code === "invalid_type" && path.length === 0;
}

/** What is wrong with a value, as the end of a sentence. */
function describeFault(issue: z.core.$ZodIssue, { type, value, children = [] }: Node): string {
  switch (issue.code) {
    case "invalid_type":
      // A schema may name its type itself.
      return `must be ${/^an? /.test(issue.message) ? issue.message : nameType(issue.expected)}, found ${describeValue(type, value)}`;
    case "invalid_union": {
      const types = issue.errors.flat().flatMap((inner) => (inner.code === "invalid_type" ? [inner.expected] : []));
      return `must be ${types.map(nameType).join(" or ")}, found ${describeValue(type, value)}`;
    }
    case "invalid_value": {
      const known = issue.values.map(String);
      if (type !== "string") return `must be a string, found ${describeValue(type, value)}`;
      return `cannot be ${quoteValue(value)}${suggest(nearestNames(value, known, 1), known, "its values are")}`;
    }
    case "invalid_format":
      return `cannot be ${quoteValue(value)}; it takes ${issue.message}`;
    case "too_small":
      if (issue.origin === "string") return "must not be empty";
      if (issue.origin === "array") return "must not be empty; leave the key out for its default";
      return `must be ${issue.inclusive === true ? "at least" : "greater than"} ${issue.minimum}, found ${value}`;
    case "too_big":
      if (issue.origin === "string")
        return `is ${String(value).length} characters long, at most ${issue.maximum} are allowed`;
      if (issue.origin === "number") return `must be at most ${issue.maximum}, found ${value}`;
      return `has ${children.length} entries, at most ${issue.maximum} are allowed`;
    default:
      return issue.message;
  }
}

function keyOffset(tree: Node, path: Path): number {
  const property = findNodeAtLocation(tree, [...path])?.parent;
  return (property ?? tree).offset;
}

function nameType(type: string): string {
  const names: Readonly<Record<string, string>> = {
    array: "a list",
    object: "an object",
    record: "an object",
    null: "null",
  };
  return names[type] ?? `a ${type}`;
}

function describeValue(type: Node["type"], value: unknown): string {
  return type === "array" || type === "object" || type === "null" ? nameType(type) : `the ${type} ${quoteValue(value)}`;
}

/** The end of a message that offers the nearest names, or lists all of them when none is near. */
export function suggest(nearest: readonly string[], all: readonly string[], what: string): string {
  const [first] = nearest;
  return first === undefined ? `; ${what}: ${all.join(", ")}` : `; did you mean ${JSON.stringify(first)}?`;
}
