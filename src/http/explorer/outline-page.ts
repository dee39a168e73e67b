/** What is around a document: links of a page, imports of a source file in both directions, and who uses one symbol of it. */

import { type IncomingEdge, incomingEdges, mentionsOf } from "../../core/code/edges.ts";
import { loadFile } from "../../core/code/load-files.ts";
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
import { pathOf, splitNodeId } from "../../core/docs/node-id.ts";
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
import { previewSignature } from "../../surface/render/symbols.ts";
import { formatLines } from "../../surface/render/text.ts";
import { graphKindOf } from "./graph-page.ts";
import { type Html, html } from "./html.ts";
import {
  EXPLORER_PATH,
  linkTo,
  linkToDocument,
  linkToOutline,
  linkToSource,
  OUTLINE_PATH,
  TREE_PATH,
} from "./links.ts";
import { type IndexPage, type Page, readPage, type Site, writeMissing, writePlace } from "./page.ts";

const MAX_LINKS = 100;
const MAX_NEAREST = 5;

const PARAMETERS = {
  symbol: {
    kind: "text",
    default: "",
  },
} as const;

export const OUTLINE_PAGE: IndexPage = { path: `${OUTLINE_PATH}*`, write: writeOutlinePage };

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
    main: html`${writeHead(outline, base)}${found.main}`,
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

function writeHead({ document }: DocumentOutline, base: string): Html {
  const { id, path } = document;
  const graph = linkTo(base, `${EXPLORER_PATH}/graph`, { of: graphKindOf(path), focus: id });
  return html`${writePlace(document, base)}
<p class="soft"><a href="${linkToDocument(base, id)}">Text</a> · <a href="${graph}">In the graph</a></p>`;
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

const MAX_PLACES = 100;
const MAX_PAGES = 12;

type FileOutline = { readonly main: Html } | { readonly names: readonly string[] };

/** What a file imports and what imports it; with the path of a symbol, what leads to that. */
async function writeFileOutline(
  reader: IndexReader,
  base: string,
  outline: DocumentOutline,
  symbolPath: string,
): Promise<FileOutline> {
  const { id } = outline.document;
  const file = await loadFile(reader, id);
  if (file === undefined) return { main: html`<p>It was not read as source code.</p>` };
  const { symbols } = file.record;
  const at = symbolPath === "" ? -1 : symbols.findIndex(({ path }) => path === symbolPath);
  if (symbolPath !== "" && at < 0) return { names: symbols.map(({ path }) => path) };
  const symbol = symbols[at];
  if (symbol !== undefined) {
    const page = { offset: 0, limit: MAX_PLACES };
    const symbolId = makeSymbolId(file.record, symbol);
    const [used, pages] = await Promise.all([
      incomingEdges(reader, [{ id: symbolId }], {}, page),
      writePages(reader, symbolId, base),
    ]);
    const source = linkToSource(reader.collections, outline.document, {
      start: symbol.start.line,
      end: symbol.end.line,
    });
    const users = writeUsers(reader, used, base);
    return { main: writeSymbol(file.record, symbol, html`${users}${pages}`, base, outline, source) };
  }
  return {
    main: html`${writeNeighbours(await readFileNeighbours(reader, file), base)}`,
  };
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
  if (imports.length + importedBy.length + externals.length === 0)
    return html`<p>No file is imported by it, or imports it.</p>`;
  return html`${writeNames("Imports", imports, base)}${writeNames("Imported by", importedBy, base)}${
    externals.length > 0 &&
    html`<h2>From outside <small>${externals.length}</small></h2>
<ul class="names">${externals.slice(0, MAX_LINKS).map((name) => html`<li><code>${name}</code></li>`)}</ul>`
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
  base: string,
  outline: DocumentOutline,
  source: string | undefined,
): Html {
  return html`<p><a href="${linkToOutline(base, file.id)}">Imports of the file</a></p>
<div id="symbol"><h2><bdi>${symbol.path}</bdi></h2>
${writeLine(file, symbol, outline, base)}
${users}</div>
${source !== undefined && html`<p><a href="${source}">These lines in the repository</a></p>`}`;
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
