import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatHex } from "../../../src/core/bytes/encodings.ts";

describe("formatHex", () => {
  it("writes two small digits for each byte, from which the bytes can be read again", () => {
    expect(formatHex(Uint8Array.of(0, 9, 16, 255))).toBe("000910ff");
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = formatHex(bytes);
        expect(text).toMatch(/^[0-9a-f]*$/);
        expect(Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))).toEqual(bytes);
      }),
    );
  });
});
