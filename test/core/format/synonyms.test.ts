import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/synonyms.json" with { type: "json" };
import { FormatError } from "../../../src/core/errors.ts";
import { decodeSynonyms, encodeSynonyms, keyOfSynonyms } from "../../../src/core/format/pairs.ts";
import { encodeUnits, PostingBuilder } from "../../../src/core/format/postings.ts";
import { bytesOfHex, decodeOrRefuse, expectTruncationsRefused, hexOf } from "../../support/format-cases.ts";
import { keyOfHex } from "../../support/format-vectors.ts";

/** A value that says: these documents hold the phrases, each once in its third unit. */
function postingsOf(documents: readonly number[]): Uint8Array {
  const builder = new PostingBuilder();
  for (const document of documents) {
    builder.add(document, encodeUnits([{ unit: 2, frequency: 1, heading: false, code: false }]));
  }
  return builder.finish(false, () => 0);
}

const anyTerm = fc.string({ unit: fc.constantFrom(..."abé日1"), minLength: 1, maxLength: 6 });
const anyPhrases = fc.array(fc.array(anyTerm, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 });
const anyDocuments = fc
  .uniqueArray(fc.nat(5000), { minLength: 1, maxLength: 20 })
  .map((list) => list.sort((a, b) => a - b));

describe("synonyms", () => {
  it.each(vectors.vectors)("are those of the vector: $name", ({ phrase, key, phrases, documents, bytes }) => {
    expect(keyOfSynonyms(phrase)).toBe(keyOfHex(key));
    expect(hexOf(encodeSynonyms(phrases, postingsOf(documents)))).toBe(bytes);
    const decoded = decodeSynonyms(bytesOfHex(bytes));
    expect(decoded.phrases).toEqual(phrases);
    expect([...decoded.list.documents]).toEqual(documents);
  });

  it("come back as they were", () => {
    fc.assert(
      fc.property(anyPhrases, anyDocuments, (phrases, documents) => {
        const decoded = decodeSynonyms(encodeSynonyms(phrases, postingsOf(documents)));
        expect(decoded.phrases).toEqual(phrases);
        expect([...decoded.list.documents]).toEqual(documents);
      }),
    );
  });

  it("decode from any bytes or are refused", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => void decodeOrRefuse(() => decodeSynonyms(bytes))),
    );
  });

  it("are refused when anything is missing at the end", async () => {
    await expectTruncationsRefused(encodeSynonyms([["singl", "sign"], ["sso"]], postingsOf([1, 7])), decodeSynonyms);
  });

  it("are refused without a phrase, or with more than anybody writes", () => {
    for (const count of [[0], [0xe9, 0x07]]) {
      expect(() => decodeSynonyms(Uint8Array.from([...count, 1, 97, 0, 0]))).toThrow(FormatError);
    }
  });
});
