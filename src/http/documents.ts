/**
 * Routes `/documents/{id}` and `/tree/{id}`: one document whole, and its outline.
 */

import { findNearestDocuments } from "../core/docs/catalogue.ts";
import { loadMarked } from "../core/docs/marked-documents.ts";
import type { DocumentEntry, DocumentOutline, OutlineSection } from "../core/docs/model.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { quoteName } from "../core/text/quote-value.ts";
import type { AddressParameters } from "../surface/parameters.ts";
import type { JsonObject } from "../surface/render/answer.ts";
import { idFromAddress, ownPage } from "./addresses.ts";
import { type FoundDocument, findDocument } from "./find-document.ts";
import { readWhole, refuseSize, respondMarkdown } from "./markdown-text.ts";
import { JSON_TYPE, MARKDOWN_TYPE, prefers } from "./negotiate.ts";
import { FORMAT_PARAMETER } from "./read-parameters.ts";
import { answerFromIndex, type HttpServices, respondJson, respondProblem } from "./respond.ts";

const DOCUMENTS = "/documents/";
const TREE = "/tree/";
const MAX_NEAREST = 5;
/** Sections of an outline at most: of some hundred characters each. */
const MAX_TREE_SECTIONS = 10_000;

/** Parameters of `/documents/{id}`. */
export const DOCUMENT_PARAMETERS = {
  format: { ...FORMAT_PARAMETER, values: [...FORMAT_PARAMETER.values, "html"] },
} as const satisfies AddressParameters;

/** The answer to `GET /documents/{id}`: JSON with the text of every section, or the text alone as Markdown. */
export function answerDocument(request: Request, services: HttpServices): Promise<Response> {
  const preferred = prefers(request, [JSON_TYPE, MARKDOWN_TYPE]);
  const { base } = services;
  const run = async (reader: IndexReader): Promise<Response> => {
    const found = await find(reader, idFromAddress(request.url, base, DOCUMENTS));
    if (found instanceof Response) return found;
    const { outline } = found;
    if (found.asksForMarkdown || preferred === MARKDOWN_TYPE) return respondMarkdown(reader, outline, base);
    const texts = await readWhole(reader, outline);
    if (texts === undefined) return refuseSize(outline, base);
    return respondJson({
      document: toDocument(outline.document, base),
      ...(await warningsOf(reader, outline.document.id)),
      sections: texts.map(({ section, text }) => ({ ...toSection(outline, section, base), text })),
    });
  };
  const variant = preferred === MARKDOWN_TYPE ? "markdown" : "json";
  return answerFromIndex(request, services, { where: DOCUMENTS, variant, run });
}

/** The answer to `GET /tree/{id}`: the outline without any text. */
export function answerTree(request: Request, services: HttpServices): Promise<Response> {
  const { base } = services;
  const run = async (reader: IndexReader): Promise<Response> => {
    const found = await find(reader, idFromAddress(request.url, base, TREE));
    if (found instanceof Response) return found;
    const { outline } = found;
    if (outline.sections.length > MAX_TREE_SECTIONS) return refuseSize(outline, base);
    return respondJson({
      document: toDocument(outline.document, base),
      sections: outline.sections.map((section) => toSection(outline, section, base)),
    });
  };
  return answerFromIndex(request, services, { where: TREE, run });
}

/** A document, or the response that says that there is none of this name. */
async function find(reader: IndexReader, asked: string): Promise<FoundDocument | Response> {
  const found = await findDocument(reader, asked);
  if (found !== undefined) return found;
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

/** What the scan of the build found in the document, where it found anything. */
async function warningsOf(reader: IndexReader, id: string): Promise<{ readonly warnings?: readonly string[] }> {
  const found = (await loadMarked(reader)).find((one) => one.id === id);
  return found === undefined ? {} : { warnings: found.findings };
}

function toDocument(document: DocumentEntry, base: string): JsonObject {
  return { ...document, url: document.url === "" ? ownPage(base, document.id) : document.url };
}

function toSection({ document }: DocumentOutline, section: OutlineSection, base: string): JsonObject {
  const url = section.url === "" ? ownPage(base, document.id, section.nodeId) : section.url;
  return { ...section, url };
}
