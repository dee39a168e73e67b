/** Routes that tell of the index and of the deployment, and what `pagefind.js` asks a Worker. */
import { z } from "zod";
import { CORPORA_PARAMETERS } from "../corpora.ts";
import { EXPLORER_PAGES } from "../explorer/explorer-pages.ts";
import { EXPLORER_PATH } from "../explorer/links.ts";
import { EXPLORER_FILE_PATHS, PAGE_SCRIPT_PATHS } from "../page-files.ts";
import { PAGEFIND_PARAMETERS, PAGEFIND_PATH } from "../pagefind-api.ts";
import { SUMMARY_PARAMETERS } from "../status.ts";
import { count, fromTool, jsonAnswer, named, routesOf, textAnswer } from "./described-route.ts";

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
]);

/** Answer of `/` to programs. */
const rootAnswer = named(
  "Root",
  "What this server is, and where it can be asked.",
  z.strictObject({ name: z.string(), version: z.string(), addresses: z.array(z.string()) }),
);

/** Files that pages load: those of the explorer may also be among the modules for all pages. */
const FILE_PATHS = [...new Set([...EXPLORER_FILE_PATHS, ...PAGE_SCRIPT_PATHS])];

const FILE_TYPES: Readonly<Record<string, string>> = { ".css": "text/css", ".ico": "image/svg+xml" };

export const pageRoutes = routesOf("pages", [
  ...EXPLORER_PAGES.map(({ path, parameters = {} }) => {
    const template = path.replace("*", "{rest}");
    const page = { "text/html": {} };
    return {
      path: template,
      operationId: nameOf(path, "show"),
      summary: path === "/" ? "What is indexed, as a page" : `Page of the explorer: ${path}`,
      ...(template !== path && {
        pathParameters: { rest: { description: "What the page is about.", example: "docs:guide/limits.md" } },
      }),
      // A page without a query is a form, where a program would be refused.
      parameters: Object.fromEntries(
        Object.entries(parameters).map(([name, { required: _, ...parameter }]) => [name, parameter]),
      ),
      answers:
        path === EXPLORER_PATH
          ? { 308: { description: "The explorer begins at the root.", content: {} } }
          : {
              200:
                path === "/" ? jsonAnswer("The page.", rootAnswer, page) : { description: "The page.", content: page },
            },
      errors: [400, 404, 503] as const,
    };
  }),
  ...FILE_PATHS.map((path) => ({
    path,
    operationId: nameOf(path, "load"),
    summary: `A file that pages load: ${path.slice(1)}`,
    answers: {
      200: textAnswer("The file.", FILE_TYPES[path.slice(path.lastIndexOf("."))] ?? "text/javascript"),
    },
    errors: [404] as const,
    isOpen: true as const,
    isTagged: true as const,
  })),
]);

/** `showExplorerSearch` of `/explorer/search`: a name for generated clients. */
function nameOf(path: string, verb: string): string {
  const words = path
    .replace(/\*$/, "rest")
    .split(/[^a-z0-9]+/i)
    .filter((word) => word !== "");
  return `${verb}${(words.length === 0 ? ["root"] : words).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}`;
}

/** Not described: the module that asks is of the same version, and other programs ask `/search`. */
const pagefindAnswer = named(
  "PagefindAnswer",
  "The answer to the one member that the question has.",
  z.looseObject({}),
);

export const pagefindRoutes = routesOf("pages", [
  {
    path: PAGEFIND_PATH,
    operationId: "askPagefind",
    summary: "What pagefind.js asks",
    description: "The business of that module, which may change with it: other programs ask `/search`.",
    parameters: PAGEFIND_PARAMETERS,
    answers: { 200: jsonAnswer("The answer.", pagefindAnswer) },
    errors: [400, 404, 503],
    isTagged: true,
  },
]);
