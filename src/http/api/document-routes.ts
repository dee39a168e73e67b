/** Routes that give texts described: documents, outlines, maps. */
import { z } from "zod";
import { DOCUMENT_PARAMETERS } from "../documents.ts";
import { DOCUMENT_PAGE_PARAMETERS } from "../explorer/page.ts";
import { FULL_TEXT_PARAMETERS } from "../llms-txt.ts";
import { count, type DescribedAnswer, type DescribedRoute, facets, named, warnings } from "./described-route.ts";

const document = named(
  "Document",
  "A page or a source file.",
  z.strictObject({
    id: z.string().describe("collection:path"),
    collection: z.string(),
    path: z.string().describe("Relative to the collection's root."),
    title: z.string(),
    description: z.string(),
    url: z.string().describe("The page's address, or this server's of the document where it has none."),
    words: count,
    sections: count.describe("Number of sections, the root among them."),
    lines: count.describe("Lines of the file."),
    contentHash: z.string().describe("First 16 hexadecimal digits of the file's SHA-256."),
    facets,
    meta: z.record(z.string(), z.unknown()).describe("Frontmatter that is kept."),
  }),
);

const outlineSection = {
  ordinal: count.describe("Position in the document, 0 for its beginning."),
  nodeId: z.string().describe("Id, which the tools take."),
  title: z.string().describe("Heading, or name of a symbol."),
  level: count.describe("Of the heading; 0 for the beginning of the document."),
  parent: z.int().min(-1).describe("Ordinal of the section that it is in, -1 for none."),
  children: z.array(count).describe("Ordinals of the sections in it."),
  startLine: count.describe("First line of its own text, from 1 on."),
  endLine: count.describe("Last line of its own text."),
  subtreeEndLine: count.describe("Last line with all sections in it."),
  words: count,
  summary: z.string().describe("First sentence, or empty."),
  codeLanguages: z.array(z.string()).describe("Languages of the examples in it."),
  url: z.string().describe("Address with its anchor."),
  linksOut: count.describe("Links that lead out of it."),
};

const section = named("Section", "A section of a page, or a symbol of a source file.", z.strictObject(outlineSection));
const sectionText = named(
  "SectionText",
  "A section with its text.",
  z.strictObject({ ...outlineSection, text: z.string().describe("Its own text, without that of the sections in it.") }),
);

/** Answer of `/tree/{id}`. */
const treeAnswer = named(
  "DocumentTree",
  "The outline of a document.",
  z.strictObject({ document, sections: z.array(section).describe("In the order of the file.") }),
);

/** Answer of `/documents/{id}`. */
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
const DOCUMENT_EXAMPLE = {
  ...{ id: "docs:guide/limits.md", collection: "docs", path: "guide/limits.md", title: "Limits" },
  ...{ description: "How often a key may ask.", url: "https://docs.example.com/guide/limits" },
  ...{ words: 15, sections: 1, lines: 3, contentHash: "1f0c5a7be2d94410" },
  ...{ facets: { type: ["guide"] }, meta: { author: "Ada" } },
};
const SECTION_EXAMPLE = {
  ...{ ordinal: 0, nodeId: "docs:guide/limits.md", title: "Limits", level: 0, parent: -1, children: [] },
  ...{ startLine: 1, endLine: 3, subtreeEndLine: 3, words: 15, summary: "A key may send ten requests a second." },
  ...{ codeLanguages: [], url: "https://docs.example.com/guide/limits", linksOut: 0 },
};
const MARKDOWN_EXAMPLE = "# Limits\n\nA key may send ten requests a second.\n";

function textAnswer(description: string, type: string, example: string): DescribedAnswer {
  return { description, content: { [type]: { example } } };
}

/** Routes that give texts. */
export const documentRoutes: readonly DescribedRoute[] = [
  {
    ...{ method: "get", path: "/documents/{id}", operationId: "getDocument", tag: "documents" },
    summary: "Read a document",
    description:
      "All sections with their texts, the text alone as Markdown, or a page for browsers: by `Accept`, `format`, or `.md` behind the id (`docs:guide/limits.mdx.md`).",
    pathParameters: ID,
    parameters: { ...DOCUMENT_PARAMETERS, ...DOCUMENT_PAGE_PARAMETERS },
    answers: {
      200: {
        description: "The document.",
        content: {
          "application/json": {
            schema: documentAnswer,
            example: { document: DOCUMENT_EXAMPLE, sections: [{ ...SECTION_EXAMPLE, text: MARKDOWN_EXAMPLE }] },
          },
          "text/markdown": { example: MARKDOWN_EXAMPLE },
          "text/html": { example: "<!doctype html>" },
        },
      },
    },
    ...{ errors: [400, 404, 413, 503], isTagged: true },
  },
  {
    ...{ method: "get", path: "/tree/{id}", operationId: "getDocumentTree", tag: "documents" },
    summary: "Outline a document",
    description: "Titles, levels, lines and first sentences of its sections, without their texts.",
    pathParameters: ID,
    answers: {
      200: {
        description: "The outline.",
        content: {
          "application/json": {
            schema: treeAnswer,
            example: { document: DOCUMENT_EXAMPLE, sections: [SECTION_EXAMPLE] },
          },
        },
      },
    },
    ...{ errors: [400, 404, 413, 503], isTagged: true },
  },
  {
    ...{ method: "get", path: "/{page}.md", operationId: "getPage", tag: "documents" },
    summary: "Read a page by its address on the site",
    description:
      "Markdown of the page whose address has this path, with `.md` behind it or in place of its ending; for servers that answer at the address of the documentation.",
    pathParameters: { page: { description: "Path of the page's address, with its slashes.", example: "guide/limits" } },
    answers: { 200: textAnswer("The page.", "text/markdown", MARKDOWN_EXAMPLE) },
    ...{ errors: [404, 413, 503], isTagged: true },
  },
  {
    ...{ method: "get", path: "/llms.txt", operationId: "getMap", tag: "documents" },
    summary: "A map of what is indexed, for agents",
    description: "Collections, folders, pages, packages: Markdown of at most 8 kB, after llmstxt.org.",
    answers: {
      200: textAnswer("The map.", "text/plain", "# docs\n\n> 120 documents with 900 sections, as of commit 4f2a9c1.\n"),
    },
    ...{ errors: [404, 503], isTagged: true },
  },
  {
    ...{ method: "get", path: "/llms-full.txt", operationId: "getFullText", tag: "documents" },
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
    ...{ errors: [400, 404, 503], isTagged: true },
  },
];
