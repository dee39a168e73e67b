/**
 * Walks the block tokens of a page in order and hands headings, text, code and links to a section collector.
 *
 * Only headings at the top level, or between the tags of a component, open sections. A heading inside a quote or a list item is
 * kept as prose there; on a page of a site all headings open sections. Long, because all kinds of tokens share the walk.
 */
import { unescapeAll } from "markdown-it/lib/common/utils.mjs";
import type Token from "markdown-it/lib/token.mjs";
import { cutPlace, foldWhitespace } from "../../../src/core/text/short-text.ts";
import type { ParsedBlock } from "../parsed-document.ts";
import { type ParseEnvironment, parseInline } from "./engine.ts";
import { areSameTitle, readFenceInfo, splitHeadingId } from "./page-text.ts";
import type { Heading, SectionCollector } from "./sections.ts";
import { findMarkupEnd, isComponentName, type ScanBudget, scanTag, type Tag } from "./tag.ts";

/** Cells of one row stay in one block of text. */
const CELL = /^t[dh]$/i;

const HEADING = /^h[1-6]$/i;

const RAW_ELEMENT = /^(?:pre|script|style|textarea)$/i;

const CODE_ELEMENT = /^(?:pre|textarea)$/i;

/** Longer content is parsed in pieces: what markdown-it keeps in memory grows with the content. */
const MAX_INLINE_CHARS = 16_000;

const TASK_MARK = /^\[[ xX]\](?=\s)/;
const ALERT_MARK = /^\[!(?:note|tip|important|warning|caution)\][ \t]*(?=\n|$)/i;

interface TokenReader {
  readonly collector: SectionCollector;
  readonly environment: ParseEnvironment;
  readonly frontmatterTitle: string;
  /** Line of the file before the first line of the tokens' source. */
  readonly lineOffset: number;
  /** First line of the table row that is being read; 0 outside of tables. */
  rowLine: number;
  cells: string[];
  headings: number;
  firstH1: string;
}

/**
 * Reads all tokens and returns the first H1 that has text, else `""`.
 *
 * The first heading is taken into the root section when it is an H1 and there is no frontmatter
 * title, or the same one.
 */
export function readTokens(
  tokens: readonly Token[],
  collector: SectionCollector,
  environment: ParseEnvironment,
  frontmatterTitle: string,
  lineOffset: number,
): string {
  const reader: TokenReader = {
    collector,
    environment,
    frontmatterTitle,
    lineOffset,
    rowLine: 0,
    cells: [],
    headings: 0,
    firstH1: "",
  };
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined) break;
    if (token.type === "heading_open") {
      const content = tokens[at + 1]?.content ?? "";
      readHeading(reader, token, content);
      at += 2;
    } else {
      readToken(reader, token, tokens[at - 2]);
    }
  }
  return reader.firstH1;
}

function readToken(reader: TokenReader, token: Token, beforeParagraph: Token | undefined): void {
  const { collector, environment } = reader;
  const line = lineOf(reader, token);
  switch (token.type) {
    case "inline":
      readInlineToken(reader, token, beforeParagraph);
      break;
    case "tr_open":
      reader.rowLine = line;
      break;
    case "tr_close":
      collector.addProse(reader.cells.join(" "), reader.rowLine, "aside");
      reader.cells = [];
      reader.rowLine = 0;
      break;
    case "fence": {
      const { language, title } = readFenceInfo(token.info);
      collector.addProse(title, line, "aside");
      collector.addCode(token.content.replace(/\n$/, ""), line, language);
      break;
    }
    case "code_block":
      collector.addCode(token.content.replace(/\n+$/, ""), line, "");
      break;
    case "html_block":
      for (const part of readHtml(token.content, line, environment.budget)) {
        if (part.kind === "code") collector.addCode(part.text, part.line, "");
        else if (part.kind === "heading") addHeading(reader, part, part.links, token.level === 0);
        else {
          collector.addProse(part.text, part.line, "text");
          collector.addLinks(part.links, part.line);
        }
      }
      break;
    case "tags": {
      const tags: readonly Tag[] = token.meta;
      for (const tag of tags) readBlockTag(reader, tag, line);
      break;
    }
    case "shown_text":
      collector.addProse(foldWhitespace(token.content), line, "aside");
      break;
    default:
      break;
  }
}

