/**
 * Markdown source to the text that a reader sees, for excerpts: light, linear, never exact where exactness is not needed.
 */

const FRONTMATTER = /^\ufeff?---[ \t]*\r?\n(?:[\s\S]*?\r?\n)?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const FENCE = /^\s{0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
const HEADING = /^\s{0,3}#{1,6}(?:\s+|$)/;
const RULE = /^\s{0,3}(?:[-=*_]\s*){3,}$/;
const LIST_MARK = /^\s*(?:>\s?)*(?:[-*+]\s+(?:\[[ xX]\]\s+)?|\d{1,9}[.)]\s+)?/;
/** Each part of the pattern looks at a line once, however many blanks it has. */
const TABLE_RULE = /^(?=.*\|)(?=.*-)[\s|:-]+$/;
const REFERENCE = /^\s{0,3}\[[^[\]]{1,200}\]:\s/;
const LINK =
  /!?\[([^[\]]{0,500})\](?:\([^()\s]{0,500}(?:\([^()\s]{0,200}\))?(?:\s+["'][^()]{0,300})?\)|\[[^[\]]{0,200}\])/g;
/** Signs that open a box: `::: tip`. */
const ADMONITION = /^:::\s*\w*\s*/;
const TAG = /<\/?[A-Za-z][^<>]{0,1000}>/g;
/** Tags that only style the characters inside; all others stand between words. */
const STYLING_TAG =
  /^<\/?(?:abbr|b|bdi|big|cite|del|dfn|em|font|i|ins|mark|q|s|small|span|strike|strong|sub|sup|u|var|wbr)\b/i;
const EMPHASIS = /\*\*|~~|(?<!\w)__|__(?!\w)|(?<!\w)\*|\*(?!\w)|`/g;
/** Emphasis by single underscores: a pair of them with words between, none inside a word. */
const UNDERSCORED = /(?<![\p{L}\p{N}_])_(?=[^\s_])([^_\n]{0,499}[^\s_])_(?![\p{L}\p{N}_])/gu;
const HEADING_ID = /\{#[^{}]{1,200}\}$/;
/** Where a comment may begin, or what is shown as it stands: an escaped sign, a code span, an address in angle brackets, a sign by its name. */
const COMMENT_OR_LITERAL =
  /<!--|\{\/\*|\\([!-/:-@[-`{-~])|(?<!`)(`{1,8})(?!`)([\s\S]{1,1000}?)(?<!`)\2(?!`)|<([a-z][a-z0-9+.-]{1,20}:[^\s<>]{1,500})>|&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,6});/gi;
const ESCAPED = /\\([!-/:-@[-`{-~])/g;
const TAG_SIGNS = /[<>{}]+/g;
/** A private character that no font shows keeps the place of a literal. */
const PLACEHOLDER = /\ue000(\d+)\ue000/g;
const SIGNS: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

/**
 * Visible text of a unit's source, about one line a source line. `isStart`: the source begins the file.
 *
 * @param code Stands at both ends of each code span and each line of code. @param cell Stands between cells of a table.
 */
export function stripMarkup(source: string, isStart: boolean, code = "", cell = " "): string {
  const body = isStart ? source.replace(FRONTMATTER, "") : source;
  const lines: string[] = [];
  let prose: string[] = [];
  const flush = (): void => {
    for (const line of stripProse(prose.join("\n"), code, cell)) lines.push(line);
    prose = [];
  };
  let fence = "";
  for (const line of body.split(/\r?\n/)) {
    const [, marks = "", info = ""] = FENCE.exec(line) ?? [];
    if (fence === "" && marks !== "") {
      flush();
      fence = marks;
    } else if (fence !== "" && marks.startsWith(fence) && info.trim() === "") {
      fence = "";
    } else if (fence !== "") {
      if (line.trim() !== "") lines.push(`${code}${line.trim()}${code}`);
    } else {
      prose.push(line);
    }
  }
  flush();
  return lines.filter((line) => line !== "").join("\n");
}

/**
 * A unit's source with the words as they stand in its markup, but no tags: for a match that is in nothing shown. Long
 * blocks are indexed as they stand, escapes included, all others without escapes, so there are two forms.
 */
export function flattenMarkup(source: string, isStart: boolean): readonly [written: string, unescaped: string] {
  const body = isStart ? source.replace(FRONTMATTER, "") : source;
  return [body.replace(TAG_SIGNS, " "), body.replace(ESCAPED, "$1").replace(TAG_SIGNS, " ")];
}

/** Heading of a unit's source, when it begins with an ATX heading: that line is shown elsewhere. */
export function dropHeading(text: string): string {
  if (!HEADING.test(text)) return text;
  const end = text.indexOf("\n");
  return end < 0 ? "" : text.slice(end + 1);
}

/** Lines without markup. Code spans, tags and comments run over lines, everything else is a matter of one line. */
function stripProse(prose: string, mark: string, cell: string): string[] {
  const literals: string[] = [];
  const shown = dropComments(prose, ([all, escaped, , code, address, sign]) => {
    const span = code === undefined ? undefined : `${mark}${code}${mark}`;
    const literal = escaped ?? span ?? address ?? (sign === undefined ? all : nameSign(sign, all));
    return `\ue000${literals.push(literal) - 1}\ue000`;
  });
  // Most lines have few of the signs that patterns look for, and to look for a sign costs less.
  const spaced = (tag: string): string => (STYLING_TAG.test(tag) ? "" : /^<\/t[dh]/i.test(tag) ? "|" : " ");
  let text = shown.includes("<") ? shown.replace(TAG, spaced) : shown;
  if (text.includes("[")) text = text.replace(LINK, "$1").replace(LINK, "$1");
  const isShown = (line: string): boolean =>
    line.trim() !== "" &&
    !RULE.test(line) &&
    !(line.includes("|") && TABLE_RULE.test(line)) &&
    !(line.includes("]:") && REFERENCE.test(line));
  const lines = text
    .split("\n")
    .filter(isShown)
    .map((line) => stripLine(line, cell));
  if (literals.length === 0) return lines;
  return lines.map((line) => line.replace(PLACEHOLDER, (all, at: string) => literals[Number(at)] ?? all));
}

function stripLine(line: string, cell: string): string {
  let text = line.trimEnd().replace(HEADING, "");
  if (text.endsWith("}")) text = text.replace(HEADING_ID, "");
  text = text.replace(LIST_MARK, "").replace(ADMONITION, "");
  text = text.replace(EMPHASIS, "");
  if (text.includes("_")) text = text.replace(UNDERSCORED, "$1");
  const cells = text.split("|").map((part) => part.replace(/\s+/g, " ").trim());
  return cells.filter((part) => part !== "").join(cell);
}

/**
 * Prose without comments of HTML and MDX. One ends with the first mark that can end it; what has none is no comment, and
 * neither is what stands in a code span or behind a backslash. Each sign is looked at once, and once more for each kind.
 *
 * @param keep What takes the place of each literal, by its match; they stay as they are when absent.
 */
export function dropComments(prose: string, keep = ([all]: RegExpExecArray): string => all): string {
  let kept = "";
  let from = 0;
  const unclosed = new Set([""]);
  COMMENT_OR_LITERAL.lastIndex = 0;
  for (let found = COMMENT_OR_LITERAL.exec(prose); found !== null; found = COMMENT_OR_LITERAL.exec(prose)) {
    const close = found[0] === "<!--" ? "-->" : found[0] === "{/*" ? "*/}" : "";
    const end = unclosed.has(close) ? -1 : prose.indexOf(close, COMMENT_OR_LITERAL.lastIndex);
    kept += prose.slice(from, found.index);
    if (end < 0) {
      unclosed.add(close);
      kept += keep(found);
    } else COMMENT_OR_LITERAL.lastIndex = end + 3;
    from = COMMENT_OR_LITERAL.lastIndex;
  }
  return kept + prose.slice(from);
}

/** The sign that an entity names, or the entity as it stands. */
export function nameSign(name: string, written: string): string {
  if (!name.startsWith("#")) return SIGNS[name.toLowerCase()] ?? written;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : written;
}
