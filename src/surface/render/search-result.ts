/**
 * Search results as JSON: the one shape that the tool and `/search` answer with.
 *
 * Excerpts come twice: as HTML in which everything is escaped but the marks, and as plain text.
 *
 * Pure: an answer of the search in, JSON values out.
 */

import type { MarkedDocument } from "../../core/docs/catalogue.ts";
import type { DocumentHit, ExcerptPart, SearchAnswer, SectionHit } from "../../core/search/answer.ts";
import type { JsonObject } from "./answer.ts";
import { toExplanationJson } from "./explanation.ts";
import { roundScore } from "./numbers.ts";
import { cleanText, escapeHtml } from "./text.ts";

/** What differs between the surfaces. */
export interface ResultOptions {
  /** Address of a document or section whose collection has no `baseUrl`. */
  readonly ownUrl: (documentId: string, nodeId: string) => string;
  /** Documents that the scan of the build warns of, where a result is to say so itself. */
  readonly marked?: readonly MarkedDocument[];
  /** Further members of a section. */
  readonly extra?: (section: SectionHit) => JsonObject;
}

/** A whole answer; what it cost is for the surface to say. */
export function toSearchJson(answer: SearchAnswer, options: ResultOptions): JsonObject {
  return {
    total: answer.totalDocuments,
    results: answer.hits.map((hit) => toResultJson(hit, options)),
    facetCounts: answer.facetCounts,
    ...toQueryJson(answer),
  };
}

/** The same without what can be looked up by id: frontmatter, facets, hash. */
export function toLeanSearchJson(answer: SearchAnswer, options: ResultOptions): JsonObject {
  return {
    total: answer.totalDocuments,
    results: answer.hits.map((hit) => {
      const { meta: _meta, facets: _facets, contentHash: _hash, ...result } = toResultJson(hit, options);
      return result;
    }),
    ...toQueryJson(answer),
  };
}

/** How the query was understood. */
function toQueryJson(answer: SearchAnswer): JsonObject {
  const { corrections, interpretation, unusedFields, relaxedPhrases, uncheckedDocuments } = answer;
  return {
    missingWords: answer.missingWords,
    unusedWords: answer.unusedWords,
    correction: corrections.length === 0 ? null : { words: corrections },
    ...(interpretation !== undefined && { interpretation }),
    ...(unusedFields.length > 0 && { unusedFields }),
    ...(relaxedPhrases.length > 0 && { relaxedPhrases }),
    ...(answer.operatorsAsText && { operatorsAsText: true }),
    ...(uncheckedDocuments > 0 && { uncheckedDocuments }),
  };
}

/** One document that was found. */
export function toResultJson(hit: DocumentHit, options: ResultOptions): JsonObject {
  const { id, path, collection, title, description, score, meta, contentHash, facets, sections } = hit;
  const url = hit.url === "" ? options.ownUrl(id, id) : hit.url;
  const mark = options.marked?.find((one) => one.id === id);
  return {
    id,
    path,
    collection,
    url,
    title,
    description,
    score: roundScore(score),
    meta,
    contentHash,
    facets,
    ...(mark !== undefined && { warnings: mark.findings }),
    ...(hit.isFallback && { isFallback: true }),
    ...(hit.explanation !== undefined && { explanation: toExplanationJson(hit.explanation) }),
    sections: sections.map((section) => toSectionJson(hit, section, options)),
  };
}

function toSectionJson(hit: DocumentHit, section: SectionHit, { ownUrl, extra }: ResultOptions): JsonObject {
  const { nodeId, heading, headingPath, score, excerpt, startLine, endLine } = section;
  return {
    nodeId,
    heading,
    headingPath,
    // A section whose anchor was not read leads to the top of its page.
    url: section.url || hit.url || ownUrl(hit.id, nodeId),
    score: roundScore(score),
    startLine,
    endLine,
    excerpt: excerpt.map(toHtml).join(""),
    plainExcerpt: excerpt.map(({ text }) => text).join(""),
    ...extra?.(section),
  };
}

function toHtml({ text, marked }: ExcerptPart): string {
  const escaped = escapeHtml(cleanText(text).text);
  return marked ? `<mark>${escaped}</mark>` : escaped;
}
