/**
 * Ranking settings as people know them: names, defaults, bounds and presets.
 *
 * A setting scales a part of the score that was measured at its default, so the defaults give exactly the measured
 * ranking (`ranking.ts` says how each one acts). Settings come in layers: defaults, then what the configuration of the
 * corpus sets, then what a request sets.
 *
 * Pure: values in, values out.
 */

/** What a setting is when nobody sets it, and what it may be. */
export interface RankingBounds {
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
}

/** A weight of a hundred drowns every other part of a score; more would say nothing else. */
const MAX_WEIGHT = 100;
/** From about ten on, BM25 hardly saturates: a higher k1 ranks by plain counts just the same. */
const MAX_K1 = 10;

/** Every setting by its public name, in the order in which it is shown. */
const SETTINGS = {
  bm25_k1: { default: 1.2, minimum: 0, maximum: MAX_K1 },
  bm25_b: { default: 0.75, minimum: 0, maximum: 1 },
  title_weight: { default: 3, minimum: 0, maximum: MAX_WEIGHT },
  code_weight: { default: 1.5, minimum: 0, maximum: MAX_WEIGHT },
  description_weight: { default: 2, minimum: 0, maximum: MAX_WEIGHT },
  term_proximity_bonus: { default: 2, minimum: 0, maximum: MAX_WEIGHT },
  full_coverage_bonus: { default: 5, minimum: 0, maximum: MAX_WEIGHT },
  prefix_penalty: { default: 0.5, minimum: 0, maximum: 1 },
} as const satisfies Readonly<Record<string, RankingBounds>>;

/** Public name of a setting. */
export type RankingName = keyof typeof SETTINGS;

/** Some settings. What is left out comes from the layer below. */
export type RankingSettings = Readonly<Partial<Record<RankingName, number>>>;

/** Every setting with its value. */
export type AllRankingSettings = Readonly<Record<RankingName, number>>;

/** Bounds and default of every setting. */
export const RANKING_BOUNDS: Readonly<Record<RankingName, RankingBounds>> = SETTINGS;

/** Names of all settings, in the order in which they are shown. */
export const RANKING_NAMES = Object.keys(SETTINGS) as readonly RankingName[];

/** What each preset sets apart from the defaults. */
const PRESETS = {
  "api-reference": { bm25_k1: 0.8, bm25_b: 0.9, code_weight: 2.5 },
  tutorials: {},
  mixed: { bm25_k1: 1, bm25_b: 0.6, full_coverage_bonus: 8 },
} as const satisfies Readonly<Record<string, RankingSettings>>;

/** Name of a preset: settings for one kind of corpus. */
export type RankingPreset = keyof typeof PRESETS;

/** Names of all presets. */
export const RANKING_PRESETS = /* @__PURE__ */ Object.keys(PRESETS) as readonly RankingPreset[];

/**
 * Every setting of a preset. All of them are given, so that a preset named in a request replaces what the configuration
 * sets, and `tutorials` brings the defaults back.
 */
export function expandPreset(preset: RankingPreset): AllRankingSettings {
  return mergeRanking(PRESETS[preset]);
}

/**
 * Every setting: the defaults, overlaid by each layer in turn. Names that are no settings are passed over, because an
 * index that a later release built may hold some.
 */
export function mergeRanking(...layers: readonly Readonly<Record<string, number | undefined>>[]): AllRankingSettings {
  const valueIn = (name: RankingName): number =>
    layers.reduce<number>((value, layer) => layer[name] ?? value, SETTINGS[name].default);
  return Object.fromEntries(RANKING_NAMES.map((name) => [name, valueIn(name)])) as AllRankingSettings;
}

/** The settings that are not at their default, which is all that an index stores. */
export function listChangedSettings(settings: RankingSettings): RankingSettings {
  const changed = RANKING_NAMES.filter((name) => (settings[name] ?? SETTINGS[name].default) !== SETTINGS[name].default);
  return Object.fromEntries(changed.map((name) => [name, settings[name]]));
}
