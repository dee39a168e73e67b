/**
 * State that our rules share in one parse, and the borders of lines in markdown-it's block state.
 *
 * The block parser keeps four numbers a line: `bMarks` (offset where it begins), `tShift` (characters of indentation), `sCount`
 * (columns of indentation) and `eMarks` (offset where it ends). Containers and our own rules take text away from a line by moving
 * these, never by touching the source, so line numbers stay true.
 */
import type StateBlock from "markdown-it/lib/rules_block/state_block.mjs";

/** Kind of text: Markdown and MDX as authors write them, and the Markdown that is made of a page of a built site. */
export type Dialect = "markdown" | "mdx" | "site";

/** State of one file's parse. markdown-it adds `references` to it. */
export type ParseEnvironment = ReturnType<typeof openParseEnvironment>;

export function openParseEnvironment(dialect: Dialect) {
  return {
    dialect,
    /** In MDX every tag is a component, braces are expressions and indented code does not exist. */
    isMdx: dialect === "mdx",
    /** Labels of the footnotes that the file defines. */
    footnotes: new Set<string>(),
    budget: openScanBudget(),
    /** Offset of the end of the components or the footnote that are open; in them, indentation makes no code. */
    noCodeUntil: 0,
    /** How deep the parse of inline content is inside image descriptions. */
    inlineDepth: 0,
    /** 0-based line of the first part that was too complex and became plain text; -1 when there is none. */
    simplifiedLine: -1,
  };
}

/** More unclosed constructs than this in one file, and the rest of them stay text. */
const MAX_FAILED_SCANS = 64;

export interface ScanBudget {
  failuresLeft: number;
}

export function openScanBudget(): ScanBudget {
  return { failuresLeft: MAX_FAILED_SCANS };
}

/** Offset of `needle` between `from` and `limit`, or -1. A failure costs one from the budget. */
export function findWithin(text: string, needle: string, from: number, limit: number, budget: ScanBudget): number {
  if (budget.failuresLeft <= 0) return -1;
  const at = text.indexOf(needle, from);
  if (at >= 0 && at + needle.length <= limit) return at;
  budget.failuresLeft--;
  return -1;
}

/** Block token for lines of tags: `meta` has the tags. */
export const TAGS_TOKEN = "tags";

/** Block token for text that is shown though it is not Markdown: `content` has it. */
export const SHOWN_TEXT_TOKEN = "shown_text";

/** Block token for lines that were too complex: `content` has them as they are written. */
export const PLAIN_TEXT_TOKEN = "plain_text";

/** Inline token for one tag: `meta` has it. */
export const TAG_TOKEN = "tag";

/** Offset of the first character of a line that is not indentation. */
export function findTextStart(state: StateBlock, line: number): number {
  return (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
}

/** Offset of the end of a line, before its newline. */
export function findLineEnd(state: StateBlock, line: number): number {
  return state.eMarks[line] ?? state.src.length;
}

/** Columns by which a line is indented within its container; negative when it is outside of it. */
export function measureIndent(state: StateBlock, line: number): number {
  return measureColumn(state, line) - state.blkIndent;
}

/** Columns by which a line is indented. */
export function measureColumn(state: StateBlock, line: number): number {
  return state.sCount[line] ?? 0;
}

/** The line that holds an offset, at or after `line`. */
export function findLineOf(state: StateBlock, line: number, offset: number): number {
  let found = line;
  while (found < state.lineMax - 1 && findLineEnd(state, found) < offset) found++;
  return found;
}

/** Whether only white space stands between the offset and the end of its line. */
export function isRestBlank(state: StateBlock, line: number, offset: number): boolean {
  return state.skipSpaces(offset) >= findLineEnd(state, line);
}

/** Lets a line begin at an offset: what stands before it is taken away. */
export function beginLineAt(state: StateBlock, line: number, offset: number): void {
  const text = Math.min(state.skipSpaces(offset), findLineEnd(state, line));
  state.bMarks[line] = text;
  state.tShift[line] = 0;
  state.sCount[line] = state.blkIndent;
}

/** Takes up to `columns` of indentation away from a line. */
export function outdentLine(state: StateBlock, line: number, columns: number): void {
  const begin = state.bMarks[line] ?? 0;
  const indentation = state.tShift[line] ?? 0;
  const firstColumn = state.bsCount[line] ?? 0;
  let characters = 0;
  let taken = 0;
  while (characters < indentation && taken < columns) {
    const isTab = state.src.charCodeAt(begin + characters) === 0x09;
    const width = isTab ? 4 - ((taken + firstColumn) % 4) : 1;
    if (taken + width > columns) break;
    taken += width;
    characters++;
  }
  state.bMarks[line] = begin + characters;
  state.tShift[line] = indentation - characters;
  state.sCount[line] = measureColumn(state, line) - taken;
  state.bsCount[line] = firstColumn + taken;
}
