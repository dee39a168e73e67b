import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBase64Url, encodeBase64Url } from "../../../src/core/bytes/encodings.ts";

describe("base64url", () => {
  it.each([
    [[], ""],
    [[0], "AA"],
    [[0xfb, 0xff], "-_8"],
    [[1, 2, 3], "AQID"],
  ])("writes %j as %j", (bytes, text) => {
    expect(encodeBase64Url(Uint8Array.from(bytes))).toBe(text);
    expect(decodeBase64Url(text)).toEqual(Uint8Array.from(bytes));
  });

  it("gives back what it was made of", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(decodeBase64Url(encodeBase64Url(bytes))).toEqual(bytes);
      }),
    );
  });

  it("reads nothing but what it writes: each text that is read is written so", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), (text) => {
        const bytes = decodeBase64Url(text);
        if (bytes !== undefined) expect(encodeBase64Url(bytes)).toBe(text);
      }),
    );
    for (const text of ["A", "AB", "AAF", "AA==", "A+", "A/", "Ä", "AAAAA"])
      expect(decodeBase64Url(text)).toBeUndefined();
  });
});
