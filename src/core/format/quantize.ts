/**
 * Small codes for lengths and frequencies: coarse enough for one byte or three bits, fine enough to rank by.
 *
 * Codes: index-format v1, section 2. Pure.
 */

const STEPS_PER_OCTAVE = 8;
/** What each frequency code is scored as: the middle of the counts it stands for. */
const FREQUENCIES = [1, 2, 3, 4, 5.5, 8, 12, 20] as const;
/** Smallest count of each frequency code. */
const FREQUENCY_FLOORS = [1, 2, 3, 4, 5, 7, 10, 16] as const;

/** Code of a length in words, in steps of 2^⅛: 0 for 0, at most `limit`. */
export function encodeLength(length: number, limit: number): number {
  if (length <= 0) return 0;
  return Math.min(limit, 1 + Math.round(STEPS_PER_OCTAVE * Math.log2(length)));
}

const LENGTHS = /* @__PURE__ */ Float64Array.from({ length: 256 }, (_, code) =>
  code === 0 ? 0 : 2 ** ((code - 1) / STEPS_PER_OCTAVE),
);

/** Length in words that a code stands for. */
export function decodeLength(code: number): number {
  return LENGTHS[code] as number;
}

/** Code 0–7 of a frequency ≥ 1. */
export function encodeFrequency(frequency: number): number {
  let code = 7;
  while (code > 0 && frequency < (FREQUENCY_FLOORS[code] as number)) code--;
  return code;
}

/** The least frequency that has a code. */
export function leastFrequency(code: number): number {
  return FREQUENCY_FLOORS[code & 7] as number;
}

/** Frequency that a code is scored as. */
export function decodeFrequency(code: number): number {
  return FREQUENCIES[code & 7] as number;
}

/** The nearest power of 2^¼, so that averages move rarely and in steps; 1 for lengths of 1 and less. */
export function pinAverage(average: number): number {
  if (!(average > 1)) return 1;
  return 2 ** (Math.round(4 * Math.log2(average)) / 4);
}
