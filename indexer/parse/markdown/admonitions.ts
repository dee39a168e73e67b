/**
 * Block rule for the fences of admonitions: `:::note Title` and `:::`.
 *
 * Docusaurus, VitePress and others draw boxes with them. The fences are dropped, the title is
 * prose, and the content is parsed like the text around it.
 *
 * Pure apart from the block state it is given. No I/O, no clock.
 */
import type StateBlock from "markdown-it/lib/rules_block/state_block.mjs";
import { findLineEnd, findTextStart, measureIndent } from "./block-lines.ts";
import { SHOWN_TEXT_TOKEN } from "./token-types.ts";

/** A longer line is prose that happens to begin with colons. */
const MAX_FENCE_CHARS = 500;

const FENCE = /^:{3,}[ \t]*([\w-]*)(?=[\s[{]|$)/;
const BRACKETED_TITLE = /^\[([^\]]*)\]/;
const ATTRIBUTES = /\{[^{}]*\}/g;

/** Consumes one fence of an admonition; its token's `content` is the title. */
export function admonitionRule(state: StateBlock, startLine: number, _endLine: number, silent: boolean): boolean {
  const start = findTextStart(state, startLine);
  if (state.src.charCodeAt(start) !== 0x3a || measureIndent(state, startLine) >= 4) return false;
  const end = findLineEnd(state, startLine);
  if (end - start > MAX_FENCE_CHARS) return false;
  const text = state.src.slice(start, end);
  const fence = FENCE.exec(text);
  if (fence === null) return false;
  if (silent) return true;

  const token = state.push(SHOWN_TEXT_TOKEN, "", 0);
  token.map = [startLine, startLine + 1];
  const rest = text.slice(fence[0].length);
  token.content = BRACKETED_TITLE.exec(rest)?.[1] ?? rest.replace(ATTRIBUTES, "").trim();
  state.line = startLine + 1;
  return true;
}
