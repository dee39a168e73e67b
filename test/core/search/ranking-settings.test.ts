import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  expandPreset,
  listChangedSettings,
  mergeRanking,
  RANKING_BOUNDS,
  RANKING_NAMES,
  RANKING_PRESETS,
} from "../../../src/core/search/ranking-settings.ts";

const DEFAULTS = {
  bm25_k1: 1.2,
  bm25_b: 0.75,
  title_weight: 3,
  code_weight: 1.5,
  description_weight: 2,
  term_proximity_bonus: 2,
  full_coverage_bonus: 5,
  prefix_penalty: 0.5,
};

/** Some settings, any of them left out. */
const anySettings = fc.record(
  Object.fromEntries(
    RANKING_NAMES.map((name) => [
      name,
      fc.double({ min: RANKING_BOUNDS[name].minimum, max: RANKING_BOUNDS[name].maximum, noNaN: true }),
    ]),
  ),
  { requiredKeys: [] },
);

describe("presets", () => {
  it("are the published ones", () => {
    expect(Object.fromEntries(RANKING_PRESETS.map((preset) => [preset, expandPreset(preset)]))).toEqual({
      "api-reference": { ...DEFAULTS, bm25_k1: 0.8, bm25_b: 0.9, code_weight: 2.5 },
      tutorials: DEFAULTS,
      mixed: { ...DEFAULTS, bm25_k1: 1, bm25_b: 0.6, full_coverage_bonus: 8 },
    });
  });

  it("replace all that a lower layer sets", () => {
    expect(mergeRanking({ title_weight: 9, bm25_b: 0 }, expandPreset("tutorials"))).toEqual(DEFAULTS);
  });
});

describe("mergeRanking", () => {
  it("gives the defaults where nothing is set", () => {
    expect(mergeRanking()).toEqual(DEFAULTS);
  });

  it("lets each layer win over those before it, and passes over unknown names", () => {
    const merged = mergeRanking(
      { bm25_k1: 2, title_weight: 0, later_setting: 7 },
      { bm25_k1: 0, title_weight: undefined },
    );
    expect(merged).toEqual({ ...DEFAULTS, bm25_k1: 0, title_weight: 0 });
  });
});

describe("listChangedSettings", () => {
  it("loses nothing that merging with the defaults does not bring back", () => {
    fc.assert(
      fc.property(anySettings, (settings) => {
        expect(mergeRanking(listChangedSettings(settings))).toEqual(mergeRanking(settings));
      }),
    );
  });

  it("leaves out what is at its default", () => {
    expect(listChangedSettings(expandPreset("tutorials"))).toEqual({});
    expect(listChangedSettings({ ...expandPreset("mixed"), bm25_b: 0.75 })).toEqual({
      bm25_k1: 1,
      full_coverage_bonus: 8,
    });
  });
});
