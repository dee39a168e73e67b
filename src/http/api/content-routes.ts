/** Routes that find pages and sections, and those that give their texts, outlines and maps. */
import { z } from "zod";
import { DOCUMENT_PARAMETERS } from "../documents.ts";
import { DOCUMENT_PAGE_PARAMETERS } from "../explorer/page.ts";
import { FULL_TEXT_PARAMETERS } from "../llms-txt.ts";
import { SEARCH_PARAMETERS, SUGGEST_PARAMETERS } from "../search-api.ts";
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

/** An example of a cost. */
const COST_EXAMPLE = {
  waves: 2,
  reads: 4,
  bytes: 9120,
  cacheHits: 1,
  postingsDecoded: 180,
  bytesInflated: 21_400,
  bytesScanned: 2600,
  candidatesScored: 12,
  maxConcurrentReads: 3,
};

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

const SEARCH_EXAMPLE = {
  total: 12,
  results: [
    {
      id: "docs:guide/limits.md",
      path: "guide/limits.md",
      collection: "docs",
      url: "https://docs.example.com/guide/limits",
      title: "Limits",
      description: "How often a key may ask.",
      score: 14.2,
      meta: { author: "Ada" },
      contentHash: "1f0c5a7be2d94410",
      facets: { type: ["guide"] },
      sections: [
        {
          nodeId: "docs:guide/limits.md#rate-limits",
          heading: "Rate limits",
          headingPath: ["Limits", "Rate limits"],
          url: "https://docs.example.com/guide/limits#rate-limits",
          score: 9.1,
          startLine: 12,
          endLine: 30,
          excerpt: "A key may send <mark>rate</mark> times ten requests.",
          plainExcerpt: "A key may send rate times ten requests.",
        },
      ],
    },
  ],
  facetCounts: { type: { guide: 9, reference: 3 } },
  missingWords: [],
  unusedWords: 0,
  correction: { words: [{ written: "rtae", corrected: "rate" }] },
  cost: COST_EXAMPLE,
  nextOffset: 1,
};

const SUGGEST_EXAMPLE = {
  query: "getting st",
  suggestions: [
    {
      text: "Getting started",
      kind: "title",
      count: 6,
      nodeId: "docs:guide/start.md",
      documentId: "docs:guide/start.md",
      url: "https://docs.example.com/guide/start",
    },
  ],
  cost: COST_EXAMPLE,
};

const DOCUMENT_EXAMPLE = {
  id: "docs:guide/limits.md",
  collection: "docs",
  path: "guide/limits.md",
  title: "Limits",
  description: "How often a key may ask.",
  url: "https://docs.example.com/guide/limits",
  words: 15,
  sections: 1,
  lines: 3,
  contentHash: "1f0c5a7be2d94410",
  facets: { type: ["guide"] },
  meta: { author: "Ada" },
};

const SECTION_EXAMPLE = {
  ordinal: 0,
  nodeId: "docs:guide/limits.md",
  title: "Limits",
  level: 0,
  parent: -1,
  children: [],
  startLine: 1,
  endLine: 3,
  subtreeEndLine: 3,
  words: 15,
  summary: "A key may send ten requests a second.",
  codeLanguages: [],
  url: "https://docs.example.com/guide/limits",
  linksOut: 0,
};

const MARKDOWN_EXAMPLE = "# Limits\n\nA key may send ten requests a second.\n";

const ID = {
  id: {
    description:
      "Id of the document, or a path that one collection alone has. Slashes may stand as they are or escaped; the ending of a page may be left out.",
    example: "docs:guide/limits.md",
  },
};

/** Routes that find. */
const searchRoutes = routesOf("search", [
  {
    path: "/search",
    operationId: "search",
    summary: "Search pages and source files",
    description:
      "Documents in rank order, each with its best sections. Another parameter is no error: `notes` names it.",
    parameters: SEARCH_PARAMETERS,
    answers: { 200: jsonAnswer("What was found.", searchAnswer, SEARCH_EXAMPLE) },
    errors: [400, 404, 503],
    isTagged: true,
  },
  {
    path: "/suggest",
    operationId: "suggest",
    summary: "Complete what somebody types",
    description: "Titles and headings, one request a keystroke.",
    parameters: SUGGEST_PARAMETERS,
    answers: { 200: jsonAnswer("What may be meant.", suggestAnswer, SUGGEST_EXAMPLE) },
    errors: [400, 404, 503],
    isTagged: true,
  },
]);

/** Routes that give texts. */
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
      200: jsonAnswer(
        "The document.",
        documentAnswer,
        { document: DOCUMENT_EXAMPLE, sections: [{ ...SECTION_EXAMPLE, text: MARKDOWN_EXAMPLE }] },
        { "text/markdown": { example: MARKDOWN_EXAMPLE }, "text/html": { example: "<!doctype html>" } },
      ),
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
      200: jsonAnswer("The outline.", treeAnswer, { document: DOCUMENT_EXAMPLE, sections: [SECTION_EXAMPLE] }),
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
    answers: { 200: textAnswer("The page.", "text/markdown", MARKDOWN_EXAMPLE) },
    errors: [404, 413, 503],
    isTagged: true,
  },
  {
    path: "/llms.txt",
    operationId: "getMap",
    summary: "A map of what is indexed, for agents",
    description: "Collections, folders, pages, packages: Markdown of at most 8 kB, after llmstxt.org.",
    answers: {
      200: textAnswer("The map.", "text/plain", "# docs\n\n> 120 documents with 900 sections, as of commit 4f2a9c1.\n"),
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
      200: textAnswer(
        "The texts.",
        "text/plain",
        `${MARKDOWN_EXAMPLE}\n---\n\nThe rest, 3 documents: https://docs.example.com/llms-full.txt?from=docs%3Aguide%2Fstart.md\n`,
      ),
    },
    errors: [400, 404, 503],
    isTagged: true,
  },
]);

/** Routes that find and routes that give texts. */
export const contentRoutes = [...searchRoutes, ...documentRoutes];
