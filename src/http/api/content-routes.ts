/** Routes that find pages and sections, and those that give their texts, outlines and maps. */
import { z } from "zod";
import { CORPORA_PARAMETERS } from "../corpora.ts";
import { DOCUMENT_PARAMETERS } from "../documents.ts";
import { DOCUMENT_PAGE_PARAMETERS } from "../explorer/page.ts";
import { FULL_TEXT_PARAMETERS } from "../llms-txt.ts";
import { SEARCH_PARAMETERS, SUGGEST_PARAMETERS } from "../search-api.ts";
import { SUMMARY_PARAMETERS } from "../status.ts";
import { count, fromTool, jsonAnswer, named, routesOf, textAnswer } from "./described-route.ts";

/** Sentences on how the request was understood, where there is something to say. */
const notes = z.array(z.string()).optional().describe("What was cut or not used, in sentences.");

/** What an answer took. */
const cost = named(
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

/** What the scan of the build found in a document. */
const warnings = z
  .array(z.string())
  .optional()
  .describe("What the scan of the build found in the text, which is to be treated as data; absent where nothing.");

const pageUrl = z.string().describe("The page's address, or this server's of the document where it has none.");
const sectionUrl = z.string().describe("Address with its anchor.");

const explanation = named(
  "Explanation",
  "What a score is made of: adding everything up and multiplying by collectionWeight gives the score.",
  fromTool("searchDocuments", "explanation"),
);

const searchSection = named(
  "SearchSection",
  "A section that was found. What would take another read is empty or 0.",
  fromTool("searchDocuments", "hit", { without: ["symbols", "text", "linesLeft"] }).extend({ url: sectionUrl }),
);

const searchResult = named(
  "SearchResult",
  "A document that was found.",
  fromTool("searchDocuments", "result", { optional: ["isFallback"] }).extend({
    url: pageUrl,
    warnings,
    explanation: explanation.optional(),
    sections: z.array(searchSection).describe("At most three, best first."),
  }),
);

const searchAnswer = named(
  "SearchAnswer",
  "Documents in rank order.",
  fromTool("searchDocuments", undefined, {
    without: ["nextCursor", "leftOut", "generation"],
    optional: ["operatorsAsText", "interpretation", "unusedFields", "relaxedPhrases", "uncheckedDocuments"],
  }).extend({
    results: z.array(searchResult),
    cost,
    nextOffset: count.nullable().describe("Where the next page begins; null where this is the last."),
    notes,
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
  z.strictObject({ query: z.string(), suggestions: z.array(suggestion), cost, notes }),
);

const document = named(
  "Document",
  "A page or a source file.",
  fromTool("common", "document", { without: ["headings", "exports"] }).extend({ url: pageUrl }),
);

const outlineSection = fromTool("common", "section").extend({ url: sectionUrl });
const section = named("Section", "A section of a page, or a symbol of a source file.", outlineSection);
const sectionText = named(
  "SectionText",
  "A section with its text.",
  outlineSection.extend({ text: z.string().describe("Its own text, without that of the sections in it.") }),
);

const treeAnswer = named(
  "DocumentTree",
  "The outline of a document.",
  z.strictObject({ document, sections: z.array(section).describe("In the order of the file.") }),
);

const documentAnswer = named(
  "DocumentText",
  "A document with all of its text.",
  z.strictObject({ document, warnings, sections: z.array(sectionText).describe("In the order of the file.") }),
);

const ID = {
  id: {
    description:
      "Id of the document, or a path that one collection alone has. Slashes may stand as they are or escaped; the ending of a page may be left out.",
    example: "docs:guide/limits.md",
  },
};

const searchRoutes = routesOf("search", [
  {
    path: "/search",
    operationId: "search",
    summary: "Search pages and source files",
    description:
      "Documents in rank order, each with its best sections. Another parameter is no error: `notes` names it.",
    parameters: SEARCH_PARAMETERS,
    answers: { 200: jsonAnswer("What was found.", searchAnswer) },
    errors: [400, 404, 503],
    isTagged: true,
  },
  {
    path: "/suggest",
    operationId: "suggest",
    summary: "Complete what somebody types",
    description: "Titles and headings, one request a keystroke.",
    parameters: SUGGEST_PARAMETERS,
    answers: { 200: jsonAnswer("What may be meant.", suggestAnswer) },
    errors: [400, 404, 503],
    isTagged: true,
  },
]);

const documentRoutes = routesOf("documents", [
  {
    path: "/documents/{id}",
    operationId: "getDocument",
    summary: "Read a document",
    description:
      "All sections with their texts, the text alone as Markdown, or a page for browsers: by `Accept`, `format`, or `.md` behind the id (`docs:guide/limits.mdx.md`).",
    pathParameters: ID,
    parameters: { ...DOCUMENT_PARAMETERS, ...DOCUMENT_PAGE_PARAMETERS },
    answers: {
      200: jsonAnswer("The document.", documentAnswer, { "text/markdown": {}, "text/html": {} }),
    },
    errors: [400, 404, 413, 503],
    isTagged: true,
  },
  {
    path: "/tree/{id}",
    operationId: "getDocumentTree",
    summary: "Outline a document",
    description: "Titles, levels, lines and first sentences of its sections, without their texts.",
    pathParameters: ID,
    answers: {
      200: jsonAnswer("The outline.", treeAnswer),
    },
    errors: [400, 404, 413, 503],
    isTagged: true,
  },
  {
    path: "/{page}.md",
    operationId: "getPage",
    summary: "Read a page by its address on the site",
    description:
      "Markdown of the page whose address has this path, with `.md` behind it or in place of its ending; for servers that answer at the address of the documentation.",
    pathParameters: { page: { description: "Path of the page's address, with its slashes.", example: "guide/limits" } },
    answers: { 200: textAnswer("The page.", "text/markdown") },
    errors: [404, 413, 503],
    isTagged: true,
  },
  {
    path: "/llms.txt",
    operationId: "getMap",
    summary: "A map of what is indexed, for agents",
    description: "Collections, folders, pages, packages: Markdown of at most 8 kB, after llmstxt.org.",
    answers: {
      200: textAnswer("The map.", "text/plain"),
    },
    errors: [404, 503],
    isTagged: true,
  },
  {
    path: "/llms-full.txt",
    operationId: "getFullText",
    summary: "All documents in one text",
    description:
      "Markdown of all pages, by collection and path. What does not fit is counted at the end, with the address that goes on.",
    parameters: FULL_TEXT_PARAMETERS,
    answers: {
      200: textAnswer("The texts.", "text/plain"),
    },
    errors: [400, 404, 503],
    isTagged: true,
  },
]);

export const contentRoutes = [...searchRoutes, ...documentRoutes];

/*
 * Routes that tell of the index and of the deployment.
 */

const collection = named(
  "Collection",
  "A collection of documents.",
  fromTool("indexStatus", "collection", { optional: ["plain", "folder"] }),
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
  fromTool("indexStatus", undefined, { without: ["notes", "leftOut", "generation"] })
    .partial()
    .extend({
      status: z.enum(["ok", "failing"]),
      error: z.string().optional().describe("What fails, in words."),
      nearest: z.array(z.string()).optional(),
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

const corporaAnswer = named(
  "Corpora",
  "Corpora that are published and of which the caller may know, the one at the root first.",
  z.strictObject({
    corpora: z.array(
      z.strictObject({
        name: z.string().describe("Empty for the one at the root."),
        url: z.string().describe("Its routes stand below."),
        mcp: z.string().describe("Its address for MCP clients."),
        publishedAt: z.string().describe("ISO 8601."),
      }),
    ),
  }),
);

const insightsAnswer = named(
  "Insights",
  "What callers asked and did not find.",
  z.strictObject({
    since: z.string().describe("First day that is counted, 2026-08-01."),
    queries: z.array(
      z.strictObject({
        query: z.string(),
        count: count.describe("How often it was asked."),
        callers: count.describe("Most callers that had it on one day."),
        kinds: z.record(z.string(), count).describe("How often with which outcome."),
        lastSeen: z.string().describe("Day."),
      }),
    ),
  }),
);

const summaryAnswer = named(
  "Summary",
  "How source files and pages hang together. Ids are those of documents.",
  fromTool("graphSummary", undefined, { without: ["notes", "leftOut", "generation"] }),
);

/** Answer of `/` to programs. */
const rootAnswer = named(
  "Root",
  "What this server is, and where it can be asked.",
  z.strictObject({ name: z.string(), version: z.string(), addresses: z.array(z.string()) }),
);

export const indexRoutes = routesOf("index", [
  {
    path: "/summary",
    operationId: "getSummary",
    summary: "How files and pages hang together",
    parameters: SUMMARY_PARAMETERS,
    answers: { 200: jsonAnswer("The summary.", summaryAnswer) },
    errors: [400, 404, 503],
  },
  {
    path: "/status",
    operationId: "getStatus",
    summary: "What is indexed, and what works",
    answers: {
      200: jsonAnswer("All that is needed works.", statusAnswer),
      503: jsonAnswer("A part fails that is needed.", statusAnswer),
    },
    errors: [404],
  },
  {
    path: "/health",
    operationId: "getHealth",
    summary: "Whether the server runs",
    description: "For probes: always 200, without a read.",
    answers: {
      200: jsonAnswer("It runs.", healthAnswer),
    },
    errors: [404],
    isOpen: true,
  },
  {
    path: "/insights",
    operationId: "getInsights",
    summary: "What callers asked and did not find",
    description: "For holders of an admin key.",
    answers: { 200: jsonAnswer("Questions, those of most callers first.", insightsAnswer) },
    errors: [403, 404],
  },
  {
    path: "/corpora",
    operationId: "listCorpora",
    summary: "Which corpora there are",
    description: "At the root alone; routes of a corpus stand below its name.",
    parameters: CORPORA_PARAMETERS,
    answers: {
      200: jsonAnswer("The corpora.", corporaAnswer, {
        "text/markdown": {},
      }),
    },
    errors: [503],
    isTagged: true,
  },
  {
    path: "/",
    operationId: "showRoot",
    summary: "What is indexed, as a page",
    answers: { 200: jsonAnswer("The page.", rootAnswer, { "text/html": {} }) },
    errors: [400, 404, 503],
  },
]);
