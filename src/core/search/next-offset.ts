/**
 * Where the next page of an answer begins.
 *
 * Pure: an answer in, a number out.
 */
import type { SearchAnswer } from "./answer.ts";

/**
 * The offset of the next page; undefined where this is the last. With phrases it is not the number of documents shown so far: those that
 * turned out not to hold them were passed over.
 *
 * @param offset That of this page.
 */
export function findNextOffset(
  offset: number,
  answer: Pick<SearchAnswer, "hits" | "positions" | "totalDocuments" | "uncheckedDocuments">,
): number | undefined {
  const { hits, positions, totalDocuments, uncheckedDocuments } = answer;
  const next = positions.at(-1) ?? offset;
  const isMore = offset + hits.length < totalDocuments + uncheckedDocuments;
  return isMore && next > offset ? next : undefined;
}
