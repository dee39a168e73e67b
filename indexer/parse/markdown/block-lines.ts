/**
 * Reading and moving the borders of lines in markdown-it's block state.
 *
 * The block parser keeps four numbers a line: `bMarks` (offset where it begins), `tShift`
 * (characters of indentation), `sCount` (columns of indentation) and `eMarks` (offset where it
 * ends). Containers and our own rules take text away from a line by moving these, never by
 * touching the source, so line numbers stay true.
 *
 * Pure apart from the block state it is given. No I/O, no clock.
 */
import type StateBlock from "markdown-it/lib/rules_block/state_block.mjs";

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
