/**
 * Markdown of a section as safe HTML, as GitHub and generators of sites show it. HTML and components keep their text and the tags that
 * matter to it; pictures become links. The lexer of marked would be 12 kB more of the Worker, and takes the square of hostile texts.
 */
import { dropComments } from "../../core/text/markup.ts";
import { findTag, type Html, html, INLINE_TAG, PICTURE, type ResolveLink, writeInline } from "./html.ts";

const HEADING = /^ {0,3}#{1,6}(?=\s|$)/;

const TABLE_CELL = /^:?-+:?$/;

/** Nothing else than a module of JavaScript has such a line. */
const IMPORT = /^import\s+(?:[\w$*{][^'"]*\sfrom\s*)?(['"])[^'"]+\1\s*(?:;\s*)?$/;

const MODULE = /^(?:import|export)\s/;

const MAX_DEPTH = 6;
/** Longer paragraphs are data that somebody pasted: they are shown as they are. */
const MAX_PARAGRAPH = 20_000;
/** Longer lines are data, whatever they look like. */
const MAX_LINE = 2000;
/** Steps of looking for the ends of tags, for each sign of a text, and for a short one beside. */
const STEPS_A_SIGN = 20;
const LEAST_STEPS = 100_000;

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^\s`{]*)/;
const RULE = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const UNDERLINE = /^ {0,3}(?:=+|-+)\s*$/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(?:\s+|$)/;
const QUOTE = /^ {0,3}> ?/;
const HTML_LINE = /^\s*<\/?([a-zA-Z][\w.:-]{0,60}|)(?=[\s/>]|$)/;
/** Notes as GitHub, generators of sites and MkDocs write them. */
const ALERT = /^\s*\[!(\w{1,20})\][+-]?[ \t]*(.*)$/;
const CONTAINER = /^ {0,3}(:{3,})\s*([a-z][\w-]{0,30})\s*(?:\{[^}]*\}|\[([^\]]*)\]|(.*))/i;
const MARKED_NOTE = /^ {0,3}(?:(?:!!!|\?\?\?\+?) ?([\w-]{1,30})|===\+?(?= ?"))[^"]{0,60}(?:"([^"]*)")?/;
const NOTES =
  /^(?:note|abstract|info|todo|tip|hint|success|question|example|quote|warning|caution|danger|important|error|bug|failure|attention)$/i;
const WARNINGS = /^(?:warning|caution|danger|important|error|bug|failure|attention)$/i;
const FOOTNOTE = /^ {0,3}\[\^([\w-]{1,50})\]:\s*/;
/** Where links by a name, and footnotes, are defined. */
export const DEFINITIONS = /^ {0,3}\[(\^?[^\]\n]{1,200})\]:[ \t]{1,20}<?([^\s<>]{1,1000})/gm;
const DEFINITION = /^ {0,3}\[[^\]^][^\]]{0,200}\]:[ \t]{1,20}\S/;
const TASK = /^\[([ xX])\]\s+/;
/** What fences say of the file that their code is of. */
const FILE_NAME = /(?:(?:filename|title|file)=["']([^"']{1,200})["']|\[([^\]]{1,60})\])/;
const INDENTED = /^(?: {4}|\t)/;
/** A fence at any depth of lists and quotes. */
const ANY_FENCE = /^(?:[ \t>]|[-*+] |\d{1,9}[.)] )*(`{3,}|~{3,})/;

interface Block {
  readonly shown: Html | "";
  readonly lines: number;
}

/** Lines of a page, of an item of a list, or of a quote. */
interface Level {
  /** Tags are taken out of them. */
  readonly lines: string[];
  readonly resolve: ResolveLink;
  readonly depth: number;
  readonly steps: { left: number };
  /** Line that follows a tag: its indentation says nothing. */
  behindTag: number;
}

/** A section's text as HTML, without the heading that it begins with: that is the page's. @param isMdx Whether the file is MDX. */
export function writeMarkdown(text: string, resolve: ResolveLink, isMdx = false): Html {
  const steps = { left: LEAST_STEPS + text.length * STEPS_A_SIGN };
  return writeBlocks(withoutHeading(withoutComments(text.split(/\r?\n/))), { resolve, depth: 0, steps }, isMdx);
}

/** Lines of prose without comments, each up to the next fence, as in excerpts. Code and long lines stay as they are. */
function withoutComments(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let prose: string[] = [];
  let fence = "";
  const flush = (): void => {
    if (prose.length > 0) kept.push(...dropComments(prose.join("\n")).split("\n"));
    prose = [];
  };
  for (const line of lines) {
    const [, mark = ""] = ANY_FENCE.exec(line) ?? [];
    const isIndented = INDENTED.test(line) && (prose.at(-1) ?? "").trim() === "";
    const isCode = fence !== "" || mark !== "" || isIndented || line.length > MAX_LINE;
    if (fence === "") fence = mark;
    else if (mark.startsWith(fence)) fence = "";
    if (isCode) {
      flush();
      kept.push(line);
    } else prose.push(line);
  }
  flush();
  return kept;
}

function withoutHeading(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  if (first < 0) return [];
  if ((lines[first] ?? "").length > MAX_LINE) return lines;
  if (headingText(lines[first] ?? "") !== undefined) return lines.slice(first + 1);
  const isUnderlined = UNDERLINE.test(lines[first + 1] ?? "") && !ITEM.test(lines[first] ?? "");
  return lines.slice(isUnderlined ? first + 2 : first);
}

/** @param isMdx Absent in lists and quotes: no modules stand there. */
function writeBlocks(
  text: readonly string[],
  around: Pick<Level, "resolve" | "depth" | "steps">,
  isMdx?: boolean,
): Html {
  const lines = [...text];
  const level: Level = { ...around, lines, behindTag: -1 };
  const blocks: (Html | "")[] = [];
  for (let at = 0; at < lines.length; ) {
    if ((lines[at] ?? "").trim() === "") {
      at++;
      continue;
    }
    const module = isMdx === undefined ? 0 : countModuleLines(lines, at, isMdx);
    const block: Block = module > 0 ? { shown: "", lines: module } : readBlock(level, at);
    blocks.push(block.shown);
    at += block.lines;
  }
  return html`${blocks}`;
}

function writeInner(lines: readonly string[], { resolve, depth, steps }: Level): Html {
  return writeBlocks(lines, { resolve, depth: depth + 1, steps });
}

function readBlock(level: Level, at: number): Block {
  const { lines, resolve, depth } = level;
  if (level.behindTag === at) lines[at] = (lines[at] ?? "").trimStart();
  const line = lines[at] ?? "";
  if (line.length > MAX_LINE) return readParagraph(level, at);
  const fence = FENCE.exec(line);
  if (fence !== null) return readFence(level, at, fence[1] ?? "```", fence[2] ?? "");
  if (RULE.test(line)) return { shown: html`<hr>`, lines: 1 };
  const heading = headingText(line);
  if (heading !== undefined) {
    return { shown: heading && html`<p dir="auto"><strong>${writeInline(heading, resolve)}</strong></p>`, lines: 1 };
  }
  if (INDENTED.test(line)) return readIndented(level, at);
  if (isBlockTag(line)) return readMarkup(level, at);
  if (DEFINITION.test(line)) return { shown: "", lines: 1 };
  const note = depth < MAX_DEPTH ? readNote(level, at) : undefined;
  if (note !== undefined) return note;
  if (depth < MAX_DEPTH && QUOTE.test(line)) return readQuote(level, at);
  if (depth < MAX_DEPTH && ITEM.test(line)) return readList(level, at);
  if (line.includes("|") && isTableRule(lines[at + 1] ?? "")) return readTable(level, at);
  return readParagraph(level, at);
}

/** Whether a line begins with a tag, or a component, that does not belong to a paragraph's text. */
function isBlockTag(line: string): boolean {
  const [, name] = HTML_LINE.exec(line) ?? [];
  return name !== undefined && !INLINE_TAG.test(name);
}

function readProse({ lines }: Level, at: number, end: number, show: (text: string) => Html): Block {
  const text = lines.slice(at, end).join("\n");
  return { shown: text.trim() === "" ? "" : show(text), lines: end - at };
}

function readFence({ lines, resolve }: Level, at: number, mark: string, language: string): Block {
  const isEnd = (line: string): boolean => {
    const [, found = ""] = FENCE.exec(line) ?? [];
    return found.startsWith(mark) && found.trim().length === line.trim().length;
  };
  let end = at + 1;
  while (end < lines.length && !isEnd(lines[end] ?? "")) end++;
  const indent = /^ */.exec(lines[at] ?? "")?.[0] ?? "";
  const code = lines.slice(at + 1, end).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
  const [, file, tab] = FILE_NAME.exec(lines[at] ?? "") ?? [];
  const name = file ?? tab;
  return {
    shown: html`${name !== undefined && html`<p class="caption"><bdi>${name}</bdi></p>`}${writeCode(code, language, resolve)}`,
    lines: end + 1 - at,
  };
}

/** @param language As it was written behind the fence; `""` for none. */
function writeCode(lines: readonly string[], language: string, resolve: ResolveLink): Html {
  const text = lines.join("\n");
  return html`<pre tabindex="0"${language !== "" && html` data-language="${language}"`}><code>${text.length > MAX_PARAGRAPH ? text : linkNames(text, resolve)}</code></pre>`;
}

const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

function linkNames(code: string, resolve: ResolveLink): Html {
  const parts: (Html | string)[] = [];
  let plain = 0;
  for (const { 0: name, index } of code.matchAll(NAME)) {
    const link = resolve(name, "name");
    if (link === undefined) continue;
    parts.push(code.slice(plain, index), html`<a href="${link}">${name}</a>`);
    plain = index + name.length;
  }
  return html`${parts}${code.slice(plain)}`;
}

function readIndented({ lines, resolve }: Level, at: number): Block {
  let end = at;
  while (end < lines.length && (INDENTED.test(lines[end] ?? "") || (lines[end] ?? "").trim() === "")) end++;
  const own = lines.slice(at, end).map((line) => line.replace(INDENTED, ""));
  while (own.at(-1)?.trim() === "") own.pop();
  return { shown: writeCode(own, "", resolve), lines: end - at };
}

const MAX_TAG_LINES = 20;
const SUMMARY = /^\s*<summary[^>]{0,200}>([\s\S]{0,1000}?)<\/summary>/;

/** A tag at the start of a line is taken out; what it says of its content, and content that is no Markdown, is shown. */
function readMarkup(level: Level, at: number): Block {
  const { lines, resolve, depth, steps } = level;
  const line = lines[at] ?? "";
  const inLine = findTag(line, line.indexOf("<"), resolve, steps);
  const text = inLine === undefined && steps.left > 0 ? lines.slice(at, at + MAX_TAG_LINES).join("\n") : line;
  if (inLine === undefined) steps.left -= text.length;
  const tag = inLine ?? findTag(text, text.indexOf("<"), resolve, steps);
  if (tag === undefined) return readParagraph(level, at);
  const last = at + text.slice(0, tag.end).split("\n").length - 1;
  const rest = (lines[last] ?? "").slice(tag.end - text.lastIndexOf("\n", tag.end - 1) - 1).trimStart();
  const isOpen = !tag.isEnd && !tag.source.endsWith("/>");
  const isRaw = isOpen && /^(?:script|style|pre)$/.test(tag.name);
  const isDetails = isOpen && tag.name === "details" && depth < MAX_DEPTH;
  const end = isRaw || isDetails ? findEnd(lines, last, `</${tag.name}>`, steps) : -1;
  if (end >= 0) {
    const inner = [rest, ...lines.slice(last + 1, end + 1)].join("\n");
    const content = inner.slice(0, inner.lastIndexOf(`</${tag.name}>`));
    lines[end] = (lines[end] ?? "").slice((lines[end] ?? "").lastIndexOf(`</${tag.name}>`) + tag.name.length + 3);
    const shown = isDetails
      ? writeDetails(content, level)
      : tag.name === "pre" && writeCode(content.replace(/<[^<>]{1,500}>/g, "").split("\n"), "", resolve);
    level.behindTag = end + 1;
    return { shown: shown || "", lines: end - at };
  }
  lines[last] = rest;
  level.behindTag = rest === "" ? last + 1 : last;
  const said = tag.said !== undefined && (PICTURE.test(tag.name) ? tag.said : html`<strong>${tag.said}</strong>`);
  return { shown: said ? html`<p dir="auto">${said}</p>` : "", lines: last - at };
}

function writeDetails(content: string, level: Level): Html {
  const [whole = "", summary = "Details"] = SUMMARY.exec(content) ?? [];
  return html`<details><summary>${writeInline(summary.trim(), level.resolve)}</summary>${writeInner(content.slice(whole.length).split("\n"), level)}</details>`;
}

/** The line from one on with a text; -1 for none, or where nothing may be looked at any more. */
function findEnd(lines: readonly string[], from: number, text: string, steps: Level["steps"]): number {
  for (let at = from; at < lines.length && steps.left > 0; at++) {
    steps.left -= 1 + (lines[at] ?? "").length;
    if ((lines[at] ?? "").includes(text)) return at;
  }
  return -1;
}

function readNote(level: Level, at: number): Block | undefined {
  const { lines } = level;
  const line = lines[at] ?? "";
  const footnote = FOOTNOTE.exec(line);
  if (footnote !== null) {
    const [mark, name = ""] = footnote;
    lines[at] = line.slice(mark.length);
    const { shown, lines: count } = readParagraph(level, at);
    return { shown: html`<div class="small" id="fn-${name}"><sup>${name}</sup>${shown}</div>`, lines: count };
  }
  const container = CONTAINER.exec(line);
  if (container !== null) {
    const [, mark = "", kind = "", bracketed, title = ""] = container;
    const isEnd = (one: string): boolean => one.trim() === mark;
    let end = at + 1;
    while (end < lines.length && !isEnd(lines[end] ?? "")) end++;
    return { shown: writeNote(kind, bracketed ?? title, lines.slice(at + 1, end), level), lines: end + 1 - at };
  }
  const marked = MARKED_NOTE.exec(line);
  if (marked === null) return undefined;
  let end = at + 1;
  while (end < lines.length && (INDENTED.test(lines[end] ?? "") || (lines[end] ?? "").trim() === "")) end++;
  const inner = lines.slice(at + 1, end).map((one) => one.replace(INDENTED, ""));
  return { shown: writeNote(marked[1] ?? "", marked[2] ?? "", inner, level), lines: end - at };
}

/** A note with its title; of what is no note, such as a tab, the content with its title. */
function writeNote(kind: string, title: string, lines: readonly string[], level: Level): Html {
  const inner = writeInner(lines, level);
  const name = title.trim();
  if (kind === "details")
    return html`<details><summary>${name === "" ? "Details" : writeInline(name, level.resolve)}</summary>${inner}</details>`;
  const shown = name === "" && NOTES.test(kind) ? kind.slice(0, 1).toUpperCase() + kind.slice(1).toLowerCase() : name;
  const head = shown !== "" && html`<p dir="auto"><strong>${writeInline(shown, level.resolve)}</strong></p>`;
  if (!NOTES.test(kind)) return html`${head}${inner}`;
  return html`<div class="note${WARNINGS.test(kind) && " warns"}" role="note">${head}${inner}</div>`;
}

function readQuote(level: Level, at: number): Block {
  const { lines } = level;
  let end = at;
  while (end < lines.length && (lines[end] ?? "").trim() !== "" && (end === at || !ITEM.test(lines[end] ?? ""))) end++;
  const inner = lines.slice(at, end).map((line) => line.replace(QUOTE, ""));
  const alert = ALERT.exec(inner[0] ?? "");
  const shown =
    alert === null
      ? html`<blockquote>${writeInner(inner, level)}</blockquote>`
      : writeNote(alert[1] ?? "", alert[2] ?? "", inner.slice(1), level);
  return { shown, lines: end - at };
}

function readList(level: Level, at: number): Block {
  const { lines } = level;
  const isNumbered = (line: string): boolean => /\d/.test(ITEM.exec(line)?.[2] ?? "");
  const isOrdered = isNumbered(lines[at] ?? "");
  const items: string[][] = [];
  let indent = 0;
  let end = at;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? "";
    const item = ITEM.exec(line);
    const inside = /^ */.exec(line)?.[0].length ?? 0;
    if (
      item !== null &&
      (items.length === 0 || inside < indent) &&
      isNumbered(line) === isOrdered &&
      !RULE.test(line)
    ) {
      indent = Math.min(item[0].length, (item[1] ?? "").length + (item[2] ?? "").length + 4) || 2;
      items.push([line.slice(item[0].length)]);
      continue;
    }
    const isBehindBlank = (lines[end - 1] ?? "").trim() === "";
    if (line.trim() !== "" && inside < Math.min(indent, 2) && (isBehindBlank || item !== null || FENCE.test(line)))
      break;
    items.at(-1)?.push(line.slice(Math.min(inside, indent)));
  }
  const shown = items.map((item) => html`<li>${writeItem(item, level)}</li>`);
  const start = Number.parseInt(ITEM.exec(lines[at] ?? "")?.[2] ?? "1", 10);
  return {
    shown: isOrdered ? html`<ol${start !== 1 && html` start="${start}"`}>${shown}</ol>` : html`<ul>${shown}</ul>`,
    lines: end - at,
  };
}

