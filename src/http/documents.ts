/**
 * Routes `/documents/{id}` and `/tree/{id}`: one document whole, and its outline.
 */
import type { IndexReader } from "../core/index/index-reader.ts";
import { quoteName } from "../core/text/quote-value.ts";
import { findNearestDocuments } from "../core/tree/catalogue.ts";
import { loadOutline, readSections, resolveDocumentId } from "../core/tree/documents.ts";
import type { DocumentEntry, DocumentOutline, OutlineSection } from "../core/tree/model.ts";
import type { JsonObject } from "../render/answer.ts";
import { cleanText } from "../render/text.ts";
import { idFromAddress, ownPage } from "./addresses.ts";
import { answerFromIndex, type HttpServices, respondJson, respondProblem } from "./respond.ts";

const DOCUMENTS = "/documents/";
const TREE = "/tree/";
const MAX_NEAREST = 5;
const MARKDOWN = "text/markdown";
/** Characters of an answer at most: an isolate holds a few of them at once. */
const MAX_ANSWER = 4 * 1024 * 1024;
/** Sections of an outline at most: of some hundred characters each. */
const MAX_TREE_SECTIONS = 10_000;
/** A word and what stands before it has more characters than this on average, so more words are too long for an answer. */
const LEAST_CHARACTERS_A_WORD = 2;

/** The answer to `GET /documents/{id}`: JSON with the text of every section, or the text alone as Markdown. */
export function answerDocument(request: Request, services: HttpServices): Promise<Response> {
  const markdown = wantsMarkdown(request);
  const { base } = services;
  const run = async (reader: IndexReader): Promise<Response> => {
    const found = await find(reader, idFromAddress(request.url, base, DOCUMENTS));
    if (found instanceof Response) return found;
    const words = found.sections.reduce((sum, section) => sum + section.words, 0);
    // Not even read where it cannot fit.
    if (words * LEAST_CHARACTERS_A_WORD > MAX_ANSWER) return refuseSize(found, base);
    const ordinals = found.sections.map(({ ordinal }) => ordinal);
    const texts = await readSections(reader, found, ordinals);
    if (texts.reduce((sum, { text }) => sum + text.length, 0) > MAX_ANSWER) return refuseSize(found, base);
    if (markdown) {
      const text = cleanText(texts.map((section) => section.text).join("")).text;
      return new Response(text, { headers: { "Content-Type": `${MARKDOWN}; charset=utf-8` } });
    }
    return respondJson({
      document: toDocument(found.document, base),
      sections: texts.map(({ section, text }) => ({ ...toSection(found, section, base), text })),
    });
  };
  return answerFromIndex(request, services, { where: DOCUMENTS, variant: markdown ? "markdown" : "json", run });
}

/** The answer to `GET /tree/{id}`: the outline without any text. */
export function answerTree(request: Request, services: HttpServices): Promise<Response> {
  const { base } = services;
  const run = async (reader: IndexReader): Promise<Response> => {
    const found = await find(reader, idFromAddress(request.url, base, TREE));
    if (found instanceof Response) return found;
    if (found.sections.length > MAX_TREE_SECTIONS) return refuseSize(found, base);
    return respondJson({
      document: toDocument(found.document, base),
      sections: found.sections.map((section) => toSection(found, section, base)),
    });
  };
  return answerFromIndex(request, services, { where: TREE, run });
}

/** What to do about a document that is larger than any answer. */
function refuseSize({ document: { id } }: DocumentOutline, base: string): Response {
  const outline = `the outline at ${new URL(base).pathname.replace(/\/$/, "")}${TREE}${id}`;
  return respondProblem(
    {
      kind: "bad-input",
      message: `${quoteName(id)} is larger than an answer may be. Choose sections in ${outline}, or with the tool get_tree and a max_depth, and read those with get_node_content.`,
      nearest: [],
      example: undefined,
    },
    413,
  );
}

/** The outline of a document, or the response that says that there is none of this name. */
async function find(reader: IndexReader, asked: string): Promise<DocumentOutline | Response> {
  const id = await resolveDocumentId(reader, asked);
  const outline = id === undefined ? undefined : await loadOutline(reader, id);
  if (outline !== undefined) return outline;
  return respondProblem(
    {
      kind: "bad-input",
      message: `There is no document ${quoteName(asked)}.`,
      nearest: await findNearestDocuments(reader, asked, MAX_NEAREST),
      example: undefined,
    },
    404,
  );
}

/** Whether a request asks for Markdown, by its address or its header. */
export function wantsMarkdown(request: Request): boolean {
  const format = new URL(request.url).searchParams.get("format");
  if (format !== null) return format === "markdown" || format === "md";
  return (request.headers.get("Accept") ?? "").includes(MARKDOWN);
}

function toDocument(document: DocumentEntry, base: string): JsonObject {
  return { ...document, url: document.url === "" ? ownPage(base, document.id) : document.url };
}

function toSection({ document }: DocumentOutline, section: OutlineSection, base: string): JsonObject {
  const url = section.url === "" ? ownPage(base, document.id, section.nodeId) : section.url;
  return { ...section, url };
}
