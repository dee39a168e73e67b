/**
 * Test that a page which defeats the parser is read as plain text.
 */
import { describe, expect, it, onTestFinished, vi } from "vitest";

const ENGINE = "../../../../indexer/parse/markdown/engine.ts";

describe("plain text", () => {
  it("is what a page gets when the parser fails", async () => {
    // Files of tests share the modules that they load: the one with the failing parser must not stay.
    vi.resetModules();
    vi.doMock(ENGINE, async (original) => ({
      ...(await original<object>()),
      parseBlocks: () => {
        throw new RangeError("Maximum call stack size exceeded");
      },
    }));
    onTestFinished(() => {
      vi.doUnmock(ENGINE);
      vi.resetModules();
    });
    const { parsePage } = await import("./parsed.ts");
    const document = parsePage("---\ntitle: T\n---\n# a\n\nb\n");
    expect(document.title).toBe("T");
    expect(document.sections.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([[1, 6]]);
    expect(document.sections[0]?.blocks.map((block) => block.text)).toEqual(["# a b"]);
    expect(document.diagnostics).toMatchObject([
      { severity: "warning", code: "markdown-too-complex", path: "page.md", line: 4 },
    ]);
  });
});
