import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/core/errors.ts";
import { expandPreset, RANKING_BOUNDS, RANKING_NAMES, readRanking } from "../../../src/core/search/ranking-settings.ts";

function refusal(given: unknown): InputError {
  try {
    readRanking(given);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error("the ranking was accepted");
}

describe("readRanking", () => {
  it("takes a preset by its name, in any spelling, bare or as JSON", () => {
    for (const given of [
      "api-reference",
      " API_Reference ",
      "apiReference",
      '"api-reference"',
      { preset: "ApiReference" },
    ]) {
      expect(readRanking(given)).toEqual(expandPreset("api-reference"));
    }
  });

  it("overlays a preset with the settings beside it, wherever they stand", () => {
    const expected = { ...expandPreset("mixed"), bm25_b: 0.1 };
    expect(readRanking({ bm25_b: 0.1, preset: "mixed" })).toEqual(expected);
    expect(readRanking('{"preset": "mixed", "bm25B": "0.1"}')).toEqual(expected);
  });

  it("takes settings in snake_case and camelCase, as numbers and as text, and leaves out null", () => {
    const given = {
      bm25K1: "2",
      titleWeight: 4.5,
      code_weight: ".5",
      prefix_penalty: null,
      "full-coverage-bonus": "1e1",
    };
    expect(readRanking(given)).toEqual({ bm25_k1: 2, title_weight: 4.5, code_weight: 0.5, full_coverage_bonus: 10 });
    expect(readRanking({})).toEqual({});
  });

  it("takes the bounds of every setting and nothing beyond them", () => {
    for (const name of RANKING_NAMES) {
      const { minimum, maximum } = RANKING_BOUNDS[name];
      expect(readRanking({ [name]: minimum, preset: null })).toEqual({ [name]: minimum });
      expect(readRanking({ [name]: String(maximum) })).toEqual({ [name]: maximum });
      for (const wrong of [minimum - 0.01, maximum + 0.01]) {
        expect(refusal({ [name]: wrong }).message).toBe(
          `ranking.${name} must be a number from ${minimum} to ${maximum}; got ${wrong}.`,
        );
      }
    }
  });

  it.each([
    [Number.NaN, "NaN"],
    [Number.POSITIVE_INFINITY, "Infinity"],
    [-1, "-1"],
    ["NaN", '"NaN"'],
    ["1e999", '"1e999"'],
    ["0x1", '"0x1"'],
    [" ", '" "'],
    [true, "true"],
    [[1], "[1]"],
    [{}, "{}"],
  ])("refuses %s for a number", (value, quoted) => {
    expect(refusal({ bm25_b: value }).message).toBe(`ranking.bm25_b must be a number from 0 to 1; got ${quoted}.`);
  });

  it("names the nearest settings and presets", () => {
    expect(refusal({ titel_weight: 1 })).toMatchObject({
      message: expect.stringContaining('ranking has no setting "titel_weight"; it takes preset, bm25_k1,') as string,
      nearest: ["title_weight", "code_weight"],
    });
    expect(refusal("tutorial")).toMatchObject({ nearest: ["tutorials"] });
    expect(refusal({ preset: "mixd" })).toMatchObject({ nearest: ["mixed"] });
  });

  it.each<{ given: unknown }>([
    { given: 5 },
    { given: true },
    { given: null },
    { given: [] },
    { given: ["mixed"] },
    { given: "" },
    { given: "{" },
    { given: "[]" },
    { given: '{"preset": 3}' },
    { given: { constructor: 1 } },
    { given: '{"__proto__": 1}' },
    { given: { toString: 2 } },
  ])("refuses $given in words", ({ given }) => {
    expect(refusal(given).message).toMatch(/^ranking/);
  });

  it("refuses two values for one setting, and takes one value given twice", () => {
    expect(refusal({ bm25_k1: 1, bm25K1: 2 }).message).toBe(
      "bm25_k1 and bm25K1 both give ranking.bm25_k1; give one of them.",
    );
    expect(readRanking({ bm25_k1: 1, bm25K1: "1" })).toEqual({ bm25_k1: 1 });
  });

  it("gives numbers within their bounds for anything, or an error in words", () => {
    const key = fc.oneof(fc.constantFrom("preset", ...RANKING_NAMES), fc.string());
    const value = fc.oneof(fc.double(), fc.constantFrom("mixed", "3", ""), fc.jsonValue());
    const anything = fc.oneof(fc.dictionary(key, value, { maxKeys: 4 }), fc.jsonValue(), fc.json(), fc.string());
    fc.assert(
      fc.property(anything, (given) => {
        let settings: Record<string, number>;
        try {
          settings = readRanking(given);
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
          return;
        }
        for (const [name, number] of Object.entries(settings)) {
          const { minimum, maximum } = RANKING_BOUNDS[name as (typeof RANKING_NAMES)[number]];
          expect(number).toBeGreaterThanOrEqual(minimum);
          expect(number).toBeLessThanOrEqual(maximum);
        }
      }),
    );
  });
});
