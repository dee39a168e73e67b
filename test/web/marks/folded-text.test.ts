import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldText, unfold } from "../../../src/web/marks/page-text.ts";
import { runs } from "../../support/runs.ts";

describe("folded text", () => {
  it("is in one case, its white space single blanks", () => {
    expect(foldText("  The\n\t SERVER\u00a0is", false)).toBe(" the server is");
    expect(foldText("  The", true)).toBe("the");
    // One character to one: its small form is two.
    expect(foldText("İZMİR Straße", false)).toBe("İzmİr straße");
  });

  it("has each of its characters in a place of the text", () => {
    const anyText = fc.array(fc.constantFrom(" ", "\n", "\u00a0", "a", "B", "İ", "ß", "語", "😀"), { maxLength: 30 });
    fc.assert(
      fc.property(anyText, fc.boolean(), (characters, isJoined) => {
        const text = characters.join("");
        const folded = foldText(text, isJoined);
        const places = Array.from({ length: folded.length }, (_, n) => unfold(text, isJoined, n));
        // Halves of one character fold as a whole.
        const found = places.map((place) => text.slice(place, place + 1)).join("");
        expect(foldText(found, false)).toBe(folded);
        expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
      }),
      { numRuns: runs(500) },
    );
  });
});
