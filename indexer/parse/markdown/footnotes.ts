/**
 * Footnotes: `[^label]: text` where the text stands, `[^label]` where it is referred to.
 *
 * The text of a definition is prose of the section it stands in; paragraphs indented by four
 * columns belong to it. A mark that refers to a definition of the file is dropped; any other
 * stays text, as on GitHub.
 *
 * Pure apart from the parser state it is given. No I/O, no clock.
 */
import type StateBlock from "markdown-it/lib/rules_block/state_block.mjs";
import type StateInline from "markdown-it/lib/rules_inline/state_inline.mjs";
import { findLineEnd, findTextStart, measureIndent } from "./block-lines.ts";
import type { ParseEnvironment } from "./parse-environment.ts";

/** Columns by which the further paragraphs of a definition are indented. */
const CONTENT_INDENT = 4;

const DEFINITION = /\[\^([^\]\s[]{1,200})\]:/y;
const REFERENCE = /\[\^([^\]\s[]{1,200})\]/y;

/** Consumes a footnote definition; its content is parsed as blocks one level down. */
export function footnoteDefinitionRule(
  state: StateBlock,
  startLine: number,
  endLine: number,
  silent: boolean,
): boolean {
  const start = findTextStart(state, startLine);
  if (state.src.charCodeAt(start) !== 0x5b || state.src.charCodeAt(start + 1) !== 0x5e) return false;
  if (measureIndent(state, startLine) >= 4) return false;
  DEFINITION.lastIndex = start;
  const definition = DEFINITION.exec(state.src);
  if (definition === null) return false;
  if (silent) return true;

  const environment: ParseEnvironment = state.env;
  environment.footnotes.add(normalizeLabel(definition[1] ?? ""));
  const textStart = Math.min(state.skipSpaces(start + definition[0].length), findLineEnd(state, startLine));
  const { blkIndent, parentType } = state;
  const before = {
    bMarks: state.bMarks[startLine] ?? 0,
    tShift: state.tShift[startLine] ?? 0,
    sCount: state.sCount[startLine] ?? 0,
  };

  state.push("footnote_open", "", 1).map = [startLine, startLine + 1];
  state.bMarks[startLine] = textStart;
  state.tShift[startLine] = 0;
  state.sCount[startLine] = blkIndent + CONTENT_INDENT;
  state.blkIndent = blkIndent + CONTENT_INDENT;
  state.parentType = "reference";
  state.md.block.tokenize(state, startLine, endLine);
  state.push("footnote_close", "", -1);

  state.blkIndent = blkIndent;
  state.parentType = parentType;
  state.bMarks[startLine] = before.bMarks;
  state.tShift[startLine] = before.tShift;
  state.sCount[startLine] = before.sCount;
  if (state.line <= startLine) state.line = startLine + 1;
  return true;
}

/** Drops a mark that refers to a defined footnote. */
export function footnoteReferenceRule(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x5b || state.src.charCodeAt(state.pos + 1) !== 0x5e) return false;
  REFERENCE.lastIndex = state.pos;
  const reference = REFERENCE.exec(state.src);
  const environment: ParseEnvironment = state.env;
  if (reference === null || !environment.footnotes.has(normalizeLabel(reference[1] ?? ""))) return false;
  if (!silent) state.push("footnote_reference", "", 0);
  state.pos += reference[0].length;
  return true;
}

function normalizeLabel(label: string): string {
  return label.toLowerCase();
}
