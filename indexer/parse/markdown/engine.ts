/**
 * markdown-it as this project uses it: two instances, for Markdown and for MDX, made once.
 *
 * Beside our own rules each has guards against hostile input: markdown-it drops what nests too deeply, and bounds
 * nothing across image descriptions.
 */
import MarkdownIt from "markdown-it";
import type StateBlock from "markdown-it/lib/rules_block/state_block.mjs";
import type StateInline from "markdown-it/lib/rules_inline/state_inline.mjs";
import type Token from "markdown-it/lib/token.mjs";
import {
  findBracesEnd,
  findMarkupEnd,
  findStatementEnd,
  findWithin,
  isComponentName,
  openScanBudget,
  readShownStrings,
  scanTag,
  type Tag,
} from "./tag.ts";

/** Kind of text: Markdown and MDX as authors write them, and the Markdown that is made of a page of a built site. */
export type Dialect = "markdown" | "mdx" | "site";

/**
 * What our rules share in one parse; markdown-it adds `references` to it. Tokens that they add are `tags` for lines of tags, `tag` for
 * one within a line, with `meta`, and `shown_text` for what is shown though it is no Markdown.
 */
export type ParseEnvironment = ReturnType<typeof openParseEnvironment>;

export function openParseEnvironment(dialect: Dialect) {
  return {
    dialect,
    /** In MDX every tag is a component, braces are expressions and indented code does not exist. */
    isMdx: dialect === "mdx",
    footnotes: new Set<string>(),
    budget: openScanBudget(),
    /** Offset of the end of the components or the footnote that are open; in them, indentation makes no code. */
    noCodeUntil: 0,
    /** How deep the parse of inline content is inside image descriptions. */
    inlineDepth: 0,
  };
}

const DEFINITION = /\[\^([^\]\s[]{1,200})\]:/y;

const REFERENCE = /\[\^([^\]\s[]{1,200})\]/y;

