/**
 * Parameters of tools, declared once: the JSON schema that `tools/list` shows and the reader of arguments
 * (`arguments.ts`) are both derived from these declarations, and so are the types that a tool's body sees.
 *
 * Pure: declarations in, schemas out.
 */

import type { FacetFilter } from "../core/docs/model.ts";
import { MAX_QUERY_LENGTH } from "../core/search/answer.ts";
import type { RankingSettings } from "../core/search/ranking-settings.ts";
import type { JsonObject } from "../surface/render/answer.ts";

/** Longest text that an argument may be, unless its declaration says otherwise: most are queries, or shorter. */
export const DEFAULT_MAX_LENGTH = MAX_QUERY_LENGTH;
/** Most entries of a list, unless its declaration says otherwise. */
export const DEFAULT_MAX_ENTRIES = 50;

interface ParameterBase {
  /** A few words where the name does not say it all; every byte of it is sent to every client. */
  readonly description?: string;
  readonly required?: true;
  /** True where it is accepted and never shown. */
  readonly unlisted?: boolean;
  /** Further names that are accepted and never shown. camelCase needs no entry: see `foldName`. */
  readonly aliases?: readonly Alias[];
}

/** A further name of an argument, with a conversion where its values differ (`codePreview: true` = `expanded`). */
export type Alias = string | { readonly name: string; readonly convert: (value: unknown) => unknown };

/** A text. */
export interface TextParameter extends ParameterBase {
  readonly kind: "text";
  readonly default?: string;
  readonly maxLength?: number;
}

/** A list of texts; a single text is taken as a list of one. */
export interface TextsParameter extends ParameterBase {
  readonly kind: "texts";
  readonly maxEntries?: number;
}

/** A whole number. */
export interface IntegerParameter extends ParameterBase {
  readonly kind: "integer";
  readonly default?: number;
  /** 1 when left out. Less is a tool error. */
  readonly minimum?: number;
  /** More is cut to it, and the answer says so. */
  readonly maximum?: number;
}

/** A number, whole or not. Outside of its bounds is a tool error. */
export interface NumberParameter extends ParameterBase {
  readonly kind: "number";
  readonly default?: number;
  readonly minimum: number;
  readonly maximum: number;
}

/** True or false. */
export interface BooleanParameter extends ParameterBase {
  readonly kind: "boolean";
  readonly default?: boolean;
}

/** One of a closed set of names. */
export interface ChoiceParameter extends ParameterBase {
  readonly kind: "choice";
  readonly values: readonly string[];
  readonly default?: string;
}

/** Some of a closed set of names. */
export interface ChoicesParameter extends ParameterBase {
  readonly kind: "choices";
  readonly values: readonly string[];
}

/** A filter by facets: `{"type": "guide", "tags": ["a", "b"], "not": {"language": "ts"}}`. */
export interface FilterParameter extends ParameterBase {
  readonly kind: "filter";
}

/** Lines of a file: `"10-40"`, and what callers write instead: `10`, `[10, 40]`, `{start: 10, end: 40}`. */
export interface LinesParameter extends ParameterBase {
  readonly kind: "lines";
}

/** Lines that were asked for; 1-based, inclusive. `end` is infinite for "to the end". */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Ranking settings: a preset's name, or an object of settings (`../core/search/read-ranking.ts`). */
export interface RankingParameter extends ParameterBase {
  readonly kind: "ranking";
}

/** An object whose members the tool checks itself. */
export interface ObjectParameter extends ParameterBase {
  readonly kind: "object";
}

/** A declared parameter. */
export type Parameter =
  | TextParameter
  | TextsParameter
  | IntegerParameter
  | NumberParameter
  | BooleanParameter
  | ChoiceParameter
  | ChoicesParameter
  | FilterParameter
  | LinesParameter
  | RankingParameter
  | ObjectParameter;

/** Parameters by their snake_case names, in the order in which they are shown. */
export type Parameters = Readonly<Record<string, Parameter>>;

/** Type of a parameter's value once it was read. */
type ValueOf<P> = P extends TextParameter
  ? string
  : P extends TextsParameter
    ? readonly string[]
    : P extends IntegerParameter | NumberParameter
      ? number
      : P extends BooleanParameter
        ? boolean
        : P extends { readonly kind: "choice"; readonly values: readonly (infer V)[] }
          ? V
          : P extends { readonly kind: "choices"; readonly values: readonly (infer V)[] }
            ? readonly V[]
            : P extends FilterParameter
              ? FacetFilter
              : P extends LinesParameter
                ? LineRange
                : P extends RankingParameter
                  ? RankingSettings
                  : JsonObject;

/** Arguments as a tool's body sees them: checked, with defaults filled in, `undefined` where left out. */
export type Arguments<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends { readonly required: true } | { readonly default: unknown }
    ? ValueOf<P[Name]>
    : ValueOf<P[Name]> | undefined;
};

/** JSON schema of a tool's input, as `tools/list` shows it. A type alias, so that it counts as a JSON value. */
export type InputSchema = {
  type: "object";
  properties: { [name: string]: PropertySchema };
  required?: string[];
};

/** JSON schema of one argument. */
export type PropertySchema = {
  type: "string" | "integer" | "number" | "boolean" | "array" | "object" | ["object", "string"];
  enum?: string[];
  items?: { type: "string"; enum?: string[] };
  default?: string | number | boolean;
  maximum?: number;
  description?: string;
};

/**
 * The schema of a tool's input. It names no further properties and forbids none: aliases are accepted without being
 * shown, and wrong names get an answer in words, which a client's own check would swallow.
 */
export function toInputSchema(parameters: Parameters): InputSchema {
  const entries = Object.entries(parameters).filter(([, { unlisted }]) => unlisted !== true);
  const required = entries.filter(([, parameter]) => parameter.required === true).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, parameter]) => [name, toPropertySchema(parameter)])),
    ...(required.length > 0 && { required }),
  };
}

function toPropertySchema(parameter: Parameter): PropertySchema {
  const description = parameter.description === undefined ? {} : { description: parameter.description };
  switch (parameter.kind) {
    case "text":
      return { type: "string", ...defaultOf(parameter.default), ...description };
    case "lines":
      return { type: "string", ...description };
    case "texts":
      return { type: "array", items: { type: "string" }, ...description };
    case "integer": {
      const maximum = parameter.maximum === undefined ? {} : { maximum: parameter.maximum };
      return { type: "integer", ...defaultOf(parameter.default), ...maximum, ...description };
    }
    case "number":
      return { type: "number", ...defaultOf(parameter.default), maximum: parameter.maximum, ...description };
    case "boolean":
      return { type: "boolean", ...defaultOf(parameter.default), ...description };
    case "choice":
      return { type: "string", enum: [...parameter.values], ...defaultOf(parameter.default), ...description };
    case "choices":
      return { type: "array", items: { type: "string", enum: [...parameter.values] }, ...description };
    case "ranking":
      return { type: ["object", "string"], ...description };
    case "filter":
    case "object":
      return { type: "object", ...description };
  }
}

function defaultOf(value: string | number | boolean | undefined): Pick<PropertySchema, "default"> {
  return value === undefined ? {} : { default: value };
}
