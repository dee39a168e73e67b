import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/trigrams.json" with { type: "json" };
import { decodeTrigram } from "../../../src/core/format/word-tables.ts";
import { foldCase } from "../../../src/core/text/normalize.ts";
import { gramOf, visitGrams } from "../../../src/core/text/word-keys.ts";
import {
  anyBytesNear,
  bytesOfHex,
  decodeOrRefuse,
  expectTruncationsRefused,
  hexOf,
  refusalOf,
} from "../../support/format-cases.ts";
import { encodeGram } from "../../support/format-vectors.ts";
import { runs } from "../../support/runs.ts";

const someDocuments = fc
  .uniqueArray(fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: 2 ** 24 - 1 })), { minLength: 1, maxLength: 60 })
  .map((numbers) => numbers.sort((a, b) => a - b));

describe("documents of a gram", () => {
  it.each(vectors.vectors)("hold the vector: $name", ({ documents, total, hex, decoded }) => {
    expect(hexOf(encodeGram(documents, total))).toBe(hex);
    const value = decodeTrigram(bytesOfHex(hex));
    expect(value === "common" ? value : Array.from(value)).toEqual(decoded);
  });

  it.each(vectors.refused)("are refused: $hex", async ({ hex, code }) => {
    expect((await refusalOf(() => decodeTrigram(bytesOfHex(hex)))).detail.code).toBe(code);
  });

  it("come back as they were written, or as common where they are more than a third", () => {
    fc.assert(
      fc.property(someDocuments, fc.integer({ min: 1, max: 300 }), (documents, total) => {
        const value = decodeTrigram(encodeGram(documents, total));
        if (documents.length > total / 3) expect(value).toBe("common");
        else expect(value === "common" ? value : Array.from(value)).toEqual(documents);
      }),
    );
  });

  it("are decoded or refused, whatever the bytes", async () => {
    const valid = someDocuments.map((documents) => encodeGram(documents, 1000));
    await fc.assert(
      fc.asyncProperty(anyBytesNear(valid), async (bytes) => {
        const value = await decodeOrRefuse(() => decodeTrigram(bytes));
        if (value === undefined || value === "common") return;
        for (const [at, number] of value.entries()) {
          expect(number).toBeLessThan(2 ** 24);
          if (at > 0) expect(number).toBeGreaterThan(value[at - 1] as number);
        }
      }),
    );
  });

  it("are refused when they are cut short", async () => {
    await fc.assert(
      fc.asyncProperty(someDocuments, (documents) =>
        expectTruncationsRefused(encodeGram(documents, 1000), (prefix) => decodeTrigram(prefix)),
      ),
      { numRuns: runs(20) },
    );
  });
});

describe("keys of a text", () => {
  it.each(vectors.grams)("are those of the vector: $text", ({ text, keys }) => {
    const found = new Set<string>();
    visitGrams(foldCase(text), (...gram) => found.add(gramOf(...gram)));
    expect([...found].sort()).toEqual(keys);
  });
});
