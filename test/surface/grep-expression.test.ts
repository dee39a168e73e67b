import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileExpression } from "../../src/surface/grep-expression.ts";
import { runs } from "../support/runs.ts";

describe("an expression", () => {
  it.each([
    ["b+", "aabb", 2],
    ["\\bÄ", "x Änderung", 2],
    ["\\<größe", "die Größe", 4],
    ["\\w+\\>", "  größe.", 2],
    ["e\\>", "größe é", 4],
    ["\\>", "größe é", 5],
    ["\\<", " 😀 a", 4],
    ["$", "größe", 5],
    ["\\Bß", "größe ß", 3],
    ["^|x", "é x", 0],
    ["\\bx\\b", "😀é x é", 4],
  ])("%s first matches in %j at %i", (pattern, line, start) => {
    const expression = compileExpression(pattern, false);
    expect(expression.matches(line)).toBe(true);
    expect(expression.start(line)).toBe(start);
  });

  it.each([
    ["\\bnd", "Änd"],
    ["gr\\b", "größe"],
    ["\\<rö", "größe"],
    ["a\\Bb", "a b"],
    ["\\B$", "größe"],
    ["^b", "ab"],
    ["a.b", "a\u{fdd0}xb"],
  ])("%s does not match in %j", (pattern, line) => {
    expect(compileExpression(pattern, false).matches(line)).toBe(false);
  });

  it("matches the same whether words are ASCII or not", () => {
    const atom = fc.constantFrom(
      "a",
      "b",
      ".",
      "\\w",
      "\\W",
      "[ab]",
      " ",
      "\\b",
      "\\B",
      "^",
      "$",
      "(a|b )",
      "a*",
      "b?",
    );
    const pattern = fc.array(atom, { minLength: 1, maxLength: 6 }).map((atoms) => atoms.join(""));
    const line = fc.string({ unit: fc.constantFrom("a", "b", " ", "-"), maxLength: 8 });
    let matched = 0;
    fc.assert(
      fc.property(pattern, line, (written, text) => {
        const plain = compileExpression(written, true);
        const marked = compileExpression(written.replaceAll("a", "é"), true);
        const other = text.replaceAll("a", "é");
        expect(marked.matches(other)).toBe(plain.matches(text));
        if (!plain.matches(text)) return;
        matched++;
        expect(marked.start(other)).toBe(plain.start(text));
      }),
      { numRuns: runs(2000) },
    );
    expect(matched).toBeGreaterThan(runs(2000) / 7);
  });

  it.each(["(a+)+$", "(a|aa)*b", ".*.*.*=.*", "(.*)(.*)(.*)(.*)(.*)b", "\\<(a+)+\\>x", "((a*)*)*b"])(
    "that engines with backtracking die of ends on a line of 100,000 characters: %s",
    (pattern) => {
      const expression = compileExpression(pattern, false);
      expect(typeof expression.matches("a".repeat(100_000))).toBe("boolean");
      expect(typeof expression.matches(`é ${"a".repeat(100_000)}`)).toBe("boolean");
    },
  );

  it("of 2,000 characters is taken", () => {
    for (const pattern of ["x".repeat(2000), "ab|".repeat(600), "[a-z]".repeat(400), "(a)".repeat(600)]) {
      expect(compileExpression(pattern, false).matches("nothing of it!")).toBe(pattern.startsWith("ab"));
    }
  });
});