function readHeading(reader: TokenReader, token: Token, content: string): void {
  const isSite = reader.environment.dialect === "site";
  const { text, id } = isSite ? { text: content, id: "" } : splitHeadingId(content);
  const { text: title, anchor, links } = readInline(text, reader.environment);
  const heading = { level: Number(token.tag.slice(1)), title, explicitId: id || anchor, line: lineOf(reader, token) };
  addHeading(reader, heading, links, token.level === 0 || isSite);
}

/** @param opens Whether it opens a section. */
function addHeading(reader: TokenReader, heading: Heading, links: readonly RunLink[], opens: boolean): void {
  const { collector, frontmatterTitle } = reader;
  const { level, title, line } = heading;
  if (opens) {
    const isTitle = level === 1 && reader.headings === 0 && title !== "";
    reader.headings++;
    if (level === 1 && reader.firstH1 === "") reader.firstH1 = title;
    if (isTitle && (frontmatterTitle === "" || areSameTitle(frontmatterTitle, title))) collector.mergeIntoRoot(heading);
    else collector.openSection(heading);
  } else {
    collector.addProse(title, line, "text");
  }
  collector.addLinks(links, line);
}

function readInlineToken(reader: TokenReader, token: Token, beforeParagraph: Token | undefined): void {
  let content = token.content;
  if (beforeParagraph?.type === "list_item_open") content = content.replace(TASK_MARK, "");
  else if (beforeParagraph?.type === "blockquote_open") content = content.replace(ALERT_MARK, "");
  const { text, links } = readInline(content, reader.environment);
  if (reader.rowLine > 0) {
    if (text !== "") reader.cells.push(text);
    reader.collector.addLinks(links, reader.rowLine);
    return;
  }
  const line = lineOf(reader, token);
  reader.collector.addProse(text, line, "text");
  reader.collector.addLinks(links, line);
}

function readBlockTag(reader: TokenReader, tag: Tag, line: number): void {
  const { collector } = reader;
  if (tag.kind === "close") {
    collector.closeLink(tag.name);
    return;
  }
  const texts = readTextAttributes(tag);
  const href = readTagLink(tag);
  if (href !== undefined && tag.kind === "open" && texts.length === 0) collector.openLink(tag.name, href, line);
  else if (href !== undefined) collector.addLinks([{ href, text: texts[0] ?? "" }], line);
  for (const text of texts) collector.addProse(text, line, "aside");
}

function lineOf(reader: TokenReader, token: Token): number {
  return (token.map?.[0] ?? 0) + 1 + reader.lineOffset;
}

interface InlineText {
  readonly text: string;
  readonly links: readonly RunLink[];
  /** Id of an `<a id>` or `<a name>` within; `""` when there is none. */
  readonly anchor: string;
}

/** The visible text and the links of inline Markdown: of one paragraph, heading or table cell. */
export function readInline(content: string, environment: ParseEnvironment): InlineText {
  const run = new TextRun();
  for (let start = 0; start < content.length; ) {
    const end = findPieceEnd(content, start);
    const piece = start === 0 && end === content.length ? content : content.slice(start, end);
    addTokens(run, parseInline(piece, environment));
    start = end;
  }
  const text = run.finish();
  return { text, links: run.links, anchor: run.anchor };
}

function addTokens(run: TextRun, tokens: readonly Token[]): void {
  for (const token of tokens) {
    switch (token.type) {
      case "text":
      case "text_special":
        run.addText(token.content);
        break;
      case "code_inline":
        run.addCode(token.content);
        break;
      case "softbreak":
      case "hardbreak":
        run.addSpace();
        break;
      case "link_open":
        run.openLink(token.attrGet("href") ?? "");
        break;
      case "link_close":
        run.closeLink();
        break;
      case "image":
        run.addSpace();
        addTokens(run, token.children ?? []);
        run.addSpace();
        break;
      case "tag": {
        const tag: Tag = token.meta;
        addTag(run, tag);
        break;
      }
      default:
        // Emphasis, comments and marks of footnotes show nothing of their own.
        break;
    }
  }
}

