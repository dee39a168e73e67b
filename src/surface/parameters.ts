/**
 * Parameters of tools and of HTTP routes, declared once in a table. The table yields the static types, the JSON Schema of
 * `tools/list` and of OpenAPI, and the reader of values, be they JSON or the text of an address.
 *
 * The reader is generous about form and strict about meaning: a number, a list or an object may come as text. What does
 * not fit is an `InputError` that says what is allowed, with the nearest names.
 */

import type { FacetFilter } from "../core/docs/model.ts";
import { InputError } from "../core/errors.ts";
import { isRecord, parseJson } from "../core/parse-text.ts";
import { MAX_QUERY_LENGTH } from "../core/search/answer.ts";
import type { RankingSettings } from "../core/search/ranking-settings.ts";
import { readRanking } from "../core/search/ranking-settings.ts";
import { foldName, nearestNames, quoteValue } from "../core/text/nearest.ts";
import { readFilter } from "./read-filter.ts";
import type { JsonObject } from "./render/answer.ts";

/** Characters of a text at most, unless its declaration says otherwise: most are queries, or shorter. */
export const DEFAULT_MAX_LENGTH = MAX_QUERY_LENGTH;
/** Entries of a list at most, unless its declaration says otherwise. */
const DEFAULT_MAX_ENTRIES = 50;

export type Parameter = {
  /** A few words; tools have one only where the name does not say it all, since every byte is sent to every client. */
  readonly description?: string;
  /** A value that works, for OpenAPI. */
  readonly example?: string | number | boolean;
  readonly required?: true;
  /** True where it is accepted and never shown. */
  readonly unlisted?: boolean;
  /** Other names that are accepted and never shown. */
  readonly aliases?: readonly string[];
} & (
  | { readonly kind: "text"; readonly default?: string; readonly maxLength?: number }
  /** A single text is taken as a list of one. */
  | { readonly kind: "texts"; readonly default?: readonly string[]; readonly maxEntries?: number }
  /** `minimum` is 1 when left out, and less is an error. More than `maximum` is cut to it, with a note. */
  | { readonly kind: "integer"; readonly default?: number; readonly minimum?: number; readonly maximum?: number }
  | { readonly kind: "number"; readonly default?: number; readonly minimum: number; readonly maximum: number }
  | { readonly kind: "boolean"; readonly default?: boolean }
  /** `synonyms` are other words for values, accepted and never shown. */
  | {
      readonly kind: "choice";
      readonly values: readonly string[];
      readonly default?: string;
      readonly synonyms?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "choices"; readonly values: readonly string[] }
  /** Of addresses: facets, each under a name of its own that begins with the prefix, `f.type=guide`. Routes read them. */
  | { readonly kind: "facets"; readonly prefix: string }
  /** Facets as an object: `{"type": "guide", "tags": ["a", "b"], "not": {"language": "ts"}}`. */
  | { readonly kind: "filter" }
  /** Lines of a file: `"10-40"`, `10`, `[10, 40]`, `{start: 10, end: 40}`. */
  | { readonly kind: "lines" }
  /** A preset's name, or an object of settings (`../core/search/read-ranking.ts`). */
  | { readonly kind: "ranking" }
  /** An object whose members the caller of the reader checks. */
  | { readonly kind: "object" }
);

/** Parameters by name, in the order in which they are shown. */
export type Parameters = Readonly<Record<string, Parameter>>;

export type AddressParameters = Readonly<Record<string, Parameter & { readonly description: string }>>;

/** A range of lines, 1-based and inclusive. `end` is infinite for "to the end". */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

interface Values {
  readonly text: string;
  readonly texts: readonly string[];
  readonly integer: number;
  readonly number: number;
  readonly boolean: boolean;
  readonly filter: FacetFilter;
  readonly lines: LineRange;
  readonly ranking: RankingSettings;
  readonly object: JsonObject;
}

type ValueOf<P extends Parameter> = P extends { readonly kind: "choice"; readonly values: readonly (infer V)[] }
  ? V
  : P extends { readonly kind: "choices"; readonly values: readonly (infer V)[] }
    ? readonly V[]
    : P extends { readonly kind: infer Kind extends keyof Values }
      ? Values[Kind]
      : never;

/** Values of parameters: checked, with defaults filled in, `undefined` where left out. */
export type Arguments<P extends Parameters> = {
  readonly [Name in keyof P as P[Name] extends { readonly kind: "facets" } ? never : Name]: P[Name] extends
    | { readonly required: true }
    | { readonly default: unknown }
    ? ValueOf<P[Name]>
    : ValueOf<P[Name]> | undefined;
};

/** JSON Schema of one parameter. A type alias, so that it counts as a JSON value. */
type ParameterSchema = {
  type: "string" | "integer" | "number" | "boolean" | "array" | "object" | ["object", "string"];
  enum?: string[];
  items?: { type: "string"; enum?: string[] };
  default?: string | number | boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  description?: string;
};

