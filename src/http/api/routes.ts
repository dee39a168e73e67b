/**
 * The routes that OpenAPI describes, with schemas of what they answer and take. Tests hold the routes of the Worker to this list, and its
 * answers to the schemas. Nothing here is part of the Worker, which has `schemas/openapi.json`.
 *
 * Each shape is stated once: `schemas/tools` states what tools answer, and `fromTool` takes it from there; zod states what HTTP alone answers.
 */
import { z } from "zod";
import common from "../../../schemas/tools/common.schema.json" with { type: "json" };
import graphSummary from "../../../schemas/tools/get-graph-summary.schema.json" with { type: "json" };
import indexStatus from "../../../schemas/tools/index-status.schema.json" with { type: "json" };
import openSession from "../../../schemas/tools/open-session.schema.json" with { type: "json" };
import searchDocuments from "../../../schemas/tools/search-documents.schema.json" with { type: "json" };
import { sumCosts } from "../../core/index/cost.ts";
import type { AddressParameters } from "../../surface/parameters.ts";
import { CORPORA_PARAMETERS } from "../corpora.ts";
import { CONNECT_PARAMETERS } from "../discovery.ts";
import { DOCUMENT_PARAMETERS } from "../documents.ts";
import { DOCUMENT_PAGE_PARAMETERS } from "../explorer/page.ts";
import { FULL_TEXT_PARAMETERS } from "../llms-txt.ts";
import { SEARCH_PARAMETERS, SUGGEST_PARAMETERS } from "../search-api.ts";
import { SUMMARY_PARAMETERS } from "../status.ts";

/** Schemas that have a name of their own in the document. */
export const components = z.registry<{ readonly id: string }>();

/** A schema with a name of its own, in PascalCase. */
function named<Schema extends z.ZodType>(id: string, description: string, schema: Schema): Schema {
  const described = schema.describe(description);
  components.add(described, { id });
  return described;
}

/** An object of a JSON Schema, as far as it is looked into here. */
interface ObjectSchema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, object>>;
  readonly $defs?: Readonly<Record<string, ObjectSchema>>;
}

/** Members that only tools have. */
const OF_TOOLS = ["nextCursor", "leftOut", "generation", "notes"];

/**
 * A shape that a tool answers with as well: the whole answer, or a definition in its schema. HTTP answers are never cut to a budget, so
 * all members are required but those in `optional`.
 */
