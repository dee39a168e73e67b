/**
 * The routes that OpenAPI describes. Tests hold the routes of the Worker to this list, and its answers to the schemas. Nothing here is
 * part of the Worker, which has `schemas/openapi.json`.
 */
import type { z } from "zod";
import type { AddressParameters } from "../../surface/parameters.ts";
import { CORPORA_PARAMETERS } from "../corpora.ts";
import { CONNECT_PARAMETERS } from "../discovery.ts";
import { DOCUMENT_PARAMETERS } from "../documents.ts";
import { DOCUMENT_PAGE_PARAMETERS } from "../explorer/page.ts";
import { FULL_TEXT_PARAMETERS } from "../llms-txt.ts";
import { SEARCH_PARAMETERS, SUGGEST_PARAMETERS } from "../search-api.ts";
import { SUMMARY_PARAMETERS } from "../status.ts";
import * as answers from "./answers.ts";

/** Schemas by media type, the first one being that of a request without wishes; undefined for text. */
type Content = Readonly<Record<string, z.ZodType | undefined>>;

interface DescribedRoute {
  readonly method: "get" | "post";
  readonly tag: string;
  /** With `{name}` for what the caller fills in; the last one may hold slashes. */
  readonly path: string;
  readonly operationId: string;
  /** A few words. */
  readonly summary: string;
  readonly description?: string;
  /** Of what the caller fills into the path. */
  readonly filledIn?: { readonly description: string; readonly example: string };
  readonly parameters?: AddressParameters;
  readonly body?: { readonly schema: z.ZodType; readonly required: boolean; readonly example: unknown };
  /** Answers by status, beside refusals, which all routes share. */
  readonly answers: Readonly<Record<number, Content>>;
}

type More = Pick<DescribedRoute, "description" | "filledIn" | "parameters">;
type Untagged = Omit<DescribedRoute, "tag">;

function get(path: string, operationId: string, summary: string, content: Content, more: More = {}): Untagged {
  return { method: "get", path, operationId, summary, answers: { 200: content }, ...more };
}

function json(schema: z.ZodType, ...others: readonly string[]): Content {
  return { "application/json": schema, ...Object.fromEntries(others.map((type) => [type, undefined])) };
}

function text(type: string): Content {
  return { [type]: undefined };
}

const filledIn = {
  description:
    "Id of the document, or a path that one collection alone has. Slashes may stand as they are or escaped; the ending of a page may be left out.",
  example: "docs:guide/limits.md",
};

const search = [
  get("/search", "search", "Search pages and source files", json(answers.searchAnswer), {
    description:
      "Documents in rank order, each with its best sections. Another parameter is no error: `notes` names it.",
    parameters: SEARCH_PARAMETERS,
  }),
  get("/suggest", "suggest", "Complete what somebody types", json(answers.suggestAnswer), {
    description: "Titles and headings, one request a keystroke.",
    parameters: SUGGEST_PARAMETERS,
  }),
];

const documents = [
  get("/documents/{id}", "getDocument", "Read a document", json(answers.documentAnswer, "text/markdown", "text/html"), {
    description:
      "All sections with their texts, the text alone as Markdown, or a page for browsers: by `Accept`, `format`, or `.md` behind the id (`docs:guide/limits.mdx.md`).",
    filledIn,
    parameters: { ...DOCUMENT_PARAMETERS, ...DOCUMENT_PAGE_PARAMETERS },
  }),
  get("/tree/{id}", "getDocumentTree", "Outline a document", json(answers.treeAnswer), {
    description: "Titles, levels, lines and first sentences of its sections, without their texts.",
    filledIn,
  }),
  get("/{page}.md", "getPage", "Read a page by its address on the site", text("text/markdown"), {
    description:
      "Markdown of the page whose address has this path, with `.md` behind it or in place of its ending; for servers that answer at the address of the documentation.",
    filledIn: { description: "Path of the page's address, with its slashes.", example: "guide/limits" },
  }),
  get("/llms.txt", "getMap", "A map of what is indexed, for agents", text("text/plain"), {
    description: "Collections, folders, pages, packages: Markdown of at most 8 kB, after llmstxt.org.",
  }),
  get("/llms-full.txt", "getFullText", "All documents in one text", text("text/plain"), {
    description:
      "Markdown of all pages, by collection and path. What does not fit is counted at the end, with the address that goes on.",
    parameters: FULL_TEXT_PARAMETERS,
  }),
];

