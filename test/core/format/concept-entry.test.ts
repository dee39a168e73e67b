import fc from "fast-check";
import { describe } from "vitest";
import vectors from "../../../schemas/index-format/vectors/concept-entry.json" with { type: "json" };
import {
  CONCEPT_TYPES,
  decodeConcept,
  decodeTopics,
  encodeConcept,
  encodeTopics,
} from "../../../src/core/format/topics.ts";
import { anyText } from "../../support/any-code.ts";
import { testStructure } from "../../support/test-structure.ts";

const anyCount = fc.nat({ max: 70_000 });
const anyWeight = fc.nat({ max: 100 }).map((hundredths) => hundredths / 100);
const anyType = fc.constantFrom(...CONCEPT_TYPES);
/** Ids hold no control characters. */
const anyId = fc.array(anyText, { maxLength: 4 }).map((parts) => parts.join("/").replaceAll("\0", ""));
const anyPlace = fc.record({ documentId: anyId, weight: anyWeight, sections: anyCount, section: anyCount });

describe("a concept", () => {
  testStructure({
    vectors: vectors.concepts,
    refused: [...vectors.refused, ...vectors.refusedConcepts],
    any: fc.record({
      name: anyText,
      type: anyType,
      weight: anyWeight,
      documents: anyCount,
      chunks: anyCount,
      related: fc.array(anyText, { maxLength: 4 }),
      places: fc.array(anyPlace, { maxLength: 5 }),
    }),
    encode: encodeConcept,
    decode: decodeConcept,
  });
});

describe("what a document is about", () => {
  testStructure({
    vectors: vectors.topics,
    refused: [...vectors.refused, ...vectors.refusedTopics],
    any: fc.record({
      preview: anyText,
      categories: fc.array(anyText, { maxLength: 3 }),
      held: anyCount,
      concepts: fc.array(fc.record({ name: anyText, type: anyType, weight: anyWeight, sections: anyCount }), {
        maxLength: 5,
      }),
    }),
    encode: encodeTopics,
    decode: decodeTopics,
  });
});
