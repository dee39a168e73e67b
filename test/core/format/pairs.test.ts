import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/pairs.json" with { type: "json" };
import { keyOf } from "../../../src/core/bytes/key.ts";
import { decodePair, encodePair, keyOfPair } from "../../../src/core/format/pairs.ts";
import { decodeFrequency, encodeFrequency, MAX_DOCUMENTS } from "../../../src/core/format/postings.ts";
import {
  anyBytesNear,
  bytesOfHex,
  decodeOrRefuse,
  expectTruncationsRefused,
  hexOf,
  refusalOf,
} from "../../support/format-cases.ts";
import { runs } from "../../support/runs.ts";

interface Pair {
  readonly documents: readonly number[];
  readonly frequencies: readonly number[];
}

const anyPair: fc.Arbitrary<Pair> = fc
  .uniqueArray(fc.tuple(fc.nat({ max: MAX_DOCUMENTS - 1 }), fc.integer({ min: 1, max: 300 })), {
    selector: ([document]) => document,
    maxLength: 40,
  })
  .map((entries) => entries.sort(([a], [b]) => a - b))
  .map((entries) => ({ documents: entries.map(([at]) => at), frequencies: entries.map(([, count]) => count) }));

function decoded(bytes: Uint8Array): { documents: number[]; frequencies: number[] } {
  const { documents, frequencies } = decodePair(bytes);
  return { documents: Array.from(documents), frequencies: Array.from(frequencies) };
}

describe("pairs", () => {
  it.each(vectors.vectors)("hold the vector: $name", ({ documents, frequencies, scored, hex }) => {
    expect(hexOf(encodePair(documents, frequencies))).toBe(hex);
    expect(decoded(bytesOfHex(hex))).toEqual({ documents, frequencies: scored });
  });

  it.each(vectors.keys)("have the key of $first and $second", ({ first, second, key }) => {
    expect(hexOf(Uint8Array.from(keyOfPair(first, second), (unit) => unit.charCodeAt(0)))).toBe(key);
  });

  it.each(vectors.refused)("refuse $hex $tail", async ({ hex, tail, code }) => {
    expect((await refusalOf(() => decodePair(bytesOfHex(`${hex}${tail ?? ""}`)))).detail.code).toBe(code);
  });

  it("come back with frequencies as they are scored", () => {
    fc.assert(
      fc.property(anyPair, ({ documents, frequencies }) => {
        expect(decoded(encodePair(documents, frequencies))).toEqual({
          documents,
          frequencies: frequencies.map((count) => decodeFrequency(encodeFrequency(count))),
        });
      }),
    );
  });

  it("decode or refuse any bytes, and what decodes ascends", async () => {
    const bytes = anyBytesNear(anyPair.map(({ documents, frequencies }) => encodePair(documents, frequencies)));
    await fc.assert(
      fc.asyncProperty(bytes, async (damaged) => {
        const pair = await decodeOrRefuse(() => decodePair(damaged));
        if (pair === undefined) return;
        const { documents, frequencies } = pair;
        expect(frequencies).toHaveLength(documents.length);
        for (const [at, document] of documents.entries()) {
          expect(document).toBeGreaterThan(documents[at - 1] ?? -1);
          expect(document).toBeLessThan(MAX_DOCUMENTS);
        }
        expect(frequencies.every((frequency) => frequency >= 1)).toBe(true);
      }),
      { numRuns: runs(1000) },
    );
  });

  it("refuse every truncation", async () => {
    for (const { hex } of vectors.vectors) await expectTruncationsRefused(bytesOfHex(hex), decodePair);
    fc.assert(
      fc.property(anyPair, ({ documents, frequencies }) => {
        const bytes = encodePair(documents, frequencies);
        expect(() => decodePair(bytes.subarray(0, bytes.length - 1))).toThrow("pair");
      }),
    );
  });

  it("have keys of their own: no two pairs share one, and no term has one", () => {
    const term = fc.constantFrom("a", "ab", "b", "日", "a-b", "a.b");
    fc.assert(
      fc.property(term, term, term, term, (a, b, c, d) => {
        expect(keyOfPair(a, b) === keyOfPair(c, d)).toBe(a === c && b === d);
        expect(keyOfPair(a, b)).not.toBe(keyOf(c));
        expect(keyOfPair(a, b) > keyOf(a)).toBe(true);
      }),
    );
  });
});
