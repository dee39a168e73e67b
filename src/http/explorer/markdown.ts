/**
 * Markdown of a section as safe HTML: paragraphs, lists, tables, code, quotes; inside a paragraph code, emphasis and links. HTML and
 * components are shown as written, without comments; modules of MDX are left out. Pictures become links. markdown-it would do more, and
 * is a quarter of a Worker's budget.
 *
 * Each sign of a paragraph may look ahead for its end. A text has so many such steps for each of its signs; when they are spent, the rest
 * is plain text, so that no text takes more than its length says.
 */
import { dropComments } from "../../core/text/markup.ts";
import { type Html, html, type Shown } from "./html.ts";

const HEADING = /^ {0,3}#{1,6}(?=\s|$)/;

const TABLE_CELL = /^:?-+:?$/;

/** Nothing else than a module of JavaScript has such a line. */
const IMPORT = /^import\s+(?:[\w$*{][^'"]*\sfrom\s*)?(['"])[^'"]+\1\s*(?:;\s*)?$/;

const MODULE = /^(?:import|export)\s/;

/** How deep lists and quotes stand in each other. */
const MAX_DEPTH = 6;
/** Longer paragraphs are data that somebody pasted: they are shown as they are. */
const MAX_PARAGRAPH = 20_000;
/** Longer lines are data, whatever they look like. */
const MAX_LINE = 2000;

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^\s`{]*)/;
const RULE = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const UNDERLINE = /^ {0,3}(?:=+|-+)\s*$/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(?:\s+|$)/;
const QUOTE = /^ {0,3}> ?/;
const HTML_LINE = /^ {0,3}<(?:[/!]?[a-zA-Z]|!--)/;
const INDENTED = /^(?: {4}|\t)/;
/** A fence at any depth of lists and quotes. */
const ANY_FENCE = /^(?:[ \t>]|[-*+] |\d{1,9}[.)] )*(`{3,}|~{3,})/;

/** A block with the number of lines it takes. */
interface Block {
  readonly shown: Html | "";
  readonly lines: number;
}

/** Lines of a page, of an item of a list, or of a quote. */
interface Level {
  readonly lines: readonly string[];
  readonly resolve: ResolveLink;
  /** Lists and quotes around it. */
  readonly depth: number;
}

/**
 * A section's text as HTML, without the heading that it begins with: that is the page's.
 *
 * @param isMdx Whether the file says that it is MDX.
 */
export function writeMarkdown(text: string, resolve: ResolveLink, isMdx = false): Html {
  return writeBlocks(withoutHeading(withoutComments(text.split(/\r?\n/))), resolve, 0, isMdx);
}

/** Lines of prose without comments, each up to the next fence, as in excerpts. Code and long lines stay as they are. */
function withoutComments(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let prose: string[] = [];
  let fence = "";
  const flush = (): void => {
    if (prose.length > 0) kept.push(...dropComments(prose.join("\n")).split("\n"));
    prose = [];
  };
  for (const line of lines) {
    const [, mark = ""] = ANY_FENCE.exec(line) ?? [];
    const isIndented = INDENTED.test(line) && (prose.at(-1) ?? "").trim() === "";
    const isCode = fence !== "" || mark !== "" || isIndented || line.length > MAX_LINE;
    if (fence === "") fence = mark;
    else if (mark.startsWith(fence)) fence = "";
    if (isCode) {
      flush();
      kept.push(line);
    } else prose.push(line);
  }
  flush();
  return kept;
}

function withoutHeading(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  if (first < 0) return [];
  if ((lines[first] ?? "").length > MAX_LINE) return lines;
  if (headingText(lines[first] ?? "") !== undefined) return lines.slice(first + 1);
  const isUnderlined = UNDERLINE.test(lines[first + 1] ?? "") && !ITEM.test(lines[first] ?? "");
  return lines.slice(isUnderlined ? first + 2 : first);
}

/** @param isMdx Absent in lists and quotes: no modules stand there. */
function writeBlocks(lines: readonly string[], resolve: ResolveLink, depth: number, isMdx?: boolean): Html {
  const level: Level = { lines, resolve, depth };
  const blocks: (Html | "")[] = [];
  for (let at = 0; at < lines.length; ) {
    if ((lines[at] ?? "").trim() === "") {
      at++;
      continue;
    }
    const module = isMdx === undefined ? 0 : countModuleLines(lines, at, isMdx);
    const block: Block = module > 0 ? { shown: "", lines: module } : readBlock(level, at);
    blocks.push(block.shown);
    at += block.lines;
  }
  return html`${blocks}`;
}

function readBlock(level: Level, at: number): Block {
  const { lines, resolve, depth } = level;
  const line = lines[at] ?? "";
  if (line.length > MAX_LINE) return readParagraph(level, at);
  const fence = FENCE.exec(line);
  if (fence !== null) return readFence(lines, at, fence[1] ?? "```", fence[2] ?? "");
  if (RULE.test(line)) return { shown: html`<hr>`, lines: 1 };
  const heading = headingText(line);
  if (heading !== undefined) {
    return { shown: heading && html`<p dir="auto"><strong>${writeInline(heading, resolve)}</strong></p>`, lines: 1 };
  }
  if (INDENTED.test(line)) return readIndented(lines, at);
  if (HTML_LINE.test(line)) return readMarkup(level, at);
  if (depth < MAX_DEPTH && QUOTE.test(line)) return readQuote(lines, at, resolve, depth);
  if (depth < MAX_DEPTH && ITEM.test(line)) return readList(lines, at, resolve, depth);
  if (line.includes("|") && isTableRule(lines[at + 1] ?? "")) return readTable(level, at);
  return readParagraph(level, at);
}

/** A block of prose out of its lines. */
function readProse({ lines }: Level, at: number, end: number, show: (text: string) => Html): Block {
  const text = lines.slice(at, end).join("\n");
  return { shown: text.trim() === "" ? "" : show(text), lines: end - at };
}

function readFence(lines: readonly string[], at: number, mark: string, language: string): Block {
  const isEnd = (line: string): boolean => {
    const [, found = ""] = FENCE.exec(line) ?? [];
    return found.startsWith(mark) && found.trim().length === line.trim().length;
  };
  let end = at + 1;
  while (end < lines.length && !isEnd(lines[end] ?? "")) end++;
  const indent = /^ */.exec(lines[at] ?? "")?.[0] ?? "";
  const code = lines.slice(at + 1, end).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
  return { shown: writeCode(code, language), lines: end + 1 - at };
}

/** @param language As it was written behind the fence; `""` for none. */
function writeCode(lines: readonly string[], language: string): Html {
  return html`<pre tabindex="0"${language !== "" && html` data-language="${language}"`}><code>${lines.join("\n")}</code></pre>`;
}

function readIndented(lines: readonly string[], at: number): Block {
  let end = at;
  while (end < lines.length && (INDENTED.test(lines[end] ?? "") || (lines[end] ?? "").trim() === "")) end++;
  const own = lines.slice(at, end).map((line) => line.replace(INDENTED, ""));
  while (own.at(-1)?.trim() === "") own.pop();
  return { shown: writeCode(own, ""), lines: end - at };
}

function readMarkup(level: Level, at: number): Block {
  const { lines } = level;
  let end = at;
  while (end < lines.length && (lines[end] ?? "").trim() !== "") end++;
  return readProse(level, at, end, (text) => html`<pre class="wrap markup"><code>${text}</code></pre>`);
}

function readQuote(lines: readonly string[], at: number, resolve: ResolveLink, depth: number): Block {
  let end = at;
  while (end < lines.length && (lines[end] ?? "").trim() !== "" && (end === at || !ITEM.test(lines[end] ?? ""))) end++;
  const inner = lines.slice(at, end).map((line) => line.replace(QUOTE, ""));
  return { shown: html`<blockquote>${writeBlocks(inner, resolve, depth + 1)}</blockquote>`, lines: end - at };
}

function readList(lines: readonly string[], at: number, resolve: ResolveLink, depth: number): Block {
  const isNumbered = (line: string): boolean => /\d/.test(ITEM.exec(line)?.[2] ?? "");
  const isOrdered = isNumbered(lines[at] ?? "");
  const items: string[][] = [];
  let indent = 0;
  let end = at;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? "";
    const item = ITEM.exec(line);
    const inside = /^ */.exec(line)?.[0].length ?? 0;
    if (
      item !== null &&
      (items.length === 0 || inside < indent) &&
      isNumbered(line) === isOrdered &&
      !RULE.test(line)
    ) {
      indent = Math.min(item[0].length, (item[1] ?? "").length + (item[2] ?? "").length + 4) || 2;
      items.push([line.slice(item[0].length)]);
      continue;
    }
    const isBehindBlank = (lines[end - 1] ?? "").trim() === "";
    if (line.trim() !== "" && inside < Math.min(indent, 2) && (isBehindBlank || item !== null || FENCE.test(line)))
      break;
    items.at(-1)?.push(line.slice(Math.min(inside, indent)));
  }
  const shown = items.map((item) => html`<li>${writeItem(item, resolve, depth + 1)}</li>`);
  const start = Number.parseInt(ITEM.exec(lines[at] ?? "")?.[2] ?? "1", 10);
  return {
    shown: isOrdered ? html`<ol${start !== 1 && html` start="${start}"`}>${shown}</ol>` : html`<ul>${shown}</ul>`,
    lines: end - at,
  };
}

