import { describe, expect, it } from "vitest";
import { scanDocument } from "../../../indexer/scan/scan-document.ts";

function scan(text: string, path = "page.md"): string[] {
  return scanDocument({ path, text }).map(
    ({ severity, code, line, column }) => `${severity} ${code} ${line}:${column}`,
  );
}

describe("hidden text", () => {
  it.each([
    ["tags", `a${String.fromCodePoint(0xe0068, 0xe0069)}`],
    ["selectors", `a${"\ufe01\ufe02\ufe03\ufe04"}`],
    ["zero-width characters", `a${"\u200b\u200c".repeat(4)}`],
    ["an override", "a\u202eb"],
  ])("made of %s is a warning", (_, text) => {
    expect(scan(`one\n${text}`)).toEqual(["warning hidden-text 2:2"]);
  });

  it("that turns source code around is an error, in a comment too", () => {
    const trojan = "/*\u202e } \u2066if (isAdmin)\u2069 \u2066 begin admins only */";
    expect(scan(`let a;\n${trojan}\n`, "a.js")).toEqual(["error hidden-text 2:3"]);
    expect(scan('const a = "\u2067שלום\u2069";\n', "a.js")).toEqual(["info hidden-text 1:12"]);
  });

  it.each([
    ["emoji", "👩\u200d👩\u200d👧 ❤\ufe0f ✔\ufe0f✔\ufe0f"],
    ["flags of regions", "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}"],
    ["Persian", "می\u200cخواهم"],
    ["Hebrew in a page", "\u2067שלום\u2069 and \u200f"],
    ["a byte order mark", "\ufefftext"],
    ["a word with a soft hyphen", "docu\u00admentation"],
  ])("is not seen in %s", (_, text) => {
    expect(scan(text)).toEqual([]);
  });

  it("says that it spells words, and not which", () => {
    const tags = [..."meet at noon"].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join("");
    const [finding] = scanDocument({ path: "a.md", text: tags });
    expect(finding?.message).toContain("they spell words");
    expect(finding?.message).not.toContain("noon");
  });

  it("is counted, not listed, beyond twenty findings in a file", () => {
    const found = scanDocument({ path: "a.md", text: "a\u202eb\n".repeat(50) });
    expect(found).toHaveLength(20);
    expect(found.at(-1)?.message).toContain("30 more in this file");
  });
});
