/** Routes for MCP clients, registries and generators of clients described. */
import { z } from "zod";
import { CONNECT_PARAMETERS } from "../discovery.ts";
import { type DescribedRoute, type ErrorStatus, named } from "./described-route.ts";

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

/** Answer of the MCP endpoint. */
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

/** Answer of `/session`. */
const sessionAnswer = named(
  "Session",
  "A session that was opened.",
  z.strictObject({
    session: z.string().describe("Handle; to be treated as a password."),
    url: z.string().describe("Address for MCP clients within the session."),
    urls: z.array(z.string()).describe("All such addresses."),
    generationId: z.string().describe("Generation of the index on which it stays."),
    expiresAt: z.string().describe("ISO 8601: when it ends, if it is not used before."),
    notes: z.array(z.string()).optional(),
  }),
);

const described = {
  $schema: z.string(),
  name: z.string().describe("com.example.docs/treeline"),
  title: z.string(),
  description: z.string(),
  version: z.string(),
  websiteUrl: z.string(),
};
const header = z.strictObject({
  ...{ name: z.string(), description: z.string(), isRequired: z.boolean(), isSecret: z.boolean() },
  value: z.string().describe("Bearer {key}"),
  variables: z.record(
    z.string(),
    z.strictObject({ description: z.string(), isRequired: z.boolean(), isSecret: z.boolean() }),
  ),
});
const remote = {
  type: z.literal("streamable-http"),
  url: z.string(),
  headers: z.array(header).optional().describe("Where callers need a key."),
};

/** A server card. */
const serverCard = named(
  "ServerCard",
  "How MCP clients reach this server.",
  z.strictObject({
    ...described,
    remotes: z.array(z.strictObject({ ...remote, supportedProtocolVersions: z.array(z.string()) })),
  }),
);

/** What the MCP Registry takes. */
const registryFile = named(
  "RegistryFile",
  "The same for the MCP Registry.",
  z.strictObject({ ...described, remotes: z.array(z.strictObject(remote)) }),
);

/** An AI Catalog. */
const catalog = named(
  "Catalog",
  "Which server cards there are.",
  z.strictObject({
    specVersion: z.literal("1.0"),
    entries: z.array(z.strictObject({ identifier: z.string(), type: z.string(), url: z.string() })),
  }),
);

/** Answer of `/connect`. */
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

/** Metadata of a protected resource. */
const resourceMetadata = named(
  "ResourceMetadata",
  "Where a client gets a token for this server (RFC 9728).",
  z.strictObject({
    resource: z.string(),
    authorization_servers: z.array(z.string()),
    bearer_methods_supported: z.array(z.string()),
  }),
);

const DESCRIBED_EXAMPLE = {
  ...{ name: "com.example.docs/treeline", title: "Treeline", version: "0.1.0" },
  description: "Search and read one project's documentation and source code, with file, lines and commit.",
  websiteUrl: "https://docs.example.com/connect",
};
const REMOTE_EXAMPLE = { type: "streamable-http", url: "https://docs.example.com/mcp" };
const CARD_EXAMPLE = {
  $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
  ...DESCRIBED_EXAMPLE,
  remotes: [{ ...REMOTE_EXAMPLE, supportedProtocolVersions: ["2026-07-28"] }],
};
const METADATA_EXAMPLE = {
  resource: "https://docs.example.com/mcp",
  authorization_servers: ["https://team.example.com"],
  bearer_methods_supported: ["header"],
};

/** A document for programs: a GET without parameters. */
function documentRoute(
  path: string,
  operationId: string,
  summary: string,
  type: string,
  body: { readonly schema?: z.ZodType; readonly example: unknown },
  errors: readonly ErrorStatus[] = [404],
): DescribedRoute {
  return {
    ...{ method: "get", path, operationId, tag: "mcp", summary },
    answers: { 200: { description: "The document.", content: { [type]: body } } },
    ...{ errors, isOpen: true, isTagged: true },
  };
}

function mcpRoute(path: string, operationId: string, summary: string): DescribedRoute {
  return {
    ...{ method: "post", path, operationId, tag: "mcp", summary },
    description: "Model Context Protocol over plain JSON: 2026-07-28 without a handshake, and the revisions of 2025.",
    ...(path.includes("{session}") && {
      pathParameters: { session: { description: "Handle of a session.", example: "AXm2example" } },
    }),
    parameters: {
      tools: {
        kind: "text",
        description: "profiles of tools that are listed, separated by commas",
        example: "docs,code",
      },
      session: { kind: "text", description: "handle of a session, for clients whose agent passes no argument" },
    },
    body: {
      ...{ description: "A message.", required: true, schema: rpcRequest },
      example: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
    },
    answers: {
      200: {
        description: "The answer. A tool's own error is a result with `isError`.",
        content: {
          "application/json": { schema: rpcAnswer, example: { jsonrpc: "2.0", id: 1, result: { tools: [] } } },
        },
      },
      202: { description: "A notification was taken.", content: {} },
    },
    errors: [],
  };
}

