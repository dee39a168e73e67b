/**
 * The page `/documents/{id}` for browsers: a page of the documentation, or a source file with line numbers and an outline of its
 * symbols. JSON and Markdown of the same address are for programs (`../documents.ts`).
 */
import { loadFile } from "../../core/code/load-files.ts";
import { findNearestDocuments } from "../../core/docs/catalogue.ts";
import { loadLinks, readPassages, readSections } from "../../core/docs/documents.ts";
import type { DocumentEntry, DocumentOutline, LinkEntry } from "../../core/docs/model.ts";
import { splitNodeId } from "../../core/docs/node-id.ts";
import { type FileRecord, SYMBOL_KIND_NAMES, type SymbolRecord } from "../../core/format/code-model.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { openTextBudget } from "../../core/index/read-texts.ts";
import { linesOf } from "../../core/text/lines.ts";
import { cutText } from "../../core/text/short-text.ts";
import { formatCount } from "../../surface/render/text.ts";
import { idFromAddress } from "../addresses.ts";
import { findDocument, respondMarkdown } from "../documents.ts";
import { answerPage, type PageServices } from "./answer-page.ts";
import { type Html, html } from "./html.ts";
import { linkTo, linkToDocument, linkToOutline, linkToSource, SEARCH_PATH, safeLink, TREE_PATH } from "./links.ts";
import { type ResolveLink, writeMarkdown } from "./markdown.ts";
import {
  DOCUMENT_PAGE_PARAMETERS,
  type Page,
  readPage,
  type Site,
  writeMissing,
  writeNeighbours,
  writePlace,
} from "./page.ts";

/** A quarter of an hour of reading, some 60 kB. */
const PART_LIMITS = { words: 8000, entries: 150 };

const DOCUMENTS = "/documents/";
const MAX_NEAREST = 8;
/** Entries of an outline; a document of more is read by its parts. */
const MAX_OUTLINE = 1000;
/** Characters of a page; of what is longer the beginning is shown. */
const MAX_PAGE = 300_000;
const MAX_LEVEL = 6;
/** Values of facets that a query can name as they are. */
const PLAIN_VALUE = /^[\p{L}\p{N}._-]+$/u;

export function answerDocumentPage(request: Request, services: PageServices): Promise<Response> {
  return answerPage(request, services, {
    where: DOCUMENTS,
    write: async (reader, site): Promise<Page | Response> => {
      const from = readPage(new URL(request.url).searchParams, DOCUMENT_PAGE_PARAMETERS).from;
      const asked = idFromAddress(request.url, services.base, DOCUMENTS);
      const found = await findDocument(reader, asked);
      if (found === undefined) return writeNotFound(reader, asked, site);
      const { outline } = found;
      // Its address is another one, whose links and parts would not be those of a page.
      if (found.asksForMarkdown) return respondMarkdown(reader, outline, services.base);
      const isCode = reader.collections.some(
        ({ name, kind }) => name === outline.document.collection && kind === "code",
      );
      const file = isCode ? await loadFile(reader, outline.document.id) : undefined;
      const { aside, text } =
        file === undefined
          ? await writeSections(reader, outline, from, site)
          : await writeSource(reader, outline, file.record, from, site.base);
      return {
        title: outline.document.title || outline.document.path,
        heading: false,
        current: TREE_PATH,
        isWide: true,
        main: html`<div class="document"><div class="head">${writeHead(reader, outline.document, file !== undefined, site)}</div>
<nav class="outline" aria-label="Outline">${aside}</nav>
<article>${text}
</article></div>`,
      };
    },
  });
}

async function writeNotFound(reader: IndexReader, asked: string, { base }: Site): Promise<Page> {
  return writeMissing({
    what: "document",
    name: asked,
    nearest: await findNearestDocuments(reader, asked, MAX_NEAREST),
    hrefOf: (id) => linkToDocument(base, id),
    current: TREE_PATH,
    listHref: linkTo(base, TREE_PATH),
  });
}

