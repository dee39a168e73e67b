import fc from "fast-check";
import { describe } from "vitest";
import vectors from "../../../schemas/index-format/vectors/mention-list.json" with { type: "json" };
import {
  decodeNamedSymbols,
  decodeNamingSections,
  encodeNamedSymbols,
  encodeNamingSections,
} from "../../../src/core/format/edge-tables.ts";
import { anyText } from "../../support/any-code.ts";
import { testStructure } from "../../support/test-structure.ts";

const PAGE = "docs:guide.md";
const anyMention = {
  nodeId: anyText.map((section) => PAGE + section),
  text: anyText,
  line: fc.integer({ min: 1, max: 9000 }),
};

describe("symbols that a page names", () => {
  testStructure({
    vectors: vectors.pages,
    refused: vectors.refused,
    any: fc.array(fc.record({ ...anyMention, symbolId: anyText }), { maxLength: 5 }),
    encode: (mentions) => encodeNamedSymbols(PAGE, mentions),
    decode: (bytes) => decodeNamedSymbols(PAGE, bytes),
  });
});

describe("sections that name a symbol", () => {
  testStructure({
    vectors: vectors.symbols,
    refused: vectors.refused,
    any: fc.record({ total: fc.nat({ max: 9000 }), sections: fc.array(fc.record(anyMention), { maxLength: 5 }) }),
    encode: encodeNamingSections,
    decode: decodeNamingSections,
  });
});
