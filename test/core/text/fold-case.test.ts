import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldCase } from "../../../src/core/text/normalize.ts";

/** Every character that some change of case changes, and a few that none does. */
function casedCharacters(): string[] {
  const found: string[] = [];
  for (let code = 1; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    if (character.toLowerCase() !== character || character.toUpperCase() !== character) found.push(character);
  }
  return found;
}

describe("folded case", () => {
  it.each([
    ["Straße GROSS", "straße gross"],
    ["ẞ", "ß"],
    ["\u212aelvin", "kelvin"],
    ["\u017fort", "sort"],
    ["ΟΔΟΣ ὁδός", "οδοσ ὁδόσ"],
    ["İstanbul ısı", "İstanbul ısı"],
    ["ǅ Ǆ ǆ", "ǆ ǆ ǆ"],
    ["E\u0301 É é", "e\u0301 é é"],
    ["Привет МИР", "привет мир"],
    ["\u{10400}", "\u{10428}"],
    ["日本語 A", "日本語 a"],
    ["", ""],
  ])("of %j is %j", (text, folded) => {
    expect(foldCase(text)).toBe(folded);
  });

  it("keeps every character in its place", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(foldCase(text).length).toBe(text.length);
        expect(foldCase(foldCase(text))).toBe(foldCase(text));
      }),
    );
    for (const character of casedCharacters()) expect(foldCase(character).length).toBe(character.length);
  });

  it("takes for the same what an expression without regard to case takes for the same, and nothing else", () => {
    const characters = casedCharacters();
    expect(characters.length).toBeGreaterThan(2500);
    const all = characters.join("");
    const same = new Map<string, string[]>();
    for (const character of characters) {
      const folded = foldCase(character);
      same.set(folded, [...(same.get(folded) ?? []), character]);
    }
    const wrong: string[] = [];
    for (const group of same.values()) {
      const code = ((group.at(-1) as string).codePointAt(0) as number).toString(16);
      const matched = all.match(new RegExp(`\\u{${code}}`, "giu")) ?? [];
      if (matched.join() !== group.join()) wrong.push(`${code}: ${matched.join()} but ${group.join()}`);
    }
    expect(wrong).toEqual([]);
  });
});
