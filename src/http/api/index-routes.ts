/** Routes that tell of the index and of the deployment described. */
import { z } from "zod";
import { CORPORA_PARAMETERS } from "../corpora.ts";
import { SUMMARY_PARAMETERS } from "../graph-summary.ts";
import { count, type DescribedRoute, named } from "./described-route.ts";

const ids = z.array(z.string());
const age = z.int().nullable().describe("Seconds since builtAt; null where that is not known.");
const builtAt = z.string().describe("When the index was built, ISO 8601, or empty.");
const commit = z.string().describe("Commit of the indexed tree, or none.");

const collection = named(
  "Collection",
  "A collection of documents.",
  z.strictObject({
    name: z.string(),
    kind: z.enum(["docs", "code", "site"]),
    weight: z.number().describe("By which scores of its documents are multiplied."),
    baseUrl: z.string().describe("How addresses of its pages begin, or empty."),
    plain: z.literal(true).optional().describe("Of built sites: addresses of pages have no .html."),
    version: z.string().describe("Label, or empty."),
    access: z.string().describe("public, or the name of an access group."),
    commit,
    repository: z.string().describe("Web address, or empty."),
    folder: z.string().optional().describe("Where in the repository its paths begin, if known; empty for the top."),
    language: z.string().describe("In which its words are analysed."),
    documents: count,
    sections: count,
    words: count,
  }),
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

/** Answer of `/status`. Where the index cannot be read, what is in it is absent. */
const statusAnswer = named(
  "Status",
  "What is indexed, and which parts of the deployment work. What could not be read is absent.",
  z.strictObject({
    status: z.enum(["ok", "failing"]),
    error: z.string().optional().describe("What fails, in words."),
    nearest: ids.optional(),
    corpus: z.string().optional().describe("Name of the corpus; absent at the root."),
    id: z.string().optional().describe("Generation of the index."),
    commit: commit.optional(),
    committedAt: z.string().optional().describe("Time of the commit, ISO 8601, or empty."),
    dirty: z.literal(true).optional().describe("Present where files of the commit had been changed."),
    builtAt: builtAt.optional(),
    ageSeconds: age.optional(),
    formatVersion: count.optional(),
    documents: count.optional(),
    sections: count.optional(),
    terms: count.optional().describe("Distinct words, as stems."),
    words: count.optional(),
    skippedFiles: count.optional(),
    diagnostics: count.optional(),
    indexBytes: count.optional(),
    textBytes: count.optional(),
    facetKeysLeftOut: ids.optional().describe("Frontmatter keys with too many values to filter by."),
    collections: z.array(collection).optional(),
    server: z.strictObject({ name: z.string(), version: z.string() }),
    checks: z.array(check),
  }),
);

/** Answer of `/health`. */
const healthAnswer = named(
  "Health",
  "That the server runs.",
  z.strictObject({
    status: z.literal("ok"),
    index: z.enum(["ready", "unknown"]).describe("unknown where nobody asked for the index yet."),
    generation: z.string().optional().describe("The one in memory, where everybody may know."),
  }),
);

/** Answer of `/corpora`. */
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

/** Answer of `/insights`. */
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

const hub = named(
  "Hub",
  "A file or page with many connections.",
  z.strictObject({
    id: z.string(),
    connectionCount: count.describe("fanIn and fanOut together."),
    fanIn: count.describe("Distinct files or pages that lead here."),
    fanOut: count.describe("Distinct ones that it leads to."),
  }),
);

/** Answer of `/summary`. */
const summaryAnswer = named(
  "Summary",
  "How source files and pages hang together. Ids are those of documents.",
  z.strictObject({
    summary: z.string().describe("The whole in a few sentences."),
    metrics: z.strictObject({
      fileCount: count.describe("Source files, imported styles and assets among them."),
      dependencyCount: count.describe("Distinct imports from file to file."),
      fileTypeBreakdown: z.record(z.string(), count).describe("Files by the last ending of their names."),
    }),
    insights: z.strictObject({
      topHubs: z.array(hub).describe("Files with the most connections."),
      circularDependencies: z
        .array(ids)
        .describe(
          "A shortest cycle of each set of files that import each other; the first stands at the end once more.",
        ),
      cycleDetails: z
        .array(
          z.strictObject({
            size: count.describe("Files of the whole set."),
            typeOnly: z.boolean().describe("Whether it is one by imports of types alone."),
          }),
        )
        .describe("Of each cycle, in the same order."),
      orphanFiles: ids.describe("Files without a connection."),
      noImporters: ids.describe("Files that no other imports."),
      possiblyUnused: ids.describe("Those of them that are no entry point, no test and no settings of a tool."),
      entryPoints: ids.describe("Where programs and packages begin."),
      linkHubs: z.array(hub).describe("Pages with the most links."),
      unlinkedPages: ids.describe("Pages that no other links to."),
      brokenLinks: z.array(z.strictObject({ id: z.string(), href: z.string() })).describe("Links that lead nowhere."),
      pages: z.strictObject({ pageCount: count, linkCount: count }).describe("Pages, and links between them."),
      omitted: z.record(z.string(), count).describe("How many entries of a list are not shown, by its name."),
    }),
    metadata: z.strictObject({
      scanDurationMs: count.describe("How long the build took; 0 where the index does not say."),
      cacheUsed: z.boolean().describe("Whether nothing was read from storage."),
      cacheReason: z.enum(["memory", "read", "forced", "damaged"]),
      commit,
      builtAt,
      ageSeconds: age,
      warnings: ids.describe("What is missing, and why."),
    }),
  }),
);

const SUMMARY_EXAMPLE = {
  summary: "40 source files with 61 connections: a simple graph.",
  metrics: { fileCount: 40, dependencyCount: 61, fileTypeBreakdown: { ts: 40 } },
  insights: {
    topHubs: [{ id: "code:src/errors.ts", connectionCount: 18, fanIn: 18, fanOut: 0 }],
    ...{ circularDependencies: [], cycleDetails: [], orphanFiles: [], noImporters: ["code:src/cli.ts"] },
    ...{ possiblyUnused: [], entryPoints: ["code:src/cli.ts"], linkHubs: [], unlinkedPages: [], brokenLinks: [] },
    ...{ pages: { pageCount: 0, linkCount: 0 }, omitted: {} },
  },
  metadata: {
    ...{ scanDurationMs: 480, cacheUsed: false, cacheReason: "read", commit: "4f2a9c1" },
    ...{ builtAt: "2026-08-30T12:00:00.000Z", ageSeconds: 3600, warnings: [] },
  },
};

const STATUS_EXAMPLE = {
  ...{ status: "ok", id: "9f2c61d0a4be", commit: "4f2a9c1", builtAt: "2026-08-30T12:00:00.000Z", ageSeconds: 3600 },
  ...{ formatVersion: 1, documents: 120, sections: 900, terms: 5200, words: 61_000, skippedFiles: 0, diagnostics: 2 },
  ...{ indexBytes: 410_000, textBytes: 300_000, facetKeysLeftOut: [], collections: [] },
  server: { name: "treeline", version: "0.1.0" },
  checks: [{ name: "pointer", state: "ok", needed: true }],
};

/** Routes that tell of the index. */
export const indexRoutes: readonly DescribedRoute[] = [
  {
    ...{ method: "get", path: "/summary", operationId: "getSummary", tag: "index" },
    summary: "How files and pages hang together",
    parameters: SUMMARY_PARAMETERS,
    answers: {
      200: {
        description: "The summary.",
        content: { "application/json": { schema: summaryAnswer, example: SUMMARY_EXAMPLE } },
      },
    },
    errors: [400, 404, 503],
  },
  {
    ...{ method: "get", path: "/status", operationId: "getStatus", tag: "index" },
    summary: "What is indexed, and what works",
    answers: {
      200: {
        description: "All that is needed works.",
        content: { "application/json": { schema: statusAnswer, example: STATUS_EXAMPLE } },
      },
      503: {
        description: "A part fails that is needed.",
        content: {
          "application/json": {
            schema: statusAnswer,
            example: {
              ...{ status: "failing", error: "No index was published yet.", nearest: [] },
              server: { name: "treeline", version: "0.1.0" },
              checks: [{ name: "pointer", state: "absent", needed: true }],
            },
          },
        },
      },
    },
    errors: [404],
  },
  {
    ...{ method: "get", path: "/health", operationId: "getHealth", tag: "index" },
    summary: "Whether the server runs",
    description: "For probes: always 200, without a read.",
    answers: {
      200: {
        description: "It runs.",
        content: {
          "application/json": {
            schema: healthAnswer,
            example: { status: "ok", index: "ready", generation: "9f2c61d0a4be" },
          },
        },
      },
    },
    ...{ errors: [404], isOpen: true },
  },
  {
    ...{ method: "get", path: "/insights", operationId: "getInsights", tag: "index" },
    summary: "What callers asked and did not find",
    description: "For holders of an admin key.",
    answers: {
      200: {
        description: "Questions, those of most callers first.",
        content: {
          "application/json": {
            schema: insightsAnswer,
            example: {
              since: "2026-08-01",
              queries: [{ query: "webhook", count: 9, callers: 4, kinds: { "no-results": 9 }, lastSeen: "2026-08-30" }],
            },
          },
        },
      },
    },
    errors: [403, 404],
  },
  {
    ...{ method: "get", path: "/corpora", operationId: "listCorpora", tag: "index" },
    summary: "Which corpora there are",
    description: "At the root alone; routes of a corpus stand below its name.",
    parameters: CORPORA_PARAMETERS,
    answers: {
      200: {
        description: "The corpora.",
        content: {
          "application/json": {
            schema: corporaAnswer,
            example: {
              corpora: [
                {
                  ...{ name: "v2", url: "https://docs.example.com/v2", mcp: "https://docs.example.com/v2/mcp" },
                  publishedAt: "2026-08-30T12:00:00.000Z",
                },
              ],
            },
          },
          "text/markdown": { example: "- v2: https://docs.example.com/v2, MCP https://docs.example.com/v2/mcp\n" },
        },
      },
    },
    ...{ errors: [503], isTagged: true },
  },
];
