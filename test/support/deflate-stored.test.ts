import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inflateRaw } from "../../indexer/base/codec.ts";
import { deflateStored } from "./deflate-stored.ts";
import { hexOf } from "./format-cases.ts";

describe("deflateStored", () => {
  it("writes the bytes behind the five bytes of a stored block", () => {
    expect(hexOf(deflateStored(Uint8Array.of(1, 2, 3)))).toBe("010300fcff010203");
    expect(hexOf(deflateStored(new Uint8Array()))).toBe("010000ffff");
  });

  it("writes what zlib inflates to the same bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(Uint8Array.from(inflateRaw(deflateStored(bytes), 300))).toEqual(bytes);
      }),
    );
  });

  it("begins a new block behind 65,535 bytes", () => {
    for (const length of [65_535, 65_536, 200_000]) {
      const bytes = Uint8Array.from({ length }, (_, at) => at % 251);
      expect(hexOf(inflateRaw(deflateStored(bytes), length))).toBe(hexOf(bytes));
    }
  });
});
