/**
 * The tests that every structure of the code tables has: vectors in both directions, round trip, any bytes, truncations.
 */

import fc from "fast-check";
import { expect, it } from "vitest";
import {
  anyBytesNear,
  bytesOfHex,
  decodeOrRefuse,
  expectTruncationsRefused,
  hexOf,
  refusalOf,
} from "./format-cases.ts";
import { runs } from "./runs.ts";

/** A structure: how its values become bytes and back, and some of both. */
export interface Structure<Value> {
  readonly vectors: readonly { readonly name: string; readonly value: unknown; readonly hex: string }[];
  readonly refused: readonly { readonly hex: string; readonly code: string }[];
  readonly any: fc.Arbitrary<Value>;
  readonly encode: (value: Value) => Uint8Array;
  readonly decode: (bytes: Uint8Array) => Value;
}

/** Register the tests of a structure. */
export function testStructure<Value>({ vectors, refused, any, encode, decode }: Structure<Value>): void {
  it.each(vectors)("hold the vector: $name", ({ value, hex }) => {
    expect(hexOf(encode(value as Value))).toBe(hex);
    expect(decode(bytesOfHex(hex))).toEqual(value);
  });

  it.each(refused)("refuse $hex", async ({ hex, code }) => {
    expect((await refusalOf(() => decode(bytesOfHex(hex)))).detail.code).toBe(code);
  });

  it("come back as they were written", () => {
    fc.assert(
      fc.property(any, (value) => {
        expect(decode(encode(value))).toEqual(value);
      }),
    );
  });

  it("decode or refuse any bytes, and what decodes is a value that can be written", async () => {
    await fc.assert(
      fc.asyncProperty(anyBytesNear(any.map(encode)), async (bytes) => {
        const value = await decodeOrRefuse(() => decode(bytes));
        if (value !== undefined) expect(decode(encode(value))).toEqual(value);
      }),
      { numRuns: runs(1000) },
    );
  });

  it("refuse every truncation", async () => {
    for (const { hex } of vectors) await expectTruncationsRefused(bytesOfHex(hex), decode);
  });
}