/** Routes for programs. */
export const programRoutes: readonly DescribedRoute[] = [
  mcpRoute("/mcp", "callMcp", "The address for MCP clients"),
  mcpRoute("/sse", "callMcpAtOldAddress", "The same at the address of older clients"),
  mcpRoute("/s/{session}/mcp", "callMcpInSession", "The same within a session"),
  {
    ...{ method: "post", path: "/session", operationId: "openSession", tag: "mcp" },
    summary: "Open a session",
    description: "For clients that cannot call a tool before they connect. Each call opens one.",
    body: {
      ...{ description: "At most 65,536 bytes.", required: false, schema: sessionRequest },
      example: { scope: { collections: ["docs"] }, token_budget: 20_000 },
    },
    answers: {
      201: {
        description: "It is open.",
        content: {
          "application/json": {
            schema: sessionAnswer,
            example: {
              ...{ session: "AXm2example", url: "https://docs.example.com/mcp?session=AXm2example" },
              urls: ["https://docs.example.com/mcp?session=AXm2example", "https://docs.example.com/s/AXm2example/mcp"],
              ...{ generationId: "9f2c61d0a4be", expiresAt: "2026-11-23T15:00:00.000Z" },
            },
          },
        },
      },
    },
    errors: [400, 404, 413, 503],
  },
  {
    ...{ method: "get", path: "/connect", operationId: "getConnect", tag: "mcp" },
    summary: "How clients are connected",
    parameters: CONNECT_PARAMETERS,
    answers: {
      200: {
        description: "A guide for each client.",
        content: {
          "application/json": {
            schema: connectAnswer,
            example: {
              ...{ url: "https://docs.example.com/mcp", needsKey: false, access: "Everybody may call it." },
              clients: [
                {
                  ...{ id: "claude-code", client: "Claude Code", step: "Run:", language: "sh" },
                  snippet: "claude mcp add --transport http treeline https://docs.example.com/mcp",
                },
              ],
            },
          },
          "text/markdown": { example: "## Claude Code\n\nRun:\n" },
        },
      },
    },
    ...{ errors: [404], isOpen: true, isTagged: true },
  },
  ...["/mcp/server-card", "/.well-known/mcp/server-card.json"].map((path, at) =>
    documentRoute(
      path,
      at === 0 ? "getServerCard" : "getServerCardAtOldAddress",
      "Server card",
      "application/mcp-server-card+json",
      { schema: serverCard, example: CARD_EXAMPLE },
    ),
  ),
  ...["/.well-known/ai-catalog.json", "/.well-known/mcp/catalog.json"].map((path, at) =>
    documentRoute(
      path,
      at === 0 ? "getCatalog" : "getCatalogAtOldAddress",
      "AI Catalog",
      "application/ai-catalog+json",
      {
        schema: catalog,
        example: {
          specVersion: "1.0",
          entries: [
            {
              identifier: "urn:air:docs.example.com:mcp:treeline",
              type: "application/mcp-server-card+json",
              url: "https://docs.example.com/mcp/server-card",
            },
          ],
        },
      },
    ),
  ),
  documentRoute("/server.json", "getRegistryFile", "What the MCP Registry takes", "application/json", {
    schema: registryFile,
    example: {
      $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
      ...DESCRIBED_EXAMPLE,
      remotes: [REMOTE_EXAMPLE],
    },
  }),
  ...["", "/mcp"].map(
    (of, at): DescribedRoute => ({
      ...documentRoute(
        `/.well-known/oauth-protected-resource${of}`,
        at === 0 ? "getResourceMetadata" : "getEndpointMetadata",
        "Where a client gets a token",
        "application/json",
        { schema: resourceMetadata, example: METADATA_EXAMPLE },
      ),
      description: "Where an authorization server is configured.",
    }),
  ),
  documentRoute("/openapi.json", "getOpenApi", "This document", "application/json", {
    schema: z.looseObject({ openapi: z.string() }).describe("OpenAPI 3.1."),
    example: { openapi: "3.1.0" },
  }),
];
