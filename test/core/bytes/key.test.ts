import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/key.json" with { type: "json" };
import { bytesOfKey, keyOf, keyOfBytes, keyOfNumber, numberOfKey, textOfKey } from "../../../src/core/bytes/key.ts";
import { hexOf } from "../../support/format-cases.ts";
import { keyOfHex } from "../../support/format-vectors.ts";

const anyText = fc.string({ unit: "grapheme", maxLength: 20 });

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    if (a[at] !== b[at]) return (a[at] as number) - (b[at] as number);
  }
  return a.length - b.length;
}

describe("keys", () => {
  it.each(vectors.text)("of the text $text are $hex", ({ text, hex }) => {
    expect(hexOf(bytesOfKey(keyOf(text)))).toBe(hex);
    expect(textOfKey(keyOfHex(hex))).toBe(text);
  });

  it.each(vectors.number)("of the number $number are $hex", ({ number, hex }) => {
    expect(hexOf(bytesOfKey(keyOfNumber(number)))).toBe(hex);
    expect(numberOfKey(keyOfHex(hex))).toBe(number);
  });

  it("stand in the order of the vectors", () => {
    const keys = vectors.ascending.map(keyOfHex);
    expect([...keys].reverse().sort((a, b) => (a < b ? -1 : 1))).toEqual(keys);
  });

  it("compare like their bytes, which text does not", () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        const byKey = keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0;
        expect(byKey).toBe(Math.sign(compareBytes(bytesOfKey(keyOf(a)), bytesOfKey(keyOf(b)))));
      }),
    );
    expect("\uffff" < "😀").toBe(false);
    expect(keyOf("\uffff") < keyOf("😀")).toBe(true);
  });

  it("give back bytes, text and numbers", () => {
    fc.assert(
      fc.property(fc.uint8Array(), anyText, fc.integer({ min: 0, max: 2 ** 32 - 1 }), (bytes, text, number) => {
        expect(bytesOfKey(keyOfBytes(bytes))).toEqual(bytes);
        expect(textOfKey(keyOf(text))).toBe(text);
        expect(numberOfKey(keyOfNumber(number))).toBe(number);
      }),
    );
  });

  it("of numbers stand in the order of the numbers", () => {
    const anyNumber = fc.integer({ min: 0, max: 2 ** 32 - 1 });
    fc.assert(
      fc.property(anyNumber, anyNumber, (a, b) => {
        expect(keyOfNumber(a) < keyOfNumber(b)).toBe(a < b);
      }),
    );
  });

  it("that are not UTF-8 give text with U+FFFD instead of an error", () => {
    expect(textOfKey(keyOfHex("61ff"))).toBe("a\ufffd");
  });
});
