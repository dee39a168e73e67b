/** Columns as indexers count them, in units of UTF-16. Pure. */

/** What a column counts. */
export type ColumnUnit = "utf-8" | "utf-16" | "code-points";

/**
 * Column in units of UTF-16 of a column in another unit, both 0-based; undefined behind the end of the line and inside of
 * a character.
 */
export function toUtf16Column(line: string, column: number, unit: ColumnUnit): number | undefined {
  if (unit === "utf-16") return column <= line.length ? column : undefined;
  let rest = column;
  let at = 0;
  while (rest > 0 && at < line.length) {
    const point = line.codePointAt(at) as number;
    rest -= unit === "utf-8" ? utf8Length(point) : 1;
    at += point > 0xffff ? 2 : 1;
  }
  return rest === 0 ? at : undefined;
}

function utf8Length(point: number): number {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}
