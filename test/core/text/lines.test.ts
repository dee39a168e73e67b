import fc from "fast-check";
import { expect, it } from "vitest";
import { countLines, linesOf } from "../../../src/core/text/lines.ts";

it.each([
  ["", 0],
  ["\n", 1],
  ["a", 1],
  ["a\n", 1],
  ["a\nb", 2],
  ["a\n\n", 2],
  ["a\r\nb", 2],
])("counts the lines of %j as %i", (text, lines) => {
  expect(countLines(text)).toBe(lines);
});

it("counts as many lines as there are in any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "\n", "\r"), maxLength: 20 }), (text) => {
      expect(linesOf(text)).toHaveLength(countLines(text));
      expect(linesOf(text).every((line) => !line.includes("\n"))).toBe(true);
    }),
  );
});
