/**
 * A source file on its page: its lines with numbers, and an outline of its symbols that leads to them.
 */

import { readPassages } from "../../core/docs/documents.ts";
import type { DocumentOutline } from "../../core/docs/model.ts";
import { type FileRecord, SYMBOL_KIND_NAMES, type SymbolRecord } from "../../core/format/code-model.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { openTextBudget } from "../../core/index/read-texts.ts";
import { linesOf } from "../../core/text/lines.ts";
import { cutText } from "../../core/text/short-text.ts";
import { formatCount } from "../../surface/render/numbers.ts";
import { type Html, html } from "./html.ts";
import { linkToDocument } from "./navigation.ts";

/** Lines on one page. */
const LINES_SHOWN = 1500;
/** Characters of a line: more is a minified file; fewer are shown of each where there are many such lines. */
const MAX_LINE = 1000;
const MAX_LINE_OF_MANY = 200;
const MAX_PAGE = 300_000;
/** Compressed bytes, and characters, that are read for a page at most. */
const MAX_READ_BYTES = 512 * 1024;
const MAX_READ_CHARACTERS = 4 * 1024 * 1024;
const MAX_SYMBOLS = 1000;
const MAX_INDENT = 6;

/** Outline and lines. @param from First line that is wanted. */
export async function writeSource(
  reader: IndexReader,
  outline: DocumentOutline,
  file: FileRecord,
  from: number,
  base: string,
): Promise<{ readonly aside: Html; readonly text: Html }> {
  const { document } = outline;
  const startLine = partOf(Math.min(Math.max(from, 1), Math.max(document.lines, 1)));
  const endLine = Math.min(startLine + LINES_SHOWN - 1, document.lines);
  const [passage] = await readPassages(
    reader,
    [{ outline, startLine, endLine, withFrontmatter: true }],
    MAX_READ_BYTES,
    openTextBudget(MAX_READ_CHARACTERS),
  );
  const here = linkToDocument(base, document.id);
  const symbols = file.symbols.filter(({ flags }) => !flags.includes("inner"));
  const lines = linesOf(passage?.text ?? "");
  const first = passage?.startLine ?? startLine;
  return {
    aside: writeSymbols(file, symbols, startLine, here),
    text: html`${writeLines(lines, first, [...symbols, ...numberSections(outline, symbols)])}${writeNeighbours(startLine, first + lines.length, document.lines, here)}`,
  };
}

/** First line of the part that a line stands in. */
function partOf(line: number): number {
  return line - ((line - 1) % LINES_SHOWN);
}

/** What an anchor leads to. */
type Place = Pick<SymbolRecord, "path"> & { readonly start: Pick<SymbolRecord["start"], "line"> };

/** Hits whose address was not read name what they found by its number. */
function numberSections({ sections }: DocumentOutline, symbols: readonly SymbolRecord[]): readonly Place[] {
  const paths = new Set(symbols.map(({ path }) => path));
  return sections
    .map(({ ordinal, startLine }) => ({ path: `n${ordinal}`, start: { line: startLine } }))
    .filter(({ path }) => path !== "n0" && !paths.has(path));
}

function writeLines(lines: readonly string[], first: number, symbols: readonly Place[]): Html {
  const anchors = new Map<number, string[]>();
  for (const { start, path } of symbols) {
    // A line of its own may be called as a symbol is.
    if (!/^L\d+$/.test(path)) anchors.set(start.line, [...(anchors.get(start.line) ?? []), path]);
  }
  const width = `${first + lines.length}`.length;
  const shownLength = lines.reduce((sum, { length }) => sum + Math.min(length, MAX_LINE), 0);
  const limit = shownLength > MAX_PAGE ? MAX_LINE_OF_MANY : MAX_LINE;
  return html`<pre class="source" tabindex="0"><code>${lines.map((line, at) => {
    const number = first + at;
    const shown = line.length > limit ? `${cutText(line, limit)} …` : line;
    return html`${(anchors.get(number) ?? []).map((path) => html`<i id="${path}"></i>`)}<span id="L${number}" data-line="${`${number}`.padStart(width)}">${shown}
</span>`;
  })}</code></pre>`;
}

function writeSymbols(file: FileRecord, symbols: readonly SymbolRecord[], startLine: number, here: string): Html {
  const listed = symbols.slice(0, MAX_SYMBOLS);
  const more = symbols.length - listed.length;
  const depths = new Map<SymbolRecord | undefined, number>();
  for (const symbol of file.symbols) depths.set(symbol, (depths.get(file.symbols[symbol.parent]) ?? 1) + 1);
  return html`<h2>Symbols</h2>${listed.length === 0 && html`<p class="soft">None.</p>`}<ul class="plain">${listed.map(
    (symbol) => {
      const { name, kind, at, start, path } = symbol;
      const part = partOf(start.line);
      const anchor = `#L${start.line}`;
      const depth = Math.min(MAX_INDENT, depths.get(symbol) ?? 2);
      const label = SYMBOL_KIND_NAMES[kind].label;
      return html`<li class="level-${depth}"><a href="${part === startLine ? anchor : `${here}?from=${part}${anchor}`}"${part !== startLine && html` data-part="${path}"`}><code>${name}</code></a> <small>${label} ${at.line}</small></li>`;
    },
  )}${more > 0 && html`<li class="soft">${formatCount(more, "more symbol")}</li>`}</ul>`;
}

function writeNeighbours(startLine: number, nextLine: number, lines: number, here: string): Html | "" {
  const before = startLine > 1 ? startLine - LINES_SHOWN : undefined;
  const next = nextLine <= lines ? startLine + LINES_SHOWN : undefined;
  if (before === undefined && next === undefined) return "";
  return html`<nav class="paging" aria-label="Parts of the file">${before !== undefined && html`<a class="button" rel="prev" href="${here}${before > 1 && `?from=${before}`}">Before</a>`}
<span class="soft">Lines ${startLine} to ${Math.max(startLine, nextLine - 1)} of ${lines}</span>
${next !== undefined && next <= lines && html`<a class="button" rel="next" href="${here}?from=${next}">Next</a>`}</nav>`;
}
