/**
 * Schemas of what HTTP answers and takes. Each shape is stated once: `schemas/tools` states what tools answer, and `fromTool` takes it
 * from there; zod states what HTTP alone answers.
 */
import { z } from "zod";
import common from "../../../schemas/tools/common.schema.json" with { type: "json" };
import graphSummary from "../../../schemas/tools/get-graph-summary.schema.json" with { type: "json" };
import indexStatus from "../../../schemas/tools/index-status.schema.json" with { type: "json" };
import openSession from "../../../schemas/tools/open-session.schema.json" with { type: "json" };
import searchDocuments from "../../../schemas/tools/search-documents.schema.json" with { type: "json" };
import { sumCosts } from "../../core/index/cost.ts";

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
export const searchAnswer = named(
  "SearchAnswer",
  "Documents in rank order.",
  fromTool(searchDocuments, undefined, {
    optional: ["operatorsAsText", "interpretation", "unusedFields", "relaxedPhrases", "uncheckedDocuments"],
  }).extend({
    ...ofQuestion,
    results: z.array(searchResult),
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
export const suggestAnswer = named(
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
export const treeAnswer = named(
  "DocumentTree",
  "The outline of a document, its sections in the order of the file.",
  z.strictObject({ document, sections: z.array(section) }),
);
export const documentAnswer = named(
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
export const statusAnswer = named(
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
export const healthAnswer = named(
  "Health",
  "That the server runs.",
  z.strictObject({
    status: z.literal("ok"),
    index: z.enum(["ready", "unknown"]).describe("unknown where nobody asked for the index yet."),
    generation: z.string().optional().describe("The one in memory, where everybody may know."),
  }),
);
export const summaryAnswer = named(
  "Summary",
  "How source files and pages hang together. Ids are those of documents.",
  fromTool(graphSummary, undefined),
);
export const rootAnswer = named(
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
export const corporaAnswer = named(
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
export const insightsAnswer = named(
  "Insights",
  "What callers asked and did not find, the questions of most callers first.",
  z.strictObject({
    since: z.string().describe("First day that is counted, 2026-08-01."),
    queries: z.array(question),
  }),
);

export const sessionRequest = named(
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
export const sessionAnswer = named(
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
export const connectAnswer = named(
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
export function specified(id: string, description: string): z.ZodType {
  return named(id, description, z.looseObject({}));
}
