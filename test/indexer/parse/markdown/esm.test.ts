/**
 * Tests of import and export statements in pages.
 */
import { describe, expect, it } from "vitest";
import { codeOf, parseMdxPage, parsePage, proseOf } from "./parsed.ts";

describe("import and export in MDX", () => {
  it("are dropped, on one line or many", () => {
    const text = [
      "import A from './a'",
      "import { B,",
      "  C } from 'b'",
      "import 'd'",
      "import type { E } from 'e'",
      "",
      "export const meta = {",
      "  title: 'F',",
      "",
      "  tags: ['{'],",
      "}",
      "",
      "export default function G() {",
      "  return <p>h</p>",
      "}",
      "",
      "text",
    ].join("\n");
    expect(parseMdxPage(text).sections[0]?.blocks).toEqual([{ kind: "prose", text: "text", line: 17 }]);
  });

  it("end at the first blank line when their brackets never close", () => {
    expect(proseOf(parseMdxPage("export const a = {\n  b\n\ntext\n\nmore\n"))).toEqual(["text", "more"]);
  });

  it("are prose when a sentence begins with the word", () => {
    expect(proseOf(parseMdxPage("Import the module.\n\nexports are fine\n\nimport duties are not\n"))).toEqual([
      "Import the module.",
      "exports are fine",
      "import duties are not",
    ]);
  });

  it("are not looked for in code, lists and paragraphs", () => {
    const document = parseMdxPage("```\nimport a from 'b'\n```\n\n- import a from 'b'\n\ntext\nimport a from 'b'\n");
    expect(codeOf(document)).toEqual(["import a from 'b'"]);
    expect(proseOf(document)).toEqual(["import a from 'b'", "text import a from 'b'"]);
  });
});

describe("import and export in Markdown", () => {
  it("are dropped when the whole paragraph is clearly code", () => {
    const text =
      "import A from './a'\nimport {\n  B\n} from \"b\";\n\nexport const c = {\n  d: 1\n}\n\nexport default function E() {}\n\ntext\n";
    expect(proseOf(parsePage(text))).toEqual(["text"]);
  });

  it("are kept when anything in the paragraph is not", () => {
    expect(
      proseOf(parsePage("import A from './a' to begin\n\nimport B\nand go on\n\nexport your data = now\n")),
    ).toEqual(["import A from './a' to begin", "import B and go on", "export your data = now"]);
  });

  it("are kept in fences", () => {
    expect(codeOf(parsePage("```js\nimport a from 'b'\n```\n"))).toEqual(["import a from 'b'"]);
  });
});
