/** The explorer's outline of a source file: symbols, imports, importers; of one symbol, its uses in both directions; links of a page. */

import { type IncomingEdge, incomingEdges, mentionsOf, outgoingEdges } from "../../core/code/edges.ts";
import { loadFileWithEdges } from "../../core/code/load-files.ts";
import { readFileNeighbours } from "../../core/code/walks.ts";
import { findNearestDocuments } from "../../core/docs/catalogue.ts";
import {
  loadDocuments,
  loadLinks,
  loadOutline,
  loadOutlines,
  resolveDocumentId,
  resolveNode,
  titlePath,
} from "../../core/docs/documents.ts";
import type { DocumentOutline } from "../../core/docs/model.ts";
import { folderOf, pathOf, splitNodeId } from "../../core/docs/node-id.ts";
import { roleOf } from "../../core/docs/roles.ts";
import {
  type FileRecord,
  isExported,
  makeSymbolId,
  SYMBOL_KIND_NAMES,
  type SymbolRecord,
} from "../../core/format/code-model.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { codeLanguageOf } from "../../core/text/code-languages.ts";
import { nearestNames } from "../../core/text/nearest.ts";
import type { AddressParameters } from "../../surface/parameters.ts";
import { previewSignature } from "../../surface/render/symbols.ts";
import { formatCount, formatLines } from "../../surface/render/text.ts";
import { graphKindOf } from "./graph-page.ts";
import { type Html, html } from "./html.ts";
import {
  EXPLORER_PATH,
  linkTo,
  linkToDocument,
  linkToOutline,
  linkToSource,
  OUTLINE_PATH,
  safeLink,
  TREE_PATH,
} from "./links.ts";
import { type IndexPage, type Page, readPage, type Site, writeMissing, writePlace } from "./page.ts";

const MAX_LINKS = 100;
const MAX_NEAREST = 5;

const PARAMETERS = {
  symbol: {
    kind: "text",
    default: "",
    description: "path of a symbol: what uses it, and what it uses",
  },
} as const satisfies AddressParameters;

export const OUTLINE_PAGE: IndexPage = { path: `${OUTLINE_PATH}*`, parameters: PARAMETERS, write: writeOutlinePage };

async function writeOutlinePage(
  reader: IndexReader,
  site: Site,
  parameters: URLSearchParams,
  asked: string,
): Promise<Page> {
  const { base } = site;
  const listHref = linkTo(base, TREE_PATH);
  const id = await resolveDocumentId(reader, asked);
  const outline = id === undefined ? undefined : await loadOutline(reader, id);
  if (outline === undefined) {
    const nearest = await findNearestDocuments(reader, asked, MAX_NEAREST);
    const hrefOf = (near: string): string => linkToOutline(base, near);
    return writeMissing({ what: "document", name: asked, nearest, hrefOf, current: TREE_PATH, listHref });
  }
  const { document } = outline;
  const { symbol: name } = readPage(parameters, PARAMETERS);
  const found = await writeParts(reader, base, outline, name);
  if ("names" in found) {
    const nearest = nearestNames(name, found.names, MAX_NEAREST);
    const hrefOf = (symbol: string): string => linkToOutline(base, document.id, { symbol });
    return writeMissing({ what: "symbol", name, nearest, hrefOf, current: TREE_PATH, listHref: hrefOf("") });
  }
  const title = document.title === "" ? document.path : document.title;
  return {
    title,
    heading: html`<bdi>${title}</bdi>`,
    current: TREE_PATH,
    main: html`${writeHead(reader, outline, base)}${found.main}`,
  };
}

/** What the page says below its head, or the names of what could have been asked for: a page has no symbols. */
async function writeParts(
  reader: IndexReader,
  base: string,
  outline: DocumentOutline,
  symbol: string,
): Promise<{ readonly main: Html } | { readonly names: readonly string[] }> {
  if (codeLanguageOf(outline.document.path) !== undefined) return writeFileOutline(reader, base, outline, symbol);
  if (symbol !== "") return { names: [] };
  return { main: await writeLinks(reader, outline, base) };
}

