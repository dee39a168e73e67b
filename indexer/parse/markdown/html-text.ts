/**
 * The visible text of a block of HTML.
 *
 * Tags are stripped, entities decoded, scripts, styles and comments left out. Elements that
 * stand apart on the page (paragraphs, rows, list items) end a block of text; `<pre>` is code.
 *
 * Pure: text in, values out. No I/O, no clock.
 */
import type { ParsedBlock, ParsedLink } from "../parsed-document.ts";
import type { ScanBudget } from "./scan-budget.ts";
import { findMarkupEnd, scanTag, type Tag } from "./tag.ts";
import { addTag, classifySpacing } from "./tag-text.ts";
import { decodeEntities, TextRun } from "./text-run.ts";

/** What a block of HTML holds. */
export interface HtmlText {
  readonly blocks: readonly ParsedBlock[];
  readonly links: readonly ParsedLink[];
}

/** Cells of one row stay in one block of text. */
const CELL = /^t[dh]$/i;
const RAW_ELEMENT = /^(?:pre|script|style|textarea)$/i;
const CODE_ELEMENT = /^(?:pre|textarea)$/i;

interface HtmlReader {
  readonly html: string;
  readonly budget: ScanBudget;
  readonly blocks: ParsedBlock[];
  readonly links: ParsedLink[];
  run: TextRun;
  /** Line of the first text in the run. */
  runLine: number;
  /** Line that `nextNewline` ends; only ever moves forward. */
  line: number;
  nextNewline: number;
}

/** The text and links of HTML whose first line is `firstLine` of the file. */
export function readHtml(html: string, firstLine: number, budget: ScanBudget): HtmlText {
  const reader: HtmlReader = {
    html,
    budget,
    blocks: [],
    links: [],
    run: new TextRun(),
    runLine: firstLine,
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
  return { blocks: reader.blocks, links: reader.links };
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
  if (endsBlock(tag)) flushRun(reader);
  markRunLine(reader, open);
  addTag(reader.run, tag);
  if (tag.kind !== "open" || !RAW_ELEMENT.test(tag.name)) return tag.end;
  const rawEnd = findRawEnd(html, tag);
  const code = CODE_ELEMENT.test(tag.name) ? stripTags(html.slice(tag.end, rawEnd), budget) : "";
  if (code !== "") {
    flushRun(reader);
    reader.blocks.push({ kind: "code", text: code, line: reader.line });
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

function flushRun(reader: HtmlReader): void {
  const { run, runLine: line } = reader;
  // A link that is open around a block keeps its run, so that it ends up with the text of the block.
  if (run.isEmpty && run.links.length === 0) return;
  const text = run.finish();
  if (text !== "") reader.blocks.push({ kind: "prose", text, line });
  for (const link of run.links) reader.links.push({ ...link, line });
  reader.run = new TextRun();
}

function endsBlock(tag: Tag): boolean {
  return classifySpacing(tag) === "block" && !CELL.test(tag.name);
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
