import fc from "fast-check";
import { describe } from "vitest";
import vectors from "../../../schemas/index-format/vectors/file-entry.json" with { type: "json" };
import { decodeFileEntry, encodeFileEntry } from "../../../src/core/format/file-tables.ts";
import { anyText } from "../../support/any-code.ts";
import { testStructure } from "../../support/test-structure.ts";

describe("entries of source files", () => {
  testStructure({
    ...vectors,
    any: fc.record({ number: fc.nat({ max: 2 ** 24 }), language: anyText, module: anyText, package: anyText }),
    encode: encodeFileEntry,
    decode: decodeFileEntry,
  });
});
