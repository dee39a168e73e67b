/**
 * Lines of component tags, and the indentation that the children of components have for looks.
 *
 * Authors indent the content of `<Tabs><Tab>…` as in a program. Four columns of it would make Markdown see code instead of headings,
 * lists and fences: such blocks move left. Code in fences moves with its fence.
 */
import type StateBlock from "markdown-it/lib/rules_block/state_block.mjs";
import {
  beginLineAt,
  findLineEnd,
  findLineOf,
  findTextStart,
  findWithin,
  measureColumn,
  measureIndent,
  outdentLine,
  type ParseEnvironment,
  TAGS_TOKEN,
} from "./parse-state.ts";
import { findBracesEnd, isComponentName, scanTag, type Tag } from "./tag.ts";

/** Elements whose content is not Markdown even in MDX. */
const RAW_ELEMENT = /^(?:pre|script|style|textarea)$/i;

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
  for (const { name, kind } of environment.dialect === "markdown" ? tags : []) {
    if (kind !== "open" || !isComponentName(name)) continue;
    const end = findWithin(state.src, `</${name}`, at, limit, environment.budget);
    environment.noCodeUntil = Math.max(environment.noCodeUntil, end);
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
 * Rule for MDX and components, where indentation makes no code: moves a block that is indented like code, and the
 * lines below it that are indented as much, to the border of its container. Consumes nothing.
 */
export function indentedBlockRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const shift = measureIndent(state, startLine);
  const environment: ParseEnvironment = state.env;
  const isCode = environment.dialect === "markdown" && findTextStart(state, startLine) >= environment.noCodeUntil;
  if (silent || shift < 4 || isCode) return false;
  const column = measureColumn(state, startLine);
  for (let line = startLine; line < endLine; line++) {
    if (state.isEmpty(line)) continue;
    if (measureColumn(state, line) < column) break;
    outdentLine(state, line, shift);
  }
  return false;
}