function writeHead(reader: IndexReader, { document }: DocumentOutline, base: string): Html {
  const { id, url, words, sections, lines, description, path } = document;
  const folder = folderOf(id);
  const own = safeLink(url);
  const source = linkToSource(reader.collections, document);
  return html`${writePlace(document, base)}
${description !== "" && html`<p dir="auto">${description}</p>`}
<p class="soft">${formatCount(lines, "line")}, ${formatCount(words, "word")}, ${formatCount(sections, "section")}. <a href="${linkToDocument(base, id)}">Indexed text</a>${
    own !== undefined && html` · <a href="${own}">Published page</a>`
  }${source !== undefined && html` · <a href="${source}">In the repository</a>`} · <a href="${linkTo(base, `${EXPLORER_PATH}/graph`, { of: graphKindOf(path), focus: id, folder })}">In the graph</a></p>`;
}

/** Pages that the page links to, and that link to it, each once. */
async function writeLinks(reader: IndexReader, outline: DocumentOutline, base: string): Promise<Html> {
  const links = await loadLinks(reader, outline);
  const own = outline.document.id;
  const idsOf = (nodeIds: readonly string[]): string[] =>
    [...new Set(nodeIds.map((nodeId) => splitNodeId(nodeId).documentId))].filter((id) => id !== own && id !== "");
  const out = idsOf(links.out.filter(({ kind }) => kind === "internal").map(({ toNodeId }) => toNodeId));
  const broken = links.out.filter(({ kind }) => kind === "broken");
  const into = idsOf(links.in.map(({ fromNodeId }) => fromNodeId));
  const titles = await loadTitles(reader, [...out.slice(0, MAX_NAMES), ...into.slice(0, MAX_NAMES)]);
  return html`${writeNames("Links to", out, base, titles)}${writeNames("Linked from", into, base, titles)}
${out.length + into.length + broken.length === 0 && html`<p>No page links to it, and it links to none.</p>`}
${
  broken.length > 0 &&
  html`<h2>Broken links</h2><ul>${broken
    .slice(0, MAX_LINKS)
    .map(({ href, text }) => html`<li><code>${href}</code> <small dir="auto">${text}</small></li>`)}</ul>`
}`;
}

const MAX_SYMBOLS = 1500;
const MAX_PLACES = 100;
const MAX_PAGES = 12;

/** The outline, or names of the symbols that there are where the one asked for is none of them. */
type FileOutline = { readonly main: Html } | { readonly names: readonly string[] };

/** The symbols of a file; with the path of a symbol, what leads to it and what it leads to. */
async function writeFileOutline(
  reader: IndexReader,
  base: string,
  outline: DocumentOutline,
  symbolPath: string,
): Promise<FileOutline> {
  const { id } = outline.document;
  const file = await loadFileWithEdges(reader, id);
  if (file === undefined) return { main: html`<p>It was not read as source code.</p>` };
  const { symbols } = file.record;
  const at = symbolPath === "" ? -1 : symbols.findIndex(({ path }) => path === symbolPath);
  if (symbolPath !== "" && at < 0) return { names: symbols.map(({ path }) => path) };
  const symbol = symbols[at];
  if (symbol !== undefined) {
    const page = { offset: 0, limit: MAX_PLACES };
    const symbolId = makeSymbolId(file.record, symbol);
    const held = new Set(symbols.flatMap((_, index) => (isWithin(symbols, index, at) ? [index] : [])));
    const [used, uses, pages] = await Promise.all([
      incomingEdges(reader, [{ id: symbolId }], {}, page),
      outgoingEdges(reader, file, { from: held }, page),
      writePages(reader, symbolId, base),
    ]);
    const source = linkToSource(reader.collections, outline.document, {
      start: symbol.start.line,
      end: symbol.end.line,
    });
    const users = writeUsers(reader, used, base);
    return { main: writeSymbol(file.record, symbol, html`${users}${pages}`, uses, base, outline, source) };
  }
  return {
    main: html`<h2>Symbols</h2>${writeSymbols(file.record, outline, base)}${writeNeighbours(await readFileNeighbours(reader, file), base)}`,
  };
}

function isWithin(symbols: readonly SymbolRecord[], index: number, container: number): boolean {
  for (let at = index; at >= 0; at = symbols[at]?.parent ?? -1) if (at === container) return true;
  return false;
}

