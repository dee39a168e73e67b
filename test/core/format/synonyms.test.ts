import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/synonyms.json" with { type: "json" };
import { decodeSynonyms, encodeSynonyms, keyOfPhrase } from "../../../src/core/format/pairs.ts";
import { bytesOfHex, decodeOrRefuse, hexOf } from "../../support/format-cases.ts";
import { keyOfHex } from "../../support/format-vectors.ts";

const anyTerm = fc.string({ unit: fc.constantFrom(..."abé日1"), minLength: 1, maxLength: 6 });
const anyPhrases = fc.array(fc.array(anyTerm, { minLength: 1, maxLength: 4 }), { maxLength: 8 });

describe("synonyms", () => {
  it.each(vectors.vectors)("are those of the vector: $name", ({ phrase, key, phrases, bytes }) => {
    expect(keyOfPhrase(phrase)).toBe(keyOfHex(key));
    expect(hexOf(encodeSynonyms(phrases))).toBe(bytes);
    expect(decodeSynonyms(bytesOfHex(bytes))).toEqual(phrases);
  });

  it("come back as they were", () => {
    fc.assert(
      fc.property(anyPhrases, (phrases) => {
        expect(decodeSynonyms(encodeSynonyms(phrases))).toEqual(phrases);
      }),
    );
  });

  it("decode from any bytes or are refused", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => void decodeOrRefuse(() => decodeSynonyms(bytes))),
    );
  });
});