const MDX_STATEMENT =
  /(?:import\s*["'{*]|import\s+type\s|import\s+[\w$]+\s*(?:,|\sfrom\s)|export\s*[{*]|export\s+(?:default|const|let|var|function|class|async|type|interface|enum)\b)/y;

const PLAIN_IMPORT = /import\s+(?:(?:type\s+)?[\w$*{][\w$*\s{},]*?\sfrom\s+)?["'][^"'\n]+["'][ \t]*;?[ \t]*(?:\n|$)/y;

const PLAIN_EXPORT =
  /export\s+(?:(?:const|let|var)\s+[\w$]+[^\n=]*=|default\s+(?:async\s+)?(?:function|class)\b|default\s+[{([]|(?:async\s+)?function\s+[\w$]+\s*\(|\{[^}]*\})/y;

/** A longer line is prose that happens to begin with colons. */
const MAX_FENCE_CHARS = 500;

const FENCE = /^:{3,}[ \t]*([\w-]*)(?=[\s[{]|$)/;

const BRACKETED_TITLE = /^\[([^\]]*)\]/;

const ATTRIBUTES = /\{[^{}]*\}/g;

/** Deepest nesting that is understood, in blocks (a list is two levels) and in inline content. */
const MAX_NESTING = 100;

/** Image descriptions are parsed inside image descriptions at most this deep. */
const MAX_INLINE_DEPTH = 5;

const INTERRUPTS_TEXT = { alt: ["paragraph", "reference", "blockquote", "list"] };

const ENGINES: Readonly<Record<Dialect, MarkdownIt>> = {
  markdown: createEngine(false),
  mdx: createEngine(true),
  site: createSiteEngine(),
};

/** Block tokens of a body. Inline content is not parsed yet: the `inline` tokens have it in `content`. */
export function parseBlocks(body: string, environment: ParseEnvironment): Token[] {
  const tokens: Token[] = [];
  const engine = ENGINES[environment.dialect];
  engine.block.parse(body, engine, environment, tokens);
  return tokens;
}

export function parseInline(content: string, environment: ParseEnvironment): Token[] {
  const tokens: Token[] = [];
  const engine = ENGINES[environment.dialect];
  engine.inline.parse(content, engine, environment, tokens);
  return tokens;
}

/** Markdown without HTML, and with definitions: all else that means something in a page's Markdown is plain. */
function createSiteEngine(): MarkdownIt {
  const engine = createBareEngine(false);
  const { ruler } = engine.block;
  ruler.disable(["code", "lheading", "reference"]);
  ruler.before("indented_block", "definition", definitionRule, INTERRUPTS_TEXT);
  return engine;
}

function createBareEngine(html: boolean): MarkdownIt {
  const engine = new MarkdownIt({ html, linkify: false, typographer: false });
  // A documented option that the package's types leave out.
  Object.assign(engine.options, { maxNesting: MAX_NESTING });
  // Links are reported as written, and their text is kept whatever they point to.
  engine.normalizeLink = (href) => href;
  engine.validateLink = () => true;
  engine.block.ruler.before("table", "indented_block", indentedBlockRule);
  guardBlockNesting(engine);
  guardInlineNesting(engine);
  return engine;
}

/** Lets the text of a definition (`: text`) begin behind its colon; the lines below it are indented as far. Consumes nothing. */
function definitionRule(state: StateBlock, startLine: number, _endLine: number, silent: boolean): boolean {
  const start = findTextStart(state, startLine);
  if (state.src.charCodeAt(start) !== 0x3a || state.src.charCodeAt(start + 1) !== 0x20) return false;
  if (silent) return true;
  const column = measureColumn(state, startLine) + 2;
  beginLineAt(state, startLine, start + 2);
  state.sCount[startLine] = column;
  return definitionRule(state, startLine, _endLine, silent);
}

function createEngine(isMdx: boolean): MarkdownIt {
  const engine = createBareEngine(true);
  const { ruler } = engine.block;
  ruler.before("code", "esm", esmRule);
  ruler.before("code", "tag_heading", tagHeadingRule, INTERRUPTS_TEXT);
  ruler.before("code", "component_tags", componentTagsRule, INTERRUPTS_TEXT);
  ruler.before("code", "braces", bracesRule, INTERRUPTS_TEXT);
  ruler.before("code", "admonition", admonitionRule, INTERRUPTS_TEXT);
  ruler.before("reference", "footnote_definition", footnoteDefinitionRule, INTERRUPTS_TEXT);
  const htmlBlock = ruler.getRules("").find(({ name }) => name === "html_block");
  const htmlRule: typeof htmlBlock = (state, line, ...rest) =>
    isHtmlAt(state, line) && htmlBlock?.(state, line, ...rest) === true;
  ruler.at("html_block", htmlRule, INTERRUPTS_TEXT);
  if (isMdx) ruler.disable("code");

  engine.inline.ruler.before("link", "footnote_reference", footnoteReferenceRule);
  engine.inline.ruler.at("html_inline", inlineTagRule);
  engine.inline.ruler.push("braces", inlineBracesRule);
  return engine;
}

/** Gives up on a page that nests deeper: markdown-it would leave out what lies there. */
function guardBlockNesting(engine: MarkdownIt): void {
  const tokenize = engine.block.tokenize.bind(engine.block);
  engine.block.tokenize = (state, startLine, endLine) => {
    if (state.level >= MAX_NESTING - 2) throw new RangeError("its blocks are nested too deeply");
    tokenize(state, startLine, endLine);
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

/**
 * Inline rule for tags and comments.
 *
 * It replaces markdown-it's rule for inline HTML, which knows no JSX and whose regular
 * expressions run to the end of the text from every unclosed comment.
 */
function inlineTagRule(state: StateInline, silent: boolean): boolean {
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
  if (!silent) state.push("tag", "", 0).meta = tag;
  state.pos = tag.end;
  return true;
}

/** Whether a "tag" of plain Markdown is a name in angle brackets, such as `<example.com>`. */
function isBracketedName(tag: Tag): boolean {
  const isBare = tag.kind === "open" && tag.attributes.size === 0 && !tag.hasBraces;
  return isBare && /^[^A-Z].*[.:]/.test(tag.name);
}

/**
 * Block rule for the fences of admonitions: `:::note Title` and `:::`.
 *
 * Docusaurus, VitePress and others draw boxes with them. The fences are dropped, the title is
 * prose, and the content is parsed like the text around it.
 */
function admonitionRule(state: StateBlock, startLine: number, _endLine: number, silent: boolean): boolean {
  const start = findTextStart(state, startLine);
  if (state.src.charCodeAt(start) !== 0x3a || measureIndent(state, startLine) >= 4) return false;
  const end = findLineEnd(state, startLine);
  if (end - start > MAX_FENCE_CHARS) return false;
  const text = state.src.slice(start, end);
  const fence = FENCE.exec(text);
  if (fence === null) return false;
  if (silent) return true;

  const token = state.push("shown_text", "", 0);
  token.map = [startLine, startLine + 1];
  const rest = text.slice(fence[0].length);
  token.content = BRACKETED_TITLE.exec(rest)?.[1] ?? rest.replace(ATTRIBUTES, "").trim();
  state.line = startLine + 1;
  return true;
}

/**
 * Block rule for the JavaScript modules part of MDX: `import` and `export` statements.
 *
 * In MDX a block that begins with one of the two words is code, so it goes up to the blank line
 * after which all brackets are closed. In plain Markdown it is so only when it cannot be prose:
 * where it begins with a whole `import … from "…"`, or with `export` and a declaration.
 */
function esmRule(state: StateBlock, startLine: number, _endLine: number, silent: boolean): boolean {
  if (silent || state.level > 0 || measureColumn(state, startLine) > 0) return false;
  const start = findTextStart(state, startLine);
  const code = state.src.charCodeAt(start);
  if (code !== 0x69 && code !== 0x65) return false;
  const { isMdx, budget }: ParseEnvironment = state.env;
  const patterns = isMdx ? [MDX_STATEMENT] : [PLAIN_IMPORT, PLAIN_EXPORT];
  if (!patterns.some((pattern) => matches(pattern, state.src, start))) return false;
  const closed = budget.failuresLeft > 0 ? findStatementEnd(state.src, start, budget) : -1;
  const end = closed < 0 && isMdx ? findParagraphEnd(state, start) : closed;
  if (end < 0) return false;
  state.line = findLineOf(state, startLine, end) + 1;
  return true;
}

function findParagraphEnd(state: StateBlock, start: number): number {
  let line = findLineOf(state, state.line, start);
  while (line + 1 < state.lineMax && !state.isEmpty(line + 1)) line++;
  return findLineEnd(state, line);
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/**
 * Footnotes: `[^label]: text` where the text stands, `[^label]` where it is referred to.
 *
 * The text of a definition begins after its label and belongs to the section around it. Paragraphs that are indented by four
 * columns are text, not code. A mark that refers to a definition of the file is dropped; any other stays text, as on GitHub.
 */
function footnoteDefinitionRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const start = findTextStart(state, startLine);
  if (state.src.charCodeAt(start) !== 0x5b || measureIndent(state, startLine) >= 4) return false;
  DEFINITION.lastIndex = start;
  const label = DEFINITION.exec(state.src)?.[1];
  if (label === undefined || silent) return label !== undefined;
  const environment: ParseEnvironment = state.env;
  environment.footnotes.add(label.toLowerCase());
  beginLineAt(state, startLine, DEFINITION.lastIndex);
  let end = startLine + 1;
  while (end < endLine && (state.isEmpty(end) || measureIndent(state, end) >= 4)) end++;
  environment.noCodeUntil = Math.max(environment.noCodeUntil, findLineEnd(state, end - 1));
  return false;
}

function footnoteReferenceRule(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x5b) return false;
  REFERENCE.lastIndex = state.pos;
  const label = REFERENCE.exec(state.src)?.[1];
  const environment: ParseEnvironment = state.env;
  if (label === undefined || !environment.footnotes.has(label.toLowerCase())) return false;
  if (!silent) state.push("footnote_reference", "", 0);
  state.pos = REFERENCE.lastIndex;
  return true;
}

/** Blocks of HTML that are such in MDX, too: what their tags hold is no Markdown. */
const RAW_BLOCK = /^<(?:[!?]|(?:script|pre|style|textarea)(?=[\s>]|$))/i;
const TAG_NAME = /^<\/?([A-Za-z][\w.:-]*)/;
/** A heading, with nothing but other tags before it. A longer one is an unclosed tag. */
const TAG_HEADING = /(?:<[^<>\n]*>[ \t]*)*<h([1-6])(?=[\s>])(?:(?!<h[1-6])[\s\S]){0,4000}?<\/h\1\s*>/iy;

/** Whether HTML may begin on a line: elements of MDX and components have Markdown in them. */
function isHtmlAt(state: StateBlock, line: number): boolean {
  const environment: ParseEnvironment = state.env;
  const text = state.src.slice(findTextStart(state, line), findLineEnd(state, line));
  if (environment.isMdx) return RAW_BLOCK.test(text);
  const name = TAG_NAME.exec(text)?.[1];
  return name === undefined || !isComponentName(name);
}

/** Consumes a heading written as a tag where no block of HTML begins: in MDX, and inside of a component on the same line. */
function tagHeadingRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const start = findTextStart(state, startLine);
  if (state.src.charCodeAt(start) !== 0x3c || measureIndent(state, startLine) >= 4) return false;
  const environment: ParseEnvironment = state.env;
  if (!environment.isMdx && !/[A-Z]/.test(state.src[start + 1] ?? "")) return false;
  if (!matches(TAG_HEADING, state.src, start)) return false;
  const lastLine = findLineOf(state, startLine, TAG_HEADING.lastIndex);
  if (lastLine >= endLine) return false;
  if (silent) return true;
  const token = state.push("html_block", "", 0);
  token.map = [startLine, lastLine + 1];
  token.content = state.getLines(startLine, lastLine + 1, state.blkIndent, true);
  state.line = lastLine + 1;
  return true;
}

/*
 * Lines of component tags. Authors indent what is in `<Tabs><Tab>…` as in a program. Four columns of it would make Markdown see code
 * instead of headings, lists and fences: such blocks move left. Code in fences moves with its fence.
 */

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
function componentTagsRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
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

  const token = state.push("tags", "", 0);
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
function indentedBlockRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
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

/** Consumes braces that stand alone on their lines. */
function bracesRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
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

  const token = state.push("shown_text", "", 0);
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

function inlineBracesRule(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x7b) return false;
  const end = findBracesEnd(state.src, state.pos, state.posMax, state.env);
  if (end < 0) return false;
  if (!silent) state.push("text", "", 0).content = readShownStrings(state.src.slice(state.pos + 1, end - 1));
  state.pos = end;
  return true;
}

/*
 * Borders of lines. The block parser keeps four numbers a line: `bMarks` (offset where it begins), `tShift` (characters of
 * indentation), `sCount` (columns of indentation) and `eMarks` (offset where it ends). Containers and our own rules take text away
 * from a line by moving these, never by touching the source, so line numbers stay true.
 */

/** Offset of the first character of a line that is not indentation. */
function findTextStart(state: StateBlock, line: number): number {
  return (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
}

function findLineEnd(state: StateBlock, line: number): number {
  return state.eMarks[line] ?? state.src.length;
}

/** Columns by which a line is indented within its container; negative when it is outside of it. */
function measureIndent(state: StateBlock, line: number): number {
  return measureColumn(state, line) - state.blkIndent;
}

function measureColumn(state: StateBlock, line: number): number {
  return state.sCount[line] ?? 0;
}

/** The line that holds an offset, at or after `line`. */
function findLineOf(state: StateBlock, line: number, offset: number): number {
  let found = line;
  while (found < state.lineMax - 1 && findLineEnd(state, found) < offset) found++;
  return found;
}

/** Whether only white space stands between the offset and the end of its line. */
function isRestBlank(state: StateBlock, line: number, offset: number): boolean {
  return state.skipSpaces(offset) >= findLineEnd(state, line);
}

/** Lets a line begin at an offset: what stands before it is taken away. */
function beginLineAt(state: StateBlock, line: number, offset: number): void {
  const text = Math.min(state.skipSpaces(offset), findLineEnd(state, line));
  state.bMarks[line] = text;
  state.tShift[line] = 0;
  state.sCount[line] = state.blkIndent;
}

/** Takes up to `columns` of indentation away from a line. */
function outdentLine(state: StateBlock, line: number, columns: number): void {
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
