/**
 * Which generations stay when another one becomes current.
 *
 * Pure: what is published and a time in, a list out.
 */
import type { PreviousGeneration } from "../../src/core/format/generation.ts";
import type { Published } from "./published.ts";

/** How long a generation stays after it was replaced, whatever else holds: readers may still be at it. */
export const STAYS_MS = 3_600_000;
/** Generations that are kept beside the current one unless somebody says otherwise. */
export const KEPT_GENERATIONS = 5;
/** Most that may be asked for. */
export const MAX_KEEP = 99;
/** The pointer is what every reader begins with, so its list ends somewhere. */
const MAX_GENERATIONS = 100;

/** What `readKeep` takes, for messages. */
export const KEEP_WORDS = `a whole number from 0 to ${MAX_KEEP}`;

/** How many generations to keep, as a person wrote it; undefined for what is no such number. */
export function readKeep(text: string): number | undefined {
  const keep = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return keep <= MAX_KEEP ? keep : undefined;
}

/**
 * The previous generations of the next pointer, what was current last first.
 *
 * @param next The generation that becomes current.
 * @param keep How many to keep; those that were replaced less than an hour ago stay in any case.
 * @param now Milliseconds since 1970.
 */
export function keepGenerations(
  published: Published | undefined,
  next: string,
  keep: number,
  now: number,
): readonly PreviousGeneration[] {
  if (published === undefined) return [];
  const { pointer, replacedAt, commit, builtAt } = published;
  const { generation, root, manifest } = pointer;
  const current = { generation, root, manifest, commit, builtAt, replacedAt: formatTime(now) };
  const earlier = pointer.previous.map((one): PreviousGeneration => {
    const time = replacedAt.get(one.generation);
    return { ...one, ...(time !== undefined && { replacedAt: formatTime(time) }) };
  });
  return [current, ...earlier]
    .filter((one) => one.generation !== next)
    .filter(({ generation: id }, at) => {
      const since = id === generation ? now : replacedAt.get(id);
      return at < keep || (since !== undefined && now - since < STAYS_MS);
    })
    .slice(0, MAX_GENERATIONS);
}

function formatTime(time: number): string {
  return new Date(time).toISOString();
}
