/**
 * The form in which a route is described for OpenAPI, and what descriptions share. Tests hold the routes of the Worker to
 * the list in `make-document.ts`, and its answers to the schemas.
 *
 * Each shape is stated once: `schemas/tools` states what tools answer, and `fromTool` takes it from there; zod states what
 * HTTP alone answers. Nothing here is part of the Worker, which has `schemas/openapi.json`.
 */
import { z } from "zod";
import common from "../../../schemas/tools/common.schema.json" with { type: "json" };
import graphSummary from "../../../schemas/tools/get-graph-summary.schema.json" with { type: "json" };
import indexStatus from "../../../schemas/tools/index-status.schema.json" with { type: "json" };
import openSession from "../../../schemas/tools/open-session.schema.json" with { type: "json" };
import searchDocuments from "../../../schemas/tools/search-documents.schema.json" with { type: "json" };
import type { AddressParameters } from "../../surface/parameters.ts";

const TOOL_ANSWERS = { common, graphSummary, indexStatus, openSession, searchDocuments };

/** Schemas that have a name of their own in the document. */
export const components = z.registry<{ readonly id: string }>();

/** A schema with a name of its own. @param id In PascalCase. */
export function named<Schema extends z.ZodType>(id: string, description: string, schema: Schema): Schema {
  const described = schema.describe(description);
  components.add(described, { id });
  return described;
}

/** An object of a JSON Schema, as far as it is looked into here. */
interface ObjectSchema {
  readonly properties?: Readonly<Record<string, object>>;
  readonly $defs?: Readonly<Record<string, ObjectSchema>>;
}

/**
 * A shape that a tool answers with as well. HTTP answers are never cut to a budget, so all members are required but those
 * in `optional`.
 *
 * @param part Name of a definition in the tool's schema; the whole answer without it.
 * @param without Members that only tools have.
 */
export function fromTool(
  answer: keyof typeof TOOL_ANSWERS,
  part: string | undefined,
  { without = [], optional = [] }: { readonly without?: readonly string[]; readonly optional?: readonly string[] } = {},
): z.ZodObject {
  const file: ObjectSchema = JSON.parse(JSON.stringify(TOOL_ANSWERS[answer]).replaceAll("common.schema.json#", "#"));
  const { properties = {} } = (part === undefined ? file : file.$defs?.[part]) ?? {};
  const kept = Object.entries(properties).filter(([name]) => !without.includes(name));
  return z.fromJSONSchema({
    type: "object",
    properties: Object.fromEntries(kept),
    required: kept.map(([name]) => name).filter((name) => !optional.includes(name)),
    additionalProperties: false,
    $defs: { ...common.$defs, ...file.$defs },
  } as z.core.JSONSchema.JSONSchema) as z.ZodObject;
}

/** One form of an answer's or a request's body. */
export interface DescribedBody {
  /** Absent for text. */
  readonly schema?: z.ZodType;
  /** Of a request; answers are as their schemas say. */
  readonly example?: unknown;
}

export interface DescribedAnswer {
  readonly description: string;
  /** By media type, the first one being that of a request without wishes. */
  readonly content: Readonly<Record<string, DescribedBody>>;
}

/** Refusals that a route may answer with beside those that all share. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 413 | 503;

/** Part of the address that the caller fills in. */
interface PathParameter {
  readonly description: string;
  readonly example: string;
}

export interface DescribedRoute {
  readonly method: "get" | "post";
  /** With `{name}` for what the caller fills in; the last one may hold slashes. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: "search" | "documents" | "index" | "mcp";
  /** A few words. */
  readonly summary: string;
  readonly description?: string;
  readonly pathParameters?: Readonly<Record<string, PathParameter>>;
  readonly parameters?: AddressParameters;
  readonly body?: { readonly description: string; readonly required: boolean } & DescribedBody;
  /** By status. */
  readonly answers: Readonly<Record<number, DescribedAnswer>>;
  readonly errors: readonly ErrorStatus[];
  /** True where a private deployment answers everybody. */
  readonly isOpen?: true;
  /** True where the answer has an `ETag`, and a 304 for those who have it. */
  readonly isTagged?: true;
}

/** A route before it is listed under a tag; without a method it takes GET. */
export type UntaggedRoute = Omit<DescribedRoute, "method" | "tag"> & { readonly method?: "post" };

export function routesOf(tag: DescribedRoute["tag"], routes: readonly UntaggedRoute[]): readonly DescribedRoute[] {
  return routes.map((route) => ({ method: "get", tag, ...route }));
}

/** An answer as JSON. @param others Other forms of it, by media type. */
export function jsonAnswer(
  description: string,
  schema: z.ZodType,
  others: DescribedAnswer["content"] = {},
): DescribedAnswer {
  return { description, content: { "application/json": { schema }, ...others } };
}

export function textAnswer(description: string, type: string): DescribedAnswer {
  return { description, content: { [type]: {} } };
}

export const count = z.int().min(0);

export const problem = named(
  "Problem",
  "Why there is no answer, in words.",
  z.strictObject({
    error: z.string().describe("What is wrong, for people."),
    nearest: z.array(z.string()).describe("What may have been meant, the nearest first; empty where nothing is near."),
    example: z.string().optional().describe("An address, or a body, that works."),
    problem: z
      .enum(["bad-input", "no-index", "damaged-index", "unavailable", "internal"])
      .optional()
      .describe("What kind of problem it is, of those that come up while an answer is made."),
  }),
);
