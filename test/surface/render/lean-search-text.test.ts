import { describe, expect, it } from "vitest";
import type { DocumentHit, SectionHit } from "../../../src/core/search/answer.ts";
import { formatLeanHit } from "../../../src/surface/render/search-text.ts";

const DOCUMENT = "docs:guide/installing.md";

function section(ordinal: number, more: Partial<SectionHit> = {}): SectionHit {
  const heading = `Part ${ordinal}`;
  return {
    nodeId: `${DOCUMENT}#part-${ordinal}`,
    ordinal,
    score: 10 - ordinal,
    heading,
    headingPath: ["Page", heading],
    url: "https://docs.example/guide",
    startLine: ordinal * 10,
    endLine: ordinal * 10 + 9,
    excerpt: [{ text: `found ${ordinal}`, marked: true }],
    ...more,
  };
}

const unread = (ordinal: number): SectionHit =>
  section(ordinal, { nodeId: `${DOCUMENT}#n${ordinal}`, heading: "", headingPath: [], excerpt: [] });

function hitWith(sections: readonly SectionHit[], more: Partial<DocumentHit> = {}): DocumentHit {
  return {
    id: DOCUMENT,
    collection: "docs",
    path: "guide/installing.md",
    title: "How to install",
    description: "What it is about.",
    url: "",
    score: 12,
    contentHash: "",
    facets: {},
    meta: {},
    isFallback: false,
    sections,
    ...more,
  };
}

const OPTIONS = { shownId: (id: string) => id.slice(5), isKnown: () => false, withExcerpts: true };

describe("formatLeanHit", () => {
  it("shows the title, then places by their ids with excerpts, then ids of the others", () => {
    const hit = hitWith([section(7), section(2), section(3), unread(9), section(5, { excerpt: [] })]);
    expect(formatLeanHit(hit, OPTIONS).split("\n")).toEqual([
      "guide/installing.md How to install",
      "  @70-79 #part-7",
      "    found 7",
      "  @20-39 #part-2, #part-3",
      "    found 2",
      "    found 3",
      "  also #n9 #part-5",
    ]);
  });

  it("leaves out the title of a document that was introduced before", () => {
    const [head] = formatLeanHit(hitWith([section(2)]), { ...OPTIONS, isKnown: () => true }).split("\n");
    expect(head).toBe("guide/installing.md");
  });

  it("is one line where no section has an excerpt, with a title only where the path says none of its words", () => {
    expect(formatLeanHit(hitWith([unread(4), unread(6)]), OPTIONS)).toBe("guide/installing.md #n4 #n6");
    expect(formatLeanHit(hitWith([]), OPTIONS)).toBe("guide/installing.md");
    const fourth = { ...unread(4), nodeId: "docs:7f/31.md#n4" };
    const opaque = hitWith([fourth], { id: "docs:7f/31.md", path: "7f/31.md" });
    expect(formatLeanHit(opaque, OPTIONS)).toBe("7f/31.md How to install #n4");
    expect(formatLeanHit(opaque, { ...OPTIONS, isKnown: () => true })).toBe("7f/31.md #n4");
  });

  it("takes the name of a source file for its title, and of a member for its heading", () => {
    const second = { ...section(2), nodeId: "docs:src/errors.ts#Errors.format~2", heading: "format" };
    const file = hitWith([second], { id: "docs:src/errors.ts", path: "src/errors.ts", title: "errors.ts" });
    expect(formatLeanHit(file, OPTIONS)).toBe("src/errors.ts\n  @20-29 #Errors.format~2\n    found 2");
  });

  it("shows ids alone where excerpts do not fit", () => {
    const lines = formatLeanHit(hitWith([section(2), unread(4)]), { ...OPTIONS, withExcerpts: false });
    expect(lines).toBe("guide/installing.md #part-2 #n4");
  });

  it("adds a heading where the id does not say it, and the symbols that a section names", () => {
    const own = section(2, { nodeId: `${DOCUMENT}#setup`, heading: "Before you begin" });
    const nested = section(5, { nodeId: `${DOCUMENT}#setup/use-cache`, heading: "`use cache`" });
    const text = formatLeanHit(hitWith([own, nested]), { ...OPTIONS, symbolsOf: () => ["src/a.ts#open"] });
    expect(text).toContain("  @20-29 #setup Before you begin\n    found 2\n    names src/a.ts#open");
    expect(text).toContain("  @50-59 #setup/use-cache\n");
  });
});
