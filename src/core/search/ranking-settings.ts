/**
 * Ranking settings as people know them: names, defaults, bounds and presets.
 *
 * A setting scales a part of the score that was measured at its default, so the defaults give exactly the measured
 * ranking (`ranking.ts` says how each one acts). Settings come in layers: defaults, then what the configuration of the
 * corpus sets, then what a request sets.
 *
 * Pure: values in, values out.
 */
import { InputError } from "../errors.ts";
import { foldName, nearestNames, quoteValue } from "../text/nearest.ts";

/** What a setting is when nobody sets it, and what it may be. */
interface RankingBounds {
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

export type RankingName = keyof typeof SETTINGS;

/** Some settings. What is left out comes from the layer below. */
export type RankingSettings = Readonly<Partial<Record<RankingName, number>>>;

type AllRankingSettings = Readonly<Record<RankingName, number>>;

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
type RankingPreset = keyof typeof PRESETS;

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

/** The key that names a preset. */
const PRESET_KEY = "preset";
/** Names that an error offers. */
const MAX_NEAREST = 3;
const EXAMPLE = '{"preset": "mixed", "title_weight": 4}';

/**
 * The settings that a value stands for.
 *
 * @throws {InputError} where it names no preset or setting, or where a number is not one or out of its bounds.
 */
export function readRanking(given: unknown): RankingSettings {
  const value = typeof given === "string" ? parseText(given) : given;
  if (typeof value === "string") return expandPreset(readPreset("ranking", value));
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InputError(
      `ranking must be a preset (${RANKING_PRESETS.join(", ")}) or an object, as in ${EXAMPLE}; got ${quoteValue(given)}.`,
    );
  }
  return readSettings(value);
}

function readSettings(given: object): RankingSettings {
  const found = new Map<string, { readonly written: string; readonly value: number | RankingPreset }>();
  for (const [written, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue;
    const name = findName(written);
    const read = name === PRESET_KEY ? readPreset("ranking.preset", value) : readSetting(name, value);
    const before = found.get(name);
    if (before !== undefined && before.value !== read) {
      throw new InputError(`${before.written} and ${written} both give ranking.${name}; give one of them.`);
    }
    found.set(name, { written, value: read });
  }
  const preset = found.get(PRESET_KEY)?.value as RankingPreset | undefined;
  const settings = RANKING_NAMES.flatMap((name) => {
    const entry = found.get(name);
    return entry === undefined ? [] : [[name, entry.value] as const];
  });
  return { ...(preset !== undefined && expandPreset(preset)), ...Object.fromEntries(settings) };
}

function findName(written: string): RankingName | typeof PRESET_KEY {
  const names = [PRESET_KEY, ...RANKING_NAMES] as const;
  const name = names.find((known) => foldName(known) === foldName(written));
  if (name !== undefined) return name;
  throw new InputError(
    `ranking has no setting ${quoteValue(written)}; it takes ${names.join(", ")}.`,
    nearestNames(written, names, MAX_NEAREST),
  );
}

function readPreset(where: string, value: unknown): RankingPreset {
  const preset =
    typeof value === "string" ? RANKING_PRESETS.find((known) => foldName(known) === foldName(value)) : undefined;
  if (preset !== undefined) return preset;
  const nearest = typeof value === "string" ? nearestNames(value, RANKING_PRESETS, MAX_NEAREST) : [];
  throw new InputError(
    `${where} must be one of the presets ${RANKING_PRESETS.join(", ")}${where === "ranking" ? `, or an object, as in ${EXAMPLE}` : ""}; got ${quoteValue(value)}.`,
    nearest,
  );
}

function readSetting(name: RankingName, value: unknown): number {
  const { minimum, maximum } = RANKING_BOUNDS[name];
  const number = typeof value === "string" ? parseNumber(value) : value;
  if (typeof number === "number" && number >= minimum && number <= maximum) return number;
  throw new InputError(`ranking.${name} must be a number from ${minimum} to ${maximum}; got ${quoteValue(value)}.`);
}

/** A decimal number; not what else `Number` takes, such as an empty text or `0x10`. */
function parseNumber(text: string): number | undefined {
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : undefined;
}

/** The value of a JSON text; any other text as it is, because it may name a preset. */
function parseText(text: string): unknown {
  if (!/^\s*["{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    // The caller reports what is neither a preset nor JSON in the same words.
    return text;
  }
}
