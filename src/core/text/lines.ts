/**
 * Lines of a text: what stands between line feeds. What follows the last line feed is a line only where it is not empty.
 */

/** The text without a byte order mark, which editors and compilers do not count as a column of the first line. */
export function withoutMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** The lines, without their line feeds. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Where the line ends that a place lies in, without its line feed. */
export function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

export function countLines(text: string): number {
  let lines = 0;
  for (let at = 0; at < text.length; lines++) {
    const end = text.indexOf("\n", at);
    at = end < 0 ? text.length : end + 1;
  }
  return lines;
}
