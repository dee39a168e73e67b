import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/checksum.json" with { type: "json" };
import { crc32, hashKey } from "../../../src/core/bytes/checksum.ts";
import { concatBytes } from "../../../src/core/bytes/writer.ts";
import { bytesOfHex } from "../../support/format-cases.ts";
import { keyOfHex } from "../../support/format-vectors.ts";

describe("crc32", () => {
  it.each(vectors.crc32)("is $crc32 for $hex", ({ hex, crc32: expected }) => {
    expect(crc32(bytesOfHex(hex))).toBe(expected);
  });

  it.each(vectors.continued)("goes on from a seed", ({ seed, hex, crc32: expected }) => {
    expect(crc32(bytesOfHex(hex), crc32(bytesOfHex(seed)))).toBe(expected);
  });

  it("is the remainder of the polynomial, bit by bit", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        let crc = 0xffffffff;
        for (const byte of bytes) {
          for (let bit = 0; bit < 8; bit++) {
            const low = (crc ^ (byte >> bit)) & 1;
            crc = low === 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
          }
        }
        expect(crc32(bytes)).toBe(~crc >>> 0);
      }),
    );
  });

  it("of two parts in turn is that of the whole", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (first, second) => {
        expect(crc32(second, crc32(first))).toBe(crc32(concatBytes([first, second])));
      }),
    );
  });

  it("finds every change of one bit", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.nat(), (bytes, at) => {
        const changed = bytes.slice();
        changed[(at >> 3) % bytes.length] = (changed[(at >> 3) % bytes.length] as number) ^ (1 << (at & 7));
        expect(crc32(changed)).not.toBe(crc32(bytes));
      }),
    );
  });
});

describe("hashKey", () => {
  it.each(vectors.keyHash)("is $hash for $key", ({ key, hash }) => {
    expect(hashKey(keyOfHex(key))).toBe(hash);
  });

  it("spreads keys that differ in one letter evenly, because it decides where tables are cut", () => {
    const keys = Array.from({ length: 4096 }, (_, n) => `documents/page-${n}.md`);
    const below = keys.filter((key) => hashKey(key) < 2 ** 32 / 16).length;
    expect(below).toBeGreaterThan(4096 / 16 / 1.5);
    expect(below).toBeLessThan((4096 / 16) * 1.5);
  });
});
