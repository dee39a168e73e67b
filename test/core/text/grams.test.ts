import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldCase } from "../../../src/core/text/normalize.ts";
import { gramOf, gramsOf, isBeginning, visitGrams } from "../../../src/core/text/word-keys.ts";
import { runs } from "../../support/runs.ts";

/** Keys that a text adds to the table. */
function keysOf(text: string): Set<string> {
  const keys = new Set<string>();
  visitGrams(foldCase(text), (...gram) => keys.add(gramOf(...gram)));
  return keys;
}

const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "use",
        "State",
        "_",
        "é",
        "e\u0301",
        "ß",
        "日本",
        "語",
        "한국",
        " ",
        "-",
        "İ",
        "\u212a",
        "\u{10400}",
        "9",
      ),
      fc.string({ unit: "binary", maxLength: 3 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));

describe("grams", () => {
  it.each([
    ["useState", ["uses", "sest", "esta", "stat", "tate", "ate"]],
    ["npm", ["npm"]],
    ["a bc", []],
    ["foo.bar", ["foo", "bar"]],
    ["snake_case", ["snak", "nake", "ake_", "ke_c", "e_ca", "_cas", "case", "ase"]],
    ["キャッシュ", ["キャ", "ャッ", "ッシ", "シュ"]],
    ["v4日本x", ["日本"]],
    ["Ärger", ["ärge", "rger", "ger"]],
  ])("of %j are those inside words, and the ends of words", (text, grams) => {
    expect([...keysOf(text)]).toEqual(grams);
  });

  it.each([
    ["useState", ["uses", "sest", "esta", "stat", "tate"]],
    ["npm i", ["npm"]],
    ["=> {", []],
  ])("to look %j up by leave out what says less", (text, grams) => {
    expect(gramsOf(text)).toEqual(grams);
  });

  it("of a part are those of the whole, or begin some of them", () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (before, part, behind) => {
        fc.pre(!/[\ud800-\udbff]$/.test(before) && !/[\ud800-\udbff]$/.test(part));
        const keys = [...keysOf(before + part + behind)];
        for (const gram of gramsOf(part)) {
          const held = isBeginning(gram) ? keys.some((key) => key.startsWith(gram)) : keys.includes(gram);
          expect(held, gram).toBe(true);
        }
      }),
      { numRuns: runs(1000) },
    );
  });

  it("are the same for texts that differ in case alone", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(gramsOf(foldCase(text))).toEqual(gramsOf(text));
      }),
    );
  });
});
