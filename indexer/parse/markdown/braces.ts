/**
 * Rules for what stands in braces: comments `{/* … *\/}` in every page, expressions in MDX.
 *
 * Both are dropped, but the strings that an expression shows are kept as text (see
 * `expression.ts`). In plain Markdown all other braces are text.
 *
 * Pure apart from the parser state it is given. No I/O, no clock.
 */
import type StateBlock from "markdown-it/lib/rules_block/state_block.mjs";
import type StateInline from "markdown-it/lib/rules_inline/state_inline.mjs";
import { beginLineAt, findLineEnd, findLineOf, findTextStart, isRestBlank, measureIndent } from "./block-lines.ts";
import { findExpressionEnd, readShownStrings } from "./expression.ts";
import type { ParseEnvironment } from "./parse-environment.ts";
import { findWithin } from "./scan-budget.ts";
import { SHOWN_TEXT_TOKEN } from "./token-types.ts";

/** Consumes braces that stand alone on their lines. */
export function bracesRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const start = findTextStart(state, startLine);
  if (state.src.charCodeAt(start) !== 0x7b) return false;
  const environment: ParseEnvironment = state.env;
  if (!environment.isMdx && measureIndent(state, startLine) >= 4) return false;
  const limit = findLineEnd(state, endLine - 1);
  const end = findBracesEnd(state.src, start, limit, environment);
  if (end < 0) return false;
  const line = findLineOf(state, startLine, end);
  const isWhole = isRestBlank(state, line, end);
  if (!isWhole && (line === startLine || silent)) return false;
  if (silent) return true;

  const token = state.push(SHOWN_TEXT_TOKEN, "", 0);
  token.map = [startLine, line + 1];
  token.content = readShownStrings(state.src.slice(start + 1, end - 1));
  if (isWhole) {
    state.line = line + 1;
  } else {
    beginLineAt(state, line, end);
    state.line = line;
  }
  return true;
}

/** Consumes braces within a line. */
export function inlineBracesRule(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x7b) return false;
  const end = findBracesEnd(state.src, state.pos, state.posMax, state.env);
  if (end < 0) return false;
  if (!silent) state.push("text", "", 0).content = readShownStrings(state.src.slice(state.pos + 1, end - 1));
  state.pos = end;
  return true;
}

/** Offset after the comment in braces at `start` (in MDX: after any expression there), or -1. */
export function findBracesEnd(text: string, start: number, limit: number, environment: ParseEnvironment): number {
  if (text.startsWith("{/*", start)) {
    const end = findWithin(text, "*/", start + 3, limit, environment.budget);
    if (end < 0) return -1;
    const brace = skipSpace(text, end + 2, limit);
    if (text.charCodeAt(brace) === 0x7d && brace < limit) return brace + 1;
  }
  return environment.isMdx ? findExpressionEnd(text, start, limit, environment.budget) : -1;
}

function skipSpace(text: string, start: number, limit: number): number {
  let at = start;
  while (at < limit && (text.charCodeAt(at) === 0x20 || text.charCodeAt(at) === 0x0a)) at++;
  return at;
}
