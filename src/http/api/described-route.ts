/**
 * How a route is described for the OpenAPI document: one entry a route, beside the schemas of what it answers. `routes.ts` lists them all,
 * and a test holds that list to the routes of the Worker, and answers of the Worker to the schemas.
 *
 * Nothing here is part of the Worker: the document that is made of it is `schemas/openapi.json`.
 */
import { z } from "zod";
import type { AddressParameters } from "../../surface/parameters.ts";

/** Schemas that have a name of their own in the document. */
export const components = z.registry<{ readonly id: string }>();

/** A schema with a name of its own. @param id In PascalCase. */
export function named<Schema extends z.ZodType>(id: string, description: string, schema: Schema): Schema {
  const described = schema.describe(description);
  components.add(described, { id });
  return described;
}

/** One form of an answer's or a request's body. */
export interface DescribedBody {
  /** Absent for text. */
  readonly schema?: z.ZodType;
  readonly example: unknown;
}

/** What a route answers with. */
export interface DescribedAnswer {
  readonly description: string;
  /** By media type, the first one being that of a request without wishes. */
  readonly content: Readonly<Record<string, DescribedBody>>;
}

/** Refusals that a route may answer with beside those that all share. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 413 | 503;

/** Part of the address that the caller fills in. */
export interface PathParameter {
  readonly description: string;
  readonly example: string;
}

/** A route. */
export interface DescribedRoute {
  readonly method: "get" | "post";
  /** With `{name}` for what the caller fills in; the last one may hold slashes. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: "search" | "documents" | "index" | "mcp" | "pages";
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

/** A count. */
export const count = z.int().min(0);

/** Sentences on how the request was understood, where there is something to say. */
export const notes = z.array(z.string()).optional().describe("What was cut or not used, in sentences.");

/** A refusal. */
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

/** What an answer took. */
export const cost = named(
  "Cost",
  "What the answer took, in counts that do not depend on the machine.",
  z.strictObject({
    waves: count.describe("Rounds of reads that had to wait for one another."),
    reads: count.describe("Reads sent to storage."),
    bytes: count.describe("Bytes that they gave."),
    cacheHits: count.describe("Chunks and blocks answered from memory."),
    postingsDecoded: count.describe("Entries of lists of documents that were decoded."),
    bytesInflated: count.describe("Bytes that chunks and blocks inflated to."),
    bytesScanned: count.describe("Bytes of text that were gone through."),
    candidatesScored: count.describe("Documents, sections or texts that got a score."),
    maxConcurrentReads: count.describe("Most reads that were under way at once."),
  }),
);

/** Facet values of a document, by key. */
export const facets = z.record(z.string(), z.array(z.string())).describe("Values by facet key.");

/** An example of a cost. */
export const COST_EXAMPLE = {
  ...{ waves: 2, reads: 4, bytes: 9120, cacheHits: 1, postingsDecoded: 180, bytesInflated: 21_400, bytesScanned: 2600 },
  ...{ candidatesScored: 12, maxConcurrentReads: 3 },
};

/** What the scan of the build found in a document. */
export const warnings = z
  .array(z.string())
  .optional()
  .describe("What the scan of the build found in the text, which is to be treated as data; absent where nothing.");
