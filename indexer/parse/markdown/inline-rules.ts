/**
 * Inline rules for what Markdown pages hold besides Markdown: tags, comments and expressions.
 *
 * They replace markdown-it's rule for inline HTML, whose regular expressions run to the end of
 * the text from every unclosed comment.
 *
 * Pure apart from the inline state it is given. No I/O, no clock.
 */
import type StateInline from "markdown-it/lib/rules_inline/state_inline.mjs";
import { findBracesEnd } from "./component-blocks.ts";
import { readShownStrings } from "./expression.ts";
import type { ParseEnvironment } from "./parse-environment.ts";
import { findMarkupEnd, isBracketedName, scanTag } from "./tag.ts";

/** Token that carries one tag in `meta`. */
export const TAG_TOKEN = "tag";

/** Consumes an HTML or JSX tag (kept as a token), a comment, a declaration or a CDATA section (dropped). */
export function inlineTagRule(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x3c) return false;
  const environment: ParseEnvironment = state.env;
  const markupEnd = findMarkupEnd(state.src, state.pos, state.posMax, environment.budget);
  if (markupEnd >= 0) {
    if (!silent) state.push("comment", "", 0);
    state.pos = markupEnd;
    return true;
  }
  const tag = scanTag(state.src, state.pos, state.posMax, environment.budget);
  if (tag === undefined) return false;
  // `<>` means a fragment in MDX and nothing in Markdown.
  if (!environment.isMdx && (tag.name === "" || isBracketedName(tag))) return false;
  if (!silent) state.push(TAG_TOKEN, "", 0).meta = tag;
  state.pos = tag.end;
  return true;
}

/** Consumes a comment in braces, and in MDX any expression; the strings that one shows are kept as text. */
export function inlineBracesRule(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x7b) return false;
  const end = findBracesEnd(state.src, state.pos, state.posMax, state.env);
  if (end < 0) return false;
  if (!silent) state.push("text", "", 0).content = readShownStrings(state.src.slice(state.pos + 1, end - 1));
  state.pos = end;
  return true;
}
