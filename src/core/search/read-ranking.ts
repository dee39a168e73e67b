/**
 * Read ranking settings as callers write them, in tools, in URLs and on the command line alike: a preset's name, an
 * object such as `{"preset": "mixed", "title_weight": 4}`, or the JSON text of either.
 *
 * Names may be spelt in camelCase and numbers may come as text. What a preset sets is overlaid by the settings that
 * stand beside it.
 *
 * Pure: values in, settings out.
 */
import { InputError } from "../errors.ts";
import { foldName, nearestNames, quoteValue } from "../text/nearest.ts";
import {
  expandPreset,
  RANKING_BOUNDS,
  RANKING_NAMES,
  RANKING_PRESETS,
  type RankingName,
  type RankingPreset,
  type RankingSettings,
} from "./ranking-settings.ts";

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