function writeItem([first = "", ...others]: readonly string[], level: Level): Html {
  const [task = "", sign = " "] = TASK.exec(first) ?? [];
  const isDone = sign !== " ";
  const own = first.slice(task.length);
  const isLong = others.some((line) => line.trim() !== "") || isBlockTag(own);
  const shown = isLong ? writeInner([own, ...others], level) : writeInline(own, level.resolve);
  if (task === "") return shown;
  return html`<span role="img" aria-label="${isDone ? "done" : "to do"}">${isDone ? "☑" : "☐"}</span> ${shown}`;
}

function readTable(level: Level, at: number): Block {
  const { lines, resolve } = level;
  let end = at + 2;
  while (end < lines.length && (lines[end] ?? "").includes("|")) end++;
  return readProse(level, at, end, (text) => {
    const [head = [], , ...rows] = text.split("\n").map(splitRow);
    return html`<div class="table" tabindex="0"><table><thead><tr>${head.map((cell) => html`<th>${writeInline(cell, resolve)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.slice(0, head.length).map((cell) => html`<td>${writeInline(cell, resolve)}</td>`)}</tr>`)}</tbody></table></div>`;
  });
}

function splitRow(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function readParagraph(level: Level, at: number): Block {
  const { lines, resolve } = level;
  let end = at + 1;
  const isOther = (line: string): boolean =>
    line.trim() === "" ||
    line.length > MAX_LINE ||
    FENCE.test(line) ||
    headingText(line) !== undefined ||
    QUOTE.test(line) ||
    isBlockTag(line) ||
    /^ {0,3}:{3}/.test(line) ||
    (ITEM.test(line) && !/^\s*\d/.test(line));
  while (end < lines.length && !isOther(lines[end] ?? "")) end++;
  const whole = lines.slice(at, end).join("\n");
  if (whole.length > MAX_PARAGRAPH) return { shown: html`<pre class="wrap">${whole}</pre>`, lines: end - at };
  return readProse(level, at, end, (text) => html`<p dir="auto">${writeInline(text, resolve)}</p>`);
}

/**
 * How many lines from one on are a module; 0 where none begins there. In MDX, what begins like an import or export is one, up to the next
 * empty line. Elsewhere only whole imports are.
 */
function countModuleLines(lines: readonly string[], at: number, isMdx: boolean): number {
  if ((lines[at - 1] ?? "").trim() !== "") return 0;
  const isAll = isMdx && MODULE.test(lines[at] ?? "");
  let end = at;
  while ((lines[end] ?? "").trim() !== "" && (isAll || IMPORT.test(lines[end] as string))) end++;
  return end - at;
}

/** The text of a heading with signs in front, without those that may stand behind it; undefined for other lines. */
function headingText(line: string): string | undefined {
  const mark = HEADING.exec(line)?.[0];
  if (mark === undefined) return undefined;
  const text = line.slice(mark.length).trim();
  let end = text.length;
  while (text[end - 1] === "#") end--;
  // `C#` is no word with a sign behind it.
  const isClosed = end < text.length && (end === 0 || /\s/.test(text[end - 1] ?? ""));
  return isClosed ? text.slice(0, end).trimEnd() : text;
}

/** Whether a line parts the head of a table from its rows: `| --- | :-: |`. */
function isTableRule(line: string): boolean {
  const trimmed = line.trim();
  const start = trimmed.startsWith("|") ? 1 : 0;
  const end = trimmed.endsWith("|") ? trimmed.length - 1 : trimmed.length;
  return trimmed
    .slice(start, end)
    .split("|")
    .every((cell) => TABLE_CELL.test(cell.trim()));
}
