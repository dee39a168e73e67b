/**
 * Inline rule for tags and comments.
 *
 * It replaces markdown-it's rule for inline HTML, which knows no JSX and whose regular
 * expressions run to the end of the text from every unclosed comment.
 *
 * Pure apart from the inline state it is given. No I/O, no clock.
 */
import type StateInline from "markdown-it/lib/rules_inline/state_inline.mjs";
import type { ParseEnvironment } from "./parse-environment.ts";
import { findMarkupEnd, isBracketedName, scanTag } from "./tag.ts";
import { TAG_TOKEN } from "./token-types.ts";

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
