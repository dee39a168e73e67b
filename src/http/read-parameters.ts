/**
 * Reads the parameters of an address by the table of its route.
 *
 * Pure: parameters in, values out.
 */
import { InputError } from "../core/errors.ts";
import { MAX_QUERY_LENGTH } from "../core/search/answer.ts";
import { nearestNames } from "../core/text/nearest.ts";
import { quoteValue } from "../core/text/quote-value.ts";
import type {
  ChoiceParameter,
  NumberParameter,
  Parameter,
  Parameters,
  QueryParameter,
  ValuesOf,
} from "./parameters.ts";

const MAX_NEAREST = 3;
const MAX_UNKNOWN = 5;

/**
 * The values of an address.
 *
 * @param notes Takes what was cut, in sentences.
 * @param example An address that works, for errors.
 * @throws {InputError} where they are not what the table says.
 */
export function readParameters<P extends Parameters>(
  given: URLSearchParams,
  table: P,
  notes: string[],
  example: string,
): ValuesOf<P> {
  const entries = Object.entries(table)
    .filter(([, { kind }]) => kind !== "format" && kind !== "facets")
    .map(([name, parameter]) => [name, readValue(given, name, parameter, notes, example)]);
  return Object.fromEntries(entries) as ValuesOf<P>;
}

/**
 * What was given and means nothing here, in sentences, the first of it. It is no error: addresses carry marks of campaigns and
 * caches.
 */
export function describeUnknown(given: URLSearchParams, table: Parameters): string[] {
  const known = Object.entries(table).flatMap(([name, parameter]) =>
    parameter.kind === "facets" ? [] : [name, ...((parameter.kind === "query" && parameter.aliases) || [])],
  );
  const prefixes = Object.values(table).flatMap((parameter) => (parameter.kind === "facets" ? [parameter.prefix] : []));
  const unknown = [...new Set(given.keys())].filter(
    (name) => !known.includes(name) && !prefixes.some((prefix) => name.startsWith(prefix)),
  );
  return unknown.slice(0, MAX_UNKNOWN).map((name) => {
    const [near] = nearestNames(name, known, 1);
    return `${quoteValue(name)} is no parameter and was not used${near === undefined ? "" : `; nearest: ${near}`}.`;
  });
}

function readValue(
  given: URLSearchParams,
  name: string,
  parameter: Parameter,
  notes: string[],
  example: string,
): unknown {
  switch (parameter.kind) {
    case "query":
      return readQuery(given, name, parameter, example);
    case "number":
      return readNumber(given, name, parameter, notes, example);
    case "flag":
      return readFlag(given, name, parameter.default, example);
    case "choice":
      return readChoice(given, name, parameter, example);
    case "texts":
      return given.getAll(name).filter((text) => text !== "");
    case "text":
      return given.get(name) ?? "";
    case "format":
    case "facets":
      // Read elsewhere.
      return undefined;
  }
}

function readQuery(given: URLSearchParams, name: string, parameter: QueryParameter, example: string): string {
  const names = [name, ...(parameter.aliases ?? [])];
  const text = names.map((one) => given.get(one)).find((value) => value !== null);
  const query = (text ?? "").trim();
  if (query === "") throw new InputError(`${name} is missing: ${parameter.description}.`, [], example);
  if (query.length > MAX_QUERY_LENGTH) {
    throw new InputError(`${name} has ${query.length} characters; at most ${MAX_QUERY_LENGTH} are taken.`, [], example);
  }
  return query;
}

function readNumber(
  given: URLSearchParams,
  name: string,
  { default: fallback, minimum, maximum }: NumberParameter,
  notes: string[],
  example: string,
): number {
  const text = given.get(name);
  if (text === null || text === "") return fallback;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < minimum) {
    throw new InputError(
      `${name} must be a whole number from ${minimum} to ${maximum}; got ${quoteValue(text)}.`,
      [],
      example,
    );
  }
  if (value <= maximum) return value;
  notes.push(`${name} ${text.slice(0, 60)} was cut to ${maximum}, the maximum.`);
  return maximum;
}

function readFlag(given: URLSearchParams, name: string, fallback: boolean, example: string): boolean {
  const text = (given.get(name) ?? "").toLowerCase();
  if (text === "") return fallback;
  if (text === "true" || text === "1") return true;
  if (text === "false" || text === "0") return false;
  throw new InputError(`${name} must be true or false; got ${quoteValue(text)}.`, [], example);
}

function readChoice(given: URLSearchParams, name: string, parameter: ChoiceParameter, example: string): string {
  const { values, default: fallback } = parameter;
  const text = given.get(name) ?? "";
  if (text === "") return fallback;
  const choice = values.find((known) => known === text.toLowerCase());
  if (choice !== undefined) return choice;
  const nearest = nearestNames(text, values, MAX_NEAREST);
  throw new InputError(`${name} must be one of ${values.join(", ")}; got ${quoteValue(text)}.`, nearest, example);
}
