/**
 * Block rules for HTML: blocks of HTML as CommonMark defines them, and headings written as tags.
 *
 * Two differences from CommonMark. A heading (`<h2 id="x">Title</h2>`, on one or several lines,
 * also behind other opening tags) becomes a heading token and ends the HTML before it, so that
 * it opens a section. And the lines of components are left to `components.ts`; in MDX that
 * goes for all elements but those with raw content.
 */
import type StateBlock from "markdown-it/lib/rules_block/state_block.mjs";
import {
  findLineEnd,
  findLineOf,
  findTextStart,
  isRestBlank,
  measureIndent,
  type ParseEnvironment,
} from "./parse-state.ts";
import { isBracketedName, isComponentName, scanTag, type Tag } from "./tag.ts";

/** A longer "heading" is an unclosed tag. */
const MAX_HEADING_CHARS = 4_000;

/** How each kind of raw block begins, and what ends it. */
const RAW_BLOCKS: readonly (readonly [RegExp, RegExp])[] = [
  [/^<(?:script|pre|style|textarea)(?=[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [/^<![A-Za-z]/, />/],
];

/** CommonMark's elements that begin a block of HTML wherever they stand. */
const BLOCK_ELEMENTS = new Set(
  (
    "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt " +
    "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link " +
    "main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead " +
    "title tr track ul"
  ).split(" "),
);

const BLOCK_START = /^<\/?([A-Za-z][A-Za-z0-9]*)(?=\s|\/?>|$)/;
const HEADING_NAME = /^h[1-6]$/i;
const HEADING_OPENS = /<h[1-6](?=[\s>]|$)/i;
const HEADING_CLOSES = /<\/h[1-6]\s*>/i;

interface TagHeading {
  readonly tag: Tag;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly contentEnd: number;
  /** Offset after the closing tag. */
  readonly end: number;
}

/** Consumes a block of HTML; its tokens are headings and HTML, in the order of the source. */
export function htmlBlockRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const start = findTextStart(state, startLine);
  if (state.src.charCodeAt(start) !== 0x3c || measureIndent(state, startLine) >= 4) return false;
  const environment: ParseEnvironment = state.env;
  const text = state.src.slice(start, findLineEnd(state, startLine));
  const raw = RAW_BLOCKS.find(([begin]) => begin.test(text));
  if (raw !== undefined) {
    if (!silent) consumeRaw(state, startLine, endLine, raw[1]);
    return true;
  }
  if (environment.isMdx) return false;
  const name = BLOCK_START.exec(text)?.[1];
  if (name !== undefined && BLOCK_ELEMENTS.has(name.toLowerCase()) && !isComponentName(name)) {
    if (!silent) consumeUntilBlank(state, startLine, endLine);
    return true;
  }
  // A line with one complete tag begins a block too, but does not interrupt a paragraph.
  if (silent) return false;
  const tag = scanTag(state.src, start, findLineEnd(state, startLine), environment.budget);
  if (tag === undefined || isComponentName(tag.name) || isBracketedName(tag)) return false;
  if (!isRestBlank(state, startLine, tag.end)) return false;
  consumeUntilBlank(state, startLine, endLine);
  return true;
}

/** Consumes a heading written as a tag: in MDX any, in plain Markdown one inside a component on the same line. */
export function tagHeadingRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const start = findTextStart(state, startLine);
  if (state.src.charCodeAt(start) !== 0x3c || measureIndent(state, startLine) >= 4) return false;
  const environment: ParseEnvironment = state.env;
  if (!environment.isMdx && !/^<[A-Z]/.test(state.src.slice(start, start + 2))) return false;
  const heading = scanHeading(state, startLine, endLine);
  if (heading === undefined) return false;
  if (silent) return true;
  pushHeading(state, heading);
  state.line = heading.lastLine + 1;
  return true;
}

function consumeRaw(state: StateBlock, startLine: number, endLine: number, terminator: RegExp): void {
  let line = startLine;
  while (line < endLine) {
    const text = state.src.slice(findTextStart(state, line), findLineEnd(state, line));
    line++;
    if (terminator.test(text)) break;
    // Text that is indented less than its container has left it.
    if (line < endLine && measureIndent(state, line) < 0 && !state.isEmpty(line)) break;
  }
  pushHtml(state, startLine, line);
  state.line = line;
}

function consumeUntilBlank(state: StateBlock, startLine: number, endLine: number): void {
  let end = startLine + 1;
  while (end < endLine && !state.isEmpty(end) && measureIndent(state, end) >= 0) end++;

  let htmlStart = startLine;
  let line = startLine;
  while (line < end) {
    const heading = scanHeading(state, line, end);
    if (heading === undefined) {
      line++;
      continue;
    }
    if (htmlStart < line) pushHtml(state, htmlStart, line);
    pushHeading(state, heading);
    line = heading.lastLine + 1;
    htmlStart = line;
  }
  if (htmlStart < end) pushHtml(state, htmlStart, end);
  state.line = end;
}

/** The heading whose tag stands on the line, with nothing but other tags before it. */
function scanHeading(state: StateBlock, line: number, endLine: number): TagHeading | undefined {
  const start = findTextStart(state, line);
  const lineEnd = findLineEnd(state, line);
  if (state.src.charCodeAt(start) !== 0x3c || !HEADING_OPENS.test(state.src.slice(start, lineEnd))) return undefined;
  const environment: ParseEnvironment = state.env;
  const limit = findLineEnd(state, endLine - 1);
  let tag: Tag | undefined;
  for (let at = start; at < lineEnd; at = state.skipSpaces(tag.end)) {
    tag = state.src.charCodeAt(at) === 0x3c ? scanTag(state.src, at, limit, environment.budget) : undefined;
    if (tag === undefined) return undefined;
    if (tag.kind === "open" && HEADING_NAME.test(tag.name)) break;
  }
  if (tag === undefined || tag.kind !== "open" || !HEADING_NAME.test(tag.name)) return undefined;

  const rest = state.src.slice(tag.end, Math.min(limit, tag.end + MAX_HEADING_CHARS));
  const closing = HEADING_CLOSES.exec(rest);
  if (closing === null || HEADING_OPENS.test(rest.slice(0, closing.index))) return undefined;
  const contentEnd = tag.end + closing.index;
  const end = contentEnd + closing[0].length;
  return { tag, firstLine: line, lastLine: findLineOf(state, line, end), contentEnd, end };
}

/** Adds the tokens of a heading, as a Markdown heading has them, and of the HTML after it on its last line. */
function pushHeading(state: StateBlock, heading: TagHeading): void {
  const { tag, firstLine, lastLine, contentEnd, end } = heading;
  const element = tag.name.toLowerCase();
  const open = state.push("heading_open", element, 1);
  open.map = [firstLine, lastLine + 1];
  open.meta = tag.attributes.get("id") ?? "";
  const inline = state.push("inline", "", 0);
  inline.map = [firstLine, lastLine + 1];
  inline.content = state.src.slice(tag.end, contentEnd).trim();
  state.push("heading_close", element, -1);

  const rest = state.src.slice(end, findLineEnd(state, lastLine));
  if (rest.trim() === "") return;
  const html = state.push("html_block", "", 0);
  html.map = [lastLine, lastLine + 1];
  html.content = rest;
}

function pushHtml(state: StateBlock, startLine: number, endLine: number): void {
  const token = state.push("html_block", "", 0);
  token.map = [startLine, endLine];
  token.content = state.getLines(startLine, endLine, state.blkIndent, true);
}
