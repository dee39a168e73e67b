/**
 * Parameters of an address that several routes take.
 *
 * Pure: parameters in, values out.
 */
import { InputError } from "../core/errors.ts";
import { MAX_QUERY_LENGTH } from "../core/search/request.ts";
import { quoteValue } from "../core/text/quote-value.ts";

/** What was typed, as `q` or `query`. @throws {InputError} where there is nothing, or too much. */
export function readQuery(parameters: URLSearchParams, what: string, example: string): string {
  const query = (parameters.get("q") ?? parameters.get("query") ?? "").trim();
  if (query === "") throw new InputError(`q is missing: ${what}.`, [], example);
  if (query.length > MAX_QUERY_LENGTH) {
    throw new InputError(`q has ${query.length} characters; at most ${MAX_QUERY_LENGTH} are taken.`, [], example);
  }
  return query;
}

/** A whole number with its bounds. */
export interface NumberParameter {
  readonly name: string;
  /** Its value where the address has none. */
  readonly default: number;
  readonly minimum: number;
  /** More is cut to it, with a note. */
  readonly maximum: number;
}

/** A whole number; what was cut is said in `notes`. @throws {InputError} where it is none, or below the minimum. */
export function readNumber(
  parameters: URLSearchParams,
  { name, default: fallback, minimum, maximum }: NumberParameter,
  notes: string[],
  example: string,
): number {
  const text = parameters.get(name);
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
