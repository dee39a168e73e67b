/** Values as TOON, whatever text they hold. */
import { decode, encode } from "@toon-format/toon";
import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeToon } from "../../../src/surface/render/render.ts";

test("halves of characters become U+FFFD, in keys, lists and values", () => {
  expect(decode(encodeToon({ a: "x\ud800", "\udc00b": [{ c: "\ud83d\udcda\ud83d" }] }))).toEqual({
    a: "x\ufffd",
    "\ufffdb": [{ c: "\ud83d\udcda\ufffd" }],
  });
});

test("other values are what the package makes of them", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue()), (value) => {
      expect(encodeToon(value)).toBe(encode(value));
    }),
  );
});
