/**
 * The page `/documents/{id}` for browsers: a page of the documentation, or a source file whose names lead to what they mean, with the
 * pages around it and an outline. JSON and Markdown of the same address are for programs (`../documents.ts`).
 */
import { findTargets, loadTargets, mentionsInPages } from "../../core/code/edges.ts";
import { type FileWithEdges, loadFileWithEdges } from "../../core/code/load-files.ts";
import { type CatalogueName, findNearestDocuments, listDocumentNames } from "../../core/docs/catalogue.ts";
import { loadLinks, readPassages, readSections } from "../../core/docs/documents.ts";
import type { DocumentEntry, DocumentOutline, LinkEntry } from "../../core/docs/model.ts";
import { folderOf, splitNodeId } from "../../core/docs/node-id.ts";
import {
  type EdgeRecord,
  type FileRecord,
  SYMBOL_KIND_NAMES,
  type SymbolRecord,
} from "../../core/format/code-model.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { openTextBudget } from "../../core/index/read-texts.ts";
import { linesOf } from "../../core/text/lines.ts";
import { compareNames, labelKey } from "../../core/text/names.ts";
import { cutText } from "../../core/text/short-text.ts";
import { previewSignature } from "../../surface/render/symbols.ts";
import { formatCount } from "../../surface/render/text.ts";
import { idFromAddress } from "../addresses.ts";
import { findDocument, respondMarkdown } from "../documents.ts";
import { answerPage, type PageServices } from "./answer-page.ts";
import { type Html, html, type ResolveLink, writeInline } from "./html.ts";
import {
  LINES_SHOWN,
  linkTo,
  linkToDocument,
  linkToOutline,
  linkToSource,
  SEARCH_PATH,
  safeLink,
  TREE_PATH,
} from "./links.ts";
import { DEFINITIONS, writeMarkdown } from "./markdown.ts";
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
      const [around, file] = await Promise.all([
        findAround(reader, outline.document, isCode),
        isCode ? loadFileWithEdges(reader, outline.document.id) : undefined,
      ]);
      const { aside, text } =
        file === undefined
          ? await writeSections(reader, outline, from, site)
          : await writeSource(reader, outline, file, from, site.base);
      return {
        title: outline.document.title || outline.document.path,
        heading: false,
        current: TREE_PATH,
        isWide: true,
        main: html`<div class="document"><nav class="pages" aria-label="Pages around"><details class="fold"><summary>Pages</summary>${writeLevel(around.levels, site.base)}<a class="soft" href="${linkTo(site.base, TREE_PATH, { folder: folderOf(outline.document.id) })}">All in this folder</a></details></nav>
<div class="head">${writeHead(reader, outline.document, file !== undefined, site)}</div>
<nav class="outline" aria-label="Outline"><details class="fold"><summary>${file === undefined ? "On this page" : "Symbols"}</summary>${aside}</details></nav>
<article>${text}
${writeSteps(around, site.base)}</article></div>`,
      };
    },
  });
}

/** A page, or a folder by its first page, in the list of pages around one. */
interface Neighbour {
  readonly id: string;
  readonly title: string;
  readonly isCurrent: boolean;
  /** Whether the next level is in it. */
  readonly isOpen: boolean;
}

interface Around {
  readonly levels: readonly (readonly Neighbour[])[];
  readonly before: CatalogueName | undefined;
  readonly next: CatalogueName | undefined;
}

/** Pages that stand for their folder, and come first in it. */
const FOLDER_PAGE = /(^|\/)(?:_?index|readme)\.\w+$/i;
const MAX_NEIGHBOURS = 150;
/** Documents of a collection whose order is worked out. */
const MAX_ORDERED = 20_000;

