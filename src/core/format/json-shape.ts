/**
 * Checks for JSON that came out of an index file: `unknown` in, the expected kind out, or a `FormatError`.
 *
 * One place, so that every structure with a JSON header refuses damage with the same words. Pure.
 */
import { FormatError } from "../errors.ts";

/** Of a text that was not expected, so much is shown. */
const MAX_SHOWN_CHARACTERS = 40;

/** Checks bound to the name of what is being read. */
export interface JsonShape {
  readonly array: (value: unknown, length?: number) => unknown[];
  /** A whole number ≥ 0. */
  readonly count: (value: unknown) => number;
  /** Any finite number. */
  readonly number: (value: unknown) => number;
  readonly string: (value: unknown) => string;
  readonly strings: (value: unknown) => string[];
  readonly record: (value: unknown) => Record<string, unknown>;
  readonly facets: (value: unknown) => Record<string, string[]>;
}

/** The checks for one structure. */
export function shapeOf(what: string): JsonShape {
  const malformed = (value: unknown): never => {
    throw new FormatError(what, { code: "malformed", reason: `unexpected ${describe(value)}` });
  };
  const array = (value: unknown, length?: number): unknown[] =>
    Array.isArray(value) && (length === undefined || value.length === length) ? value : malformed(value);
  const number = (value: unknown): number =>
    typeof value === "number" && Number.isFinite(value) ? value : malformed(value);
  const count = (value: unknown): number =>
    Number.isInteger(value) && (value as number) >= 0 ? (value as number) : malformed(value);
  const string = (value: unknown): string => (typeof value === "string" ? value : malformed(value));
  const strings = (value: unknown): string[] => array(value).map(string);
  const record = (value: unknown): Record<string, unknown> =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : malformed(value);
  const facets = (value: unknown): Record<string, string[]> =>
    Object.fromEntries(Object.entries(record(value)).map(([key, values]) => [key, strings(values)]));
  return { array, count, number, string, strings, record, facets };
}

/** A few words for a value. Lists and objects are not printed: what is nested without end would overflow the stack. */
function describe(value: unknown): string {
  if (Array.isArray(value)) return `list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "object";
  return typeof value === "string" ? JSON.stringify(value.slice(0, MAX_SHOWN_CHARACTERS)) : String(value);
}