/** What stands alone in an item is no paragraph. */
function writeItem(lines: readonly string[], resolve: ResolveLink, depth: number): Html {
  const rest = lines.slice(1).some((line) => line.trim() !== "");
  return rest ? writeBlocks(lines, resolve, depth) : writeInline(lines[0] ?? "", resolve);
}

function readTable(level: Level, at: number): Block {
  const { lines, resolve } = level;
  let end = at + 2;
  while (end < lines.length && (lines[end] ?? "").includes("|")) end++;
  return readProse(level, at, end, (text) => {
    const [head = [], , ...rows] = text.split("\n").map(splitRow);
    return html`<div class="table" tabindex="0"><table><thead><tr>${head.map((cell) => html`<th>${writeInline(cell, resolve)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.slice(0, head.length).map((cell) => html`<td>${writeInline(cell, resolve)}</td>`)}</tr>`)}</tbody></table></div>`;
  });
}

function splitRow(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function readParagraph(level: Level, at: number): Block {
  const { lines, resolve } = level;
  let end = at + 1;
  const isOther = (line: string): boolean =>
    line.trim() === "" ||
    line.length > MAX_LINE ||
    FENCE.test(line) ||
    headingText(line) !== undefined ||
    QUOTE.test(line) ||
    (ITEM.test(line) && !/^\s*\d/.test(line));
  while (end < lines.length && !isOther(lines[end] ?? "")) end++;
  const whole = lines.slice(at, end).join("\n");
  if (whole.length > MAX_PARAGRAPH) return { shown: html`<pre class="wrap">${whole}</pre>`, lines: end - at };
  return readProse(level, at, end, (text) => html`<p dir="auto">${writeInline(text, resolve)}</p>`);
}

/**
 * How many lines from one on are a module; 0 where none begins there. One begins behind an empty line, in no list or quote.
 *
 * @param isMdx Whether the file says that it is MDX: what begins like an import or export is one then, up to the next empty
 *   line. Elsewhere only whole imports are.
 */
function countModuleLines(lines: readonly string[], at: number, isMdx: boolean): number {
  if ((lines[at - 1] ?? "").trim() !== "") return 0;
  const isAll = isMdx && MODULE.test(lines[at] ?? "");
  let end = at;
  while ((lines[end] ?? "").trim() !== "" && (isAll || IMPORT.test(lines[end] as string))) end++;
  return end - at;
}

/** The text of a heading with signs in front, without those that may stand behind it; undefined for other lines. */
function headingText(line: string): string | undefined {
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
function isTableRule(line: string): boolean {
  const trimmed = line.trim();
  const start = trimmed.startsWith("|") ? 1 : 0;
  const end = trimmed.endsWith("|") ? trimmed.length - 1 : trimmed.length;
  return trimmed
    .slice(start, end)
    .split("|")
    .every((cell) => TABLE_CELL.test(cell.trim()));
}

/** What a link in the text leads to, or undefined where it leads nowhere that is safe or known. */
export type ResolveLink = (href: string) => string | undefined;

/** Signs that what begins somewhere may go on. */
const MAX_AHEAD = 1000;
/** Steps of looking ahead for each sign of a text, and for a short text beside: prose takes one or two. */
const STEPS_A_SIGN = 20;
const LEAST_STEPS = 2 * MAX_AHEAD;
/** How deep emphasis and links stand in each other. */
const MAX_SPAN_DEPTH = 4;
const SPECIAL = /[\\`*_~[!<]|https?:/g;
const ESCAPABLE = /[!-/:-@[-`{-~]/;
const AUTOLINK = /<(https?:\/\/[^\s<>]{1,1000})>/y;
const BARE_ADDRESS = /https?:\/\/[^\s<>"'`]{1,1000}/y;
/** What ends a sentence ends no address. */
const TRAILING = ".,;:!?)*_]";
const DESTINATION =
  /\(\s{0,20}(?:<([^<>\n]{0,1000})>|([^\s()<>]{0,1000}(?:\([^\s()]{0,200}\)[^\s()]{0,500})?))(?:\s{1,20}["'(][^"')\n]{0,500}["')])?\s{0,20}\)/y;
const MARKS = ["**", "__", "~~", "*", "_"] as const;
const WORD = /[\p{L}\p{N}_]/u;

/** Steps that may still be taken to look ahead. */
interface Steps {
  left: number;
}

/**
 * A paragraph's text as HTML.
 *
 * @param steps What is left of these is not spent; of its length's share when absent.
 */
export function writeInline(
  text: string,
  resolve: ResolveLink,
  steps: Steps = { left: LEAST_STEPS + text.length * STEPS_A_SIGN },
  depth = 0,
): Html {
  const parts: Shown[] = [];
  let plain = 0;
  for (let at = nextSpecial(text, 0); at >= 0 && steps.left > 0; ) {
    const found = readSpan(text, at, resolve, steps, depth);
    if (found === undefined) {
      at = nextSpecial(text, at + 1);
      continue;
    }
    parts.push(text.slice(plain, at), found.shown);
    plain = found.end;
    at = nextSpecial(text, plain);
  }
  parts.push(text.slice(plain));
  return html`${parts}`;
}

interface Span {
  readonly shown: Shown;
  readonly end: number;
}

function nextSpecial(text: string, from: number): number {
  SPECIAL.lastIndex = from;
  return SPECIAL.exec(text)?.index ?? -1;
}

function readSpan(text: string, at: number, resolve: ResolveLink, steps: Steps, depth: number): Span | undefined {
  switch (text[at]) {
    case "\\":
      return ESCAPABLE.test(text[at + 1] ?? "") ? { shown: text[at + 1] ?? "", end: at + 2 } : undefined;
    case "`":
      return readCode(text, at, steps);
    case "<":
      return readAddress(text, at, AUTOLINK, resolve, steps);
    case "h":
      return WORD.test(text[at - 1] ?? " ") ? undefined : readAddress(text, at, BARE_ADDRESS, resolve, steps);
    case "!":
      return text[at + 1] === "[" ? readLink(text, at + 1, resolve, steps, depth, true) : undefined;
    case "[":
      return readLink(text, at, resolve, steps, depth, false);
    default:
      return readEmphasis(text, at, resolve, steps, depth);
  }
}

function readCode(text: string, at: number, steps: Steps): Span | undefined {
  let open = at;
  while (text[open] === "`") open++;
  const mark = text.slice(at, open);
  const ahead = text.slice(open, open + MAX_AHEAD);
  for (let end = ahead.indexOf(mark); end >= 0; ) {
    let close = end;
    while (text[open + close] === "`") close++;
    if (close - end === mark.length) {
      steps.left -= close;
      return { shown: html`<code>${withoutPadding(ahead.slice(0, end))}</code>`, end: open + close };
    }
    end = ahead.indexOf(mark, close);
  }
  steps.left -= ahead.length;
  return { shown: mark, end: open };
}

/** One blank at each end lets code begin with a backtick. */
function withoutPadding(code: string): string {
  return code.startsWith(" ") && code.endsWith(" ") && code.trim() !== "" ? code.slice(1, -1) : code;
}

function readAddress(text: string, at: number, pattern: RegExp, resolve: ResolveLink, steps: Steps): Span | undefined {
  pattern.lastIndex = at;
  const [whole = "", inner] = pattern.exec(text) ?? [];
  // What begins like an address in sharp brackets and does not end as one was looked at in vain.
  steps.left -= whole === "" && text.startsWith("<http", at) ? MAX_AHEAD : whole.length;
  const address = inner ?? withoutTrailing(whole);
  if (address === "") return undefined;
  const link = resolve(address);
  return {
    shown: link === undefined ? address : html`<a href="${link}">${address}</a>`,
    end: at + (inner ? whole : address).length,
  };
}

function withoutTrailing(address: string): string {
  let end = address.length;
  while (end > 0 && TRAILING.includes(address[end - 1] as string)) end--;
  return address.slice(0, end);
}

function readLink(
  text: string,
  at: number,
  resolve: ResolveLink,
  steps: Steps,
  depth: number,
  isPicture: boolean,
): Span | undefined {
  const end = findBracket(text, at, steps);
  if (end === undefined || depth >= MAX_SPAN_DEPTH || text[end + 1] !== "(") return undefined;
  DESTINATION.lastIndex = end + 1;
  const [whole, pointed, bare = ""] = DESTINATION.exec(text) ?? [];
  steps.left -= whole?.length ?? MAX_AHEAD;
  if (whole === undefined) return undefined;
  const inner = text.slice(at + 1, end);
  const link = resolve(pointed ?? bare);
  const name = isPicture
    ? html`Picture: ${inner === "" ? (pointed ?? bare) : inner}`
    : writeInline(inner, () => undefined, steps, depth + 1);
  return { shown: link === undefined ? name : html`<a href="${link}">${name}</a>`, end: end + 1 + whole.length };
}

/** The bracket that closes the one at a place. */
function findBracket(text: string, at: number, steps: Steps): number | undefined {
  let open = 0;
  for (let end = at; end < text.length && end - at <= MAX_AHEAD; end++) {
    steps.left--;
    if (text[end] === "\\") end++;
    else if (text[end] === "[") open++;
    else if (text[end] === "]" && --open === 0) return end;
  }
  return undefined;
}

function readEmphasis(text: string, at: number, resolve: ResolveLink, steps: Steps, depth: number): Span | undefined {
  const mark = MARKS.find((one) => text.startsWith(one, at));
  if (mark === undefined || depth >= MAX_SPAN_DEPTH || /\s|^$/.test(text[at + mark.length] ?? "")) return undefined;
  // Names hold such signs: `max_length`.
  if (mark.startsWith("_") && WORD.test(text[at - 1] ?? " ")) return undefined;
  const end = findClosing(text, at + mark.length, mark, steps);
  if (end === undefined) return undefined;
  const inner = writeInline(text.slice(at + mark.length, end), resolve, steps, depth + 1);
  const shown =
    mark === "~~"
      ? html`<s>${inner}</s>`
      : mark.length === 2
        ? html`<strong>${inner}</strong>`
        : html`<em>${inner}</em>`;
  return { shown, end: end + mark.length };
}

function findClosing(text: string, from: number, mark: string, steps: Steps): number | undefined {
  const sign = mark[0] as string;
  const ahead = text.slice(from, from + MAX_AHEAD);
  for (let at = ahead.indexOf(sign); at >= 0; ) {
    let end = at;
    while (text[from + end] === sign) end++;
    const isWhole = end - at === mark.length || end - at === 3;
    const isInWord = sign === "_" && WORD.test(text[from + end] ?? " ");
    if (isWhole && at > 0 && !/\s/.test(ahead[at - 1] ?? " ") && !isInWord) {
      steps.left -= end;
      return from + end - mark.length;
    }
    at = ahead.indexOf(sign, end);
  }
  steps.left -= ahead.length;
  return undefined;
}
