import { describe, expect, it } from "vitest";
import { isSameAnswer } from "../../bench/browser/is-same-answer.ts";

const answer = (changes: object = {}, score = 3.1234567890123): object => ({
  hits: [
    { id: "docs:a.md", score, sections: [{ heading: "A", score: 1, url: undefined }] },
    { id: "docs:b.md", score: 2, sections: [] },
  ],
  totalDocuments: 2,
  cost: { waves: 2 },
  ...changes,
});

describe("isSameAnswer", () => {
  it("passes over the cost, what is undefined, and the last digits of scores", () => {
    expect(isSameAnswer(answer(), answer())).toBe(true);
    expect(isSameAnswer(answer(), answer({ cost: { waves: 3 } }, 3.1234567890125))).toBe(true);
    expect(isSameAnswer(answer({}, 0), answer({}, 0))).toBe(true);
    expect(isSameAnswer(JSON.parse(JSON.stringify(answer())), answer())).toBe(true);
  });

  it.each([
    ["another score", answer({}, 3.1234568)],
    ["a score of nothing", answer({}, 0)],
    ["no score", answer({}, Number.NaN)],
    ["another order", answer({ hits: [...(answer() as { hits: object[] }).hits].reverse() })],
    ["fewer hits", answer({ hits: (answer() as { hits: object[] }).hits.slice(0, 1) })],
    ["another number", answer({ totalDocuments: 2.0000000000001 })],
    ["no hits", answer({ hits: {} })],
    ["something more", answer({ corrections: [] })],
    ["none", undefined],
    ["null", null],
  ])("sees %s", (_, other) => {
    expect(isSameAnswer(answer(), other)).toBe(false);
    expect(isSameAnswer(other, answer())).toBe(false);
  });
});
