/** `/search` and `/suggest` described. */
import { z } from "zod";
import { SEARCH_PARAMETERS, SUGGEST_PARAMETERS } from "../search-api.ts";
import { COST_EXAMPLE, cost, count, type DescribedRoute, facets, named, notes, warnings } from "./described-route.ts";

const words = z.array(z.string());
const fieldScores = {
  body: z.number().describe("From the text."),
  title: z.number().describe("From the title."),
  path: z.number().describe("From the path."),
  description: z.number().describe("From the description."),
};

const explanation = named(
  "Explanation",
  "What a score is made of: adding everything up and multiplying by collectionWeight gives the score.",
  z.strictObject({
    words: z
      .array(
        z.strictObject({ word: z.string(), terms: words.describe("Terms that it was looked up as."), ...fieldScores }),
      )
      .describe("What each word gives the document."),
    wholeTitle: z.number().describe("For a title that is the query."),
    pairs: z.number().describe("For neighbouring words that stand beside one another."),
    sections: z
      .array(
        z.strictObject({
          ordinal: count.describe("Position in the document, 0 for its beginning."),
          share: z.number().describe("How much of it the document gets."),
          text: z.number(),
          heading: z.number(),
          title: z.number(),
          coverage: z.number().describe("For holding all words."),
        }),
      )
      .describe("Best sections, best first."),
    sectionsTotal: z.number().describe("What the sections add to the document."),
    collectionWeight: z.number().describe("Weight of the collection."),
  }),
);

const searchSection = named(
  "SearchSection",
  "A section that was found. What would take another read is empty or 0.",
  z.strictObject({
    nodeId: z.string().describe("Id, which the tools and /tree take."),
    heading: z.string(),
    headingPath: words.describe("Headings from the page's title down to this one."),
    url: z.string().describe("Address with its anchor."),
    score: z.number(),
    startLine: count.describe("First line in the file, from 1 on; 0 where it was not read."),
    endLine: count.describe("Last line."),
    excerpt: z.string().describe("HTML in which all is escaped but the marks: <mark>word</mark>."),
    plainExcerpt: z.string().describe("The same as text, without marks."),
  }),
);

const searchResult = named(
  "SearchResult",
  "A document that was found.",
  z.strictObject({
    id: z.string().describe("collection:path"),
    path: z.string().describe("Relative to the collection's root."),
    collection: z.string(),
    url: z.string().describe("The page's address, or this server's of the document where it has none."),
    title: z.string(),
    description: z.string(),
    score: z.number(),
    meta: z.record(z.string(), z.unknown()).describe("Frontmatter that is kept."),
    contentHash: z.string().describe("First 16 hexadecimal digits of the file's SHA-256; empty where it was not read."),
    facets,
    warnings,
    isFallback: z.boolean().optional().describe("True where only longer words were found."),
    explanation: explanation.optional(),
    sections: z.array(searchSection).describe("At most three, best first."),
  }),
);

const interpretation = z
  .strictObject({
    words: words.describe("Words that are scored."),
    required: z.array(words).describe("Phrases that must be there, each with its alternatives."),
    excluded: words.describe("What must not be there."),
    fields: z
      .array(z.strictObject({ field: z.string(), values: words, negated: z.boolean() }))
      .describe("Facets that were asked for in the query."),
    beginnings: words.describe("Beginnings of words, asked for with *."),
  })
  .optional()
  .describe("How a query with operators was understood.");

/** Answer of `/search`. */
const searchAnswer = named(
  "SearchAnswer",
  "Documents in rank order.",
  z.strictObject({
    total: count.describe("Documents that match."),
    results: z.array(searchResult),
    facetCounts: z
      .record(z.string(), z.record(z.string(), count))
      .describe("Documents by value, by facet key; empty where counting takes another read."),
    missingWords: words.describe("Words that no document holds."),
    unusedWords: count.describe("Words of a very long query that were not looked up."),
    correction: z
      .strictObject({
        words: z.array(
          z.strictObject({ written: z.string(), corrected: z.string().describe("What was searched for instead.") }),
        ),
      })
      .nullable()
      .describe("Null where every word was searched for as it is written."),
    interpretation,
    unusedFields: z
      .array(z.strictObject({ field: z.string(), value: z.string(), nearest: words }))
      .optional()
      .describe("Facets in the query that no document has."),
    relaxedPhrases: z.array(words).optional().describe("Phrases that nothing holds: results are without them."),
    operatorsAsText: z.boolean().optional().describe("True where signs were taken as text."),
    uncheckedDocuments: count.optional().describe("Documents that were not looked through for a phrase."),
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

/** Answer of `/suggest`. */
const suggestAnswer = named(
  "SuggestAnswer",
  "Suggestions, best first.",
  z.strictObject({ query: z.string(), suggestions: z.array(suggestion), cost, notes }),
);

const SEARCH_EXAMPLE = {
  total: 12,
  results: [
    {
      ...{ id: "docs:guide/limits.md", path: "guide/limits.md", collection: "docs" },
      ...{ url: "https://docs.example.com/guide/limits", title: "Limits", description: "How often a key may ask." },
      ...{ score: 14.2, meta: { author: "Ada" }, contentHash: "1f0c5a7be2d94410", facets: { type: ["guide"] } },
      sections: [
        {
          ...{
            nodeId: "docs:guide/limits.md#rate-limits",
            heading: "Rate limits",
            headingPath: ["Limits", "Rate limits"],
          },
          ...{ url: "https://docs.example.com/guide/limits#rate-limits", score: 9.1, startLine: 12, endLine: 30 },
          excerpt: "A key may send <mark>rate</mark> times ten requests.",
          plainExcerpt: "A key may send rate times ten requests.",
        },
      ],
    },
  ],
  facetCounts: { type: { guide: 9, reference: 3 } },
  ...{ missingWords: [], unusedWords: 0, correction: { words: [{ written: "rtae", corrected: "rate" }] } },
  ...{ cost: COST_EXAMPLE, nextOffset: 1 },
};

const SUGGEST_EXAMPLE = {
  query: "getting st",
  suggestions: [
    {
      ...{ text: "Getting started", kind: "title", count: 6, nodeId: "docs:guide/start.md" },
      ...{ documentId: "docs:guide/start.md", url: "https://docs.example.com/guide/start" },
    },
  ],
  cost: COST_EXAMPLE,
};

/** Routes that look for something. */
export const searchRoutes: readonly DescribedRoute[] = [
  {
    ...{ method: "get", path: "/search", operationId: "search", tag: "search" },
    summary: "Search pages and source files",
    description:
      "Documents in rank order, each with its best sections. Another parameter is no error: `notes` names it.",
    parameters: SEARCH_PARAMETERS,
    answers: {
      200: {
        description: "What was found.",
        content: { "application/json": { schema: searchAnswer, example: SEARCH_EXAMPLE } },
      },
    },
    ...{ errors: [400, 404, 503], isTagged: true },
  },
  {
    ...{ method: "get", path: "/suggest", operationId: "suggest", tag: "search" },
    summary: "Complete what somebody types",
    description: "Titles and headings, one request a keystroke.",
    parameters: SUGGEST_PARAMETERS,
    answers: {
      200: {
        description: "What may be meant.",
        content: { "application/json": { schema: suggestAnswer, example: SUGGEST_EXAMPLE } },
      },
    },
    ...{ errors: [400, 404, 503], isTagged: true },
  },
];
