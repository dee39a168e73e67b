import { describe, expect, it } from "vitest";
import { countSections } from "../../../src/core/docs/categories.ts";

const places = ["a.md", "b.md", "c.md"].map((path, at) => ({
  documentId: `docs:${path}`,
  weight: 0.5,
  sections: at + 1,
  section: 0,
}));
const some = new Set(["docs:a.md", "docs:c.md"]);

describe("countSections", () => {
  it("counts each document of several categories once", () => {
    expect(countSections({ chunks: 9 }, { documents: 3, chunks: 6, places }, some)).toBe(4);
  });

  it("adds up what categories count where the concept lists part of its documents, to no more than there are", () => {
    expect(countSections({ chunks: 9 }, { documents: 4, chunks: 12, places }, some)).toBe(9);
    expect(countSections({ chunks: 9 }, { documents: 4, chunks: 7, places }, some)).toBe(7);
  });

  it("is what the category counts where nothing else is known", () => {
    expect(countSections({ chunks: 9 }, undefined, some)).toBe(9);
  });
});
