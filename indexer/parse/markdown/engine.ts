/**
 * markdown-it as this project uses it: two instances, for Markdown and for MDX, made once.
 *
 * Beside our own rules each has guards against hostile input. markdown-it bounds how deep blocks
 * nest, but drops what lies deeper and bounds nothing across image descriptions; here the text
 * below the limit is kept, as it is written.
 *
 * Pure: no I/O, no clock. The instances hold no state between parses.
 */
import MarkdownIt from "markdown-it";
import type StateBlock from "markdown-it/lib/rules_block/state_block.mjs";
import type Token from "markdown-it/lib/token.mjs";
import { admonitionRule } from "./admonitions.ts";
import { findLineEnd, findTextStart, measureIndent } from "./block-lines.ts";
import { bracesRule, inlineBracesRule } from "./braces.ts";
import { componentTagsRule } from "./component-blocks.ts";
import { indentedBlockRule } from "./component-indent.ts";
import { esmRule } from "./esm.ts";
import { footnoteDefinitionRule, footnoteReferenceRule } from "./footnotes.ts";
import { htmlBlockRule, tagHeadingRule } from "./html-blocks.ts";
import { inlineTagRule } from "./inline-tags.ts";
import type { ParseEnvironment } from "./parse-environment.ts";
import { PLAIN_TEXT_TOKEN } from "./token-types.ts";

/** Deepest nesting that is understood, in blocks (a list is two levels) and in inline content. */
const MAX_NESTING = 40;

/** Image descriptions are parsed inside image descriptions at most this deep. */
const MAX_INLINE_DEPTH = 5;

/** A row with more columns is no table for people. */
const MAX_TABLE_COLUMNS = 1_000;

const INTERRUPTS_TEXT = { alt: ["paragraph", "reference", "blockquote", "list"] };

const MARKDOWN = createEngine(false);
const MDX = createEngine(true);

/** Block tokens of a body. Inline content is not parsed yet: the `inline` tokens have it in `content`. */
export function parseBlocks(body: string, environment: ParseEnvironment): Token[] {
  const tokens: Token[] = [];
  const engine = environment.isMdx ? MDX : MARKDOWN;
  engine.block.parse(body, engine, environment, tokens);
  return tokens;
}

/** Inline tokens of the content of one `inline` token. */
export function parseInline(content: string, environment: ParseEnvironment): Token[] {
  const tokens: Token[] = [];
  const engine = environment.isMdx ? MDX : MARKDOWN;
  engine.inline.parse(content, engine, environment, tokens);
  return tokens;
}

function createEngine(isMdx: boolean): MarkdownIt {
  const engine = new MarkdownIt({ html: true, linkify: false, typographer: false });
  // A documented option that the package's types leave out.
  Object.assign(engine.options, { maxNesting: MAX_NESTING });
  // Links are reported as written, and their text is kept whatever they point to.
  engine.normalizeLink = (href) => href;
  engine.validateLink = () => true;

  const { ruler } = engine.block;
  ruler.before("table", "wide_table", wideTableRule);
  ruler.before("code", "esm", esmRule);
  ruler.before("code", "tag_heading", tagHeadingRule, INTERRUPTS_TEXT);
  ruler.before("code", "component_tags", componentTagsRule, INTERRUPTS_TEXT);
  ruler.before("code", "braces", bracesRule, INTERRUPTS_TEXT);
  ruler.before("code", "admonition", admonitionRule, INTERRUPTS_TEXT);
  ruler.before("reference", "footnote_definition", footnoteDefinitionRule, INTERRUPTS_TEXT);
  ruler.at("html_block", htmlBlockRule, INTERRUPTS_TEXT);
  if (isMdx) {
    ruler.disable("code");
    ruler.before("wide_table", "indented_block", indentedBlockRule);
  }

  engine.inline.ruler.before("link", "footnote_reference", footnoteReferenceRule);
  engine.inline.ruler.at("html_inline", inlineTagRule);
  engine.inline.ruler.push("braces", inlineBracesRule);
  guardBlockNesting(engine);
  guardInlineNesting(engine);
  return engine;
}

/** Keeps the lines of a container that nests too deeply as plain text. */
function guardBlockNesting(engine: MarkdownIt): void {
  const tokenize = engine.block.tokenize.bind(engine.block);
  engine.block.tokenize = (state, startLine, endLine) => {
    if (state.level < MAX_NESTING - 2) {
      tokenize(state, startLine, endLine);
      return;
    }
    let end = startLine;
    while (end < endLine && (state.isEmpty(end) || measureIndent(state, end) >= 0)) end++;
    pushPlainText(state, startLine, Math.max(end, startLine + 1));
  };
}

/** Keeps the description of an image inside too many others as it is written. */
function guardInlineNesting(engine: MarkdownIt): void {
  const parse = engine.inline.parse.bind(engine.inline);
  engine.inline.parse = (source, md, env, tokens) => {
    const environment: ParseEnvironment = env;
    if (environment.inlineDepth >= MAX_INLINE_DEPTH) {
      const state = new engine.inline.State(source, md, env, tokens);
      state.push("text", "", 0).content = source;
      return;
    }
    environment.inlineDepth++;
    try {
      parse(source, md, env, tokens);
    } finally {
      environment.inlineDepth--;
    }
  };
}

/** Keeps the header of a table with too many columns as plain text, so that the table is not built. */
function wideTableRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (silent || startLine + 1 >= endLine) return false;
  const start = findTextStart(state, startLine);
  const end = findLineEnd(state, startLine);
  const delimiter = state.src[findTextStart(state, startLine + 1)] ?? "";
  if (end - start < MAX_TABLE_COLUMNS || !"|-:".includes(delimiter)) return false;
  let columns = 0;
  for (let at = state.src.indexOf("|", start); at >= 0 && at < end; at = state.src.indexOf("|", at + 1)) columns++;
  if (columns < MAX_TABLE_COLUMNS) return false;
  pushPlainText(state, startLine, startLine + 1);
  return true;
}

function pushPlainText(state: StateBlock, startLine: number, endLine: number): void {
  const environment: ParseEnvironment = state.env;
  if (environment.simplifiedLine < 0) environment.simplifiedLine = startLine;
  const token = state.push(PLAIN_TEXT_TOKEN, "", 0);
  token.map = [startLine, endLine];
  token.content = state.getLines(startLine, endLine, 0, false);
  state.line = endLine;
}
