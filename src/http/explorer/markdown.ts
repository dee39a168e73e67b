/**
 * Markdown of a section as HTML that is safe and readable: paragraphs, lists, tables, code, quotes. HTML and components in it are
 * shown as they are written. markdown-it would do more, and is a quarter of what a Worker may hold.
 *
 * Each line is read once for each level of lists and quotes that it stands in, of which there is a bounded number.
 *
 * Pure: text in, HTML out.
 */
import { type Html, html } from "./html.ts";
import { type ResolveLink, writeInline } from "./inline-markdown.ts";
import { headingText, isTableRule } from "./line-marks.ts";
import { withoutMdx } from "./mdx.ts";

/** How deep lists and quotes stand in each other. */
const MAX_DEPTH = 6;
/** Longer paragraphs are data that somebody pasted: they are shown as they are. */
const MAX_PARAGRAPH = 20_000;
/** Longer lines are data, whatever they look like. */
const MAX_LINE = 2000;

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^\s`{]*)/;
const RULE = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const UNDERLINE = /^ {0,3}(?:=+|-+)\s*$/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(?:\s+|$)/;
const QUOTE = /^ {0,3}> ?/;
const HTML_LINE = /^ {0,3}<(?:[/!]?[a-zA-Z]|!--)/;
const INDENTED = /^(?: {4}|\t)/;
const COMMENT = /^ {0,3}<!--[\s\S]*?-->\s*$/;

/** A block with the number of lines it takes. */
interface Block {
  readonly shown: Html | "";
  readonly lines: number;
}

/**
 * A section's text as HTML, without the heading that it begins with: that is the page's.
 *
 * @param isMdx Whether the file says that it is MDX.
 */
export function writeMarkdown(text: string, resolve: ResolveLink, isMdx = false): Html {
  return writeBlocks(withoutMdx(withoutHeading(text.split(/\r?\n/)), isMdx), resolve, 0);
}

function withoutHeading(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  if (first < 0) return [];
  if ((lines[first] ?? "").length > MAX_LINE) return lines;
  if (headingText(lines[first] ?? "") !== undefined) return lines.slice(first + 1);
  const isUnderlined = UNDERLINE.test(lines[first + 1] ?? "") && !ITEM.test(lines[first] ?? "");
  return lines.slice(isUnderlined ? first + 2 : first);
}

function writeBlocks(lines: readonly string[], resolve: ResolveLink, depth: number): Html {
  const blocks: (Html | "")[] = [];
  for (let at = 0; at < lines.length; ) {
    if ((lines[at] ?? "").trim() === "") {
      at++;
      continue;
    }
    const block = readBlock(lines, at, resolve, depth);
    blocks.push(block.shown);
    at += block.lines;
  }
  return html`${blocks}`;
}

function readBlock(lines: readonly string[], at: number, resolve: ResolveLink, depth: number): Block {
  const line = lines[at] ?? "";
  if (line.length > MAX_LINE) return readParagraph(lines, at, resolve);
  const fence = FENCE.exec(line);
  if (fence !== null) return readFence(lines, at, fence[1] ?? "```", fence[2] ?? "");
  if (RULE.test(line)) return { shown: html`<hr>`, lines: 1 };
  const heading = headingText(line);
  if (heading !== undefined) {
    return { shown: html`<p dir="auto"><strong>${writeInline(heading, resolve)}</strong></p>`, lines: 1 };
  }
  if (INDENTED.test(line))
    return readWhile(
      lines,
      at,
      (one) => INDENTED.test(one) || one.trim() === "",
      (one) => one.replace(INDENTED, ""),
    );
  if (HTML_LINE.test(line)) return readMarkup(lines, at);
  if (depth < MAX_DEPTH && QUOTE.test(line)) return readQuote(lines, at, resolve, depth);
  if (depth < MAX_DEPTH && ITEM.test(line)) return readList(lines, at, resolve, depth);
  if (line.includes("|") && isTableRule(lines[at + 1] ?? "")) return readTable(lines, at, resolve);
  return readParagraph(lines, at, resolve);
}

