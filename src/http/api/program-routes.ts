/** Routes for MCP clients, registries and generators of clients. */
import { z } from "zod";
import type { AddressParameters } from "../../surface/parameters.ts";
import { CONNECT_PARAMETERS } from "../discovery.ts";
import { fromTool, jsonAnswer, named, routesOf, type UntaggedRoute } from "./described-route.ts";

const rpcId = z.union([z.string(), z.number(), z.null()]);

const rpcRequest = named(
  "RpcRequest",
  "A message of JSON-RPC 2.0 as the Model Context Protocol has them.",
  z.object({
    jsonrpc: z.literal("2.0"),
    id: rpcId.optional().describe("Absent in a notification, which gets 202 and no body."),
    method: z.string(),
    params: z.record(z.string(), z.unknown()).optional(),
  }),
);

const rpcAnswer = named(
  "RpcAnswer",
  "The answer to a message: a result or an error.",
  z.strictObject({
    jsonrpc: z.literal("2.0"),
    id: rpcId,
    result: z.record(z.string(), z.unknown()).optional(),
    error: z.strictObject({ code: z.int(), message: z.string(), data: z.unknown().optional() }).optional(),
  }),
);

const sessionRequest = named(
  "SessionRequest",
  "What a session is bound to; an empty body is one over everything.",
  z.object({
    scope: z
      .object({
        collections: z.array(z.string()).optional(),
        version: z.string().optional(),
        filters: z.record(z.string(), z.unknown()).optional().describe("By facets, as in the tools."),
      })
      .optional()
      .describe("What its calls see; all when absent."),
    ranking: z
      .union([z.string(), z.record(z.string(), z.number())])
      .optional()
      .describe("A preset, or settings."),
    token_budget: z.int().min(1).optional().describe("Estimated tokens that all answers may have together."),
  }),
);

const sessionAnswer = named(
  "Session",
  "A session that was opened.",
  fromTool("openSession", undefined, { without: ["leftOut", "nextCursor", "generation"], optional: ["notes"] }),
);

const connectAnswer = named(
  "Connect",
  "How clients are connected.",
  z.strictObject({
    url: z.string().describe("Address for MCP clients."),
    needsKey: z.boolean(),
    access: z.string().describe("Who may call, in a sentence."),
    clients: z.array(
      z.strictObject({
        id: z.string(),
        client: z.string(),
        step: z.string().describe("What to do with the snippet."),
        language: z.enum(["sh", "json", "toml", "text"]),
        snippet: z.string(),
        link: z.string().optional().describe("Opens the client, which asks whether to add the server."),
      }),
    ),
  }),
);

/** A document that a specification states: the description names it. */
function specified(id: string, description: string): z.ZodType {
  return named(id, description, z.looseObject({}));
}

const serverCard = specified(
  "ServerCard",
  "How MCP clients reach this server: https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json.",
);
const registryFile = specified(
  "RegistryFile",
  "The same for the MCP Registry: https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json.",
);
const catalog = specified("Catalog", "Which server cards there are, as an AI Catalog.");
const resourceMetadata = specified("ResourceMetadata", "Where a client gets a token for this server (RFC 9728).");

const MCP_PARAMETERS: AddressParameters = {
  tools: { kind: "text", description: "profiles of tools that are listed, separated by commas", example: "docs,code" },
  session: { kind: "text", description: "handle of a session, for clients whose agent passes no argument" },
};

function mcpRoute(path: string, operationId: string, summary: string): UntaggedRoute {
  return {
    method: "post",
    path,
    operationId,
    summary,
    description: "Model Context Protocol over plain JSON: 2026-07-28 without a handshake, and the revisions of 2025.",
    ...(path.includes("{session}") && {
      pathParameters: { session: { description: "Handle of a session.", example: "AXm2example" } },
    }),
    parameters: MCP_PARAMETERS,
    body: {
      description: "A message.",
      required: true,
      schema: rpcRequest,
      example: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
    },
    answers: {
      200: jsonAnswer("The answer. A tool's own error is a result with `isError`.", rpcAnswer),
      202: { description: "A notification was taken.", content: {} },
    },
    errors: [],
  };
}

/** A document for programs: a GET without parameters. */
function documentRoute(
  path: string,
  operationId: string,
  summary: string,
  type: string,
  schema: z.ZodType,
): UntaggedRoute {
  return {
    path,
    operationId,
    summary,
    answers: { 200: { description: "The document.", content: { [type]: { schema } } } },
    errors: [404],
    isOpen: true,
    isTagged: true,
  };
}

function cardRoute(path: string, operationId: string): UntaggedRoute {
  return documentRoute(path, operationId, "Server card", "application/mcp-server-card+json", serverCard);
}

function catalogRoute(path: string, operationId: string): UntaggedRoute {
  return documentRoute(path, operationId, "AI Catalog", "application/ai-catalog+json", catalog);
}

function metadataRoute(of: string, operationId: string): UntaggedRoute {
  const path = `/.well-known/oauth-protected-resource${of}`;
  const summary = "Where a client gets a token";
  return {
    ...documentRoute(path, operationId, summary, "application/json", resourceMetadata),
    description: "Where an authorization server is configured.",
  };
}

export const programRoutes = routesOf("mcp", [
  mcpRoute("/mcp", "callMcp", "The address for MCP clients"),
  mcpRoute("/sse", "callMcpAtOldAddress", "The same at the address of older clients"),
  mcpRoute("/s/{session}/mcp", "callMcpInSession", "The same within a session"),
  {
    method: "post",
    path: "/session",
    operationId: "openSession",
    summary: "Open a session",
    description: "For clients that cannot call a tool before they connect. Each call opens one.",
    body: {
      description: "At most 65,536 bytes.",
      required: false,
      schema: sessionRequest,
      example: { scope: { collections: ["docs"] }, token_budget: 20_000 },
    },
    answers: { 201: jsonAnswer("It is open.", sessionAnswer) },
    errors: [400, 404, 413, 503],
  },
  {
    path: "/connect",
    operationId: "getConnect",
    summary: "How clients are connected",
    parameters: CONNECT_PARAMETERS,
    answers: {
      200: jsonAnswer("A guide for each client.", connectAnswer, {
        "text/markdown": {},
      }),
    },
    errors: [404],
    isOpen: true,
    isTagged: true,
  },
  cardRoute("/mcp/server-card", "getServerCard"),
  cardRoute("/.well-known/mcp/server-card.json", "getServerCardAtOldAddress"),
  catalogRoute("/.well-known/ai-catalog.json", "getCatalog"),
  catalogRoute("/.well-known/mcp/catalog.json", "getCatalogAtOldAddress"),
  documentRoute("/server.json", "getRegistryFile", "What the MCP Registry takes", "application/json", registryFile),
  metadataRoute("", "getResourceMetadata"),
  metadataRoute("/mcp", "getEndpointMetadata"),
  documentRoute(
    "/openapi.json",
    "getOpenApi",
    "This document",
    "application/json",
    z.looseObject({ openapi: z.string() }).describe("OpenAPI 3.1."),
  ),
]);
