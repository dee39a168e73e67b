import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { slugify } from "../../../src/core/text/names.ts";

describe("slugify", () => {
  it.each([
    ["Hello, World!", "hello-world"],
    ["snake_case and kebab-case", "snake_case-and-kebab-case"],
    ["C++ / C#", "c--c"],
    ["100 % sure?", "100--sure"],
    ["Größe & Maß", "größe--maß"],
    ["日本語 見出し", "日本語-見出し"],
    ["हिन्दी", "हिन्दी"],
    ["🚀 Launch", "-launch"],
    ["`next.config.js` Options", "nextconfigjs-options"],
    ["???", ""],
  ])("makes of %j the slug %j as GitHub does", (title, slug) => {
    expect(slugify(title)).toBe(slug);
  });

  it("never holds a character that paths or suffixes need", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (title) => {
        expect(slugify(title)).not.toMatch(/[#%/~\s]/);
      }),
    );
  });
});