function findPieceEnd(content: string, start: number): number {
  const end = start + MAX_INLINE_CHARS;
  if (end >= content.length) return content.length;
  const space = Math.max(content.lastIndexOf("\n", end), content.lastIndexOf(" ", end));
  if (space > start) return space;
  return cutPlace(content, end);
}

/** A part of HTML. Links of prose without text are those that show none. */
type HtmlPart =
  | (ParsedBlock & { readonly kind: "prose" | "code"; readonly links: readonly RunLink[] })
  | (Heading & { readonly kind: "heading"; readonly links: readonly RunLink[] });

interface HtmlReader {
  readonly html: string;
  readonly budget: ScanBudget;
  readonly parts: HtmlPart[];
  run: TextRun;
  /** Line of the first text in the run. */
  runLine: number;
  /** The heading that is open, with its line. */
  heading: { readonly tag: Tag; readonly line: number } | undefined;
  /** Line that `nextNewline` ends; only ever moves forward. */
  line: number;
  nextNewline: number;
}

/**
 * The headings, the visible text and the links of HTML whose first line is `firstLine` of the file.
 *
 * Tags are stripped, entities decoded, scripts, styles and comments left out. Elements that stand apart on the page (paragraphs, rows,
 * list items) end a block of text; `<pre>` is code.
 */
export function readHtml(html: string, firstLine: number, budget: ScanBudget): readonly HtmlPart[] {
  const reader: HtmlReader = {
    html,
    budget,
    parts: [],
    run: new TextRun(),
    runLine: firstLine,
    heading: undefined,
    line: firstLine,
    nextNewline: html.indexOf("\n"),
  };
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    readText(reader, at, open < 0 ? html.length : open);
    if (open < 0) break;
    const markupEnd = findMarkupEnd(html, open, html.length, budget);
    at = markupEnd >= 0 ? markupEnd : readTag(reader, open);
  }
  flushRun(reader);
  return reader.parts;
}

function readText(reader: HtmlReader, start: number, end: number): void {
  if (start >= end) return;
  const text = reader.html.slice(start, end);
  const firstInk = text.search(/\S/);
  if (firstInk >= 0) markRunLine(reader, start + firstInk);
  reader.run.addText(decodeEntities(text));
}

/** Reads the tag at `open`, with its content when that is raw. @returns the offset after it. */
function readTag(reader: HtmlReader, open: number): number {
  const { html, budget } = reader;
  const tag = scanTag(html, open, html.length, budget);
  if (tag === undefined) {
    markRunLine(reader, open);
    reader.run.addText("<");
    return open + 1;
  }
  const isHeading = HEADING.test(tag.name);
  if (isHeading && tag.kind === "close") closeHeading(reader);
  // What is in a heading is one line.
  const isApart = classifySpacing(tag) === "block" && !CELL.test(tag.name);
  if (isHeading || (isApart && reader.heading === undefined)) flushRun(reader);
  markRunLine(reader, open);
  if (isHeading) reader.heading = tag.kind === "open" ? { tag, line: reader.line } : undefined;
  addTag(reader.run, tag);
  if (tag.kind !== "open" || !RAW_ELEMENT.test(tag.name)) return tag.end;
  const rawEnd = findRawEnd(html, tag);
  const code = CODE_ELEMENT.test(tag.name) ? stripTags(html.slice(tag.end, rawEnd), budget) : "";
  if (code !== "") {
    flushRun(reader);
    reader.parts.push({ kind: "code", text: code, line: reader.line, links: [] });
  }
  return rawEnd;
}

