import { describe, expect, it } from "vitest";
import { writeMarkdown } from "../../../src/http/explorer/markdown.ts";

const P = `<p dir="auto">`;

/** A page without its modules, as it is shown. */
const show = (text: string, isMdx = false): string => writeMarkdown(text, () => undefined, isMdx).toString();

describe("modules of a page", () => {
  it("are imports everywhere, and exports and all else of a module in MDX alone", () => {
    expect(show("import { A, B } from '@a/b'\nimport './a.css';\n\nText.")).toBe(`${P}Text.</p>`);
    expect(show("import './a.css' ; \n\nText.")).toBe(`${P}Text.</p>`);
    expect(show("import {\n  A,\n} from 'a'\nexport const b = 1\n\nText.", true)).toBe(`${P}Text.</p>`);
    expect(show("export { a }\n\nexport\tdefault b", true)).toBe("");
  });

  it("are no prose", () => {
    expect(show("export the data first\n\nimport it from the menu")).toContain("import it from the menu");
    for (const text of [
      "You can\nimport it here.",
      "import/export works so.\nMore.",
      "export-only fields\n\nimport-map of a page",
      "export: what it writes",
      "imports are read",
      "  export it",
    ]) {
      expect(show(text, true).replaceAll(`</p>${P}`, "\n\n")).toBe(`${P}${text}</p>`);
    }
  });

  it("may have lines of any length: what takes the square of it would not end here", () => {
    const blanks = " ".repeat(400_000);
    for (const line of [`import 'a'${blanks}x`, `import${blanks}x`, `import a${blanks}from${blanks}x`]) {
      expect(show(line)).toContain("x");
    }
  });
});
