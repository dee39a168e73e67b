import { describe, expect, it } from "vitest";
import { makeSearchRequest, type SearchAnswer } from "../../../src/core/search/answer.ts";
import { findUnanswered } from "../../../src/surface/render/answer.ts";

function answer(values: Partial<SearchAnswer>): SearchAnswer {
  return { totalDocuments: 3, uncheckedDocuments: 0, corrections: [], relaxedPhrases: [], ...values } as SearchAnswer;
}

const NOTHING = answer({ totalDocuments: 0 });

describe("findUnanswered", () => {
  it("tells what was found in place of an answer", () => {
    const request = makeSearchRequest("how to fly", {});
    const kindOf = (values: Partial<SearchAnswer>) => findUnanswered(request, answer(values))?.kind;
    expect(findUnanswered(request, NOTHING)).toEqual({ query: "how to fly", kind: "nothing" });
    expect(kindOf({ corrections: [{ written: "fly", corrected: "flow" }] as never })).toBe("corrected");
    expect(kindOf({ relaxedPhrases: [["to fly"]] })).toBe("relaxed");
    expect(kindOf({ totalDocuments: 0, uncheckedDocuments: 2 })).toBeUndefined();
    expect(kindOf({})).toBeUndefined();
  });

  it("passes over questions of a part, further pages and what is being typed", () => {
    for (const part of [
      { offset: 10 },
      { collections: ["docs"] },
      { documentId: "docs:a.md" },
      { filter: { include: { type: ["guide"] }, exclude: {} } },
      { asYouType: true },
    ]) {
      expect(findUnanswered(makeSearchRequest("how to fly", part), NOTHING)).toBeUndefined();
    }
  });
});