/** Until a run has text, it begins on the line of whatever comes next. */
function markRunLine(reader: HtmlReader, offset: number): void {
  while (reader.nextNewline >= 0 && reader.nextNewline < offset) {
    reader.line++;
    reader.nextNewline = reader.html.indexOf("\n", reader.nextNewline + 1);
  }
  if (reader.run.isEmpty) reader.runLine = reader.line;
}

function closeHeading(reader: HtmlReader): void {
  const { run, heading } = reader;
  if (heading === undefined) return;
  const { tag, line } = heading;
  const title = run.finish();
  const explicitId = tag.attributes.get("id") ?? run.anchor;
  reader.parts.push({ kind: "heading", level: Number(tag.name[1]), title, explicitId, line, links: run.links });
  reader.run = new TextRun();
}

function flushRun(reader: HtmlReader): void {
  const { run, runLine: line } = reader;
  // A link that is open around a block keeps its run, so that it ends up with the text of the block.
  if (run.isEmpty && run.links.length === 0) return;
  reader.parts.push({ kind: "prose", text: run.finish(), line, links: run.links });
  reader.run = new TextRun();
}

/** Offset of the closing tag of an element with raw content; the end of the text when it is missing. */
function findRawEnd(html: string, tag: Tag): number {
  const closing = new RegExp(`</${tag.name}`, "gi");
  closing.lastIndex = tag.end;
  return closing.exec(html)?.index ?? html.length;
}

function stripTags(html: string, budget: ScanBudget): string {
  let text = "";
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    text += decodeEntities(html.slice(at, open < 0 ? html.length : open));
    if (open < 0) break;
    const end = findMarkupEnd(html, open, html.length, budget);
    const after = end >= 0 ? end : scanTag(html, open, html.length, budget)?.end;
    if (after === undefined) text += "<";
    at = after ?? open + 1;
  }
  return text.replace(/^\n/, "").trimEnd();
}

interface RunLink {
  readonly href: string;
  readonly text: string;
}

interface OpenLink {
  readonly href: string;
  readonly firstPart: number;
}

/** Destinations that run code or carry data lead nowhere a reader could go. */
const NO_DESTINATION = /^\s*(?:javascript|vbscript|data):/i;

/** Collects the text and the links of one paragraph, heading, cell or piece of HTML. */
class TextRun {
  readonly links: RunLink[] = [];
  /** Id of an `<a id>` or `<a name>` in the run; `""` when there is none. */
  anchor = "";
  readonly #parts: string[] = [];
  #endsWithSpace = true;
  #endsWithAtom = false;
  #markdownLinks: OpenLink[] = [];
  #tagLink: (OpenLink & { readonly tagName: string }) | undefined;

