import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutMdx } from "../../../src/http/explorer/mdx.ts";
import { runs } from "../../support/runs.ts";

function show(text: string, isMdx = false): string {
  return withoutMdx(text.split("\n"), isMdx).join("\n");
}

describe("withoutMdx", () => {
  it("leaves comments out, of part of a line and of several lines", () => {
    expect(show("{/* one */}\n\nText {/* two */}goes on.")).toBe("\n\nText goes on.");
    expect(show("{/* a\n\nb\n*/}\nText.")).toBe("\n\n\n\nText.");
    expect(show("A {/* b\nc */} d")).toBe("A \n d");
  });

  it("keeps what is code, and what does not end", () => {
    for (const text of [
      '```mdx\n{/* shown */}\nimport a from "a"\n```',
      "- item\n\n  ~~~\n  {/* shown */}\n  ~~~",
      "Write `{/* so */}` for a comment.",
      "    {/* indented */}",
      "{/* without an end",
      "Braces { /* apart */ } stay.",
    ]) {
      expect(show(text, true)).toBe(text);
    }
  });

  it("leaves imports out everywhere, and exports and all else of a module in MDX alone", () => {
    expect(show("import { A, B } from '@a/b'\nimport './a.css';\n\nText.")).toBe("\n\n\nText.");
    expect(show("import {\n  A,\n} from 'a'\nexport const b = 1\n\nText.", true)).toBe("\n\n\n\n\nText.");
    const prose = "export the data first\n\nimport it from the menu";
    expect(show(prose)).toBe(prose);
    expect(show("You can\nimport it here.", true)).toBe("You can\nimport it here.");
  });

  it("keeps the number of lines, whatever they hold", () => {
    const line = fc.array(fc.constantFrom("{/*", "*/}", "`", "```", "import 'a'", "x", " ", "    "), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.boolean(), (parts, isMdx) => {
        const lines = parts.map((part) => part.join(""));
        expect(withoutMdx(lines, isMdx)).toHaveLength(lines.length);
      }),
      { numRuns: runs(200) },
    );
  });
});