function writeHead(reader: IndexReader, document: DocumentEntry, isCode: boolean, { base }: Site): Html {
  const { id, title, path, description, words, lines, sections, url, facets } = document;
  const own = safeLink(url);
  const source = linkToSource(reader.collections, document);
  const here = linkToDocument(base, id);
  const chips = Object.entries(facets).flatMap(([key, values]) => values.map((value) => ({ key, value })));
  return html`<h1 dir="auto">${title === "" ? path : title}</h1>
${writePlace(document, base)}
${description !== "" && html`<p dir="auto">${description}</p>`}
<p class="small soft">${formatCount(words, "word")}, ${formatCount(lines, "line")}, ${formatCount(sections, "section")}</p>
<ul class="chips">${own !== undefined && html`<li><a class="button" href="${own}">Published page</a></li>`}${source !== undefined && html`<li><a class="button" href="${source}">In the repository</a></li>`}<li><a class="button" href="${linkToOutline(base, id)}">Outline</a></li><li><a class="button" href="${here}?format=markdown">${isCode ? "Plain text" : "Markdown"}</a></li><li><a class="button" href="${here}?format=json">JSON</a></li></ul>
${
  chips.length > 0 &&
  html`<details class="facts-more"><summary>Facets</summary><ul class="chips">${chips.map(({ key, value }) => {
    const shown = html`<span class="soft">${key}</span> <bdi>${value}</bdi>`;
    return PLAIN_VALUE.test(value)
      ? html`<li><a class="chip" href="${linkTo(base, SEARCH_PATH, { q: `${key}:${value}` })}">${shown}</a></li>`
      : html`<li><span class="chip">${shown}</span></li>`;
  })}</ul></details>`
}`;
}

async function writeSections(reader: IndexReader, outline: DocumentOutline, from: number, site: Site) {
  const { document, sections } = outline;
  const parts = cutParts(sections.map(({ words }) => words));
  const part = findPart(parts, from);
  const ordinals = sections.slice(part.start, part.end).map(({ ordinal }) => ordinal);
  const [texts, { out }] = await Promise.all([
    readSections(reader, outline, ordinals, openTextBudget(MAX_PAGE)),
    loadLinks(reader, outline),
  ]);
  const resolve = createResolver(out, site.base);
  const here = linkToDocument(site.base, document.id);
  const levels = findLevels(outline);
  const isMdx = /\.mdx$/i.test(document.path);
  const anchors = new Set(sections.map(({ nodeId }) => splitNodeId(nodeId).section));
  const written = texts.map(({ section, text, isCut }) => {
    const { ordinal, nodeId, title } = section;
    const body = writeMarkdown(text, resolve, isMdx);
    const cut =
      isCut === true &&
      html`<p class="soft">The rest of this section is in <a href="${here}?format=markdown">the whole text</a>.</p>`;
    if (ordinal === 0) return html`<section>${body}${cut}</section>`;
    // Hits whose address was not read name a section by its number.
    const number = anchors.has(`n${ordinal}`) ? "" : html`<span id="n${ordinal}"></span>`;
    const anchor = splitNodeId(nodeId).section;
    const level = levels[ordinal] ?? MAX_LEVEL;
    return html`<section id="${anchor}">${number}<h${level}><a class="anchor" href="#${encodeURI(anchor)}" dir="auto">${title}</a></h${level}>${body}${cut}</section>`;
  });
  return {
    aside: writeOutline(outline, parts, part, levels, here),
    text: html`${written}${writeParts(parts, part, here)}`,
  };
}

/** Levels of headings without gaps, the page's own being the first. */
function findLevels({ sections }: DocumentOutline): readonly number[] {
  const levels: number[] = [];
  for (const { ordinal, parent } of sections) {
    levels[ordinal] = parent < 0 ? 1 : Math.min(MAX_LEVEL, (levels[parent] ?? 1) + 1);
  }
  return levels;
}

