/**
 * How long ago a time was, in words. Pure.
 */

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** `5 minutes ago`, `yesterday`; undefined where the time is none. Never of the future: clocks differ. */
export function describeAge(then: number, now: number): string | undefined {
  if (Number.isNaN(then)) return undefined;
  const seconds = Math.max(0, (now - then) / 1000);
  const [unit, size] = UNITS.find(([, least]) => seconds >= least) ?? (["minute", 60] as const);
  if (seconds < 60) return "just now";
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-Math.floor(seconds / size), unit);
}
