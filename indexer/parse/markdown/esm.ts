/**
 * Block rule for the JavaScript modules part of MDX: `import` and `export` statements.
 *
 * In MDX a block that begins with one of the two words is code, so it goes up to the blank line
 * after which all brackets are closed. In plain Markdown it is dropped only when it cannot be
 * prose: whole paragraphs of `import … from "…"` and of `export` with a declaration.
 *
 * Pure apart from the block state it is given. No I/O, no clock.
 */
import type StateBlock from "markdown-it/lib/rules_block/state_block.mjs";
import { findLineEnd, findLineOf, findTextStart, measureColumn } from "./block-lines.ts";
import { findStatementEnd } from "./expression.ts";
import type { ParseEnvironment } from "./parse-environment.ts";

/** A paragraph of plain Markdown longer than this is not read as code. */
const MAX_PLAIN_ESM_CHARS = 4_000;

const MDX_STATEMENT =
  /(?:import\s*["'{*]|import\s+type\s|import\s+[\w$]+\s*(?:,|\sfrom\s)|export\s*[{*]|export\s+(?:default|const|let|var|function|class|async|type|interface|enum)\b)/y;
const PLAIN_IMPORT = /import\s+(?:(?:type\s+)?[\w$*{][\w$*\s{},]*?\sfrom\s+)?["'][^"'\n]+["'][ \t]*;?[ \t]*(?:\n|$)/y;
const PLAIN_EXPORT =
  /export\s+(?:(?:const|let|var)\s+[\w$]+[^\n=]*=|default\s+(?:async\s+)?(?:function|class)\b|default\s+[{([]|(?:async\s+)?function\s+[\w$]+\s*\(|\{[^}]*\})/y;

/** Consumes import and export statements at the top level of the file, without a trace. */
export function esmRule(state: StateBlock, startLine: number, _endLine: number, silent: boolean): boolean {
  if (silent || state.level > 0 || measureColumn(state, startLine) > 0) return false;
  const start = findTextStart(state, startLine);
  const code = state.src.charCodeAt(start);
  if (code !== 0x69 && code !== 0x65) return false;
  const environment: ParseEnvironment = state.env;
  const end = environment.isMdx ? findMdxEnd(state, start, environment) : findPlainEnd(state, start, environment);
  if (end < 0) return false;
  state.line = findLineOf(state, startLine, end) + 1;
  return true;
}

function findMdxEnd(state: StateBlock, start: number, environment: ParseEnvironment): number {
  if (!matches(MDX_STATEMENT, state.src, start)) return -1;
  const end = environment.budget.failuresLeft > 0 ? findStatementEnd(state.src, start, environment.budget) : -1;
  return end < 0 ? findParagraphEnd(state, start) : end;
}

function findPlainEnd(state: StateBlock, start: number, environment: ParseEnvironment): number {
  if (matches(PLAIN_EXPORT, state.src, start)) {
    return environment.budget.failuresLeft > 0 ? findStatementEnd(state.src, start, environment.budget) : -1;
  }
  const end = findParagraphEnd(state, start);
  if (end - start > MAX_PLAIN_ESM_CHARS) return -1;
  const paragraph = state.src.slice(start, end);
  let at = 0;
  while (at < paragraph.length) {
    PLAIN_IMPORT.lastIndex = at;
    const statement = PLAIN_IMPORT.exec(paragraph);
    if (statement === null) return -1;
    at += statement[0].length;
  }
  return end;
}

/** Offset of the end of the last line before a blank one. */
function findParagraphEnd(state: StateBlock, start: number): number {
  let line = findLineOf(state, state.line, start);
  while (line + 1 < state.lineMax && !state.isEmpty(line + 1)) line++;
  return findLineEnd(state, line);
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
