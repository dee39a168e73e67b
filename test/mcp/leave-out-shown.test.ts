import { describe, expect, it } from "vitest";
import { SHOWN, type ShownLevel } from "../../src/core/docs/shown.ts";
import type { DocumentHit, SearchAnswer, SectionHit } from "../../src/core/search/answer.ts";
import { leaveOutShown } from "../../src/mcp/tools/search-documents.ts";

const hit = (id: string): DocumentHit =>
  ({ id, sections: [{ nodeId: `${id}#part`, ordinal: 1 } as SectionHit] }) as unknown as DocumentHit;

function leaveOut(shown: readonly string[], offset = 0, total = 20) {
  const answer = { hits: ["a", "b", "c", "d"].map(hit) } as unknown as SearchAnswer;
  const before = new Map<string, ShownLevel>(shown.map((id) => [`${id}#n1`, SHOWN.excerpt]));
  const page = { offset, total, items: "documents" };
  return leaveOutShown(answer, page, before, () => SHOWN.excerpt);
}

describe("hits that were not shown before", () => {
  it("count for those that are left out before them, and the last one also for those after it", () => {
    const { answer, page, leftOut } = leaveOut(["a", "d"]);
    expect(answer.hits.map(({ id }) => id)).toEqual(["b", "c"]);
    expect(page?.sizes).toEqual([2, 2]);
    expect(page?.positions).toEqual([1, 2, 4]);
    expect(leftOut.map(({ documentId }) => documentId)).toEqual(["a", "d"]);
  });

  it("keep the page as it is where nothing is left out", () => {
    expect(leaveOut([]).page).toEqual({ offset: 0, total: 20, items: "documents" });
  });

  it("leave no page only where all of the last page was shown", () => {
    const all = ["a", "b", "c", "d"];
    expect(leaveOut(all, 16, 20).page).toBeUndefined();
    expect(leaveOut(all, 15, 20).page).toMatchObject({ sizes: [], positions: [19] });
    expect(leaveOut(all, 15, 20).page?.empty).toBe("All documents 16\u201319 were shown before.");
    expect(leaveOut(all.slice(1), 16, 20).page?.sizes).toEqual([4]);
  });
});
