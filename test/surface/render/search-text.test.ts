import { describe, expect, it } from "vitest";
import type { DocumentHit, SectionHit } from "../../../src/core/search/answer.ts";
import { formatHit } from "../../../src/surface/render/search-text.ts";

const DOCUMENT = "docs:a.md";

function section(ordinal: number, heading = `Part ${ordinal}`): SectionHit {
  return {
    nodeId: `${DOCUMENT}#part-${ordinal}`,
    ordinal,
    score: 10 - ordinal,
    heading,
    headingPath: heading === "" ? [] : ["Page", heading],
    url: "",
    startLine: ordinal * 10,
    endLine: ordinal * 10 + 9,
    excerpt: heading === "" ? [] : [{ text: `found ${ordinal}`, marked: true }],
  };
}

function hitWith(sections: readonly SectionHit[]): DocumentHit {
  return {
    id: DOCUMENT,
    collection: "docs",
    path: "a.md",
    title: "Page",
    description: "",
    url: "",
    score: 12,
    contentHash: "",
    facets: {},
    meta: {},
    isFallback: false,
    sections,
  };
}

const OPTIONS = { shownId: (id: string) => id, withExcerpts: true };

describe("formatHit", () => {
  it("shows sections that stand side by side as one, in the order of the page, with all their ids", () => {
    expect(formatHit(hitWith([section(3), section(7), section(2)]), OPTIONS).split("\n")).toEqual([
      "docs:a.md (3 sections) Page, 12.0",
      "  @20-39 Part 2; Part 3 #part-2, #part-3",
      "    **found 2**",
      "    **found 3**",
      "  @70-79 Part 7 #part-7",
      "    **found 7**",
    ]);
  });

  it("names sections that were not read, and keeps texts of sections apart", () => {
    const contentOf = ({ ordinal }: SectionHit) =>
      ordinal > 3 ? undefined : { text: `text ${ordinal}`, linesLeft: 2 };
    const lines = formatHit(hitWith([section(3), section(2), section(5, "")]), { ...OPTIONS, contentOf }).split("\n");
    expect(lines.filter((line) => line.startsWith("  @"))).toEqual([
      "  @30-39 Part 3 #part-3",
      "  @20-29 Part 2 #part-2",
    ]);
    expect(lines.filter((line) => line.includes("of this section left"))).toHaveLength(2);
    expect(lines.at(-1)).toBe("  also #part-5");
  });
});