/** Symbols as nested lists in the order of the source; what stands inside of functions is no part of an outline. */
function writeSymbols(file: FileRecord, outline: DocumentOutline, base: string): Html {
  const listed = [...file.symbols.entries()].filter(([, { flags }]) => !flags.includes("inner"));
  if (listed.length === 0) return html`<p>It declares nothing.</p>`;
  const shown = listed.slice(0, MAX_SYMBOLS);
  const members = Map.groupBy(shown, ([, { parent }]) => parent);
  const writeBelow = (parent: number): Html | "" => {
    const own = (members.get(parent) ?? []).sort(([, a], [, b]) => a.at.line - b.at.line || a.at.column - b.at.column);
    if (own.length === 0) return "";
    return html`<ul class="tree symbols">${own.map(
      ([at, symbol]) => html`<li>${writeLine(file, symbol, outline, base)}${writeBelow(at)}</li>
`,
    )}</ul>`;
  };
  const left = listed.length - shown.length;
  return html`${writeBelow(-1)}${left > 0 && html`<p class="soft">${formatCount(left, "symbol")} more are not listed.</p>`}`;
}

function writeLine(file: FileRecord, symbol: SymbolRecord, outline: DocumentOutline, base: string): Html {
  const { kind, name, path, start, end, signature, doc, section } = symbol;
  const text = linkToDocument(base, file.id, outline.sections[section]?.nodeId);
  return html`${writeKind(kind)} <a href="${linkToOutline(base, file.id, { symbol: path })}">${name}</a>${
    isExported(file.language, file.symbols, symbol) && html` <span class="exported">exported</span>`
  } <small><a href="${text}">${start.line === end.line ? "line" : "lines"} ${formatLines(start.line, end.line)}</a></small>${
    signature !== "" && html`<div><code>${previewSignature(signature)}</code></div>`
  }${doc !== "" && html`<div class="small soft" dir="auto">${doc}</div>`}`;
}

/** A kind in words: `enum member`. */
function writeKind(kind: SymbolRecord["kind"]): Html {
  const label = SYMBOL_KIND_NAMES[kind].label.replace(/(?<=[a-z])(?=[A-Z])/, " ").toLowerCase();
  return html`<span class="kind ${kind}">${label}</span>`;
}

function writeNeighbours(neighbours: Awaited<ReturnType<typeof readFileNeighbours>>, base: string): Html | "" {
  if (neighbours === undefined) return "";
  const { imports, importedBy, externals } = neighbours;
  return html`${writeNames("Imports", imports, base)}${writeNames("Imported by", importedBy, base)}${
    externals.length > 0 &&
    html`<h2>From outside <small>${externals.length}</small></h2>
<ul class="names">${externals.slice(0, MAX_SYMBOLS).map((name) => html`<li><code>${name}</code></li>`)}</ul>`
  }`;
}

/** Pages that name a symbol, by the headings above the place. */
async function writePages(reader: IndexReader, symbolId: string, base: string): Promise<Html | ""> {
  const { total, sections } = await mentionsOf(reader, symbolId);
  const nodeIds = [...new Set(sections.map(({ nodeId }) => nodeId))];
  const ids = [...new Set(nodeIds.map((nodeId) => splitNodeId(nodeId).documentId))].slice(0, MAX_PAGES);
  const outlines = (await loadOutlines(reader, ids)).filter((outline) => outline !== undefined);
  if (outlines.length === 0) return "";
  const rows = outlines.flatMap((outline) => {
    const own = nodeIds.filter((nodeId) => splitNodeId(nodeId).documentId === outline.document.id);
    return own.slice(0, MAX_PAGES).map((nodeId) => {
      const section = resolveNode(outline, nodeId);
      const name = section === undefined ? outline.document.title : titlePath(outline, section).join(" › ");
      return html`<li><a href="${linkToDocument(base, outline.document.id, nodeId)}" dir="auto">${name === "" ? nodeId : name}</a></li>`;
    });
  });
  return html`<h3>Named in pages <small>${total}</small></h3><ul class="names">${rows}</ul>`;
}

