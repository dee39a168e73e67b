/** Compares an index that was built edit by edit with one of the same pages that was built at once. */
import { isDeepStrictEqual } from "node:util";
import { makeSearchRequest } from "../../src/core/search/answer.ts";
import { answer, describeAll, foundOf, open, scan } from "../../test/support/all-answers.ts";
import { drawQueries } from "../draw-queries.ts";

const QUERIES_OF_CLASS = 3;
const MOST_DOCUMENTS = 200;
/** Classes whose queries are corrected: words of deleted documents may be corrected to. */
const CORRECTED = "typo";

/** What was compared, and what differs. */
export interface AnswerComparison {
  readonly queries: number;
  readonly differences: readonly string[];
}

/** Ask both for outlines, links and texts of all pages, for literals, and for queries drawn from the pages. */
export async function compareAnswers(
  played: string,
  scratch: string,
  pages: string,
  seed: number,
): Promise<AnswerComparison> {
  const [own, other] = [await open(played, "all"), await open(scratch, "all")];
  const differences: string[] = [];
  if (!isDeepStrictEqual(await describeAll(own), await describeAll(other)))
    differences.push("outlines, links or texts");
  if (!isDeepStrictEqual(await scan(own), await scan(other))) differences.push("lines that hold a literal");
  let queries = 0;
  for (const [kind, texts] of drawQueries(pages, QUERIES_OF_CLASS, seed)) {
    for (const query of kind === CORRECTED ? [] : texts) {
      const changes = { correct: false, limit: MOST_DOCUMENTS, withFacetCounts: true, asYouType: kind === "prefix" };
      const request = makeSearchRequest(query, changes);
      const [got, expected] = [await answer(own, request), await answer(other, request)];
      // Whoever reads texts to check phrases ends where that costs too much.
      if (!got.isWhole || !expected.isWhole || got.uncheckedDocuments + expected.uncheckedDocuments > 0) continue;
      queries++;
      if (!isDeepStrictEqual(foundOf(got), foundOf(expected))) differences.push(`documents for ${query}`);
    }
  }
  return { queries, differences };
}
