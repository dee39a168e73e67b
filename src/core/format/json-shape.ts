/**
 * Shapes of JSON that came out of an index file: `unknown` in, the expected type out, or a `FormatError`.
 *
 * A shape says the members of a structure once, for decoder and type, and every structure refuses damage with the same words.
 * Making one has no side effects, so bundles leave out those that they do not use.
 */
import { malformed } from "../errors.ts";

/** Of a text that was not expected, so much is shown. */
const MAX_SHOWN_CHARACTERS = 40;

/** Gives a value back as what it is. @param what Name of the structure in errors. @throws {FormatError} where it is none. */
export type Shape<T> = (value: unknown, what: string) => T;

/** The type of a shape's values. */
export type ShapeOf<S> = S extends Shape<infer T> ? T : never;

/** Members that may be absent are optional. */
type Members<T> = { readonly [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
  readonly [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>;
};

/** A whole number ≥ 0. */
export const count: Shape<number> = (value, what) =>
  Number.isInteger(value) && (value as number) >= 0 ? (value as number) : refuse(value, what);

/** Any finite number. */
export const number: Shape<number> = (value, what) =>
  Number.isFinite(value) ? (value as number) : refuse(value, what);

export const string: Shape<string> = (value, what) => (typeof value === "string" ? value : refuse(value, what));

/** Set or absent, whatever it is set to. */
export const flag: Shape<true | undefined> = (value) => (value ? true : undefined);

/** Any members of any kind. */
export const anyObject: Shape<Record<string, unknown>> = (value, what) =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : refuse(value, what);

/** A list of values of one shape. */
/* @__NO_SIDE_EFFECTS__ */
export function array<T>(item: Shape<T>): Shape<readonly T[]> {
  return (value, what) => (Array.isArray(value) ? value.map((one) => item(one, what)) : refuse(value, what));
}

/** Values of one shape by any names. */
/* @__NO_SIDE_EFFECTS__ */
export function dictionary<T>(item: Shape<T>): Shape<Record<string, T>> {
  return (value, what) =>
    Object.fromEntries(Object.entries(anyObject(value, what)).map(([name, one]) => [name, item(one, what)]));
}

/** These members; others are left out, as are those that are undefined. */
/* @__NO_SIDE_EFFECTS__ */
export function object<T>(members: { readonly [Name in keyof T]: Shape<T[Name]> }): Shape<Members<T>> {
  return (value, what) => {
    const found = anyObject(value, what);
    const checked: Record<string, unknown> = {};
    for (const name in members) {
      const own = members[name](found[name], what);
      if (own !== undefined) checked[name] = own;
    }
    return checked as Members<T>;
  };
}

/** A value that may be absent. @param otherwise What stands for it then. */
export function optional<T>(item: Shape<T>, otherwise: T): Shape<T>;
export function optional<T>(item: Shape<T>): Shape<T | undefined>;
/* @__NO_SIDE_EFFECTS__ */
export function optional<T>(item: Shape<T>, otherwise?: T): Shape<T | undefined> {
  return (value, what) => (value === undefined ? otherwise : item(value, what));
}

/** One of some values. @param kind What they are, for errors. */
/* @__NO_SIDE_EFFECTS__ */
export function oneOf<T>(values: readonly T[], kind: string): Shape<T> {
  return (value, what) => {
    const known = values.find((one) => one === value);
    if (known !== undefined) return known;
    throw malformed(what, `unknown ${kind} ${describe(value)}`);
  };
}

function refuse(value: unknown, what: string): never {
  throw malformed(what, `unexpected ${describe(value)}`);
}

/** A few words for a value. Lists and objects are not printed: what is nested without end would overflow the stack. */
function describe(value: unknown): string {
  if (Array.isArray(value)) return `list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "object";
  return typeof value === "string" ? JSON.stringify(value.slice(0, MAX_SHOWN_CHARACTERS)) : String(value);
}
