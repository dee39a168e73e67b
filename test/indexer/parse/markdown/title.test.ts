/**
 * Tests of where a page's title comes from.
 */
import { describe, expect, it } from "vitest";
import {
  areSameTitle,
  nameInWords,
  readFrontmatterDescription,
  readFrontmatterTitle,
} from "../../../../indexer/parse/markdown/page-text.ts";

describe("nameInWords", () => {
  it.each([
    ["getting-started.md", "Getting started"],
    ["guide/01-getting_started.mdx", "Getting started"],
    ["guide/index.md", "Guide"],
    ["guide/_index.md", "Guide"],
    ["01-app/02-guides/index.mdx", "Guides"],
    ["packages/core/README.md", "Core"],
    ["README.md", "README"],
    ["index.md", "Index"],
    ["2024-05-01-release-notes.md", "Release notes"],
    ["404.md", "404"],
    ["10-2.md", "10 2"],
    ["API-reference.md", "API reference"],
    ["élan-vital.md", "Élan vital"],
    [".md", "Untitled"],
    ["", "Untitled"],
  ])("names %j as %j", (path, words) => {
    expect(nameInWords(path)).toBe(words);
  });
});

describe("readFrontmatterTitle", () => {
  it("folds a title to one line", () => {
    expect(readFrontmatterTitle({ title: " Two\n  lines " })).toBe("Two lines");
  });

  it("takes a number for a title, and nothing else that is no text", () => {
    expect(readFrontmatterTitle({ title: 404 })).toBe("404");
    expect(readFrontmatterTitle({ title: ["a"] })).toBe("");
    expect(readFrontmatterTitle({})).toBe("");
  });
});

describe("readFrontmatterDescription", () => {
  it("prefers the description to the summary", () => {
    expect(readFrontmatterDescription({ description: "a\nb", summary: "c" })).toBe("a b");
    expect(readFrontmatterDescription({ description: " ", summary: "c" })).toBe("c");
    expect(readFrontmatterDescription({ description: 3 })).toBe("");
  });
});

describe("areSameTitle", () => {
  it("ignores case, spaces, punctuation and markup", () => {
    expect(areSameTitle("Using `fetch`", "using  **fetch**")).toBe(true);
    expect(areSameTitle("Using fetch", "Using fetches")).toBe(false);
  });

  it("compares titles without letters as they are", () => {
    expect(areSameTitle("???", "!!!")).toBe(false);
    expect(areSameTitle("???", " ??? ")).toBe(true);
  });
});