/** The JSON Schema of a parameter, without its description. An empty default goes without saying. */
export function schemaOf(parameter: Exclude<Parameter, { readonly kind: "facets" }>): ParameterSchema {
  switch (parameter.kind) {
    case "text":
      return { type: "string", ...(parameter.default && { default: parameter.default }) };
    case "lines":
      return { type: "string" };
    case "texts":
      return { type: "array", items: { type: "string" } };
    case "integer":
    case "number":
      return {
        type: parameter.kind,
        ...(parameter.default !== undefined && { default: parameter.default }),
        ...(parameter.maximum !== undefined && { maximum: parameter.maximum }),
      };
    case "boolean":
      return { type: "boolean", ...(parameter.default !== undefined && { default: parameter.default }) };
    case "choice":
      return {
        type: "string",
        enum: [...parameter.values],
        ...(parameter.default !== undefined && { default: parameter.default }),
      };
    case "choices":
      return { type: "array", items: { type: "string", enum: [...parameter.values] } };
    case "ranking":
      return { type: ["object", "string"] };
    case "filter":
    case "object":
      return { type: "object" };
  }
}

type ParameterOf<Kind> = Extract<Parameter, { readonly kind: Kind }>;

/**
 * The value of a parameter.
 *
 * @param notes Takes a sentence for each value that is cut.
 * @param facetKeys Facets that the index knows, for filters.
 * @throws {InputError} for a value that does not fit.
 */
export function readValue(
  name: string,
  parameter: Parameter,
  value: unknown,
  { notes, facetKeys }: { readonly notes: string[]; readonly facetKeys: readonly string[] },
): unknown {
  switch (parameter.kind) {
    case "text":
      return readText(name, value, parameter.maxLength);
    case "texts":
      return readTexts(name, value, parameter.maxEntries);
    case "integer":
      return readInteger(name, parameter, value, notes);
    case "number":
      return readNumber(name, parameter, value);
    case "boolean":
      return readBoolean(name, value);
    case "choice":
      return readChoice(name, parameter.values, value, parameter.synonyms);
    case "choices":
      return [...new Set(readTexts(name, value).map((text) => readChoice(name, parameter.values, text)))];
    case "filter":
      return readFilter(parseObject(name, value), facetKeys);
    case "lines":
      return readLineRange(name, value);
    case "ranking":
      return readRanking(value);
    case "object":
      return parseObject(name, value);
    case "facets":
      throw new Error(`${name} is read by its route`);
  }
}

function readText(name: string, value: unknown, maxLength = DEFAULT_MAX_LENGTH): string {
  if (typeof value !== "string") throw new InputError(`${name} must be a text; got ${quoteValue(value)}.`);
  if (value.trim() === "") throw new InputError(`${name} is empty.`);
  if (value.length > maxLength) {
    throw new InputError(`${name} has ${value.length} characters; at most ${maxLength} are taken.`);
  }
  if (/\p{Cs}/u.test(value)) throw new InputError(`${name} holds half a character, which no text does.`);
  return value;
}

function readTexts(name: string, value: unknown, maxEntries = DEFAULT_MAX_ENTRIES): readonly string[] {
  const list = typeof value === "string" ? parseList(value) : value;
  if (!Array.isArray(list)) throw new InputError(`${name} must be a list of texts; got ${quoteValue(value)}.`);
  if (list.length === 0) throw new InputError(`${name} is an empty list; give at least one.`);
  if (list.length > maxEntries) {
    throw new InputError(`${name} has ${list.length} entries; at most ${maxEntries} are taken in one call.`);
  }
  return list.map((entry: unknown) => readText(`an entry of ${name}`, entry));
}

/** Some clients send a list as its JSON text; any other text is a list of one, even if it starts with a bracket. */
function parseList(text: string): unknown {
  return (text.trim().startsWith("[") && parseJson(text)) || [text];
}

function readInteger(name: string, parameter: ParameterOf<"integer">, value: unknown, notes: string[]): number {
  const { minimum = 1, maximum } = parameter;
  const allowed = maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
  const isDigits = typeof value === "string" && /^[+-]?\d+$/.test(value);
  const number = isDigits ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : value;
  if (typeof number !== "number" || !Number.isInteger(number) || number < minimum) {
    throw new InputError(`${name} must be a whole number ${allowed}; got ${quoteValue(value)}.`);
  }
  if (maximum !== undefined && number > maximum) {
    notes.push(`${name} ${number} was cut to ${maximum}, the maximum.`);
    return maximum;
  }
  return number;
}

function readNumber(name: string, { minimum, maximum }: ParameterOf<"number">, value: unknown): number {
  const number = typeof value === "string" && /^\s*[+-]?(?:\d+\.?\d*|\.\d+)\s*$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !(number >= minimum && number <= maximum)) {
    throw new InputError(`${name} must be a number from ${minimum} to ${maximum}; got ${quoteValue(value)}.`);
  }
  return number;
}

