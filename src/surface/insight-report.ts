/**
 * Questions that found nothing good, as they are told and as they are shown. Values and types alone: what stores them needs the
 * platform.
 */

/** A question that found nothing good, and who had it. */
export interface InsightEntry {
  /** As `normalizeQuery` gives it. */
  readonly query: string;
  /** What was found in place of an answer. */
  readonly kind: string;
  /** What tells callers apart; hashed before anything is stored. */
  readonly caller: string;
}

/** A question, as it is shown. */
export interface Insight {
  readonly query: string;
  /** How often it was asked in the time that is kept. */
  readonly count: number;
  /** Most callers that had it on one of the days that are kept. */
  readonly callers: number;
  /** How often with which outcome. */
  readonly kinds: Readonly<Record<string, number>>;
  /** The last day on which it was asked, `2026-08-30`. */
  readonly lastSeen: string;
}

/** What is shown. */
export interface InsightReport {
  /** First day that is counted, `2026-08-01`. */
  readonly since: string;
  /** Most callers first. */
  readonly queries: readonly Insight[];
}

/** Fewer callers than this may be one person and their colleague. */
export const LEAST_CALLERS = 3;
export const KEPT_DAYS = 30;
