import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/category-entry.json" with { type: "json" };
import { MAX_KEY_BYTES } from "../../../src/core/format/chunk.ts";
import { keyOfId } from "../../../src/core/format/columns.ts";
import {
  CATEGORY_KEYS,
  CATEGORY_SOURCES,
  type CategoryMembers,
  CONCEPT_TYPES,
  decodeCategory,
  decodeCounts,
  decodeMembers,
  encodeCategory,
  encodeCounts,
  encodeMembers,
  TOTALS_KEY,
} from "../../../src/core/format/topics.ts";
import { anyText } from "../../support/any-code.ts";
import { testStructure } from "../../support/test-structure.ts";

const anyCount = fc.nat({ max: 70_000 });
const anyShare = fc.nat({ max: 100 }).map((hundredths) => hundredths / 100);
const anyCounts = fc.record({ documents: anyCount, chunks: anyCount, concepts: anyCount });
const anyTexts = fc.array(anyText, { maxLength: 3 });

/** Places in a list of so many things. */
function anyPlaces(count: number): fc.Arbitrary<number[]> {
  return count === 0 ? fc.constant([]) : fc.array(fc.nat({ max: count - 1 }), { maxLength: 3 });
}

const anyMembers: fc.Arbitrary<CategoryMembers> = fc
  .record({ documents: fc.nat({ max: 4 }), concepts: fc.nat({ max: 4 }), chunks: fc.nat({ max: 4 }) })
  .chain(({ documents, concepts, chunks }) =>
    fc.record({
      documents: fc.array(fc.record({ id: anyText, sections: anyCount }), {
        minLength: documents,
        maxLength: documents,
      }),
      concepts: fc.array(
        fc
          .record({
            name: anyText,
            type: fc.constantFrom(...CONCEPT_TYPES),
            weight: anyShare,
            relevance: anyShare,
            documents: anyCount,
            others: anyCount,
            chunks: anyCount,
            related: anyPlaces(concepts),
          })
          .map(({ others, ...concept }) => ({ ...concept, totalDocuments: concept.documents + others })),
        { minLength: concepts, maxLength: concepts },
      ),
      chunks: fc.array(
        fc.record({
          document: fc.nat({ max: Math.max(0, documents - 1) }),
          section: anyCount,
          density: anyShare,
          concepts: anyPlaces(concepts),
        }),
        { maxLength: documents === 0 ? 0 : chunks },
      ),
    }),
  );

describe("a category", () => {
  testStructure({
    vectors: vectors.categories,
    refused: vectors.refused,
    any: fc.record({
      id: anyText,
      name: anyText,
      description: anyText,
      parent: anyText,
      aliases: anyTexts,
      related: anyTexts,
      sources: fc.subarray([...CATEGORY_SOURCES]),
      own: anyCounts,
      all: anyCounts,
    }),
    encode: encodeCategory,
    decode: decodeCategory,
  });
});

describe("what is in a category", () => {
  testStructure({
    vectors: vectors.members,
    refused: [...vectors.refused, ...vectors.refusedMembers],
    any: anyMembers,
    encode: encodeMembers,
    decode: decodeMembers,
  });
});

describe("counts of all categories", () => {
  testStructure({
    vectors: vectors.counts,
    refused: vectors.refused.slice(0, 1),
    any: anyCounts,
    encode: encodeCounts,
    decode: decodeCounts,
  });
});

describe("keys of categories", () => {
  it("lie in the range of categories, whatever the id, and within the longest key", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: "binary", minLength: 300, maxLength: 400 })), (id) => {
        const key = keyOfId("category", id);
        expect(key >= CATEGORY_KEYS.from && key < CATEGORY_KEYS.to).toBe(true);
        expect(keyOfId("members", id) >= CATEGORY_KEYS.to).toBe(true);
        expect(TOTALS_KEY >= CATEGORY_KEYS.to).toBe(true);
        expect(key.length).toBeLessThanOrEqual(MAX_KEY_BYTES);
      }),
    );
  });
});
