import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { headingText, isTableRule } from "../../../src/http/explorer/markdown.ts";
import { runs } from "../../support/runs.ts";

/** Short lines of what headings and tables are made of, and of blanks that are none to `.` or to editors. */
const line = fc
  .array(fc.constantFrom("#", "# ", " ", "\u00a0", "\t", "\u2028", "\r", "|", "-", ":", "a"), { maxLength: 12 })
  .map((pieces) => pieces.join(""));

/** What an expression says that is free to take any time. */
function slowHeading(text: string): string | undefined {
  const [whole, rest = ""] = /^ {0,3}#{1,6}(?:\s(.*))?$/s.exec(text) ?? [];
  return whole === undefined
    ? undefined
    : rest
        .trim()
        .replace(/(?:^|\s)#+$/, "")
        .trim();
}

describe("a heading", () => {
  it.each([
    ["# a", "a"],
    ["   ###### a b ##  ", "a b"],
    ["# C#", "C#"],
    ["#", ""],
    ["## ##", ""],
    ["#a", undefined],
    ["    # a", undefined],
    ["####### a", undefined],
  ])("%j has the text %j", (text, expected) => expect(headingText(text)).toBe(expected));

  it("is read as by an expression that takes any time", () => {
    fc.assert(
      fc.property(line, (text) => {
        expect(headingText(text)).toBe(slowHeading(text));
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("the rule of a table", () => {
  it("is read as by an expression that takes any time", () => {
    fc.assert(
      fc.property(line, (text) => {
        expect(isTableRule(text)).toBe(/^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/.test(text));
      }),
      { numRuns: runs(500) },
    );
  });
});
