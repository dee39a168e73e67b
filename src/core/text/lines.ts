/**
 * Lines of a text: what stands between line feeds. What follows the last line feed is a line only where it is not empty.
 *
 * Pure: text in, values out.
 */

/** The lines, without their line feeds. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** How many lines there are. */
export function countLines(text: string): number {
  let lines = 0;
  for (let at = 0; at < text.length; lines++) {
    const end = text.indexOf("\n", at);
    at = end < 0 ? text.length : end + 1;
  }
  return lines;
}