function writeOutline(
  { sections }: DocumentOutline,
  parts: readonly DocumentPart[],
  part: DocumentPart,
  levels: readonly number[],
  here: string,
): Html {
  const listed = sections.slice(1, MAX_OUTLINE + 1);
  const more = sections.length - 1 - listed.length;
  return html`<h2>Outline</h2><ul class="plain">${listed.map(({ ordinal, nodeId, title }) => {
    const own = findPart(parts, ordinal);
    const { section } = splitNodeId(nodeId);
    const anchor = `#${encodeURI(section)}`;
    const link =
      own === part
        ? html`<a href="${anchor}" dir="auto">${title}</a>`
        : html`<a data-part="${section}" href="${here}${fromQuery(own)}${anchor}" dir="auto">${title}</a>`;
    return html`<li class="level-${levels[ordinal] ?? MAX_LEVEL}">${link}</li>`;
  })}${more > 0 && html`<li class="soft">${formatCount(more, "more section")}</li>`}</ul>`;
}

function writeParts(parts: readonly DocumentPart[], part: DocumentPart, here: string): Html | "" {
  const at = parts.indexOf(part);
  const [before, next] = [parts[at - 1], parts[at + 1]].map((one) => one && `${here}${fromQuery(one)}`);
  return writeNeighbours("Parts of the document", before, `Part ${at + 1} of ${parts.length}`, next);
}

function fromQuery({ start }: DocumentPart): string {
  return start === 0 ? "" : `?from=${start}`;
}

/** Links of the document: where the build found what one leads to, this server's page of that. */
function createResolver(links: readonly LinkEntry[], base: string): ResolveLink {
  const known = new Map(links.map(({ href, toNodeId }) => [href, toNodeId]));
  return (href) => {
    const nodeId = known.get(href) ?? "";
    if (nodeId !== "") return linkToDocument(base, splitNodeId(nodeId).documentId, nodeId);
    return /^https?:\/\//i.test(href) ? safeLink(href) : undefined;
  };
}

/** Indexes from `start` on, below `end`. */
interface DocumentPart {
  readonly start: number;
  readonly end: number;
}

/** Parts that together are everything, in order; at least one. @param words Those of each entry. */
export function cutParts(words: readonly number[], limits = PART_LIMITS): readonly DocumentPart[] {
  const parts: DocumentPart[] = [];
  let start = 0;
  let sum = 0;
  for (const [at, count] of words.entries()) {
    if (at > start && (sum + count > limits.words || at - start >= limits.entries)) {
      parts.push({ start, end: at });
      start = at;
      sum = 0;
    }
    sum += count;
  }
  return [...parts, { start, end: words.length }];
}

/** The part that holds an index; the last one for an index behind all, the first for one before. */
export function findPart(parts: readonly DocumentPart[], index: number): DocumentPart {
  return parts.find(({ end }) => index < end) ?? (parts.at(-1) as DocumentPart);
}

const LINES_SHOWN = 1500;
/** Characters of a line: more is a minified file; fewer are shown of each where there are many such lines. */
const MAX_LINE = 1000;
const MAX_LINE_OF_MANY = 200;
/** Compressed bytes, and characters, that are read for a page at most. */
const MAX_READ_BYTES = 512 * 1024;
const MAX_READ_CHARACTERS = 4 * 1024 * 1024;
const MAX_SYMBOLS = 1000;
const MAX_INDENT = 6;

/** Outline and lines. @param from First line that is wanted. */
async function writeSource(
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
    text: html`${writeLines(lines, first, [...symbols, ...numberSections(outline, symbols)])}${writeLineParts(startLine, first + lines.length, document.lines, here)}`,
  };
}

/** First line of the part that a line stands in. */
function partOf(line: number): number {
  return line - ((line - 1) % LINES_SHOWN);
}

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

function writeLineParts(startLine: number, nextLine: number, lines: number, here: string): Html | "" {
  const from = (line: number): string => (line > 1 ? `${here}?from=${line}` : here);
  const [before, next] = [startLine - LINES_SHOWN, startLine + LINES_SHOWN];
  return writeNeighbours(
    "Parts of the file",
    startLine > 1 ? from(before) : undefined,
    `Lines ${startLine} to ${Math.max(startLine, nextLine - 1)} of ${lines}`,
    nextLine <= lines && next <= lines ? from(next) : undefined,
  );
}
