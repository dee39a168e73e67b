/**
 * Sections that overlap with a draft, a block each.
 *
 * ```
 * docs:guide/install.md#linux @12-40 Install > Linux, similarity 0.92
 *   https://example.org/docs/guide/install#linux
 *   same words: Use the package manager to install the server.
 * ```
 *
 * Pure: sections in, forms of an answer out.
 */

import { titlePath } from "../../core/docs/documents.ts";
import { shownAsLines } from "../../core/docs/shown.ts";
import type { SimilarSection } from "../../core/search/similar.ts";
import type { AnswerForm, JsonObject } from "./answer.ts";
import { formatLines } from "./counts.ts";
import { roundTo } from "./numbers.ts";
import { foldLine } from "./text.ts";

const MAX_TITLE_LENGTH = 120;
const MAX_SHARED_LENGTH = 200;
/** Digits of a similarity behind the point. */
const DIGITS = 2;
const JSON_DIGITS = 3;

/** Fullest: with the words that are shared; barest: ids. */
export function similarForms(
  sections: readonly SimilarSection[],
  shared: { readonly threshold: number; readonly compared: number },
): [AnswerForm, ...AnswerForm[]] {
  const total = sections.length;
  const form = (
    detail: string,
    toBlock: (one: SimilarSection) => string,
    toJson: (one: SimilarSection) => JsonObject,
  ) => ({
    detail,
    blocks: () => sections.map(toBlock),
    json: (shown: number) => ({ total, ...shared, results: sections.slice(0, shown).map(toJson) }),
    sections: (shown: number) =>
      sections.slice(0, shown).flatMap(({ outline, section }) => shownAsLines(outline.document.id, [section])),
    more: "Texts: get_node_content.",
  });
  const full = form("sections with the words they share", formatSimilar, toResult);
  if (total === 0) return [full];
  const bare = form("ids", formatBare, ({ section, similarity }) => ({
    nodeId: section.nodeId,
    similarity: roundTo(similarity, JSON_DIGITS),
  }));
  return [full, { ...bare, keepAtLeast: 1 }];
}

/** `docs:guide/install.md#linux, similarity 0.92`. */
export function formatBare({ section, similarity }: SimilarSection): string {
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
