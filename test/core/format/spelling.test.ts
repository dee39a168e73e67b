import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeCount } from "../../../indexer/index/word-tables.ts";
import vectors from "../../../schemas/index-format/vectors/spelling.json" with { type: "json" };
import { type ByteKey, bytesOfKey, keyOfBytes } from "../../../src/core/bytes/key.ts";
import {
  ALL_WORDS,
  decodeSpelling,
  keysOfWord,
  rangeOfBeginning,
  rangeOfEnd,
  rangeOfMiddle,
  type WordRange,
} from "../../../src/core/format/word-tables.ts";
import { bytesOfHex, decodeOrRefuse, hexOf, refusalOf } from "../../support/format-cases.ts";

const anyWord = fc.string({ unit: fc.constantFrom("a", "b", "e", "é", "日", "𐐨"), minLength: 3, maxLength: 12 });

/** Whether any key of a word lies in a range. */
function isIn(word: string, { from, to }: WordRange): boolean {
  return keysOfWord(word).some((key) => key >= from && key < to);
}

describe("spelling", () => {
  it.each(vectors.vectors)("holds the vector: $name", ({ word, documents, keys, bytes, read }) => {
    expect(keysOfWord(word).map((key) => hexOf(bytesOfKey(key)))).toEqual(keys);
    expect(hexOf(Uint8Array.of(encodeCount(documents)))).toBe(bytes);
    for (const key of keys) {
      expect(decodeSpelling([[keyOfBytes(bytesOfHex(key)), bytesOfHex(bytes)]])).toEqual(new Map([[word, read]]));
    }
  });

  it.each(vectors.refused)("refuses $name", async ({ bytes, code }) => {
    const refusal = await refusalOf(() => decodeSpelling([["word" as ByteKey, bytesOfHex(bytes)]]));
    expect(refusal.detail.code).toBe(code);
  });

  it("gives each word back from any of its keys, and no two words share one", () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyWord, { maxLength: 20 }), (words) => {
        const keys = words.flatMap(keysOfWord);
        expect(new Set(keys).size).toBe(keys.length);
        for (const word of words) {
          for (const key of keysOfWord(word)) {
            expect([...decodeSpelling([[key, Uint8Array.of(9)]])]).toEqual([[word, 2]]);
          }
        }
      }),
    );
  });

  it("decodes or refuses any key with any bytes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 12 }), fc.uint8Array({ maxLength: 3 }), async (key, value) => {
        const words = await decodeOrRefuse(() => decodeSpelling([[keyOfBytes(key), value]]));
        if (value.length !== 1) expect(words).toBeUndefined();
        else expect(words?.size).toBe(1);
      }),
    );
  });

  it("has in each range the words that a plain look at the letters gives", () => {
    fc.assert(
      fc.property(anyWord, anyWord, fc.nat({ max: 4 }), (word, other, length) => {
        const all = Array.from(word);
        const beginning = Array.from(other).slice(0, length);
        const letters = beginning.join("");
        expect(isIn(word, rangeOfBeginning(beginning))).toBe(length > 0 ? word.startsWith(letters) : true);
        expect(isIn(word, rangeOfEnd(beginning))).toBe(length > 0 ? word.endsWith(letters) : true);
        const hasMiddle = all.length >= 7 && all.slice(3).join("").startsWith(letters);
        expect(isIn(word, rangeOfMiddle(beginning))).toBe(hasMiddle);
        expect(keysOfWord(word).filter((key) => key >= ALL_WORDS.from && key < ALL_WORDS.to)).toHaveLength(1);
      }),
    );
  });
});
