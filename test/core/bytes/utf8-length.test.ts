import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { utf8Length } from "../../../src/core/bytes/encodings.ts";
import { encodeUtf8 } from "../../../src/core/bytes/writer.ts";

describe("the length of a text in UTF-8", () => {
  it("is that of its bytes, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(utf8Length(text)).toBe(encodeUtf8(text).length);
      }),
    );
  });

  it.each([
    ["a", 1],
    ["é", 2],
    ["語", 3],
    ["😀", 4],
    ["\ud800a", 4],
    ["\udc00", 3],
    ["\ud800\ud800\udc00", 7],
  ])("of %j is %i", (text, bytes) => {
    expect(utf8Length(text)).toBe(bytes);
    expect(encodeUtf8(text)).toHaveLength(bytes);
  });
});
