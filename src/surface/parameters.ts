/**
 * Parameters of tools and of HTTP routes, declared once in a table. The table yields the static types, the JSON Schema of
 * `tools/list` and of OpenAPI, and the reader of values (`read-value.ts`).
 */

import type { FacetFilter } from "../core/docs/model.ts";
import type { RankingSettings } from "../core/search/ranking-settings.ts";
import { MAX_QUERY_LENGTH } from "../core/search/request.ts";
import type { JsonObject } from "./render/answer.ts";

/** Characters of a text at most, unless its declaration says otherwise: most are queries, or shorter. */
export const DEFAULT_MAX_LENGTH = MAX_QUERY_LENGTH;

/** Another name of a parameter, with a conversion where its values differ (`codePreview: true` = `expanded`). */
export type Alias = string | { readonly name: string; readonly convert: (value: unknown) => unknown };

/** A declared parameter. */
export type Parameter = {
  /** A few words; tools have one only where the name does not say it all, since every byte is sent to every client. */
  readonly description?: string;
  /** A value that works, for OpenAPI. */
  readonly example?: string | number | boolean;
  readonly required?: true;
  /** True where it is accepted and never shown. */
  readonly unlisted?: boolean;
  /** Other names that are accepted and never shown. */
  readonly aliases?: readonly Alias[];
} & (
  | { readonly kind: "text"; readonly default?: string; readonly maxLength?: number }
  /** A single text is taken as a list of one. */
  | { readonly kind: "texts"; readonly default?: readonly string[]; readonly maxEntries?: number }
  /** `minimum` is 1 when left out, and less is an error. More than `maximum` is cut to it, with a note. */
  | { readonly kind: "integer"; readonly default?: number; readonly minimum?: number; readonly maximum?: number }
  | { readonly kind: "number"; readonly default?: number; readonly minimum: number; readonly maximum: number }
  | { readonly kind: "boolean"; readonly default?: boolean }
  | { readonly kind: "choice"; readonly values: readonly string[]; readonly default?: string }
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

/** Parameters of an address: each is described, for OpenAPI. */
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
export type ParameterSchema = {
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
