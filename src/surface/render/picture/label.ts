/**
 * Labels in a fixed-width font, so that their width is known without a browser. Pure.
 */

/** Any character beyond these may be drawn from another font, up to twice as wide. */
const NARROW = /^[\u0020-\u007e\u00a0-\u024f…]$/;

/** How many columns of the font a text takes at most. */
export function countColumns(text: string): number {
  let columns = 0;
  for (const character of text) columns += NARROW.test(character) ? 1 : 2;
  return columns;
}

/** The text where it fits; else its end behind `…`: ends tell paths apart. */
export function cutLabel(text: string, maxColumns: number): string {
  if (countColumns(text) <= maxColumns) return text;
  const kept: string[] = [];
  let columns = 1;
  for (const character of [...text].reverse()) {
    columns += countColumns(character);
    if (columns > maxColumns) break;
    kept.push(character);
  }
  return `…${kept.reverse().join("")}`;
}
