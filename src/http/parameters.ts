/**
 * Parameters of addresses, declared once, a table beside each route: the route reads its values by the table
 * (`read-parameters.ts`), and the OpenAPI document is made of it (`api/make-document.ts`).
 *
 * Tables are plain values, since what they say goes beyond what a schema checks: a number that is too high is cut with a note, and
 * errors are written in words.
 *
 * Pure: declarations alone.
 */

interface ParameterBase {
  /** What it means, for people: a phrase. */
  readonly description: string;
  /** A value that works; the document shows it. */
  readonly example?: string | number | boolean;
}

/** What somebody looks for: a text without spaces around it that must be there, no longer than a query may be. */
export interface QueryParameter extends ParameterBase {
  readonly kind: "query";
  /** Further names under which it is taken. */
  readonly aliases?: readonly string[];
}

/** A whole number. */
export interface NumberParameter extends ParameterBase {
  readonly kind: "number";
  /** Its value where the address has none. */
  readonly default: number;
  /** Less is an error. */
  readonly minimum: number;
  /** More is cut to it, with a note. */
  readonly maximum: number;
}

/** True or false, as words or as 1 and 0. */
export interface FlagParameter extends ParameterBase {
  readonly kind: "flag";
  readonly default: boolean;
}

/** One of a few words. */
export interface ChoiceParameter extends ParameterBase {
  readonly kind: "choice";
  readonly values: readonly [string, ...string[]];
  /** One of them. */
  readonly default: string;
}

/** A text, `""` where there is none. */
export interface TextParameter extends ParameterBase {
  readonly kind: "text";
}

/** Texts: all that are given under the name, but empty ones. */
export interface TextsParameter extends ParameterBase {
  readonly kind: "texts";
}

/** The form of the answer. `negotiate.ts` reads it, with the `Accept` header. */
export interface FormatParameter extends ParameterBase {
  readonly kind: "format";
  readonly values: readonly string[];
}

/** Facets: each under a name of its own that begins alike, `f.type=guide`. The route reads them. */
export interface FacetsParameter extends ParameterBase {
  readonly kind: "facets";
  /** How their names begin, `f.`. */
  readonly prefix: string;
}

/** A declared parameter. */
export type Parameter =
  | QueryParameter
  | NumberParameter
  | FlagParameter
  | ChoiceParameter
  | TextParameter
  | TextsParameter
  | FormatParameter
  | FacetsParameter;

/** Parameters by their names, in the order in which they are shown and read. */
export type Parameters = Readonly<Record<string, Parameter>>;

/** What reading a parameter gives. */
type ValueOf<P> = P extends NumberParameter
  ? number
  : P extends FlagParameter
    ? boolean
    : P extends TextsParameter
      ? readonly string[]
      : P extends { readonly kind: "choice"; readonly values: readonly (infer Value)[] }
        ? Value
        : P extends QueryParameter | TextParameter
          ? string
          : never;

/** Values of parameters, checked, with defaults filled in; those that something else reads are not among them. */
export type ValuesOf<P extends Parameters> = {
  readonly [Name in keyof P as P[Name] extends FormatParameter | FacetsParameter ? never : Name]: ValueOf<P[Name]>;
};

/** The form of answers that come as JSON and as Markdown. */
export const FORMAT_PARAMETER = {
  kind: "format",
  values: ["json", "markdown"],
  description: "the form of the answer; it goes before Accept",
} as const satisfies FormatParameter;
