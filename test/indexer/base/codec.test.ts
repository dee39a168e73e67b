import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDeflate, deflateRaw, makeDictionary } from "../../../indexer/base/codec.ts";
import { encodeUtf8 } from "../../../src/core/bytes/writer.ts";

const OPENING = "Use this cmdlet to request the objects of a session, ";

/** Pages that begin alike and go on otherwise. */
const samples = Array.from({ length: 40 }, (_, page) =>
  encodeUtf8(
    `${OPENING}${Array.from({ length: 60 }, (_, word) => `${(page * 7919 + word * 104_729) % 65_521}`).join(" ")}`,
  ),
);

describe("dictionary", () => {
  it("holds what many samples have, and nothing of a single one", () => {
    const dictionary = makeDictionary(samples);
    expect(dictionary).toContain("cmdlet to request the objects");
    const page = encodeUtf8(`${OPENING}and nothing else`);
    expect(createDeflate(dictionary)(page).length).toBeLessThan(deflateRaw(page).length - 20);
    expect(makeDictionary([encodeUtf8("only once ".repeat(200))])).toBe("");
    expect(makeDictionary([])).toBe("");
  });

  it("takes a share of the samples at most, and is the same for the same ones", () => {
    const anySamples = fc.array(fc.uint8Array({ maxLength: 2000, max: 3 }), { maxLength: 12 });
    fc.assert(
      fc.property(anySamples, (some) => {
        const dictionary = makeDictionary(some);
        expect(dictionary.length).toBeLessThanOrEqual(some.reduce((sum, { length }) => sum + length, 0) / 32);
        expect(makeDictionary(some.map((bytes) => Uint8Array.from(bytes)))).toBe(dictionary);
      }),
    );
  });
});
