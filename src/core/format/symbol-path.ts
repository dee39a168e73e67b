/** Paths of symbols: the part of their ids behind `#`. Pure. */

/** A path without the number that tells it from others: `Store` for `Store~2`. Members never carry those of containers. */
export function withoutOrdinal(path: string): string {
  return path.replace(/~\d+$/, "");
}
