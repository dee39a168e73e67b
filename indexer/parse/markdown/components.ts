/**
 * Lines of component tags, and the indentation that the children of components have for looks.
 *
 * Authors indent the content of `<Tabs><Tab>…` as in a program. Four columns of it would make Markdown see code instead of headings,
 * lists and fences. One pass over the lines from an outermost opening tag to its closing tag moves each line left, so that the first
 * line of an element's content stands under the element's tag. Code in fences moves with its fence.
 */
import type StateBlock from "markdown-it/lib/rules_block/state_block.mjs";
import {
  beginLineAt,
  findLineEnd,
  findLineOf,
  findTextStart,
  measureColumn,
  measureIndent,
  outdentLine,
  type ParseEnvironment,
  TAGS_TOKEN,
} from "./parse-state.ts";
import { findBracesEnd, isComponentName, scanTag, type Tag } from "./tag.ts";

/** Elements whose content is not Markdown even in MDX. */
const RAW_ELEMENT = /^(?:pre|script|style|textarea)$/i;

/** A closing tag is matched with this many open elements at most: real pages nest far less. */
const MAX_CLOSING_DISTANCE = 50;

const FENCE = /(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})/y;

interface OpenElement {
  readonly name: string;
  /** Column of the element's tag, after moving. */
  readonly column: number;
  /** Columns by which its content moves left; -1 before the first line of content. */
  shift: number;
}

/**
 * Block rule for lines that consist of tags: `<Note>`, `</Tabs>`, `<Image … />` over several lines.
 *
 * Only the tags are consumed. What stands between an opening and a closing tag is Markdown and is
 * parsed as such, also without blank lines around it and also when it is indented like the
 * children of an element: that indentation is taken away.
 *
 * In MDX every element is treated so; in plain Markdown only components (`Note`, `Tabs.Item`),
 * because there HTML elements keep their content from being Markdown.
 */
export function componentTagsRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const start = findTextStart(state, startLine);
  if (state.src.charCodeAt(start) !== 0x3c) return false;
  const environment: ParseEnvironment = state.env;
  if (!environment.isMdx && measureIndent(state, startLine) >= 4) return false;

  const limit = findLineEnd(state, endLine - 1);
  const tags: Tag[] = [];
  let line = startLine;
  let at = start;
  while (at < findLineEnd(state, line)) {
    const end = scanPiece(state.src, at, limit, environment, tags);
    if (end < 0) break;
    line = findLineOf(state, line, end);
    at = state.skipSpaces(end);
  }
  if (tags.length === 0) return false;
  const isWhole = at >= findLineEnd(state, line);
  // Text after the tags of one line makes the line a paragraph; its tags are inline then.
  if (!isWhole && (line === startLine || silent)) return false;
  if (silent) return true;

  const token = state.push(TAGS_TOKEN, "", 0);
  token.map = [startLine, line + 1];
  token.meta = tags;
  if (environment.alignedUntil <= startLine) {
    environment.alignedUntil = alignComponentChildren(state, startLine, line + 1, endLine, tags);
  }
  if (isWhole) {
    state.line = line + 1;
  } else {
    beginLineAt(state, line, at);
    state.line = line;
  }
  return true;
}

/** Offset after the tag (added to `tags`) or the braces at `at`, or -1 when there is neither. */
function scanPiece(text: string, at: number, limit: number, environment: ParseEnvironment, tags: Tag[]): number {
  const code = text.charCodeAt(at);
  if (code === 0x7b) return findBracesEnd(text, at, limit, environment);
  if (code !== 0x3c) return -1;
  const tag = scanTag(text, at, limit, environment.budget);
  if (tag === undefined || RAW_ELEMENT.test(tag.name)) return -1;
  // In plain Markdown a line of HTML is not ours; after a component anything may follow.
  const isOurs = environment.isMdx || tag.hasBraces || (tag.name !== "" && isComponentName(tag.name));
  if (tags.length === 0 && !isOurs) return -1;
  tags.push(tag);
  return tag.end;
}

