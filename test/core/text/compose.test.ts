import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { INVISIBLE } from "../../../src/core/text/normalize.ts";
import { visitComposed } from "../../../src/core/text/tokenize.ts";
import { runs } from "../../support/runs.ts";

interface Found {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Each character of the composed text with its place. */
function charactersOf(text: string): Found[] {
  const found: Found[] = [];
  visitComposed<undefined>(
    text,
    (character, start, end) => found.push({ text: character, start, end }),
    (composed, visit) => {
      let at = 0;
      for (const character of composed) {
        visit(character, at, at + character.length, undefined);
        at += character.length;
      }
    },
  );
  return found;
}

const invisible = new RegExp(`[${INVISIBLE}]`, "gu");
const stray = /(?<![\p{L}\p{N}\p{M}])\p{M}+/gu;

describe("visitComposed", () => {
  it("gives composed characters the place of what they are composed of", () => {
    expect(charactersOf("ae\u0301b")).toEqual([
      { text: "a", start: 0, end: 1 },
      { text: "é", start: 1, end: 3 },
      { text: "b", start: 3, end: 4 },
    ]);
    expect(charactersOf("\u1112\u1161\u11ab.")).toEqual([
      { text: "한", start: 0, end: 3 },
      { text: ".", start: 3, end: 4 },
    ]);
  });

  it("gives a mark that composes with nothing the place of the character that it stands on", () => {
    const place = { start: 0, end: 4 };
    expect(charactersOf("e\u0301q\u0301").slice(1)).toEqual(
      ["q", "\u0301"].map((text) => ({ text, start: 2, end: 4 })),
    );
    expect(charactersOf("e\u00ad\u0301\u0332")).toEqual(["\u00e9", "\u0332"].map((text) => ({ text, ...place })));
  });

  it("knows everything that composes", () => {
    const misplaced: string[] = [];
    for (let code = 0x80; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code);
      const apart = character.normalize("NFD");
      if (apart === character || apart.normalize("NFC") !== character || /^\p{M}/u.test(character)) continue;
      const [found] = charactersOf(`${apart}.`);
      if (found?.text !== character || found.end !== apart.length) misplaced.push(code.toString(16));
    }
    expect(misplaced).toEqual([]);
  });

  it("passes over marks that stand on no letter or digit", () => {
    expect(charactersOf("\u0301a-\u0301b").map(({ text }) => text)).toEqual(["a", "-", "b"]);
  });

  it("passes over what nobody sees", () => {
    expect(charactersOf("a\u00adb\u200d")).toEqual([
      { text: "a", start: 0, end: 2 },
      { text: "b", start: 2, end: 4 },
    ]);
  });

  it("visits what NFC gives of the rest, with places that cover the text in order", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: "binary", maxLength: 30 }), fc.string({ unit: "grapheme", maxLength: 30 })),
        fc.constantFrom("NFC" as const, "NFD" as const),
        (written, form) => {
          const text = written.normalize(form).replace(invisible, "").replace(stray, "");
          const found = charactersOf(text);
          expect(found.map((character) => character.text).join("")).toBe(text.normalize("NFC"));
          let last = 0;
          for (const { text: character, start, end } of found) {
            expect(start === last || end === last).toBe(true);
            expect(text.slice(start, end).normalize("NFC")).toContain(character);
            last = end;
          }
          expect(last).toBe(text.length);
        },
      ),
      { numRuns: runs(1000) },
    );
  });
});