/** The pages around one: in each folder that it lies in, by path, and the pages before and after. */
async function findAround(reader: IndexReader, document: DocumentEntry, isCode: boolean): Promise<Around> {
  const { documents = 0 } = reader.collections.find(({ name }) => name === document.collection) ?? {};
  const names = documents > MAX_ORDERED ? [] : await readOrder(reader, document.collection);
  const nameOf = ({ path, title }: CatalogueName): string =>
    isCode || title === "" ? path.slice(path.lastIndexOf("/") + 1) : title;
  const folders = ["", ...[...document.path.matchAll(/\//g)].map(({ index }) => document.path.slice(0, index + 1))];
  const levels: Map<string, Neighbour>[] = folders.map(() => new Map());
  for (const name of names) {
    const depth = folders.findLastIndex((folder) => name.path.startsWith(folder));
    for (const [level, folder] of folders.slice(0, depth + 1).entries()) {
      const [step = ""] = /^[^/]*\/?/.exec(name.path.slice(folder.length)) ?? [];
      const known = levels[level] as Map<string, Neighbour>;
      // A folder is told by its own page.
      if (known.has(step) || (level > 0 && !isCode && FOLDER_PAGE.test(step))) continue;
      const isFolder = step.endsWith("/");
      const isOwn = name.path.slice(folder.length + step.length).match(FOLDER_PAGE)?.index === 0;
      known.set(step, {
        id: name.id,
        title: !isFolder || (isOwn && !isCode && name.title !== "") ? nameOf(name) : nameFolder(step, isCode),
        isCurrent: name.id === document.id && (!isFolder || isOwn),
        isOpen: isFolder && document.path.startsWith(folder + step),
      });
    }
  }
  const at = names.findIndex(({ id }) => id === document.id);
  const shown = levels.map((level) => {
    const all = [...level.values()];
    const current = all.findIndex(({ isCurrent, isOpen }) => isCurrent || isOpen);
    const start = Math.max(0, Math.min(current - MAX_NEIGHBOURS / 2, all.length - MAX_NEIGHBOURS));
    return all.slice(start, start + MAX_NEIGHBOURS);
  });
  return { levels: shown, before: names[at - 1], next: names[at + 1] };
}

async function readOrder(reader: IndexReader, collection: string): Promise<readonly CatalogueName[]> {
  const known = reader.recallKept(`order/${collection}`) as readonly CatalogueName[] | undefined;
  if (known !== undefined) return known;
  const keyed = (await listDocumentNames(reader))
    .filter((name) => name.collection === collection)
    .map((name) => ({ name, key: labelKey(name.path.replace(FOLDER_PAGE, "$1").replaceAll("/", "\u0001")) }));
  const names = keyed.sort((a, b) => compareNames(a.key, b.key)).map(({ name }) => name);
  reader.keep(`order/${collection}`, names, names.length * NAME_BYTES);
  return names;
}

const NAME_BYTES = 400;

/** `01-getting-started/` as `Getting started`; of code as it is. */
function nameFolder(step: string, isCode: boolean): string {
  const name = step.slice(0, -1);
  const words = name.replace(/^\d+[-_. ]+(?=\D)/, "").replace(/[-_]+/g, " ");
  return isCode ? step : words.slice(0, 1).toUpperCase() + words.slice(1);
}

function writeLevel([level, ...inner]: Around["levels"], base: string): Html | "" {
  if (level === undefined) return "";
  return html`<ul class="plain">${level.map(
    ({ id, title, isCurrent, isOpen }) =>
      html`<li><a href="${linkToDocument(base, id)}"${isCurrent && html` aria-current="page"`} dir="auto">${title}</a>${isOpen && writeLevel(inner, base)}</li>
`,
  )}</ul>`;
}

function writeSteps({ before, next }: Around, base: string): Html | "" {
  if (before === undefined && next === undefined) return "";
  const write = (rel: string, label: string, { id, path, title }: CatalogueName): Html =>
    html`<a class="button" rel="${rel}" href="${linkToDocument(base, id)}"><small>${label}</small> <bdi>${title === "" ? path : title}</bdi></a>`;
  return html`<nav class="paging around" aria-label="Pages before and after">${before && write("prev", "Previous", before)}${next && write("next", "Next", next)}</nav>`;
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
${description !== "" && html`<p dir="auto">${writeInline(description, () => undefined)}</p>`}
<p class="small soft">${formatCount(words, "word")}, ${formatCount(lines, "line")}, ${formatCount(sections, "section")}</p>
<ul class="chips">${own !== undefined && html`<li><a class="button" href="${own}">Published page</a></li>`}${source !== undefined && html`<li><a class="button" href="${source}">In the repository</a></li>`}<li><a class="button" href="${linkToOutline(base, id)}">${isCode ? "Imports" : "Links"}</a></li><li><a class="button" href="${here}?format=markdown">${isCode ? "Plain text" : "Markdown"}</a></li><li><a class="button" href="${here}?format=json">JSON</a></li></ul>
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
  const [texts, { out }, [mentions = []]] = await Promise.all([
    readSections(reader, outline, ordinals, openTextBudget(MAX_PAGE)),
    loadLinks(reader, outline),
    mentionsInPages(reader, [document.id]),
  ]);
  const definitions = texts.flatMap(({ text }) =>
    Array.from(text.matchAll(DEFINITIONS), ([, name = "", href = ""]) => [name.toLowerCase(), href] as const),
  );
  const names = mentions.map(({ text, symbolId }) => [text, symbolId] as const);
  const resolve = createResolver(out, new Map(definitions), new Map(names), site.base);
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
  return html`<ul class="plain">${listed.map(({ ordinal, nodeId, title }) => {
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

/** Links of the document: where the build found what one leads to, this server's page of that. Names lead to their symbols. */
function createResolver(
  links: readonly LinkEntry[],
  definitions: ReadonlyMap<string, string>,
  names: ReadonlyMap<string, string>,
  base: string,
): ResolveLink {
  const known = new Map(links.map(({ href, toNodeId }) => [href, toNodeId]));
  const follow = (href: string): string | undefined => {
    const nodeId = known.get(href) ?? "";
    if (nodeId !== "") return linkToDocument(base, splitNodeId(nodeId).documentId, nodeId);
    return /^https?:\/\//i.test(href) ? safeLink(href) : undefined;
  };
  return (target, kind) => {
    if (kind === undefined) return follow(target);
    const found = (kind === "name" ? names : definitions).get(target);
    if (found === undefined) return undefined;
    if (kind === "name") return linkToDocument(base, splitNodeId(found).documentId, found);
    return target.startsWith("^") ? `#fn-${target.slice(1)}` : follow(found);
  };
}

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

/** Characters of a line: more is a minified file; fewer are shown of each where there are many such lines. */
const MAX_LINE = 1000;
const MAX_LINE_OF_MANY = 200;
/** Compressed bytes, and characters, that are read for a page at most. */
const MAX_READ_BYTES = 512 * 1024;
const MAX_READ_CHARACTERS = 4 * 1024 * 1024;
const MAX_SYMBOLS = 1000;
const MAX_INDENT = 6;

async function writeSource(
  reader: IndexReader,
  outline: DocumentOutline,
  file: FileWithEdges,
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
  const symbols = file.record.symbols.filter(({ flags }) => !flags.includes("inner"));
  const lines = linesOf(passage?.text ?? "");
  const first = passage?.startLine ?? startLine;
  const links = await findLinks(reader, file, first, first + lines.length, base);
  const places = [...symbols, ...numberSections(outline, symbols)];
  return {
    aside: writeSymbols(file.record, symbols, startLine, here),
    text: html`${writeLines(lines, first, places, links, file.record.language)}${writeLineParts(startLine, first + lines.length, document.lines, here)}`,
  };
}

function partOf(line: number): number {
  return line - ((line - 1) % LINES_SHOWN);
}

interface CodeLink {
  readonly column: number;
  readonly open: Html;
}

/** Files that names of one part of a file lead to: of more, those that come first are read. */
const MAX_TARGET_FILES = 60;
const MAX_TITLE = 80;

/** Links of some lines: of each name to its definition, unless that is a guess, of a declared name to its uses. Two waves. */
async function findLinks(
  reader: IndexReader,
  file: FileWithEdges,
  start: number,
  end: number,
  base: string,
): Promise<ReadonlyMap<number, readonly CodeLink[]>> {
  const isShown = ({ at }: Pick<EdgeRecord, "at">): boolean => at.line >= start && at.line < end;
  const known = file.edges.filter((edge) => isShown(edge) && edge.tier !== "name" && edge.kind !== "overrides");
  const found = await findTargets(reader, file.shard, known);
  const files = new Set<string>();
  const near = found.filter(({ to }) => {
    if ("external" in to) return false;
    const name = `${to.shard}/${to.file}`;
    return files.has(name) || (files.size < MAX_TARGET_FILES && files.add(name).size > 0);
  });
  const links = new Map<number, CodeLink[]>();
  const add = (line: number, column: number, open: Html): void => {
    const own = links.get(line) ?? [];
    if (!own.some((other) => other.column === column)) links.set(line, [...own, { column, open }]);
  };
  for (const symbol of file.record.symbols.filter(isShown)) {
    const uses = linkToOutline(base, file.record.id, { symbol: symbol.path });
    add(symbol.at.line, symbol.at.column, html`<a class="own" data-panel href="${uses}">`);
  }
  for (const { at, to } of await loadTargets(reader, near)) {
    if (to.kind === "external") continue;
    const { record } = to.kind === "file" ? to.file : { record: to.symbol.inFile };
    const symbol = to.kind === "file" ? undefined : to.symbol.record;
    const title = symbol === undefined ? record.id : previewSignature(symbol.signature, MAX_TITLE) || symbol.path;
    add(at.line, at.column, html`<a href="${linkToDocument(base, record.id, symbol?.at.line)}" title="${title}">`);
  }
  for (const own of links.values()) own.sort((a, b) => a.column - b.column);
  return links;
}

/** What stands where a name is known to begin: the name, or the text of an import. */
const NAME_HERE = /(["'`])[^"'`\n]{1,300}\1|[#@$]?[\p{L}_$][\p{L}\p{M}\p{N}_$]*/uy;

function writeLine(line: string, links: readonly CodeLink[] = []): Html | string {
  const parts: (Html | string)[] = [];
  let plain = 0;
  for (const { column, open } of links) {
    NAME_HERE.lastIndex = column - 1;
    const name = column - 1 < plain ? undefined : NAME_HERE.exec(line)?.[0];
    if (name === undefined) continue;
    parts.push(line.slice(plain, column - 1), html`${open}${name}</a>`);
    plain = column - 1 + name.length;
  }
  return plain === 0 ? line : html`${parts}${line.slice(plain)}`;
}

type Place = Pick<SymbolRecord, "path"> & { readonly start: Pick<SymbolRecord["start"], "line"> };

function numberSections({ sections }: DocumentOutline, symbols: readonly SymbolRecord[]): readonly Place[] {
  const paths = new Set(symbols.map(({ path }) => path));
  return sections
    .map(({ ordinal, startLine }) => ({ path: `n${ordinal}`, start: { line: startLine } }))
    .filter(({ path }) => path !== "n0" && !paths.has(path));
}

function writeLines(
  lines: readonly string[],
  first: number,
  symbols: readonly Place[],
  links: ReadonlyMap<number, readonly CodeLink[]>,
  language: string,
): Html {
  const anchors = new Map<number, string[]>();
  for (const { start, path } of symbols) {
    if (!/^L\d+$/.test(path)) anchors.set(start.line, [...(anchors.get(start.line) ?? []), path]);
  }
  const shownLength = lines.reduce((sum, { length }) => sum + Math.min(length, MAX_LINE), 0);
  const limit = shownLength > MAX_PAGE ? MAX_LINE_OF_MANY : MAX_LINE;
  return html`<pre class="source" tabindex="0" data-language="${language}"><code>${lines.map((line, at) => {
    const number = first + at;
    const shown = line.length > limit ? `${cutText(line, limit)} …` : writeLine(line, links.get(number));
    return html`${(anchors.get(number) ?? []).map((path) => html`<i id="${path}"></i>`)}<span id="L${number}" data-line="${number}">${shown}
</span>`;
  })}</code></pre>`;
}

function writeSymbols(file: FileRecord, symbols: readonly SymbolRecord[], startLine: number, here: string): Html {
  const listed = symbols.slice(0, MAX_SYMBOLS);
  const more = symbols.length - listed.length;
  const depths = new Map<SymbolRecord | undefined, number>();
  for (const symbol of file.symbols) depths.set(symbol, (depths.get(file.symbols[symbol.parent]) ?? 1) + 1);
  return html`${listed.length === 0 && html`<p class="soft">None.</p>`}<ul class="plain">${listed.map((symbol) => {
    const { name, kind, at, start, path } = symbol;
    const part = partOf(start.line);
    const anchor = `#L${start.line}`;
    const depth = Math.min(MAX_INDENT, depths.get(symbol) ?? 2);
    const label = SYMBOL_KIND_NAMES[kind].label;
    return html`<li class="level-${depth}"><a href="${part === startLine ? anchor : `${here}?from=${part}${anchor}`}"${part !== startLine && html` data-part="${path}"`} title="${label}"><code>${name}</code></a> <small>${at.line}</small></li>`;
  })}${more > 0 && html`<li class="soft">${formatCount(more, "more symbol")}</li>`}</ul>`;
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
