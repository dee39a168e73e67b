/**
 * Tests of footnotes.
 */
import { describe, expect, it } from "vitest";
import { codeOf, parsePage, proseOf, textsOf } from "./parsed.ts";

describe("footnotes", () => {
  it("keep the text of the definition and drop the marks", () => {
    expect(proseOf(parsePage("a[^1] b[^Note].\n\n[^1]: c **d**\n[^note]: e\n"))).toEqual(["a b.", "c d", "e"]);
  });

  it("belong to the section they stand in", () => {
    const document = parsePage("# T\n\na[^1]\n\n[^1]: b\n\n## C\n\nd\n");
    expect(document.sections.map((section) => textsOf(section, "prose"))).toEqual([["a", "b"], ["d"]]);
  });

  it("may have further paragraphs and code, indented", () => {
    const document = parsePage("a[^1]\n\n[^1]: b\n    c\n\n    d\n\n    ```\n    e\n    ```\n\nf\n");
    expect(proseOf(document)).toEqual(["a", "b c", "d", "f"]);
    expect(codeOf(document)).toEqual(["e"]);
    expect(document.sections[0]?.blocks.map((block) => block.line)).toEqual([1, 3, 6, 8, 12]);
  });

  it("may be empty, and begin on the next line", () => {
    expect(proseOf(parsePage("a[^1][^2]\n\n[^1]:\n[^2]:\n    b\n"))).toEqual(["a", "b"]);
  });

  it("do not make marks of brackets that name no footnote", () => {
    expect(proseOf(parsePage("the class [^a-z] here\n"))).toEqual(["the class [^a-z] here"]);
  });

  it("are text in code", () => {
    expect(proseOf(parsePage("`[^1]`\n\n[^1]: a\n"))).toEqual(["[^1]", "a"]);
    expect(codeOf(parsePage("```\n[^1]: a\n```\n"))).toEqual(["[^1]: a"]);
  });
});
