import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMarkdown } from "../../../indexer/parse/markdown/parse.ts";
import { findAcronyms } from "../../../indexer/topics/synonyms.ts";
import { runs } from "../../support/runs.ts";

function acronymsIn(text: string): string[] {
  return findAcronyms(parseMarkdown({ path: "page.md", text })).map(
    ({ acronym, expansion }) => `${acronym} = ${expansion}`,
  );
}

describe("findAcronyms", () => {
  it.each([
    ["The page uses ISR (Incremental Static Regeneration).", "ISR = Incremental Static Regeneration"],
    ["Use continuous integration (CI) for this.", "CI = continuous integration"],
    ["a list of Single-Page Applications (SPAs)", "SPA = Single Page Applications"],
    ["APIs (application programming interfaces)", "API = application programming interfaces"],
    ["Time to First Byte (TTFB)", "TTFB = Time to First Byte"],
    ["a flash of unstyled content (FOUC)", "FOUC = flash of unstyled content"],
    ["the Department of Defense (DOD)", "DOD = Department of Defense"],
    ["JSON (JavaScript Object Notation)", "JSON = JavaScript Object Notation"],
    ["Hypertext Transfer Protocol (HTTP)", "HTTP = Hypertext Transfer Protocol"],
    ["additional authenticated data (AAD)", "AAD = additional authenticated data"],
    ["cross-site scripting (XSS)", "XSS = cross site scripting"],
    ["XML (Extensible Markup Language)", "XML = Extensible Markup Language"],
    ["World Wide Web Consortium (W3C)", "W3C = World Wide Web Consortium"],
    ["S3 (Simple Storage Service)", "S3 = Simple Storage Service"],
    ["business to business (B2B)", "B2B = business to business"],
    ['CLI (short for "command line interface")', "CLI = command line interface"],
    ["CLI (the command-line interface, see below)", "CLI = command line interface"],
    ["Соединённые Штаты Америки (США)", "США = Соединённые Штаты Америки"],
  ])("reads %s", (text, expected) => {
    expect(acronymsIn(text)).toEqual([expected]);
  });

  it.each([
    ["URLs (most do)"],
    ["CSS (like Tailwind)"],
    ["CI (anywhere stdin is no TTY)"],
    ["307 (Temporary Redirect)"],
    ["vector images (SVG)"],
    ["The end. Integration (CI)"],
    ["continuous testing. integration (CI)"],
    ["Underscore (US)"],
    ["of the (OT)"],
    ["my_CI (continuous integration)"],
    ["continuous integration (Ci)"],
    ["ABCDEFGHI (a b c d e f g h i)"],
  ])("finds nothing in %s", (text) => {
    expect(acronymsIn(text)).toEqual([]);
  });

  it("reads titles, headings and descriptions, but no code", () => {
    const page = `---
title: Server-side rendering (SSR)
description: About a content delivery network (CDN).
---

## Cross-origin resource sharing (CORS)

| a | b |
|---|---|
| Content security policy (CSP) | x |

\`\`\`
continuous integration (CI)
\`\`\`
`;
    expect(acronymsIn(page)).toEqual([
      "SSR = Server side rendering",
      "CDN = content delivery network",
      "CORS = Cross origin resource sharing",
      "CSP = Content security policy",
    ]);
  });

  it("gives each expansion of an acronym once", () => {
    expect(
      acronymsIn("CI (continuous integration), CI (Continuous Integration), configuration item (CI), CI (common icon)"),
    ).toEqual(["CI = continuous integration", "CI = common icon", "CI = configuration item"]);
  });

  it("gives acronyms whose letters the words have in order, of any text", () => {
    const piece = fc.constantFrom(
      "(",
      ")",
      "ABC",
      "AB",
      "B2B",
      "alpha",
      "beta",
      "circle",
      "of",
      "to",
      "-",
      ". ",
      "(ABC)",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 5 })), { maxLength: 20 }), (pieces) => {
        const text = pieces.join(" ");
        for (const { acronym, expansion } of findAcronyms(parseMarkdown({ path: "a.md", text }))) {
          expect(text).toContain(acronym);
          expect(expansion.split(" ").length).toBeGreaterThanOrEqual(2);
          expect(acronym).toMatch(/^[\p{Lu}\p{N}]{2,8}$/u);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  it("reads long texts of parentheses and capitals", () => {
    for (const unit of [
      "(AB) ",
      "A (",
      "AB (c d) ",
      "a b c d e f g h (ABCDEFGH) ",
      "(((",
      "AAAAAAAA (a a a a a a a a a) ",
    ]) {
      const found = findAcronyms(parseMarkdown({ path: "a.md", text: unit.repeat(200_000 / unit.length) }));
      expect(found.length).toBeLessThanOrEqual(100);
    }
  });
});