function readBoolean(name: string, value: unknown): boolean {
  const folded = typeof value === "string" ? value.toLowerCase() : value;
  if (folded === true || folded === "true" || folded === "1") return true;
  if (folded === false || folded === "false" || folded === "0") return false;
  throw new InputError(`${name} must be true or false; got ${quoteValue(value)}.`);
}

function readChoice(
  name: string,
  values: readonly string[],
  value: unknown,
  synonyms: Readonly<Record<string, string>> = {},
): string {
  const folded = typeof value === "string" || typeof value === "boolean" ? foldName(`${value}`) : undefined;
  const chosen = values.find((known) => foldName(known) === folded) ?? synonyms[folded ?? ""];
  if (chosen !== undefined) return chosen;
  const nearest = typeof value === "string" ? nearestNames(value, values) : [];
  throw new InputError(`${name} must be one of ${values.join(", ")}; got ${quoteValue(value)}.`, nearest);
}

/** `"10-40"`, `"10-"`, `"L10-L40"`, `10`, `[10, 40]`, `{start: 10, end: 40}`. */
function readLineRange(name: string, value: unknown): LineRange {
  const [start = 0, end = start] = lineNumbers(value) ?? [];
  const isEnd = Number.isInteger(end) || end === Number.POSITIVE_INFINITY;
  if (Number.isInteger(start) && start >= 1 && isEnd && end >= start) return { start, end };
  throw new InputError(`${name} must be a range of lines from 1 on, such as "10-40"; got ${quoteValue(value)}.`);
}

function lineNumbers(value: unknown): readonly number[] | undefined {
  if (typeof value === "number") return [value];
  if (typeof value === "string") {
    const [, start, dash, end] = /^\s*L?(\d{1,9})\s*(?:([-–,:]|\.\.)\s*L?(\d{1,9})?)?\s*$/i.exec(value) ?? [];
    if (start === undefined) return undefined;
    return dash === undefined ? [Number(start)] : [Number(start), Number(end ?? Number.POSITIVE_INFINITY)];
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
  if (!isRecord(parsed)) throw new InputError(`${name} must be an object; got ${quoteValue(value)}.`);
  return parsed;
}

/** Names of an address that mean nothing and are told. */
const MAX_UNKNOWN = 5;

/** Characters of a parameter that holds JSON: as long as platforms let addresses be. */
export const MAX_ADDRESS_LENGTH = 16_384;

/** The form of answers that come as JSON and as Markdown. It goes before `Accept`; `negotiate.ts` reads both. */
export const FORMAT_PARAMETER = {
  kind: "choice",
  values: ["json", "markdown"],
  description: "the form of the answer; it goes before Accept",
} as const;

/**
 * The values of an address.
 *
 * @param notes Takes a sentence for each value that is cut.
 * @param example An address that works, for errors.
 * @throws {InputError} for a value that does not fit.
 */
export function readParameters<P extends Parameters>(
  given: URLSearchParams,
  table: P,
  notes: string[],
  example: string,
): Arguments<P> {
  const values: Record<string, unknown> = {};
  try {
    for (const [name, parameter] of Object.entries(table)) {
      if (parameter.kind === "facets") continue;
      const value = findGiven(given, name, parameter);
      if (value !== undefined) values[name] = readValue(name, parameter, value, { notes, facetKeys: [] });
      else if (parameter.required) throw new InputError(`${name} is missing: ${parameter.description}.`);
      else if ("default" in parameter) values[name] = parameter.default;
    }
  } catch (error) {
    throw error instanceof InputError ? new InputError(error.message, error.nearest, example) : error;
  }
  return values as Arguments<P>;
}

/** The first text under one of its names, or all texts of a list; undefined where there is none but blanks. */
function findGiven(given: URLSearchParams, name: string, parameter: Parameter): string | string[] | undefined {
  const texts = namesOf(name, parameter).flatMap((one) => given.getAll(one).filter((text) => text.trim() !== ""));
  if (parameter.kind === "texts") return texts.length === 0 ? undefined : texts;
  return parameter.kind === "text" ? texts[0]?.trim() : texts[0];
}

/**
 * Sentences on the first names that mean nothing here. They are no error: addresses carry marks of campaigns and caches.
 */
export function describeUnknown(given: URLSearchParams, table: AddressParameters): string[] {
  const parameters = Object.entries(table);
  const known = parameters.flatMap(([name, parameter]) =>
    parameter.kind === "facets" ? [] : namesOf(name, parameter),
  );
  const prefixes = parameters.flatMap(([, parameter]) => (parameter.kind === "facets" ? [parameter.prefix] : []));
  const unknown = [...new Set(given.keys())].filter(
    (name) => !known.includes(name) && !prefixes.some((prefix) => name.startsWith(prefix)),
  );
  return unknown.slice(0, MAX_UNKNOWN).map((name) => {
    const [near] = nearestNames(name, known, 1);
    return `${quoteValue(name)} is no parameter and was not used${near === undefined ? "" : `; nearest: ${near}`}.`;
  });
}

function namesOf(name: string, { aliases = [] }: Parameter): string[] {
  return [name, ...aliases];
}
