import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/quantize.json" with { type: "json" };
import {
  decodeFrequency,
  decodeLength,
  encodeFrequency,
  encodeLength,
  pinAverage,
} from "../../../src/core/format/postings.ts";

const BYTE = 255;
const anyLength = fc.integer({ min: 1, max: 4_000_000 });

describe("length codes", () => {
  it.each(vectors.lengths)("are $code for $length words", ({ length, code }) => {
    expect(encodeLength(length, BYTE)).toBe(code);
  });

  it.each(vectors.codes)("stand for $length words as $code", ({ code, length }) => {
    expect(decodeLength(code)).toBe(length);
  });

  it("come back as the same code from the length that they stand for, from 1 to the limit", () => {
    expect(encodeLength(decodeLength(0), BYTE)).toBe(0);
    for (let code = 1; code <= BYTE; code++) expect(encodeLength(decodeLength(code), BYTE)).toBe(code);
  });

  it("are the nearest step of 2^⅛", () => {
    fc.assert(
      fc.property(anyLength, (length) => {
        const steps = Array.from({ length: 200 }, (_, step) => 2 ** (step / 8));
        const distance = (step: number): number => Math.abs(Math.log2(step) - Math.log2(length));
        const nearest = Math.min(...steps.map(distance));
        expect(distance(decodeLength(encodeLength(length, BYTE)))).toBeCloseTo(nearest, 9);
      }),
    );
  });

  it("never fall when the length grows, and stop at the limit", () => {
    fc.assert(
      fc.property(anyLength, anyLength, fc.constantFrom(0x7f, BYTE), (a, b, limit) => {
        expect(encodeLength(Math.min(a, b), limit)).toBeLessThanOrEqual(encodeLength(Math.max(a, b), limit));
        expect(encodeLength(a, limit)).toBeLessThanOrEqual(limit);
      }),
    );
    expect(encodeLength(2 ** 40, 0x7f)).toBe(0x7f);
    expect(encodeLength(-1, BYTE)).toBe(0);
  });

  it("tell all lengths apart that fit into a byte", () => {
    for (let code = 0; code < 256; code++) expect(Number.isFinite(decodeLength(code))).toBe(true);
  });
});

describe("frequency codes", () => {
  it.each(vectors.frequencies)("are $code for $frequency, scored as $scored", ({ frequency, code, scored }) => {
    expect(encodeFrequency(frequency)).toBe(code);
    expect(decodeFrequency(code)).toBe(scored);
  });

  it("come back as the same code from what they are scored as", () => {
    for (let code = 0; code < 8; code++) expect(encodeFrequency(decodeFrequency(code))).toBe(code);
  });

  it("follow the table of the format", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), (frequency) => {
        const floors = [1, 2, 3, 4, 5, 7, 10, 16];
        const expected = floors.filter((floor) => floor <= frequency).length - 1;
        expect(encodeFrequency(frequency)).toBe(expected);
      }),
    );
  });
});

describe("pinAverage", () => {
  it("is the nearest power of 2^¼, and 1 for what is not above 1", () => {
    expect(pinAverage(0)).toBe(1);
    expect(pinAverage(0.3)).toBe(1);
    expect(pinAverage(Number.NaN)).toBe(1);
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1e6, noNaN: true }), (average) => {
        const quarters = Math.log2(pinAverage(average)) * 4;
        expect(quarters).toBeCloseTo(Math.round(quarters), 9);
        expect(Math.abs(Math.log2(pinAverage(average) / average))).toBeLessThanOrEqual(1 / 8 + 1e-9);
      }),
    );
  });

  it("stays where it is for almost every small edit", () => {
    const moved = Array.from({ length: 1000 }, (_, n) => 100 + n).filter(
      (average) => pinAverage(average) !== pinAverage(average * 1.001),
    );
    expect(moved.length).toBeLessThan(20);
  });
});
