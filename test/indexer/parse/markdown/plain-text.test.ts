/**
 * Tests of the plain-text reading, and that a page which defeats the parser gets it.
 */
import { afterEach, describe, expect, it, vi } from "vitest";
import * as engine from "../../../../indexer/parse/markdown/engine.ts";
import { readPlainText } from "../../../../indexer/parse/markdown/plain-text.ts";
import { parsePage } from "./parsed.ts";

vi.mock("../../../../indexer/parse/markdown/engine.ts", { spy: true });

afterEach(() => {
  vi.mocked(engine.parseBlocks).mockReset();
});

describe("readPlainText", () => {
  it("keeps paragraphs as they are written, with their lines", () => {
    const sections = readPlainText("# a\n*b*\n\n\n<c>\n", 4, "T", 8);
    expect(sections).toMatchObject([
      { level: 0, title: "T", slugPath: "", startLine: 1, endLine: 8, summary: "# a *b*" },
    ]);
    expect(sections[0]?.blocks).toEqual([
      { kind: "prose", text: "# a *b*", line: 4 },
      { kind: "prose", text: "<c>", line: 8 },
    ]);
  });

  it("is what a page gets when the parser fails", () => {
    vi.mocked(engine.parseBlocks).mockImplementation(() => {
      throw new RangeError("Maximum call stack size exceeded");
    });
    const document = parsePage("---\ntitle: T\n---\n# a\n\nb\n");
    expect(document.title).toBe("T");
    expect(document.sections.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([[1, 6]]);
    expect(document.sections[0]?.blocks.map((block) => block.text)).toEqual(["# a", "b"]);
    expect(document.diagnostics).toMatchObject([
      { severity: "warning", code: "markdown-too-complex", path: "page.md", line: 4 },
    ]);
  });
});