/**
 * Moves the lines from `firstLine` on until the elements that `tags` opened are closed.
 *
 * @returns the line after the last one moved; components that begin before it are already done.
 */
function alignComponentChildren(
  state: StateBlock,
  tagLine: number,
  firstLine: number,
  endLine: number,
  tags: readonly Tag[],
): number {
  const environment: ParseEnvironment = state.env;
  const open: OpenElement[] = [];
  for (const tag of tags) trackTag(open, tag, measureColumn(state, tagLine), environment.isMdx);

  let fence = "";
  let line = firstLine;
  for (; line < endLine; line++) {
    const element = open.at(-1);
    if (element === undefined) break;
    if (state.isEmpty(line)) continue;
    const column = measureColumn(state, line);
    if (column < state.blkIndent) break;

    const start = findTextStart(state, line);
    const isClosing = fence === "" && state.src.startsWith("</", start);
    const toTag = Math.max(0, column - element.column);
    if (fence === "" && !isClosing && element.shift < 0) element.shift = toTag;
    // No line moves past its element's tag: it could leave the list that holds the element.
    const shift = isClosing ? toTag : Math.max(0, Math.min(element.shift, toTag));
    outdentLine(state, line, shift);
    if (fence !== "") {
      if (closesFence(state.src.slice(start, findLineEnd(state, line)), fence)) fence = "";
      continue;
    }
    fence = matchFence(state.src, start);
    if (fence !== "") continue;
    const lastLine = trackLine(state, line, endLine, open);
    while (line < lastLine) outdentLine(state, ++line, shift);
  }
  return line;
}

/**
 * Rule for MDX, where indentation makes no code: moves a block that is indented like code, and the
 * lines below it that are indented as much, to the border of its container. Consumes nothing.
 */
export function indentedBlockRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const shift = measureIndent(state, startLine);
  if (silent || shift < 4) return false;
  const column = measureColumn(state, startLine);
  for (let line = startLine; line < endLine; line++) {
    if (state.isEmpty(line)) continue;
    if (measureColumn(state, line) < column) break;
    outdentLine(state, line, shift);
  }
  return false;
}

/** Notes what the tags of a line open and close. @returns the last line of the last tag. */
function trackLine(state: StateBlock, line: number, endLine: number, open: OpenElement[]): number {
  const environment: ParseEnvironment = state.env;
  const start = findTextStart(state, line);
  if (state.src.charCodeAt(start) !== 0x3c) {
    // Text may end with the closing tag of its element; other tags within it are its own affair.
    const name = open.at(-1)?.name ?? "";
    if (name !== "" && state.src.slice(start, findLineEnd(state, line)).includes(`</${name}`)) open.pop();
    return line;
  }
  const limit = findLineEnd(state, endLine - 1);
  const column = measureColumn(state, line);
  let lastLine = line;
  let at = start;
  while (at >= 0 && at < findLineEnd(state, lastLine)) {
    const tag = scanTag(state.src, at, limit, environment.budget);
    if (tag !== undefined) {
      trackTag(open, tag, column, environment.isMdx);
      lastLine = findLineOf(state, lastLine, tag.end);
    }
    at = state.src.indexOf("<", tag?.end ?? at + 1);
  }
  return lastLine;
}

function trackTag(open: OpenElement[], tag: Tag, column: number, isMdx: boolean): void {
  if (tag.kind === "open" && (isMdx || isComponentName(tag.name))) {
    open.push({ name: tag.name, column, shift: -1 });
  }
  if (tag.kind !== "close") return;
  const lowest = Math.max(0, open.length - MAX_CLOSING_DISTANCE);
  for (let at = open.length - 1; at >= lowest; at--) {
    if (open[at]?.name === tag.name) {
      open.length = at;
      return;
    }
  }
}

function matchFence(text: string, start: number): string {
  FENCE.lastIndex = start;
  return FENCE.exec(text)?.[1] ?? "";
}

function closesFence(line: string, fence: string): boolean {
  return line.startsWith(fence) && line.trim() === (fence[0] ?? "").repeat(line.trim().length);
}
