/**
 * Read the arguments of a call: from whatever a client sent to the values that a tool declared.
 *
 * Generous about names and spelling, strict about meaning: snake_case, camelCase and common aliases name the same
 * argument, a number may come as text, `null` and an empty text mean "left out". Everything else that does not fit is an `InputError` that
 * says what is allowed, with the nearest names and one example call. A limit above its maximum is cut, with a note.
 *
 * Pure: values in, values out.
 */

import { InputError } from "../core/errors.ts";
import { readRanking } from "../core/search/ranking-settings.ts";
import { foldName } from "../core/text/fold-name.ts";
import { nearestNames } from "../core/text/nearest.ts";
import { quoteValue } from "../core/text/quote-value.ts";
import { readFilter } from "../surface/read-filter.ts";
import {
  type Alias,
  DEFAULT_MAX_ENTRIES,
  DEFAULT_MAX_LENGTH,
  type IntegerParameter,
  type LineRange,
  type NumberParameter,
  type Parameter,
  type Parameters,
} from "./parameters.ts";

/** Names that an error offers. */
const MAX_NEAREST = 3;

/** What other tools and servers call the same things. A name counts only where no parameter of the tool has it. */
const COMMON_ALIASES: Readonly<Record<string, readonly Alias[]>> = {
  query: ["q", "text", "search", "search_query", "question"],
  doc_id: ["doc", "document", "document_id", "document_query", "file", "file_path", "filename", "path", "source", "id"],
  file: ["path", "source", "doc_id", "document", "document_id", "document_query", "file_path", "filename"],
  symbol: ["symbol_id", "symbol_name", "name", "node_id", "id", "query", "q", "text"],
  node_id: ["node", "section", "section_id", "id"],
  node_ids: ["nodes", "node_id", "sections", "section_ids", "section_id", "ids", "id"],
  path: ["folder", "directory", "dir", "path_prefix"],
  filters: ["filter", "facets"],
  collection: ["collections", "collection_name"],
  sort: ["sort_by", "order_by"],
  limit: ["max_results", "top_k", "num_results", "count", "page_size"],
  cursor: ["next_cursor", "page_token"],
  max_depth: ["depth"],
  max_tokens: ["token_budget", "token_limit"],
  format: ["output_format", "response_format"],
  include_descendants: ["include_children", "include_subtree", "recursive"],
  preview_mode: [
    {
      name: "code_preview",
      convert: (value) =>
        value === true || value === "true" ? "expanded" : value === false || value === "false" ? "none" : value,
    },
  ],
};

