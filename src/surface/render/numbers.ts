/**
 * Numbers, counts, cut lists, ages and versions, in words.
 */

import type { TopicCounts } from "../../core/format/topics.ts";

/** Digits of a score behind the point: enough to tell two apart. */
const SCORE_DIGITS = 4;

/** A number with at most so many digits behind the point. */
export function roundTo(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}

/** A score as JSON shows it. */
export function roundScore(score: number): number {
  return roundTo(score, SCORE_DIGITS);
}

/** `1,925`: a whole number with commas. */
export function formatNumber(number: number): string {
  // Not by `toLocaleString`: an outline has thousands of numbers, and that takes microseconds for each.
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** A number with its noun, in the plural where it is not one. */
export function formatCount(number: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(number)} ${number === 1 ? noun : plural}`;
}

/** `12 documents, 80 sections, 34 concepts` */
export function formatTopicCounts({ documents, chunks, concepts }: TopicCounts): string {
  return `${formatCount(documents, "document")}, ${formatCount(chunks, "section")}, ${formatCount(concepts, "concept")}`;
}

/** `12-40`, or `12` for one line. */
export function formatLines(startLine: number, endLine: number): string {
  return endLine > startLine ? `${startLine}-${endLine}` : `${startLine}`;
}

/** The first `most` of some texts, and `+n` for the others. */
export function cutList(texts: readonly string[], most: number, total = texts.length): string[] {
  const shown = texts.slice(0, most);
  const left = total - shown.length;
  return left > 0 ? [...shown, `+${left}`] : shown;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Up to two days hours say more than days. */
const MAX_HOURS_MS = 2 * DAY_MS;

/** Seconds from an ISO time until `now`, or undefined where the time is none. Never negative: clocks differ. */
export function ageSeconds(isoTime: string, now: number): number | undefined {
  const then = Date.parse(isoTime);
  return Number.isNaN(then) ? undefined : Math.max(0, Math.floor((now - then) / 1000));
}

/** `just now`, `5 min ago`, `2 h ago` or `12 d ago`; undefined where the time is none. */
export function formatAge(isoTime: string, now: number): string | undefined {
  const seconds = ageSeconds(isoTime, now);
  if (seconds === undefined) return undefined;
  const ageMs = seconds * 1000;
  if (ageMs < MINUTE_MS) return "just now";
  if (ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)} min ago`;
  if (ageMs < MAX_HOURS_MS) return `${Math.floor(ageMs / HOUR_MS)} h ago`;
  return `${Math.floor(ageMs / DAY_MS)} d ago`;
}

/** Name under which the server introduces itself to clients. */
export const SERVER_NAME = "treeline";

/** Version of the server, and so of how it words its answers. */
export const SERVER_VERSION = "0.1.0";

/** What people are shown as its name. @param corpus Name of the one that answers; `""` for that at the root. */
export function serverTitle(corpus: string): string {
  return corpus === "" ? "Treeline" : `Treeline ${corpus}`;
}
