/**
 * The OpenAPI document (3.1) of all routes but those that only pages for people ask, from which `schemas/openapi.json` is written.
 *
 * Schemas of answers leave room for members that a later version adds. The server itself adds none that they do not name:
 * tests hold its answers to them strictly.
 */
import { z } from "zod";
import { DEFAULT_MAX_LENGTH, type Parameter, schemaOf } from "../../surface/parameters.ts";
import type { JsonObject } from "../../surface/render/answer.ts";
import { SERVER_NAME, SERVER_VERSION } from "../../surface/render/numbers.ts";
import { contentRoutes, indexRoutes } from "./content-routes.ts";
import {
  components,
  type DescribedAnswer,
  type DescribedBody,
  type DescribedRoute,
  type ErrorStatus,
  problem,
} from "./described-route.ts";
import { programRoutes } from "./program-routes.ts";

/** All routes, in the order of the document. */
export const describedRoutes: readonly DescribedRoute[] = [...contentRoutes, ...indexRoutes, ...programRoutes];

const HOME = "https://github.com/treeline-dev/treeline";
const SCHEMAS = "#/components/schemas/";

/** Refusals: a name in the document, and when they come. */
const REFUSALS: Readonly<Record<ErrorStatus | 429, { readonly name: string; readonly description: string }>> = {
  400: { name: "BadRequest", description: "Arguments that cannot be; `nearest` and `example` say what could." },
  401: { name: "Unauthorized", description: "A key is needed, or the one that was sent does not hold." },
  403: { name: "Forbidden", description: "A host, an origin or a caller that is not allowed." },
  404: {
    name: "NotFound",
    description: "There is no such thing, corpus or route here; `nearest` names what there is.",
  },
  413: { name: "TooLarge", description: "More than an answer, or a body, may be." },
  429: { name: "TooManyRequests", description: "The caller asks too often." },
  503: { name: "Unavailable", description: "No index was published, it is damaged, or access cannot be checked now." },
};
const RETRIED: ReadonlySet<number> = new Set([429, 503]);

const TAGS = [
  { name: "search", description: "Find pages, sections and symbols." },
  { name: "documents", description: "Read them." },
  { name: "index", description: "What is indexed, and how the server does." },
  { name: "mcp", description: "For agents, and for programs that connect them." },
];

/** The document. `servers` and `security` are those of no deployment: `page-files.ts` puts in what is true of one. */
export function makeOpenApi(): JsonObject {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of describedRoutes) {
    paths[route.path] = { ...paths[route.path], [route.method]: makeOperation(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Treeline",
      version: SERVER_VERSION,
      summary: "Search and read one project's documentation and source code.",
      description:
        "Answers over the index carry an `ETag`; asked with `If-None-Match`, an answer that did not change is 304. Addresses that answer GET answer HEAD too, and other methods with 405. Browsers, which ask for HTML, get a page in place of JSON at addresses that have one, refusals too. Every answer has an `X-Trace-Id` to quote to whoever runs the server.",
      license: { name: "MIT", identifier: "MIT" },
      contact: { name: SERVER_NAME, url: HOME },
    },
    servers: [{ url: "/", description: "The server that gives this document." }],
    externalDocs: { url: `${HOME}/blob/main/docs/http-api.md` },
    tags: TAGS,
    security: [{}, { key: [] }],
    paths,
    components: {
      schemas: makeSchemas(),
      responses: makeResponses(),
      headers: HEADERS,
      parameters: { IfNoneMatch },
      securitySchemes: {
        key: {
          type: "http",
          scheme: "bearer",
          description:
            "A key that the maintainers gave out. Public deployments answer without one, private ones do not.",
        },
      },
    },
  };
}

const HEADERS = {
  TraceId: {
    description: "Id of the request in the server's log.",
    schema: { type: "string", pattern: "^[0-9a-f]{32}$" },
  },
  ETag: { description: "Changes with the answer.", schema: { type: "string" } },
  RetryAfter: { description: "Seconds after which to try again.", schema: { type: "integer" } },
};
const IfNoneMatch = {
  ...{ name: "If-None-Match", in: "header", required: false },
  description: "ETags of answers that the caller has.",
  schema: { type: "string" },
};

/** Name of a problem's schema in `$ref`. */
const PROBLEM = { $ref: `${SCHEMAS}${components.get(problem)?.id}` };

function makeOperation(route: DescribedRoute): JsonObject {
  const { operationId, tag, summary, description, body, answers, isOpen, isTagged, method } = route;
  return {
    ...{ operationId, tags: [tag], summary },
    ...(description !== undefined && { description }),
    ...(isOpen && { security: [{}] }),
    ...withMembers("parameters", listParameters(route)),
    ...(body && {
      requestBody: {
        description: body.description,
        required: body.required,
        content: { "application/json": makeBody(body) },
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [status, makeAnswer(answer, isTagged === true)]),
      ),
      ...(isTagged && method === "get" && { 304: { $ref: "#/components/responses/NotModified" } }),
      ...Object.fromEntries(refusalsOf(route).map((status) => [status, refer(status)])),
      default: { $ref: "#/components/responses/Refused" },
    },
  };
}

