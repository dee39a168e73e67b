/** Routes that tell of the index and of the deployment. */
import { z } from "zod";
import { CORPORA_PARAMETERS } from "../corpora.ts";
import { SUMMARY_PARAMETERS } from "../status.ts";
import { count, fromTool, jsonAnswer, named, routesOf } from "./described-route.ts";

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