  /** Adds prose; its white space is folded. */
  addText(raw: string): void {
    let text = raw.replace(/\s+/g, " ");
    if (this.#endsWithSpace && text.startsWith(" ")) text = text.slice(1);
    this.#add(text);
  }

  /** Adds inline code exactly as written. */
  addCode(code: string): void {
    this.startAtom();
    this.#add(code);
    this.endAtom();
  }

  addSpace(): void {
    if (!this.#endsWithSpace) this.#add(" ");
  }

  /** Begins something that a reader sees as a thing of its own. */
  startAtom(): void {
    if (this.#endsWithAtom) this.addSpace();
  }

  endAtom(): void {
    this.#endsWithAtom = true;
  }

  /** Begins a Markdown link; they may nest inside each other's images. */
  openLink(href: string): void {
    this.startAtom();
    this.#markdownLinks.push({ href, firstPart: this.#parts.length });
  }

  closeLink(): void {
    const link = this.#markdownLinks.pop();
    if (link !== undefined) this.#finishLink(link);
    this.endAtom();
  }

  /** Begins a link written as a tag. Such links cannot nest: an open one ends here. */
  openTagLink(tagName: string, href: string): void {
    this.#closeAnyTagLink();
    this.#tagLink = { href, firstPart: this.#parts.length, tagName };
  }

  closeTagLink(tagName: string): void {
    if (this.#tagLink?.tagName === tagName) this.#closeAnyTagLink();
  }

  addLink(href: string, text: string): void {
    if (!NO_DESTINATION.test(href)) this.links.push({ href, text });
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  /** The text so far, without white space at its ends. Open links end here. */
  finish(): string {
    this.#closeAnyTagLink();
    return this.#parts.join("").trim();
  }

  #add(text: string): void {
    if (text === "") return;
    this.#parts.push(text);
    this.#endsWithSpace = text.endsWith(" ");
    this.#endsWithAtom = false;
  }

  #closeAnyTagLink(): void {
    const link = this.#tagLink;
    this.#tagLink = undefined;
    if (link !== undefined) this.#finishLink(link);
  }

  #finishLink(link: OpenLink): void {
    this.addLink(link.href, this.#textFrom(link.firstPart));
  }

  #textFrom(firstPart: number): string {
    return this.#parts.slice(firstPart).join("").trim();
  }
}

/** The text with its HTML entities decoded; backslashes stay. */
export function decodeEntities(text: string): string {
  return text.includes("&") ? unescapeAll(text.replaceAll("\\", "\\\\")) : text;
}

/** String attributes whose value is shown to readers. */
const TEXT_ATTRIBUTES = ["title", "label", "alt", "summary", "description"];

/** Elements that only style the characters inside: they never separate words. */
const STYLING = new Set(
  "abbr acronym b bdi bdo big cite del dfn em font i ins mark nobr q s small span strike strong sub sup tt u var wbr".split(
    " ",
  ),
);

/** Elements that a reader sees as one thing in the line. All others stand apart and end a line of text. */
const INLINE = new Set(
  "a audio button canvas code data iframe img input kbd label meter output picture progress samp select svg time video".split(
    " ",
  ),
);

/** How a tag separates the text before it from the text after it. */
type TagSpacing = "none" | "atom" | "block";

/** How this tag separates text. Components count as things in the line. */
function classifySpacing(tag: Tag): TagSpacing {
  if (isComponentName(tag.name)) return "atom";
  const name = tag.name.toLowerCase();
  if (STYLING.has(name)) return "none";
  // Custom elements have a hyphen in their name.
  return INLINE.has(name) || name.includes("-") ? "atom" : "block";
}

/** The texts of a tag's attributes that readers see, in a fixed order. */
function readTextAttributes(tag: Tag): string[] {
  const texts: string[] = [];
  for (const name of TEXT_ATTRIBUTES) {
    const value = tag.attributes.get(name);
    if (value !== undefined && value.trim() !== "") texts.push(decodeEntities(value));
  }
  return texts;
}

/** Where a tag leads: `href` of a link, also `to` of a component. Undefined when the tag is no link. */
function readTagLink(tag: Tag): string | undefined {
  const isComponent = isComponentName(tag.name);
  if (!isComponent && !/^(?:a|area)$/i.test(tag.name)) return undefined;
  const href = tag.attributes.get("href") ?? (isComponent ? tag.attributes.get("to") : undefined);
  return href === undefined || href === "" ? undefined : decodeEntities(href);
}

function addTag(run: TextRun, tag: Tag): void {
  const spacing = classifySpacing(tag);
  if (spacing === "block") run.addSpace();
  if (tag.kind === "close") {
    run.closeTagLink(tag.name);
    if (spacing === "atom") run.endAtom();
    return;
  }
  // An empty component or image shows something between its neighbours.
  if (spacing === "atom") {
    if (tag.kind === "empty") run.addSpace();
    else run.startAtom();
  }
  const href = readTagLink(tag);
  if (href !== undefined && tag.kind === "open") run.openTagLink(tag.name, href);
  const texts = readTextAttributes(tag);
  for (const text of texts) {
    run.addSpace();
    run.addText(text);
    run.addSpace();
  }
  if (href !== undefined && tag.kind === "empty") run.addLink(href, texts[0] ?? "");
  if (run.anchor === "" && tag.name.toLowerCase() === "a") {
    run.anchor = tag.attributes.get("id") ?? tag.attributes.get("name") ?? "";
  }
}
