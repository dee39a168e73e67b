/**
 * Walks the block tokens of a page in order and hands headings, text, code and links to a
 * section collector.
 *
 * Only headings at the top level open sections. A heading inside a quote, a list item or a
 * footnote belongs to what it stands in, so its text is kept as prose. Components are no
 * containers in this sense: headings between their tags open sections.
 *
 * Pure: values in, changes to the given collector out. No I/O, no clock.
 */
import type Token from "markdown-it/lib/token.mjs";
import { readFenceInfo } from "./fence-info.ts";
import { splitHeadingId } from "./heading-id.ts";
import { readHtml } from "./html-text.ts";
import { readInline } from "./inline-text.ts";
import type { ParseEnvironment } from "./parse-environment.ts";
import type { Heading, SectionCollector } from "./sections.ts";
import { foldWhitespace } from "./source-text.ts";
import type { Tag } from "./tag.ts";
import { readTagLink, readTextAttributes } from "./tag-text.ts";
import { areSameTitle } from "./title.ts";
import { PLAIN_TEXT_TOKEN, SHOWN_TEXT_TOKEN, TAGS_TOKEN } from "./token-types.ts";

const TASK_MARK = /^\[[ xX]\](?=\s)/;
const ALERT_MARK = /^\[!(?:note|tip|important|warning|caution)\][ \t]*(?=\n|$)/i;

/** Titles found among the headings of a page; `""` when there is none. */
export interface HeadingTitles {
  readonly firstH1: string;
  readonly first: string;
}

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
  first: string;
}

/**
 * Reads all tokens.
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
): HeadingTitles {
  const reader: TokenReader = {
    collector,
    environment,
    frontmatterTitle,
    lineOffset,
    rowLine: 0,
    cells: [],
    headings: 0,
    firstH1: "",
    first: "",
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
  return { firstH1: reader.firstH1, first: reader.first };
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
    case "html_block": {
      const html = readHtml(token.content, line, environment.budget);
      for (const block of html.blocks) {
        if (block.kind === "code") collector.addCode(block.text, block.line, "");
        else collector.addProse(block.text, block.line, "text");
      }
      for (const link of html.links) collector.addLinks([link], link.line);
      break;
    }
    case TAGS_TOKEN: {
      const tags: readonly Tag[] = token.meta;
      for (const tag of tags) readBlockTag(reader, tag, line);
      break;
    }
    case SHOWN_TEXT_TOKEN:
    case PLAIN_TEXT_TOKEN:
      collector.addProse(foldPlainText(token.content), line, "aside");
      break;
    default:
      break;
  }
}

function readHeading(reader: TokenReader, token: Token, content: string): void {
  const line = lineOf(reader, token);
  const { text, id } = splitHeadingId(content);
  const inline = readInline(text, reader.environment);
  if (token.level > 0) {
    reader.collector.addProse(inline.text, line, "text");
    reader.collector.addLinks(inline.links, line);
    return;
  }
  const tagId: string = token.meta ?? "";
  const level = Number(token.tag.slice(1));
  const heading: Heading = { level, title: inline.text, explicitId: id || tagId || inline.anchor, line };
  const isFirst = reader.headings === 0;
  reader.headings++;
  if (reader.first === "") reader.first = heading.title;
  if (level === 1 && reader.firstH1 === "") reader.firstH1 = heading.title;
  const { frontmatterTitle } = reader;
  const isTitle = level === 1 && isFirst && heading.title !== "";
  if (isTitle && (frontmatterTitle === "" || areSameTitle(frontmatterTitle, heading.title))) {
    reader.collector.mergeIntoRoot(heading);
  } else {
    reader.collector.openSection(heading);
  }
  reader.collector.addLinks(inline.links, line);
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

/** Lines of plain text as one, without the marks of quotes and lists before them. */
function foldPlainText(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/^[\s>*+-]+/, ""));
  return foldWhitespace(lines.join(" "));
}