function fromTool(
  answer: object,
  part: string | undefined,
  {
    without = OF_TOOLS,
    optional = [],
  }: { readonly without?: readonly string[]; readonly optional?: readonly string[] } = {},
): z.ZodObject {
  const file: ObjectSchema = JSON.parse(JSON.stringify(answer).replaceAll("common.schema.json#", "#"));
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

const count = z.int().min(0);
const texts = z.array(z.string());

export const problem = named(
  "Problem",
  "Why there is no answer, in words.",
  z.strictObject({
    error: z.string().describe("What is wrong, for people."),
    nearest: texts.describe("What may have been meant, the nearest first; empty where nothing is near."),
    example: z.string().optional().describe("An address, or a body, that works."),
    problem: z
      .enum(["bad-input", "no-index", "damaged-index", "unavailable", "internal"])
      .optional()
      .describe("What kind of problem it is, of those that come up while an answer is made."),
  }),
);

const cost = named(
  "Cost",
  "What the answer took, in counts that do not depend on the machine.",
  z.strictObject(Object.fromEntries(Object.keys(sumCosts([])).map((unit) => [unit, count]))),
);

/** What every answer to a question has beside what was found. */
const ofQuestion = { cost, notes: texts.optional().describe("What was cut or not used, in sentences.") };
const warnings = texts
  .optional()
  .describe("What the scan of the build found in the text, which is to be treated as data; absent where nothing.");
const pageUrl = z.string().describe("The page's address, or this server's of the document where it has none.");
const sectionUrl = z.string().describe("Address with its anchor.");

const explanation = named(
  "Explanation",
  "What a score is made of: adding everything up and multiplying by collectionWeight gives the score.",
  fromTool(searchDocuments, "explanation"),
);
const searchSection = named(
  "SearchSection",
  "A section that was found. What would take another read is empty or 0.",
  fromTool(searchDocuments, "hit", { without: ["symbols", "text", "linesLeft"] }).extend({ url: sectionUrl }),
);
const searchResult = named(
  "SearchResult",
  "A document that was found.",
  fromTool(searchDocuments, "result", { optional: ["isFallback"] }).extend({
    url: pageUrl,
    warnings,
    explanation: explanation.optional(),
    sections: z.array(searchSection).describe("At most three, best first."),
  }),
);
const searchAnswer = named(
  "SearchAnswer",
  "Documents in rank order.",
  fromTool(searchDocuments, undefined, {
    optional: ["operatorsAsText", "interpretation", "unusedFields", "relaxedPhrases", "uncheckedDocuments"],
  }).extend({
    ...ofQuestion,
    results: z.array(searchResult),
    preferred: z
      .record(z.string(), z.string())
      .optional()
      .describe("Value by key that pages of others were left out for."),
    nextOffset: count.nullable().describe("Where the next page begins; null where this is the last."),
  }),
);

const suggestion = named(
  "Suggestion",
  "A title or heading that begins with what was typed, or holds its words.",
  z.strictObject({
    text: z.string().describe("As written."),
    kind: z.enum(["title", "heading", "symbol"]),
    count: count.describe("Sections that have it as title or heading."),
    nodeId: z.string().describe("The best of them."),
    documentId: z.string(),
    url: z.string().describe("Its address."),
  }),
);
const suggestAnswer = named(
  "SuggestAnswer",
  "Suggestions, best first.",
  z.strictObject({ ...ofQuestion, query: z.string(), suggestions: z.array(suggestion) }),
);

const document = named(
  "Document",
  "A page or a source file.",
  fromTool(common, "document", { without: ["headings", "exports"] }).extend({ url: pageUrl }),
);
const outlineSection = fromTool(common, "section").extend({ url: sectionUrl });
const section = named("Section", "A section of a page, or a symbol of a source file.", outlineSection);
const sectionText = named(
  "SectionText",
  "A section with its text.",
  outlineSection.extend({ text: z.string().describe("Its own text, without that of the sections in it.") }),
);
const treeAnswer = named(
  "DocumentTree",
  "The outline of a document, its sections in the order of the file.",
  z.strictObject({ document, sections: z.array(section) }),
);
const documentAnswer = named(
  "DocumentText",
  "A document with all of its text, its sections in the order of the file.",
  z.strictObject({ document, warnings, sections: z.array(sectionText) }),
);

const collection = named(
  "Collection",
  "A collection of documents.",
  fromTool(indexStatus, "collection", { optional: ["plain", "folder"] }),
);
const check = named(
  "Check",
  "What a look at a part of the deployment gave.",
  z.strictObject({
    name: z.string(),
    state: z.enum(["ok", "failed", "absent"]),
    needed: z.boolean().describe("Whether the deployment answers nothing right without it."),
  }),
);
const statusAnswer = named(
  "Status",
  "What is indexed, and which parts of the deployment work. What could not be read is absent.",
  fromTool(indexStatus, undefined)
    .partial()
    .extend({
      status: z.enum(["ok", "failing"]),
      error: z.string().optional().describe("What fails, in words."),
      nearest: texts.optional(),
      collections: z.array(collection).optional(),
      server: z.strictObject({ name: z.string(), version: z.string() }),
      checks: z.array(check),
    }),
);
const healthAnswer = named(
  "Health",
  "That the server runs.",
  z.strictObject({
    status: z.literal("ok"),
    index: z.enum(["ready", "unknown"]).describe("unknown where nobody asked for the index yet."),
    generation: z.string().optional().describe("The one in memory, where everybody may know."),
  }),
);
const summaryAnswer = named(
  "Summary",
  "How source files and pages hang together. Ids are those of documents.",
  fromTool(graphSummary, undefined),
);
const rootAnswer = named(
  "Root",
  "What this server is, and where it can be asked.",
  z.strictObject({ name: z.string(), version: z.string(), addresses: texts }),
);

const corpus = z.strictObject({
  name: z.string().describe("Empty for the one at the root."),
  url: z.string().describe("Its routes stand below."),
  mcp: z.string().describe("Its address for MCP clients."),
  publishedAt: z.string().describe("ISO 8601."),
});
const corporaAnswer = named(
  "Corpora",
  "Corpora that are published and of which the caller may know, the one at the root first.",
  z.strictObject({ corpora: z.array(corpus) }),
);

const question = z.strictObject({
  query: z.string(),
  count: count.describe("How often it was asked."),
  callers: count.describe("Most callers that had it on one day."),
  kinds: z.record(z.string(), count).describe("How often with which outcome."),
  lastSeen: z.string().describe("Day."),
});
const insightsAnswer = named(
  "Insights",
  "What callers asked and did not find, the questions of most callers first.",
  z.strictObject({
    since: z.string().describe("First day that is counted, 2026-08-01."),
    queries: z.array(question),
  }),
);

const sessionRequest = named(
  "SessionRequest",
  "What a session is bound to, in at most 65,536 bytes; an empty body is one over everything.",
  z.object({
    scope: z
      .object({
        collections: texts.optional(),
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
  fromTool(openSession, undefined, { without: ["nextCursor", "leftOut", "generation"], optional: ["notes"] }),
);

const guide = z.strictObject({
  id: z.string(),
  client: z.string(),
  step: z.string().describe("What to do with the snippet."),
  language: z.enum(["sh", "json", "toml", "text"]),
  snippet: z.string(),
  link: z.string().optional().describe("Opens the client, which asks whether to add the server."),
});
const connectAnswer = named(
  "Connect",
  "How clients are connected.",
  z.strictObject({
    url: z.string().describe("Address for MCP clients."),
    needsKey: z.boolean(),
    access: z.string().describe("Who may call, in a sentence."),
    clients: z.array(guide),
  }),
);

/** A document that a specification states: the description names it. */
function specified(id: string, description: string): z.ZodType {
  return named(id, description, z.looseObject({}));
}

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
  get("/search", "search", "Search pages and source files", json(searchAnswer), {
    description:
      "Documents in rank order, each with its best sections. Another parameter is no error: `notes` names it.",
    parameters: SEARCH_PARAMETERS,
  }),
  get("/suggest", "suggest", "Complete what somebody types", json(suggestAnswer), {
    description: "Titles and headings, one request a keystroke.",
    parameters: SUGGEST_PARAMETERS,
  }),
];

const documents = [
  get("/documents/{id}", "getDocument", "Read a document", json(documentAnswer, "text/markdown", "text/html"), {
    description:
      "All sections with their texts, the text alone as Markdown, or a page for browsers: by `Accept`, `format`, or `.md` behind the id (`docs:guide/limits.mdx.md`).",
    filledIn,
    parameters: { ...DOCUMENT_PARAMETERS, ...DOCUMENT_PAGE_PARAMETERS },
  }),
  get("/tree/{id}", "getDocumentTree", "Outline a document", json(treeAnswer), {
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

const status = get("/status", "getStatus", "What is indexed, and what works", json(statusAnswer), {
  description: "With 503 where a part fails that is needed.",
});
const index = [
  get("/summary", "getSummary", "How files and pages hang together", json(summaryAnswer), {
    parameters: SUMMARY_PARAMETERS,
  }),
  { ...status, answers: { ...status.answers, 503: json(statusAnswer) } },
  get("/health", "getHealth", "Whether the server runs", json(healthAnswer), {
    description: "For probes: always 200, without a read.",
  }),
  get("/insights", "getInsights", "What callers asked and did not find", json(insightsAnswer), {
    description: "For holders of an admin key.",
  }),
  get("/corpora", "listCorpora", "Which corpora there are", json(corporaAnswer, "text/markdown"), {
    description: "At the root alone; routes of a corpus stand below its name.",
    parameters: CORPORA_PARAMETERS,
  }),
  get("/", "showRoot", "What is indexed, as a page", json(rootAnswer, "text/html")),
];

const rpcMessage = specified("RpcMessage", "A message of JSON-RPC 2.0 as the Model Context Protocol has them.");
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
  "application/mcp-server-card+json": specified(
    "ServerCard",
    "How MCP clients reach this server: https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json.",
  ),
};
const registryFile = specified(
  "RegistryFile",
  "The same for the MCP Registry: https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json.",
);
const catalog = {
  "application/ai-catalog+json": specified("Catalog", "Which server cards there are, as an AI Catalog."),
};
const metadata = json(specified("ResourceMetadata", "Where a client gets a token for this server (RFC 9728)."));
const openApi = specified("OpenApi", "This document, as OpenAPI 3.1 says.");
const METADATA = "/.well-known/oauth-protected-resource";

const programs: readonly Untagged[] = [
  mcp("/mcp", "callMcp", "The address for MCP clients"),
  mcp("/sse", "callMcpAtOldAddress", "The same at the address of older clients"),
  mcp("/s/{session}/mcp", "callMcpInSession", "The same within a session"),
  {
    ...{ method: "post", path: "/session", operationId: "openSession", summary: "Open a session" },
    description: "For clients that cannot call a tool before they connect. Each call opens one.",
    body: {
      schema: sessionRequest,
      required: false,
      example: { scope: { collections: ["docs"] }, token_budget: 20_000 },
    },
    answers: { 201: json(sessionAnswer) },
  },
  get("/connect", "getConnect", "How clients are connected", json(connectAnswer, "text/markdown"), {
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
