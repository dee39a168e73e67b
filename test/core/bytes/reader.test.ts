import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/varint.json" with { type: "json" };
import { ByteReader, decodeJson, decodeUtf8 } from "../../../src/core/bytes/reader.ts";
import { ByteWriter } from "../../../src/core/bytes/writer.ts";
import { FormatError } from "../../../src/core/errors.ts";
import { bytesOfHex, decodeOrRefuse, expectTruncationsRefused, hexOf, refusalOf } from "../../support/format-cases.ts";

const MAX_VARINT = 2 ** 35 - 1;
const anyVarint = fc.oneof(
  fc.integer({ min: 0, max: 300 }),
  fc.maxSafeInteger().map((value) => Math.abs(value) % (MAX_VARINT + 1)),
  fc.constantFrom(2 ** 7, 2 ** 14, 2 ** 21, 2 ** 28, MAX_VARINT).map((value) => value - 1),
);

function writeVarint(value: number): Uint8Array {
  const writer = new ByteWriter();
  writer.writeVarint(value);
  return writer.finish();
}

function readVarint(bytes: Uint8Array): number {
  const reader = new ByteReader(bytes, "varint");
  const value = reader.readVarint();
  reader.expectEnd();
  return value;
}

describe("varint", () => {
  it.each(vectors.vectors)("is $hex for $value", ({ value, hex }) => {
    expect(hexOf(writeVarint(value))).toBe(hex);
    expect(readVarint(bytesOfHex(hex))).toBe(value);
  });

  it.each(vectors.refused)("refuses $hex", async ({ hex, code }) => {
    expect((await refusalOf(() => readVarint(bytesOfHex(hex)))).detail.code).toBe(code);
  });

  it("comes back as it was written", () => {
    fc.assert(
      fc.property(anyVarint, (value) => {
        expect(readVarint(writeVarint(value))).toBe(value);
      }),
    );
  });

  it("is what shifting gives: seven bits a byte, lowest first", () => {
    fc.assert(
      fc.property(anyVarint, (value) => {
        const bytes: number[] = [];
        let rest = BigInt(value);
        do {
          bytes.push(Number(rest & 127n) | (rest > 127n ? 128 : 0));
          rest >>= 7n;
        } while (rest > 0n);
        expect(hexOf(writeVarint(value))).toBe(hexOf(Uint8Array.from(bytes)));
      }),
    );
  });

  it("has one encoding for each value: bytes that are read are the bytes that would be written", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 7 }), async (bytes) => {
        const value = await decodeOrRefuse(() => readVarint(bytes));
        if (value !== undefined) expect(writeVarint(value)).toEqual(bytes);
      }),
    );
  });

  it("refuses every truncation", async () => {
    for (const value of [0, 128, 2 ** 20, MAX_VARINT]) await expectTruncationsRefused(writeVarint(value), readVarint);
  });
});

describe("ByteReader", () => {
  it("gives back what a writer wrote, in order", () => {
    const value = fc.oneof(
      fc.record({ kind: fc.constant("byte" as const), value: fc.integer({ min: 0, max: 255 }) }),
      fc.record({ kind: fc.constant("u32" as const), value: fc.integer({ min: 0, max: 2 ** 32 - 1 }) }),
      fc.record({ kind: fc.constant("varint" as const), value: anyVarint }),
      fc.record({ kind: fc.constant("string" as const), value: fc.string({ unit: "grapheme", maxLength: 40 }) }),
      fc.record({ kind: fc.constant("bytes" as const), value: fc.uint8Array({ maxLength: 100 }) }),
    );
    fc.assert(
      fc.property(fc.array(value, { maxLength: 30 }), (values) => {
        const writer = new ByteWriter(1);
        for (const entry of values) {
          if (entry.kind === "byte") writer.writeByte(entry.value);
          if (entry.kind === "u32") writer.writeUint32(entry.value);
          if (entry.kind === "varint") writer.writeVarint(entry.value);
          if (entry.kind === "string") writer.writeString(entry.value);
          if (entry.kind === "bytes") writer.writeBytes(entry.value);
        }
        const reader = new ByteReader(writer.finish(), "values");
        for (const entry of values) {
          if (entry.kind === "byte") expect(reader.readByte()).toBe(entry.value);
          if (entry.kind === "u32") expect(reader.readUint32()).toBe(entry.value);
          if (entry.kind === "varint") expect(reader.readVarint()).toBe(entry.value);
          if (entry.kind === "string") expect(reader.readString()).toBe(entry.value);
          if (entry.kind === "bytes") expect(reader.readBytes(entry.value.length)).toEqual(entry.value);
        }
        reader.expectEnd();
      }),
    );
  });

  it("says how many bytes it needed and had", async () => {
    const reader = new ByteReader(Uint8Array.of(1, 2, 3), "three bytes");
    reader.readByte();
    const error = await refusalOf(() => reader.readBytes(12));
    expect(error.what).toBe("three bytes");
    expect(error.detail).toEqual({ code: "truncated", need: 12, have: 2 });
    expect(error.message).toBe("three bytes: needs 12 bytes, has 2");
    expect(reader.remaining).toBe(2);
  });

  it("never reads past the end that it was given, though more bytes are there", async () => {
    const reader = new ByteReader(Uint8Array.of(1, 2, 3), "part", 1, 2);
    expect(reader.readByte()).toBe(2);
    expect((await refusalOf(() => reader.readByte())).detail.code).toBe("truncated");
    expect((await refusalOf(() => new ByteReader(new Uint8Array(2), "part", 0, 3))).detail.code).toBe("truncated");
  });

  it("refuses a length of gigabytes without taking memory for it", async () => {
    for (const length of [2 ** 31, 2 ** 32, MAX_VARINT]) {
      const reader = new ByteReader(writeVarint(length), "string");
      expect((await refusalOf(() => reader.readString())).detail).toMatchObject({ code: "truncated", need: length });
    }
  });

  it("refuses what is left over at the end", async () => {
    const error = await refusalOf(() => new ByteReader(new Uint8Array(3), "rest").expectEnd());
    expect(error.detail).toEqual({ code: "trailing-bytes", extra: 3 });
  });
});

describe("decodeUtf8 and decodeJson", () => {
  it("refuse bytes that are not UTF-8, and keep a byte order mark", async () => {
    for (const hex of ["ff", "c3", "eda080", "c080", "f4908080"]) {
      expect((await refusalOf(() => decodeUtf8(bytesOfHex(hex), "text"))).detail.code).toBe("malformed");
    }
    expect(decodeUtf8(bytesOfHex("efbbbf61"), "text")).toBe("\ufeffa");
  });

  it("decode or refuse any bytes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 30 }), async (bytes) => {
        await decodeOrRefuse(() => decodeUtf8(bytes, "text"));
        await decodeOrRefuse(() => decodeJson(bytes, "json"));
      }),
    );
    const deep = new TextEncoder().encode("[".repeat(200_000));
    expect((await refusalOf(() => decodeJson(deep, "json"))).detail.code).toBe("malformed");
  });

  it("keep the cause", async () => {
    const error = await refusalOf(() => decodeJson(Uint8Array.of(0x7b), "json"));
    expect(error).toBeInstanceOf(FormatError);
    expect(error.cause).toBeInstanceOf(SyntaxError);
  });
});
