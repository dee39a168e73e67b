import { describe, expect, it } from "vitest";
import { countModuleLines } from "../../../src/http/explorer/markdown.ts";

/** The text without its modules. */
function show(text: string, isMdx = false): string {
  const lines = text.split("\n");
  const shown: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const count = countModuleLines(lines, at, isMdx);
    if (count === 0) shown.push(lines[at] as string);
    at += Math.max(count, 1);
  }
  return shown.join("\n");
}

describe("countModuleLines", () => {
  it("finds imports everywhere, and exports and all else of a module in MDX alone", () => {
    expect(show("import { A, B } from '@a/b'\nimport './a.css';\n\nText.")).toBe("\nText.");
    expect(show("import './a.css' ; \n\nText.")).toBe("\nText.");
    expect(show("import {\n  A,\n} from 'a'\nexport const b = 1\n\nText.", true)).toBe("\nText.");
    expect(show("export { a }\n\nexport\tdefault b", true)).toBe("");
  });

  it("takes no prose for a module", () => {
    const prose = "export the data first\n\nimport it from the menu";
    expect(show(prose)).toBe(prose);
    for (const text of [
      "You can\nimport it here.",
      "import/export works so.\nMore.",
      "export-only fields\n\nimport-map of a page",
      "export: what it writes",
      "imports are read",
      "  export it",
    ]) {
      expect(show(text, true)).toBe(text);
    }
  });

  it("reads a line of any length: what takes the square of it would not end here", () => {
    const blanks = " ".repeat(400_000);
    for (const line of [`import 'a'${blanks}x`, `import${blanks}x`, `import a${blanks}from${blanks}x`]) {
      expect(countModuleLines([line], 0, false)).toBe(0);
    }
  });
});
