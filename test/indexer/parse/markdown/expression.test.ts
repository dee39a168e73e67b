/**
 * Tests of the bracket counting in expressions and statements.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  findExpressionEnd,
  findStatementEnd,
  openScanBudget,
  readShownStrings,
} from "../../../../indexer/parse/markdown/tag.ts";

function endOf(text: string): number {
  return findExpressionEnd(text, 0, text.length, openScanBudget());
}

describe("findExpressionEnd", () => {
  it.each([
    ["{a}", 3],
    ["{a{b}c}d}", 7],
    ["{'}'}", 5],
    ['{"\\"}"}', 7],
    [`{\`}\${a}\`}`, 9],
    ["{/* } */}", 9],
    ["{// }\n}", 7],
    ["{<p>Don't</p>}", 14],
    ["{<a>https://b.c</a>}", 20],
    ["{a", -1],
    ["{'a}\n", 4],
    ['{"a\n', -1],
  ])("finds the end of %j at %i", (text, end) => {
    expect(endOf(text)).toBe(end);
  });

  it("does not look beyond the limit", () => {
    expect(findExpressionEnd("{a}", 0, 2, openScanBudget())).toBe(-1);
  });

  it("gives up at once when too many expressions had no end", () => {
    const budget = openScanBudget();
    for (let times = 0; times < 1_000; times++) findExpressionEnd("{a", 0, 2, budget);
    expect(findExpressionEnd("{a}", 0, 3, budget)).toBe(-1);
  });

  it("never reads beyond any text", () => {
    const text = fc
      .array(fc.constantFrom("{", "}", "'", '"', "`", "/*", "*/", "//", "\n", "\\", "a"))
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (source) => {
        const end = endOf(`{${source}`);
        expect(end).toBeLessThanOrEqual(source.length + 1);
        if (end > 0) expect(`{${source}`[end - 1]).toBe("}");
      }),
    );
  });
});

describe("findStatementEnd", () => {
  it.each([
    ["a\n\nb", 1],
    ["a\nb\n\nc", 3],
    ["{\n\n}\n\nc", 4],
    ["a", 1],
    ["a\n", 1],
    ["(\n\n", -1],
  ])("finds the end of %j at %i", (text, end) => {
    expect(findStatementEnd(text, 0, openScanBudget())).toBe(end);
  });
});

describe("readShownStrings", () => {
  it.each([
    ["'a'", "a"],
    ["a ? 'b' : \"c\"", "b c"],
    [`\`a \${b} c\``, "a   c"],
    ["'it\\'s'", "it's"],
    ["/* 'a' */ 'b'", "b"],
    ["a", ""],
    ["a('b')", ""],
    ["() => 'a'", ""],
    ["<p>'a'</p>", ""],
    [`'${"a".repeat(10_000)}'`, ""],
  ])("reads of %j the text %j", (expression, text) => {
    expect(readShownStrings(expression)).toBe(text);
  });
});
