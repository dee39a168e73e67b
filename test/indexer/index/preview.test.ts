import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makePreview } from "../../../indexer/index/prepare-document.ts";
import { parseMarkdown } from "../../../indexer/parse/markdown/parse.ts";
import type { ParsedDocument } from "../../../indexer/parse/parsed-document.ts";

function preview(text: string): string {
  return makePreview(parseMarkdown({ path: "a.md", text }), false);
}

function source(description: string, root: string, ...symbols: readonly string[]): string {
  const sections = [root, ...symbols].map((text) => ({ blocks: [{ kind: "code", text, line: 1 }] }));
  return makePreview({ title: "a.ts", description, sections } as unknown as ParsedDocument, true);
}

describe("makePreview", () => {
  it("begins with the description, and goes on with the text of all sections", () => {
    const text = "# Gate\n\nA gate opens.\n\n## More\n\nIt closes,\ntoo.\n\n```sh\ngate  --open\n```\n";
    expect(preview(text)).toBe("A gate opens. It closes, too. gate --open");
    expect(preview(`---\ndescription: All of gates\n---\n${text}`)).toBe(
      "All of gates. A gate opens. It closes, too. gate --open",
    );
  });

  it("says once what description and text both begin with", () => {
    expect(preview("---\ndescription: A gate opens.\n---\n# Gate\n\nA gate opens. It closes.\n")).toBe(
      "A gate opens. It closes.",
    );
  });

  it("is the description or the title where there is no text", () => {
    expect(preview("---\ndescription: All of gates\n---\n# Gate\n")).toBe("All of gates");
    expect(preview("# Gate\n\n## Empty\n")).toBe("Gate");
  });

  it("shows of a source file what it declares, and of one without declarations its beginning", () => {
    expect(source("", "import x;", "function a() {\n  return 1;\n}")).toBe("function a() { return 1; }");
    expect(source("Gates of all kinds", "import x;", "function a() {}")).toBe("Gates of all kinds. function a() {}");
    expect(source("", "run();")).toBe("run();");
  });

  it("is the text, or its first 200 characters and a mark", () => {
    const anyWord = fc.string({ unit: fc.constantFrom(..."abc🦜é."), minLength: 1, maxLength: 30 });
    const anyWords = fc.array(anyWord, { maxLength: 40 });
    fc.assert(
      fc.property(fc.array(anyWords, { minLength: 1, maxLength: 5 }), anyWords, (parts, words) => {
        const description = words.join(" ");
        const sections = parts.map((own) => ({ blocks: [{ kind: "prose", text: own.join("\n"), line: 1 }] }));
        const shown = makePreview({ title: "t", description, sections } as unknown as ParsedDocument, false);
        const text = parts
          .map((own) => own.join(" "))
          .filter((own) => own !== "")
          .join(" ");
        const isCut = shown.endsWith("...") && shown.length > 100;
        const kept = isCut ? shown.slice(0, -3) : shown;
        expect(kept.length).toBeLessThanOrEqual(200);
        expect(kept).not.toMatch(/[\uD800-\uDBFF]$/);
        if (description === "" && text !== "") {
          expect(text.startsWith(kept)).toBe(true);
          if (text.length <= 200) expect(shown).toBe(text);
          else expect(kept.length).toBeGreaterThan(160);
        } else if (text !== "" || description !== "") {
          expect(kept.startsWith(description.slice(0, kept.length)) || text.startsWith(kept)).toBe(true);
          if (!text.startsWith(description) && description.length + text.length > 201)
            expect(shown.endsWith("...")).toBe(true);
        }
      }),
    );
  });
});
