/**
 * Marks that a line of Markdown is made of, where an expression that allows for blanks anywhere would go over the same blanks again
 * and again: these look at each sign a fixed number of times.
 *
 * Pure: a line in, what it is out.
 */

const HEADING = /^ {0,3}#{1,6}(?=\s|$)/;
const TABLE_CELL = /^:?-+:?$/;

/** The text of a heading with signs in front, without those that may stand behind it; undefined for other lines. */
export function headingText(line: string): string | undefined {
  const mark = HEADING.exec(line)?.[0];
  if (mark === undefined) return undefined;
  const text = line.slice(mark.length).trim();
  let end = text.length;
  while (text[end - 1] === "#") end--;
  // `C#` is no word with a sign behind it.
  const isClosed = end < text.length && (end === 0 || /\s/.test(text[end - 1] ?? ""));
  return isClosed ? text.slice(0, end).trimEnd() : text;
}

/** Whether a line parts the head of a table from its rows: `| --- | :-: |`. */
export function isTableRule(line: string): boolean {
  const trimmed = line.trim();
  const start = trimmed.startsWith("|") ? 1 : 0;
  const end = trimmed.endsWith("|") ? trimmed.length - 1 : trimmed.length;
  return trimmed
    .slice(start, end)
    .split("|")
    .every((cell) => TABLE_CELL.test(cell.trim()));
}
