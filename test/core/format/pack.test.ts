import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/pack.json" with { type: "json" };
import { fileOfPack, keyAt, keyOfPack, listPack, mixKey } from "../../../src/core/format/chunk.ts";

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));

describe("packs in the root", () => {
  it.each(vectors.vectors)("hold the vector: $name", ({ file, key, listed, offset, checksum, stored }) => {
    expect(listPack(file.slice(0, -".pack".length), key)).toBe(listed);
    expect(fileOfPack(listed)).toBe(file);
    expect(keyOfPack(listed)).toBe(key);
    const bytes = bytesOf(`ff${checksum}ff`);
    mixKey(bytes, 1, keyAt(key, offset));
    expect(hexOf(bytes)).toBe(`ff${stored}ff`);
  });

  it("come back as they were listed, and a key that is mixed in twice is out again", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 32, maxLength: 32 }),
        fc.nat({ max: 0xffffffff }),
        fc.uint8Array({ minLength: 4, maxLength: 9 }),
        (name, key, bytes) => {
          const listed = listPack(name, key);
          expect([fileOfPack(listed), keyOfPack(listed)]).toEqual([`${name}.pack`, key]);
          const mixed = bytes.slice();
          mixKey(mixed, bytes.length - 4, key);
          mixKey(mixed, bytes.length - 4, key);
          expect(mixed).toEqual(bytes);
        },
      ),
    );
  });
});