/** What reading needs to know of a tool. */
export interface CallSignature {
  readonly name: string;
  readonly parameters: Parameters;
  /** Arguments of a typical call, shown when something is wrong. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** Arguments that were read. */
export interface ReadArguments {
  /** By declared name; defaults filled in, the others absent. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Declared names of those that the call itself gives. */
  readonly given: ReadonlySet<string>;
  /** Sentences for the answer: what was cut. */
  readonly notes: readonly string[];
}

/**
 * The arguments of a call.
 *
 * @param facetKeys Keys of filters that the index knows.
 * @throws {InputError} where they are not what the tool takes.
 */
export function readArguments(
  signature: CallSignature,
  given: Readonly<Record<string, unknown>>,
  facetKeys: readonly string[],
): ReadArguments {
  const { parameters } = signature;
  const names = nameTable(parameters);
  const found = new Map<string, { readonly givenName: string; readonly value: unknown }>();
  for (const [givenName, givenValue] of Object.entries(given)) {
    const target = names.get(foldName(givenName));
    if (target === undefined) throw unknownArgument(signature, givenName);
    const value = target.convert(givenValue);
    if (value === undefined || value === null || value === "") continue;
    const before = found.get(target.name);
    if (before !== undefined && JSON.stringify(before.value) !== JSON.stringify(value)) {
      throw new InputError(`${before.givenName} and ${givenName} both give ${target.name}; give one of them.`);
    }
    found.set(target.name, { givenName, value });
  }
  const values: Record<string, unknown> = {};
  const notes: string[] = [];
  for (const [name, parameter] of Object.entries(parameters)) {
    const entry = found.get(name);
    if (entry !== undefined) values[name] = readValue(entry.givenName, parameter, entry.value, { notes, facetKeys });
    else if (parameter.required === true) throw new InputError(`${signature.name} needs ${name}.`);
    else if ("default" in parameter) values[name] = parameter.default;
  }
  return { values, given: new Set(found.keys()), notes };
}

/** `search_documents({"query": "install"})`: one call that works. */
export function formatExample({ name, example }: Pick<CallSignature, "name" | "example">): string {
  return `${name}(${JSON.stringify(example)})`;
}

interface NameTarget {
  readonly name: string;
  readonly convert: (value: unknown) => unknown;
}

/** Every name that is accepted, folded. Declared names win over aliases, earlier parameters over later ones. */
function nameTable(parameters: Parameters): ReadonlyMap<string, NameTarget> {
  const table = new Map<string, NameTarget>();
  for (const name of Object.keys(parameters)) table.set(foldName(name), { name, convert: keep });
  for (const [name, parameter] of Object.entries(parameters)) {
    for (const alias of [...(parameter.aliases ?? []), ...(COMMON_ALIASES[name] ?? [])]) {
      const { name: aliasName, convert } = typeof alias === "string" ? { name: alias, convert: keep } : alias;
      const folded = foldName(aliasName);
      if (!table.has(folded)) table.set(folded, { name, convert });
    }
  }
  return table;
}

function keep(value: unknown): unknown {
  return value;
}

function unknownArgument({ name, parameters }: CallSignature, givenName: string): InputError {
  const known = Object.keys(parameters);
  const nearest = nearestNames(givenName, known, MAX_NEAREST);
  return new InputError(`${name} has no argument ${quoteValue(givenName)}; it takes ${known.join(", ")}.`, nearest);
}

interface Reading {
  readonly notes: string[];
  readonly facetKeys: readonly string[];
}

function readValue(name: string, parameter: Parameter, value: unknown, { notes, facetKeys }: Reading): unknown {
  switch (parameter.kind) {
    case "text":
      return readText(name, value, parameter.maxLength ?? DEFAULT_MAX_LENGTH);
    case "texts":
      return readTexts(name, value, parameter.maxEntries ?? DEFAULT_MAX_ENTRIES);
    case "integer":
      return readInteger(name, parameter, value, notes);
    case "number":
      return readNumber(name, parameter, value);
    case "boolean":
      return readBoolean(name, value);
    case "choice":
      return readChoice(name, parameter.values, value);
    case "choices":
      return [
        ...new Set(readTexts(name, value, DEFAULT_MAX_ENTRIES).map((text) => readChoice(name, parameter.values, text))),
      ];
    case "filter":
      return readFilter(parseObject(name, value), facetKeys);
    case "lines":
      return readLineRange(name, value);
    case "ranking":
      return readRanking(value);
    case "object":
      return parseObject(name, value);
  }
}

function readText(name: string, value: unknown, maxLength: number): string {
  if (typeof value !== "string") throw new InputError(`${name} must be a text; got ${quoteValue(value)}.`);
  if (value.trim() === "") throw new InputError(`${name} is empty.`);
  if (value.length > maxLength) {
    throw new InputError(`${name} has ${value.length} characters; at most ${maxLength} are taken.`);
  }
  if (/\p{Cs}/u.test(value)) throw new InputError(`${name} holds half a character, which no text does.`);
  return value;
}

function readTexts(name: string, value: unknown, maxEntries: number): readonly string[] {
  const list = typeof value === "string" ? parseList(value) : value;
  if (!Array.isArray(list)) throw new InputError(`${name} must be a list of texts; got ${quoteValue(value)}.`);
  if (list.length === 0) throw new InputError(`${name} is an empty list; give at least one.`);
  if (list.length > maxEntries) {
    throw new InputError(`${name} has ${list.length} entries; at most ${maxEntries} are taken in one call.`);
  }
  return list.map((entry: unknown) => readText(`each entry of ${name}`, entry, DEFAULT_MAX_LENGTH));
}

/** Some clients send a list as its JSON text; any other text is a list of one. */
function parseList(text: string): unknown {
  if (!text.trim().startsWith("[")) return [text];
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON after all: a single text that happens to start with a bracket.
    return [text];
  }
}