const status = get("/status", "getStatus", "What is indexed, and what works", json(answers.statusAnswer), {
  description: "With 503 where a part fails that is needed.",
});
const index = [
  get("/summary", "getSummary", "How files and pages hang together", json(answers.summaryAnswer), {
    parameters: SUMMARY_PARAMETERS,
  }),
  { ...status, answers: { ...status.answers, 503: json(answers.statusAnswer) } },
  get("/health", "getHealth", "Whether the server runs", json(answers.healthAnswer), {
    description: "For probes: always 200, without a read.",
  }),
  get("/insights", "getInsights", "What callers asked and did not find", json(answers.insightsAnswer), {
    description: "For holders of an admin key.",
  }),
  get("/corpora", "listCorpora", "Which corpora there are", json(answers.corporaAnswer, "text/markdown"), {
    description: "At the root alone; routes of a corpus stand below its name.",
    parameters: CORPORA_PARAMETERS,
  }),
  get("/", "showRoot", "What is indexed, as a page", json(answers.rootAnswer, "text/html")),
];

const rpcMessage = answers.specified("RpcMessage", "A message of JSON-RPC 2.0 as the Model Context Protocol has them.");
const MCP_PARAMETERS: AddressParameters = {
  tools: { kind: "text", description: "profiles of tools that are listed, separated by commas", example: "docs,code" },
  session: { kind: "text", description: "handle of a session, for clients whose agent passes no argument" },
};

function mcp(path: string, operationId: string, summary: string): Untagged {
  const example = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  return {
    ...{ method: "post", path, operationId, summary },
    description:
      "Model Context Protocol over plain JSON: 2026-07-28 without a handshake, and the revisions of 2025. A tool's own error is a result with `isError`; a notification gets 202 and no body.",
    ...(path.includes("{") && { filledIn: { description: "Handle of a session.", example: "AXm2example" } }),
    parameters: MCP_PARAMETERS,
    body: { schema: rpcMessage, required: true, example },
    answers: { 200: json(rpcMessage), 202: {} },
  };
}

const card = {
  "application/mcp-server-card+json": answers.specified(
    "ServerCard",
    "How MCP clients reach this server: https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json.",
  ),
};
const registryFile = answers.specified(
  "RegistryFile",
  "The same for the MCP Registry: https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json.",
);
const catalog = {
  "application/ai-catalog+json": answers.specified("Catalog", "Which server cards there are, as an AI Catalog."),
};
const metadata = json(answers.specified("ResourceMetadata", "Where a client gets a token for this server (RFC 9728)."));
const openApi = answers.specified("OpenApi", "This document, as OpenAPI 3.1 says.");
const METADATA = "/.well-known/oauth-protected-resource";

const programs: readonly Untagged[] = [
  mcp("/mcp", "callMcp", "The address for MCP clients"),
  mcp("/sse", "callMcpAtOldAddress", "The same at the address of older clients"),
  mcp("/s/{session}/mcp", "callMcpInSession", "The same within a session"),
  {
    ...{ method: "post", path: "/session", operationId: "openSession", summary: "Open a session" },
    description: "For clients that cannot call a tool before they connect. Each call opens one.",
    body: {
      schema: answers.sessionRequest,
      required: false,
      example: { scope: { collections: ["docs"] }, token_budget: 20_000 },
    },
    answers: { 201: json(answers.sessionAnswer) },
  },
  get("/connect", "getConnect", "How clients are connected", json(answers.connectAnswer, "text/markdown"), {
    parameters: CONNECT_PARAMETERS,
  }),
  get("/mcp/server-card", "getServerCard", "Server card", card),
  get("/.well-known/mcp/server-card.json", "getServerCardAtOldAddress", "Server card", card),
  get("/.well-known/ai-catalog.json", "getCatalog", "AI Catalog", catalog),
  get("/.well-known/mcp/catalog.json", "getCatalogAtOldAddress", "AI Catalog", catalog),
  get("/server.json", "getRegistryFile", "What the MCP Registry takes", json(registryFile)),
  get(METADATA, "getResourceMetadata", "Where a client gets a token", metadata),
  get(`${METADATA}/mcp`, "getEndpointMetadata", "Where a client gets a token", metadata),
  get("/openapi.json", "getOpenApi", "This document", json(openApi)),
];

/** All routes, in the order of the document. */
export const describedRoutes: readonly DescribedRoute[] = Object.entries({
  search,
  documents,
  index,
  mcp: programs,
}).flatMap(([tag, routes]) => routes.map((route) => ({ ...route, tag })));