function readFence(lines: readonly string[], at: number, mark: string, language: string): Block {
  const isEnd = (line: string): boolean => {
    const [, found = ""] = FENCE.exec(line) ?? [];
    return found.startsWith(mark) && found.trim().length === line.trim().length;
  };
  let end = at + 1;
  while (end < lines.length && !isEnd(lines[end] ?? "")) end++;
  const indent = /^ */.exec(lines[at] ?? "")?.[0] ?? "";
  const code = lines.slice(at + 1, end).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
  return { shown: writeCode(code, language), lines: end + 1 - at };
}

/** @param language As it was written behind the fence; `""` for none. */
function writeCode(lines: readonly string[], language: string): Html {
  return html`<pre tabindex="0"${language !== "" && html` data-language="${language}"`}><code>${lines.join("\n")}</code></pre>`;
}

function readWhile(
  lines: readonly string[],
  at: number,
  isIn: (line: string) => boolean,
  toLine: (line: string) => string,
): Block {
  let end = at;
  while (end < lines.length && isIn(lines[end] ?? "")) end++;
  const own = lines.slice(at, end).map(toLine);
  while (own.at(-1)?.trim() === "") own.pop();
  return { shown: writeCode(own, ""), lines: end - at };
}

function readMarkup(lines: readonly string[], at: number): Block {
  let end = at;
  while (end < lines.length && (lines[end] ?? "").trim() !== "") end++;
  const text = lines.slice(at, end).join("\n");
  return {
    shown: COMMENT.test(text) ? "" : html`<pre class="wrap markup"><code>${text}</code></pre>`,
    lines: end - at,
  };
}

function readQuote(lines: readonly string[], at: number, resolve: ResolveLink, depth: number): Block {
  let end = at;
  while (end < lines.length && (lines[end] ?? "").trim() !== "" && (end === at || !ITEM.test(lines[end] ?? ""))) end++;
  const inner = lines.slice(at, end).map((line) => line.replace(QUOTE, ""));
  return { shown: html`<blockquote>${writeBlocks(inner, resolve, depth + 1)}</blockquote>`, lines: end - at };
}

function readList(lines: readonly string[], at: number, resolve: ResolveLink, depth: number): Block {
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
  const shown = items.map((item) => html`<li>${writeItem(item, resolve, depth + 1)}</li>`);
  const start = Number.parseInt(ITEM.exec(lines[at] ?? "")?.[2] ?? "1", 10);
  return {
    shown: isOrdered ? html`<ol${start !== 1 && html` start="${start}"`}>${shown}</ol>` : html`<ul>${shown}</ul>`,
    lines: end - at,
  };
}

/** What stands alone in an item is no paragraph. */
function writeItem(lines: readonly string[], resolve: ResolveLink, depth: number): Html {
  const rest = lines.slice(1).some((line) => line.trim() !== "");
  return rest ? writeBlocks(lines, resolve, depth) : writeInline(lines[0] ?? "", resolve);
}

function readTable(lines: readonly string[], at: number, resolve: ResolveLink): Block {
  let end = at + 2;
  while (end < lines.length && (lines[end] ?? "").includes("|")) end++;
  const [head = [], ...rows] = [lines[at] ?? "", ...lines.slice(at + 2, end)].map(splitRow);
  return {
    shown: html`<div class="table" tabindex="0"><table><thead><tr>${head.map((cell) => html`<th>${writeInline(cell, resolve)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.slice(0, head.length).map((cell) => html`<td>${writeInline(cell, resolve)}</td>`)}</tr>`)}</tbody></table></div>`,
    lines: end - at,
  };
}

function splitRow(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function readParagraph(lines: readonly string[], at: number, resolve: ResolveLink): Block {
  let end = at + 1;
  const isOther = (line: string): boolean =>
    line.trim() === "" ||
    line.length > MAX_LINE ||
    FENCE.test(line) ||
    headingText(line) !== undefined ||
    QUOTE.test(line) ||
    (ITEM.test(line) && !/^\s*\d/.test(line));
  while (end < lines.length && !isOther(lines[end] ?? "")) end++;
  const text = lines.slice(at, end).join("\n");
  const shown =
    text.length > MAX_PARAGRAPH
      ? html`<pre class="wrap">${text}</pre>`
      : html`<p dir="auto">${writeInline(text, resolve)}</p>`;
  return { shown, lines: end - at };
}
