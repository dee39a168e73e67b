/**
 * Which questions found nothing good: what a maintainer would like to know of the documentation.
 *
 * Only questions of everything count. Where a filter or a collection was chosen, nothing may be found though all of it is
 * written; and a further page has nothing to say about the question.
 *
 * Pure: a request and its answer in, a question or nothing out.
 */

import { isEmptyFilter } from "../../core/docs/model.ts";
import type { SearchAnswer, SearchRequest } from "../../core/search/answer.ts";

/** A question without a good answer. */
export interface Unanswered {
  /** As the caller wrote it. */
  readonly query: string;
  /**
   * `nothing`: no result. `corrected`: results for other words than were written. `relaxed`: results without a phrase that
   * was asked for. `no-symbol` and `no-line`: the same as the first, of names in code and of exact text.
   */
  readonly kind: UnansweredKind;
}

/** What was found in place of an answer. */
export type UnansweredKind = "nothing" | "corrected" | "relaxed" | "no-symbol" | "no-line";

/** The question of a search, where its answer is not good. */
export function findUnanswered(request: SearchRequest, answer: SearchAnswer): Unanswered | undefined {
  const { query, offset, collections, documentId, filter, asYouType } = request;
  const isNarrowed = collections.length > 0 || documentId !== undefined || !isEmptyFilter(filter);
  if (offset > 0 || asYouType || isNarrowed) return undefined;
  if (answer.totalDocuments + answer.uncheckedDocuments === 0) return { query, kind: "nothing" };
  if (answer.corrections.length > 0) return { query, kind: "corrected" };
  return answer.relaxedPhrases.length > 0 ? { query, kind: "relaxed" } : undefined;
}