function readInteger(name: string, parameter: IntegerParameter, value: unknown, notes: string[]): number {
  const { minimum = 1, maximum } = parameter;
  const allowed = maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
  const number = typeof value === "string" && /^[+-]?\d+$/.test(value.trim()) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isInteger(number) || number < minimum) {
    throw new InputError(`${name} must be a whole number ${allowed}; got ${quoteValue(value)}.`);
  }
  if (maximum !== undefined && number > maximum) {
    notes.push(`${name} ${number} was cut to ${maximum}, the maximum.`);
    return maximum;
  }
  return number;
}

function readNumber(name: string, { minimum, maximum }: NumberParameter, value: unknown): number {
  const number = typeof value === "string" && /^\s*[+-]?(?:\d+\.?\d*|\.\d+)\s*$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !(number >= minimum && number <= maximum)) {
    throw new InputError(`${name} must be a number from ${minimum} to ${maximum}; got ${quoteValue(value)}.`);
  }
  return number;
}

function readBoolean(name: string, value: unknown): boolean {
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  throw new InputError(`${name} must be true or false; got ${quoteValue(value)}.`);
}

function readChoice(name: string, values: readonly string[], value: unknown): string {
  const folded = typeof value === "string" ? foldName(value) : undefined;
  const chosen = values.find((known) => foldName(known) === folded);
  if (chosen !== undefined) return chosen;
  const nearest = typeof value === "string" ? nearestNames(value, values, MAX_NEAREST) : [];
  throw new InputError(`${name} must be one of ${values.join(", ")}; got ${quoteValue(value)}.`, nearest);
}

/** `"10-40"`, `"10-"`, `"L10-L40"`, `10`, `[10, 40]`, `{start: 10, end: 40}`. */
function readLineRange(name: string, value: unknown): LineRange {
  const wrong = (): InputError =>
    new InputError(`${name} must be a range of lines from 1 on, such as "10-40"; got ${quoteValue(value)}.`);
  const [start, end = start] = lineNumbers(value) ?? [];
  if (start === undefined || end === undefined) throw wrong();
  if (!Number.isInteger(start) || start < 1 || end < start) throw wrong();
  if (!Number.isInteger(end) && end !== Number.POSITIVE_INFINITY) throw wrong();
  return { start, end };
}

function lineNumbers(value: unknown): readonly number[] | undefined {
  if (typeof value === "number") return [value];
  if (typeof value === "string") {
    const [, start, dash, end] = /^\s*L?(\d{1,9})\s*(?:([-–,:]|\.\.)\s*L?(\d{1,9})?)?\s*$/i.exec(value) ?? [];
    if (start === undefined) return undefined;
    return dash === undefined
      ? [Number(start)]
      : [Number(start), end === undefined ? Number.POSITIVE_INFINITY : Number(end)];
  }
  const list = Array.isArray(value) ? value : typeof value === "object" && value !== null ? startAndEnd(value) : [];
  const isRange = list.length >= 1 && list.length <= 2;
  return isRange && list.every((one): one is number => typeof one === "number") ? list : undefined;
}

function startAndEnd(value: object): unknown[] {
  const entries = new Map(Object.entries(value).map(([key, member]) => [foldName(key).replace("line", ""), member]));
  const start: unknown = entries.get("start") ?? entries.get("from");
  const end: unknown = entries.get("end") ?? entries.get("to");
  return end === undefined ? [start] : [start, end];
}

/** Some clients send an object as its JSON text. */
function parseObject(name: string, value: unknown): Readonly<Record<string, unknown>> {
  const parsed = typeof value === "string" ? parseJson(value) : value;
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw new InputError(`${name} must be an object; got ${quoteValue(value)}.`);
  }
  return parsed as Readonly<Record<string, unknown>>;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller reports what is not an object in the same words as any other wrong type.
    return undefined;
  }
}