/** Every route refuses hosts and pages, and callers who ask too often; those that are not open ask for a key. */
function refusalsOf({ errors, isOpen }: DescribedRoute): number[] {
  const all = new Set<number>([...errors, ...(isOpen ? [] : [401]), 403, 429]);
  return [...all].sort((a, b) => a - b);
}

function refer(status: number): JsonObject {
  return { $ref: `#/components/responses/${REFUSALS[status as ErrorStatus].name}` };
}

function makeAnswer({ description, content }: DescribedAnswer, isTagged: boolean): JsonObject {
  const bodies = Object.entries(content).map(([type, body]) => [type, makeBody(body)]);
  return {
    description,
    headers: {
      "X-Trace-Id": { $ref: "#/components/headers/TraceId" },
      ...(isTagged && { ETag: { $ref: "#/components/headers/ETag" } }),
    },
    ...(bodies.length > 0 && { content: Object.fromEntries(bodies) }),
  };
}

function makeBody({ schema, example }: DescribedBody): JsonObject {
  return {
    schema: schema === undefined ? { type: "string" } : makeSchema(schema),
    ...(example !== undefined && { example }),
  };
}

function makeSchema(schema: z.ZodType): JsonObject {
  const name = components.get(schema)?.id;
  return name === undefined ? tidy(z.toJSONSchema(schema)) : { $ref: `${SCHEMAS}${name}` };
}

function makeSchemas(): JsonObject {
  const { schemas } = z.toJSONSchema(components, { uri: (id) => `${SCHEMAS}${id}` });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, tidy(schema)]));
}

/** Without what says nothing here: ids and dialects of single schemas, the largest of all numbers, closed objects. */
function tidy(schema: object): JsonObject {
  return JSON.parse(
    JSON.stringify(schema, function (this: unknown, name: string, value: unknown) {
      const isClosed = name === "additionalProperties" && value === false;
      const isBound = Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER && /^(minimum|maximum)$/.test(name);
      const isText = name === "propertyNames" && JSON.stringify(value) === '{"type":"string"}';
      const isEmpty = name === "properties" && JSON.stringify(value) === "{}";
      const isOfFile = this === schema && (name === "$id" || name === "$schema");
      return isClosed || isBound || isText || isEmpty || isOfFile ? undefined : value;
    }),
  );
}

function makeResponses(): JsonObject {
  const headers = { "X-Trace-Id": { $ref: "#/components/headers/TraceId" } };
  const content = { "application/json": { schema: PROBLEM } };
  const refusals = Object.entries(REFUSALS).map(([status, { name, description }]) => {
    const retry = RETRIED.has(Number(status)) && { "Retry-After": { $ref: "#/components/headers/RetryAfter" } };
    return [name, { description, headers: { ...headers, ...retry }, content }];
  });
  return {
    NotModified: { description: "The caller has the answer already.", headers },
    Refused: { description: "Any other refusal: 405 for another method, 500 for a fault of the server.", content },
    ...Object.fromEntries(refusals),
  };
}

function listParameters({ pathParameters = {}, parameters = {}, isTagged, method }: DescribedRoute): JsonObject[] {
  return [
    ...Object.entries(pathParameters).map(([name, { description, example }]) => ({
      ...{ name, in: "path", required: true, description, schema: { type: "string" }, example },
    })),
    ...Object.entries(parameters).map(([name, parameter]) => makeParameter(name, parameter)),
    ...(isTagged && method === "get" ? [{ $ref: "#/components/parameters/IfNoneMatch" }] : []),
  ];
}

function makeParameter(name: string, parameter: Parameter & { readonly description: string }): JsonObject {
  const { kind, description, example, required = false } = parameter;
  const shared = { name, in: "query", description: sentence(description), required };
  switch (kind) {
    case "facets": {
      const pattern = `^${parameter.prefix.replaceAll(".", "\\.")}`;
      return {
        ...shared,
        name: "facets",
        // An object that is taken apart: each of its members is a parameter of the address.
        style: "form",
        explode: true,
        schema: { type: "object", propertyNames: { pattern }, additionalProperties: { type: "string" } },
        example: { [`${parameter.prefix}type`]: example },
      };
    }
    case "texts":
      return {
        ...shared,
        style: "form",
        explode: true,
        schema: schemaOf(parameter),
        ...(example !== undefined && { example: [example] }),
      };
    default:
      return { ...shared, schema: boundedSchema(parameter), ...(example !== undefined && { example }) };
  }
}

/** With the bounds that `tools/list` leaves out. More than a maximum is cut, with a note: clients may send it all the same. */
function boundedSchema(parameter: Exclude<Parameter, { readonly kind: "facets" }>): JsonObject {
  const schema = schemaOf(parameter);
  switch (parameter.kind) {
    case "text": {
      const { required, maxLength = DEFAULT_MAX_LENGTH } = parameter;
      return { ...schema, ...(required && { minLength: 1 }), maxLength };
    }
    case "integer":
      return { ...schema, minimum: parameter.minimum ?? 1 };
    case "ranking":
      // A preset, or an object as its JSON text.
      return { type: "string" };
    default:
      return schema;
  }
}

function sentence(phrase: string): string {
  return `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.`;
}

function withMembers(name: string, list: readonly unknown[]): JsonObject {
  return list.length === 0 ? {} : { [name]: list };
}
