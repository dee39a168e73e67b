import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/suggestions.json" with { type: "json" };
import { MAX_DOCUMENTS } from "../../../src/core/format/postings.ts";
import { decodeSuggestions, encodeSuggestions, type SuggestionEntry } from "../../../src/core/format/suggestions.ts";
import {
  anyBytesNear,
  bytesOfHex,
  decodeOrRefuse,
  expectTruncationsRefused,
  hexOf,
  refusalOf,
} from "../../support/format-cases.ts";
import { runs } from "../../support/runs.ts";

const KEYS = ["getting started", "st", "日本語 ガイド", "a b", "3 äpfel", ""];

const anyPlace = fc.record({
  collection: fc.nat({ max: 300 }),
  count: fc.integer({ min: 1, max: 5000 }),
  document: fc.nat({ max: MAX_DOCUMENTS - 1 }),
  ordinal: fc.nat({ max: 200 }),
  anchor: fc.constantFrom("", "x", "getting-started-1"),
});

/** Texts that end in the key in every way, and others. */
function anyText(key: string): fc.Arbitrary<string> {
  const capitals = key.replace(/(?<=^| )[a-z]/g, (letter) => letter.toUpperCase());
  const tail = fc.constantFrom(key, key.toUpperCase(), key.charAt(0).toUpperCase() + key.slice(1), capitals, "!");
  return fc
    .tuple(fc.constantFrom("", "About ", "日"), tail)
    .map((parts) => parts.join(""))
    .filter((text) => text !== "");
}

const anyValue: fc.Arbitrary<{ key: string; entries: SuggestionEntry[] }> = fc.constantFrom(...KEYS).chain((key) =>
  fc.record({
    key: fc.constant(key),
    entries: fc.array(
      fc.record({
        text: anyText(key),
        kind: fc.constantFrom("heading", "symbol" as const),
        places: fc.array(anyPlace, { minLength: 1, maxLength: 3 }),
      }),
      { maxLength: 5 },
    ),
  }),
);

describe("suggestions", () => {
  it.each(vectors.vectors)("hold the vector: $name", ({ key, entries, hex }) => {
    expect(hexOf(encodeSuggestions(key, entries as SuggestionEntry[]))).toBe(hex);
    expect(decodeSuggestions(key, bytesOfHex(hex))).toEqual(entries);
  });

  it.each(vectors.refused)("refuse $hex", async ({ key, hex, code }) => {
    expect((await refusalOf(() => decodeSuggestions(key, bytesOfHex(hex)))).detail.code).toBe(code);
  });

  it("come back as they were written", () => {
    fc.assert(
      fc.property(anyValue, ({ key, entries }) => {
        expect(decodeSuggestions(key, encodeSuggestions(key, entries))).toEqual(entries);
      }),
    );
  });

  it("decode or refuse any bytes", async () => {
    const bytes = anyBytesNear(anyValue.map(({ key, entries }) => encodeSuggestions(key, entries)));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...KEYS), bytes, async (key, damaged) => {
        for (const { places } of (await decodeOrRefuse(() => decodeSuggestions(key, damaged))) ?? []) {
          expect(places.length).toBeGreaterThan(0);
          expect(places.every(({ document }) => document < MAX_DOCUMENTS)).toBe(true);
        }
      }),
      { numRuns: runs(1000) },
    );
  });

  it("refuse every truncation", async () => {
    for (const { key, hex } of vectors.vectors) {
      await expectTruncationsRefused(bytesOfHex(hex), (prefix) => decodeSuggestions(key, prefix));
    }
  });

  it("refuse counts that nothing can have, before they make room for them", async () => {
    for (const hex of ["ffffffff7f000000", "0110ffffffff7f0000"]) {
      expect((await refusalOf(() => decodeSuggestions("a", bytesOfHex(hex)))).detail.code).toBe("truncated");
    }
  });

  it("take no more bytes than the text written out would, and fewer where it ends in the key", () => {
    const place = { collection: 0, count: 1, document: 1, ordinal: 1, anchor: "" };
    const sizeOf = (key: string, text: string): number =>
      encodeSuggestions(key, [{ text, kind: "heading", places: [place] }]).length;
    const written = sizeOf("x", "Getting Started Quickly");
    expect(sizeOf("started quickly", "Getting Started Quickly")).toBe(written - "started quickly".length);
    expect(sizeOf("getting started quickly", "Getting Started Quickly")).toBe(
      written - "getting started quickly".length,
    );
  });
});
