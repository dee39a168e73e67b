/**
 * Tests of explicit heading ids.
 */
import { describe, expect, it } from "vitest";
import { splitHeadingId } from "../../../../indexer/parse/markdown/page-text.ts";
import { parseMdxPage, parsePage } from "./parsed.ts";

describe("splitHeadingId", () => {
  it.each([
    ["Title {#my-id}", "Title", "my-id"],
    ["Title {#my-id} ", "Title", "my-id"],
    ["Title {: #my-id .class key=value }", "Title", "my-id"],
    ["Title {/* #my-id */}", "Title", "my-id"],
    ["Title {/*my-id*/}", "Title", "my-id"],
    ["{#only}", "", "only"],
    ["Title {/* a remark */}", "Title {/* a remark */}", ""],
    ["Title {.class}", "Title {.class}", ""],
    ["Title `{#code}`", "Title `{#code}`", ""],
    ["Title {#in} between", "Title {#in} between", ""],
    ["Title }", "Title }", ""],
  ])("reads %j as %j with id %j", (content, text, id) => {
    expect(splitHeadingId(content)).toEqual({ text, id });
  });
});

describe("a heading with an explicit id", () => {
  it("has it for its anchor, and not in its title or path", () => {
    for (const document of [parsePage("# T\n## A b {#c}\n"), parseMdxPage("# T\n## A b {/* #c */}\n")]) {
      expect(document.sections[1]).toMatchObject({ title: "A b", slugPath: "a-b", anchor: "c" });
    }
  });

  it("keeps its anchor from the headings after it", () => {
    expect(parsePage("# T\n## A {#b}\n## B\n").sections.map((section) => section.anchor)).toEqual(["", "b", "b-1"]);
  });

  it("may have it as a named anchor in HTML", () => {
    expect(parsePage('# T\n## <a name="x"></a>A\n').sections[1]).toMatchObject({ title: "A", anchor: "x" });
  });
});