/** What extends or implements it, what uses it, and which tests do: the places of one file, and symbol, in a row. */
function writeUsers(reader: IndexReader, used: Awaited<ReturnType<typeof incomingEdges>>, base: string): Html {
  const isHeir = ({ kind }: IncomingEdge): boolean => ["extends", "implements", "overrides"].includes(kind);
  const isTest = ({ file }: IncomingEdge): boolean => roleOf(reader, file.record.id) === "test";
  const groups = Map.groupBy(used.edges, (edge) =>
    isHeir(edge) ? "Implemented by" : isTest(edge) ? "Tests" : "Used by",
  );
  if (used.edges.length === 0) return html`<p>Nothing that is known uses it.</p>`;
  return html`${(["Implemented by", "Used by", "Tests"] as const).map((name) => {
    const places = Map.groupBy(groups.get(name) ?? [], ({ file, from }) => from?.id ?? file.record.id);
    if (places.size === 0) return "";
    const count = groups.get(name)?.length;
    return html`<h3>${name} <small>${count}</small></h3><ul class="names">${[...places.values()].map((own) => writePlaces(own, base))}</ul>`;
  })}${writeMore(used.total)}`;
}

function writePlaces(edges: readonly IncomingEdge[], base: string): Html | "" {
  const [first] = edges;
  if (first === undefined) return "";
  const { file, from, kind } = first;
  const { id } = file.record;
  const isGuess = edges.every(({ tier }) => tier === "name");
  const lines = [...new Set(edges.map(({ at }) => at.line))];
  return html`<li><a href="${linkToDocument(base, id, first.at.line)}"><code>${from?.record.path ?? pathOf(id)}</code></a> <small>${from !== undefined && html`<bdi>${pathOf(id)}</bdi>, `}${kind}, line${
    lines.length > 1 && "s"
  } ${lines.map((line, at) => html`${at > 0 && ", "}<a href="${linkToDocument(base, id, line)}">${line}</a>`)}${isGuess && ", a guess by its name"}</small></li>`;
}

function writeMore(total: number): Html | false {
  return total > MAX_PLACES && html`<p class="soft">${total - MAX_PLACES} more.</p>`;
}

function writeSymbol(
  file: FileRecord,
  symbol: SymbolRecord,
  users: Html,
  uses: Awaited<ReturnType<typeof outgoingEdges>>,
  base: string,
  outline: DocumentOutline,
  source: string | undefined,
): Html {
  return html`<p><a href="${linkToOutline(base, file.id)}">All symbols of the file</a></p>
<div id="symbol"><h2><bdi>${symbol.path}</bdi></h2>
${writeLine(file, symbol, outline, base)}
${users}</div>
${source !== undefined && html`<p><a href="${source}">These lines in the repository</a></p>`}
<h2>Uses <small>${uses.total}</small></h2>
${uses.edges.length === 0 && html`<p>Nothing that is known.</p>`}
<ul class="names">${uses.edges.map(({ kind, tier, at, to }) => {
    const facts = html`<small>${kind}, line ${at.line}${tier === "name" && ", a guess by its name"}</small>`;
    if (to.kind === "external") return html`<li><code>${to.name}</code> ${facts}</li>`;
    const [name, href] =
      to.kind === "file"
        ? [pathOf(to.file.record.id), linkToOutline(base, to.file.record.id)]
        : [to.symbol.record.path, linkToOutline(base, to.symbol.inFile.id, { symbol: to.symbol.record.path })];
    const place = to.kind === "symbol" && html`<small><bdi>${pathOf(to.symbol.inFile.id)}</bdi>,</small> `;
    return html`<li><a href="${href}"><code>${name}</code></a> ${place}${facts}</li>`;
  })}</ul>${writeMore(uses.total)}`;
}

const MAX_NAMES = 100;

async function loadTitles(reader: IndexReader, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return new Map((await loadDocuments(reader, [...new Set(ids)])).map(({ id, title }) => [id, title]));
}

/** A list of documents under a heading, by their titles, or else by their paths; nothing for none. */
function writeNames(
  title: string,
  ids: readonly string[],
  base: string,
  titles = new Map<string, string>() as ReadonlyMap<string, string>,
): Html | "" {
  if (ids.length === 0) return "";
  const left = ids.length - MAX_NAMES;
  return html`<h2>${title} <small>${ids.length}</small></h2>
<ul class="names">${ids.slice(0, MAX_NAMES).map((id) => html`<li><a href="${linkToDocument(base, id)}" dir="auto">${titles.get(id) || pathOf(id)}</a></li>`)}</ul>
${left > 0 && html`<p class="soft">${left} more.</p>`}`;
}
