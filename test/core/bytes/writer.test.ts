import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteWriter, concatBytes, encodeJson, encodeUtf8 } from "../../../src/core/bytes/writer.ts";
import { hexOf } from "../../support/format-cases.ts";

describe("ByteWriter", () => {
  it("refuses numbers that no varint can hold", () => {
    const writer = new ByteWriter();
    for (const value of [-1, 0.5, 2 ** 35, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => writer.writeVarint(value)).toThrow(RangeError);
    }
    expect(writer.length).toBe(0);
  });

  it("grows from any capacity, none included, and finishes with a copy", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), fc.integer({ min: 0, max: 8 }), (parts, capacity) => {
        const writer = new ByteWriter(capacity);
        for (const part of parts) writer.writeBytes(part);
        const bytes = writer.finish();
        expect(hexOf(bytes)).toBe(parts.map(hexOf).join(""));
        expect(writer.length).toBe(bytes.length);
        writer.writeByte(1);
        expect(writer.finish().length).toBe(bytes.length + 1);
      }),
    );
  });
});

describe("encodeUtf8 and encodeJson", () => {
  it("write lone surrogates as U+FFFD in text and as escapes in JSON, so that bytes are always UTF-8", () => {
    expect(hexOf(encodeUtf8("a\ud800b"))).toBe("61efbfbd62");
    expect(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(encodeJson(["\ud800"]))).toBe(
      '["\\ud800"]',
    );
  });
});

describe("concatBytes", () => {
  it("is the parts one behind the other", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 20 })), (parts) => {
        expect(hexOf(concatBytes(parts))).toBe(parts.map(hexOf).join(""));
      }),
    );
  });
});
