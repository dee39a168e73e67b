/**
 * Markdown source to the text that a reader sees, for excerpts: light, linear, never exact where exactness is not needed.
 *
 * Pure.
 */

const FRONTMATTER = /^\ufeff?---[ \t]*\r?\n[\s\S]*?\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const FENCE = /^\s{0,3}(?:`{3,}|~{3,})/;
const HEADING = /^\s{0,3}#{1,6}(?:\s+|$)/;
const RULE = /^\s{0,3}(?:[-=*_]\s*){3,}$/;
const LIST_MARK = /^\s*(?:>\s?)*(?:[-*+]\s+(?:\[[ xX]\]\s+)?|\d{1,9}[.)]\s+)?/;
const TABLE_RULE = /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*$/;
const LINK = /!?\[([^[\]]{0,500})\](?:\([^()\s]{0,500}(?:\s+"[^"]{0,300}")?\)|\[[^[\]]{0,200}\])/g;
const TAG = /<\/?[A-Za-z][^<>]{0,1000}>|<!--[\s\S]{0,5000}?-->|\{\/\*[\s\S]{0,5000}?\*\/\}/g;
const EMPHASIS = /(\*\*|__|~~|\*|`+)/g;
const HEADING_ID = /\s*\{#[^{}]{1,200}\}\s*$/;

/** Visible text of a unit's source, about one line a source line. `isStart`: the source begins the file. */
export function stripMarkup(source: string, isStart: boolean): string {
  const body = isStart ? source.replace(FRONTMATTER, "") : source;
  const lines: string[] = [];
  let prose: string[] = [];
  const flush = (): void => {
    // Tags and comments run over lines, everything else is a matter of one line.
    for (const line of prose.join("\n").replace(TAG, "").split("\n")) {
      if (!RULE.test(line) && !TABLE_RULE.test(line)) lines.push(stripLine(line));
    }
    prose = [];
  };
  let fenced = false;
  for (const line of body.split(/\r?\n/)) {
    if (FENCE.test(line)) {
      flush();
      fenced = !fenced;
    } else if (fenced) {
      lines.push(line.trim());
    } else {
      prose.push(line);
    }
  }
  flush();
  return lines.filter((line) => line !== "").join("\n");
}

/** Heading of a unit's source, when it begins with an ATX heading: that line is shown elsewhere. */
export function dropHeading(text: string): string {
  if (!HEADING.test(text)) return text;
  const end = text.indexOf("\n");
  return end < 0 ? "" : text.slice(end + 1);
}

function stripLine(line: string): string {
  return line
    .replace(HEADING, "")
    .replace(HEADING_ID, "")
    .replace(LIST_MARK, "")
    .replace(LINK, "$1")
    .replace(EMPHASIS, "")
    .replace(/\s*\|\s*/g, " ")
    .trim();
}
