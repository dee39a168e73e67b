/**
 * Tool `find_similar`: existing sections similar to a draft.
 */

import { checkCollection } from "../../core/docs/catalogue.ts";
import { titlePath } from "../../core/docs/documents.ts";
import { findSimilar, type SimilarSection } from "../../core/search/similar.ts";
import { type AnswerForm, type JsonObject, listForms } from "../../surface/render/answer.ts";
import { foldLine, formatCount, formatLines, roundTo } from "../../surface/render/text.ts";
import { defineTool } from "../tool.ts";

const MAX_CONTENT_LENGTH = 20_000;
/** Less than this is chance, and nothing to point at. */
const LEAST_MENTIONED = 0.1;
const MAX_TITLE_LENGTH = 120;
const MAX_SHARED_LENGTH = 200;
/** Digits of a similarity behind the point. */
const DIGITS = 2;
const JSON_DIGITS = 3;

export const findSimilarTool = defineTool({
  name: "find_similar",
  description: "Existing sections similar to a draft, similarity 0 to 1. Use before writing; next get_node_content.",
  parameters: {
    content: { kind: "text", required: true, maxLength: MAX_CONTENT_LENGTH, aliases: ["text", "query", "draft"] },
    collection: { kind: "text" },
    threshold: { kind: "number", default: 0.35, minimum: 0, maximum: 1, aliases: ["min_similarity", "similarity"] },
    limit: { kind: "integer", default: 5, maximum: 20 },
  },
  example: { content: "Use the package manager to install the server on Linux.", threshold: 0.35 },
  isKept: true,
  quotes: true,
  async run({ content, collection, threshold, limit }, { reader }) {
    if (collection !== undefined) checkCollection(reader, collection);
    const { sections, nearest, compared } = await findSimilar(reader, { content, limit, threshold, collection });
    const isNear = nearest !== undefined && nearest.similarity >= LEAST_MENTIONED;
    return {
      summary: `${sections.length} of ${formatCount(compared, "compared section")} overlap with the text (similarity at least ${threshold}).`,
      forms: toForms(sections, { threshold, compared }),
      notes: isNear ? [`Nearest: ${formatBare(nearest)}.`] : [],
    };
  },
});

/** With the words that are shared, then ids. */
function toForms(sections: readonly SimilarSection[], shared: JsonObject): AnswerForm[] {
  const total = sections.length;
  const full = ["sections with the words they share", true] as const;
  return listForms(sections, total === 0 ? [full] : [full, ["ids", false] as const], {
    text: (one, isFull) => (isFull ? formatSimilar(one) : formatBare(one)),
    toJson: (shown, isFull) => ({
      total,
      ...shared,
      results: shown.map(isFull ? toResult : toBareResult),
    }),
    more: "Texts: get_node_content.",
  });
}

/** `docs:guide/install.md#linux, similarity 0.92`. */
function formatBare({ section, similarity }: SimilarSection): string {
  return `${section.nodeId}, similarity ${similarity.toFixed(DIGITS)}`;
}

function formatSimilar({ outline, section, similarity, shared }: SimilarSection): string {
  const path = foldLine(titlePath(outline, section).join(" > "), MAX_TITLE_LENGTH);
  const place = `${section.nodeId} @${formatLines(section.startLine, section.endLine)} ${path}`;
  return [
    `${place}, similarity ${similarity.toFixed(DIGITS)}`,
    ...(section.url === "" ? [] : [`  ${section.url}`]),
    ...(shared === "" ? [] : [`  same words: ${foldLine(shared, MAX_SHARED_LENGTH)}`]),
  ].join("\n");
}

function toBareResult({ section, similarity }: SimilarSection): JsonObject {
  return { nodeId: section.nodeId, similarity: roundTo(similarity, JSON_DIGITS) };
}

function toResult({ outline, section, similarity, shared }: SimilarSection): JsonObject {
  const { nodeId, title, startLine, endLine, url } = section;
  return {
    nodeId,
    heading: section.ordinal === 0 ? outline.document.title : title,
    headingPath: titlePath(outline, section),
    url,
    startLine,
    endLine,
    similarity: roundTo(similarity, JSON_DIGITS),
    sharedText: foldLine(shared, MAX_SHARED_LENGTH),
  };
}
