/** Messages from the process that checks one tree to the runner, and the result that the runner keeps. */

const MEGABYTE = 1e6;
/** Bound on the peak memory of a build: a base, and a share of the bytes of source, up to a cap. */
const BASE_MB = 700;
const MB_PER_SOURCE_MB = 30;
const MOST_MB = 3000;
/** A build that takes longer, and as much CPU time, is slow. On a busy machine the clock alone says nothing. */
const SLOW_SECONDS = 60;

/** How much of a tree is sampled. */
export interface Samples {
  readonly outlines: number;
  readonly symbols: number;
  readonly titles: number;
  readonly references: number;
  readonly literals: number;
}

/** Arguments of `check-tree.ts`, as one JSON object. */
export interface CheckRequest {
  readonly name: string;
  /** Copy of the tree. The checks write into it. */
  readonly dir: string;
  /** Empty folder for indexes. */
  readonly work: string;
  readonly isSlow: boolean;
  readonly samples: Samples;
}

/** Facts of the first build. */
export interface BuildFacts {
  readonly files: number;
  readonly documents: number;
  readonly skipped: number;
  readonly symbols: number;
  /** Diagnostics of severity error. */
  readonly errors: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMb: number;
}

/** Outcome of one check. It holds when `passed` reaches `floor`. */
export interface Outcome {
  readonly check: string;
  readonly passed: number;
  readonly of: number;
  readonly floor: number;
  /** One line per miss. */
  readonly misses: readonly string[];
}

/** One line of the child's output. */
export type TreeEvent =
  | { readonly stage: string }
  | { readonly build: BuildFacts }
  | { readonly outcome: Outcome }
  | { readonly scanner: "rg" | "own" };

/** Result of one tree. */
export interface TreeResult {
  readonly name: string;
  readonly kinds: readonly string[];
  readonly version: string;
  readonly outcomes: readonly Outcome[];
  readonly build?: BuildFacts;
  /** Program that `grep_documents` was compared with. */
  readonly scanner?: "rg" | "own";
  /** Reason for which the tree was not checked. */
  readonly skipped?: string;
}

/** Outcome from the misses among `of` trials. `allowed` misses are within the floor. */
export function toOutcome(check: string, of: number, misses: readonly string[], allowed = 0): Outcome {
  return { check, passed: of - misses.length, of, floor: of - allowed, misses };
}

export function isMet({ passed, floor }: Outcome): boolean {
  return passed >= floor;
}

/** True when the tree was skipped, or built and every check reached its floor. */
export function isGood({ outcomes, build, skipped }: TreeResult): boolean {
  return skipped !== undefined || (build !== undefined && outcomes.every(isMet));
}

/** A tree that may be slow always holds. */
export function judgeTime({ seconds, cpuSeconds }: BuildFacts, isSlow: boolean): Outcome {
  const isLate = !isSlow && seconds > SLOW_SECONDS && cpuSeconds > SLOW_SECONDS;
  const miss = `the build takes ${seconds.toFixed(0)} s and ${cpuSeconds.toFixed(0)} s of CPU, ${SLOW_SECONDS} allowed`;
  return toOutcome("time", 1, isLate ? [miss] : []);
}

/** @param bytes Size of the source files */
export function judgeMemory({ peakMb }: BuildFacts, bytes: number): Outcome {
  const bound = Math.min(MOST_MB, BASE_MB + (MB_PER_SOURCE_MB * bytes) / MEGABYTE);
  const miss = `the build takes ${peakMb.toFixed(0)} MB, ${bound.toFixed(0)} allowed`;
  return toOutcome("memory", 1, peakMb > bound ? [miss] : []);
}
