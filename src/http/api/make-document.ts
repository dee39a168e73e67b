/**
 * The OpenAPI document (3.1) of all routes but those that only pages for people ask, from which `schemas/openapi.json` is written.
 *
 * Schemas of answers leave room for members that a later version adds. The server itself adds none that they do not name:
 * tests hold its answers to them strictly.
 */
import { z } from "zod";
import { DEFAULT_MAX_LENGTH, type Parameter, schemaOf } from "../../surface/parameters.ts";
import type { JsonObject } from "../../surface/render/answer.ts";
import { SERVER_NAME, SERVER_VERSION } from "../../surface/render/text.ts";
import { OPEN_PATHS } from "../callers.ts";
import { components, describedRoutes, problem } from "./routes.ts";

type Route = (typeof describedRoutes)[number];

const HOME = "https://github.com/treeline-dev/treeline";
const SCHEMAS = "#/components/schemas/";

const TAGS = [
  { name: "search", description: "Find pages, sections and symbols." },
  { name: "documents", description: "Read them." },
  { name: "index", description: "What is indexed, and how the server does." },
  { name: "mcp", description: "For agents, and for programs that connect them." },
];

/** What any route may answer in place of what was asked for. */
const REFUSALS = {
  Refused:
    "A refusal: 400 for arguments that cannot be (`nearest` and `example` say what could), 401 for a key that is needed or does not hold, 403 for a host, an origin or a caller that is not allowed, 404 for what is not there (`nearest` names what is), 405 for another method, 413 for more than an answer or a body may be, 429 for a caller who asks too often. `Retry-After` of a 429 says how many seconds to wait.",
  Failed:
    "A failure: 503 where no index was published, it is damaged, or something cannot be reached now, with seconds to wait in `Retry-After`; 500 for a fault of the server.",
};

/** The document. `servers` and `security` are those of no deployment: `page-files.ts` puts in what is true of one. */
export function makeOpenApi(): JsonObject {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of describedRoutes) {
    paths[route.path] = { ...paths[route.path], [route.method]: makeOperation(route) };
  }
  const { schemas } = z.toJSONSchema(components, { uri: (id) => `${SCHEMAS}${id}` });
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
      schemas: Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, tidy(schema)])),
      responses: Object.fromEntries(
        Object.entries(REFUSALS).map(([name, description]) => [
          name,
          { description, content: makeContent({ "application/json": problem }) },
        ]),
      ),
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

function makeOperation(route: Route): JsonObject {
  const { operationId, tag, path, summary, description, body, answers } = route;
  const parameters = listParameters(route);
  return {
    ...{ operationId, tags: [tag], summary },
    ...(description !== undefined && { description }),
    ...(OPEN_PATHS.has(path) && { security: [{}] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: body.required,
        content: { "application/json": { schema: makeSchema(body.schema), example: body.example } },
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, content]) => {
          const [schema] = Object.values(content);
          return [status, { description: schema?.description ?? `${summary}.`, content: makeContent(content) }];
        }),
      ),
      "4XX": { $ref: "#/components/responses/Refused" },
      "5XX": { $ref: "#/components/responses/Failed" },
    },
  };
}

function makeContent(content: Route["answers"][number]): JsonObject {
  return Object.fromEntries(
    Object.entries(content).map(([type, schema]) => [
      type,
      { schema: schema === undefined ? { type: "string" } : makeSchema(schema) },
    ]),
  );
}

function makeSchema(schema: z.ZodType): JsonObject {
  return { $ref: `${SCHEMAS}${components.get(schema)?.id}` };
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

function listParameters({ path, filledIn, parameters = {} }: Route): JsonObject[] {
  const [, inPath] = /\{(\w+)\}/.exec(path) ?? [];
  return [
    ...(inPath === undefined
      ? []
      : [{ name: inPath, in: "path", required: true, schema: { type: "string" }, ...filledIn }]),
    ...Object.entries(parameters).map(([name, parameter]) => makeParameter(name, parameter)),
  ];
}

function makeParameter(name: string, parameter: Parameter & { readonly description: string }): JsonObject {
  const { kind, description, example, required = false } = parameter;
  const sentence = `${description.charAt(0).toUpperCase()}${description.slice(1)}.`;
  const shared = { name, in: "query", description: sentence, required };
  if (kind === "facets") {
    // An object that is taken apart: each of its members is a parameter of the address.
    const pattern = `^${parameter.prefix.replaceAll(".", "\\.")}`;
    const schema = { type: "object", propertyNames: { pattern }, additionalProperties: { type: "string" } };
    return { ...shared, name: "facets", schema, example: { [`${parameter.prefix}type`]: example } };
  }
  const shown = kind === "texts" ? [example] : example;
  return { ...shared, schema: boundedSchema(parameter), ...(example !== undefined && { example: shown }) };
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
