/** The explorer's outline of a document: sections of a page, symbols of a source file, and what it hangs together with. */

import { findNearestDocuments } from "../../core/docs/catalogue.ts";
import { loadLinks, loadOutline, resolveDocumentId } from "../../core/docs/documents.ts";
import type { DocumentOutline, OutlineSection } from "../../core/docs/model.ts";
import { folderOf, splitNodeId } from "../../core/docs/node-id.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { codeLanguageOf } from "../../core/text/code-languages.ts";
import { nearestNames } from "../../core/text/nearest.ts";
import { formatCount, formatLines } from "../../surface/render/numbers.ts";
import type { Parameters } from "../parameters.ts";
import { TREE_PATH, writePlace } from "./document-place.ts";
import { writeFileOutline } from "./file-outline.ts";
import { type Html, html } from "./html.ts";
import { writeNames } from "./name-list.ts";
import { EXPLORER_PATH, linkTo, linkToDocument, safeLink } from "./navigation.ts";
import { writeMissing } from "./not-there.ts";
import { linkToOutline } from "./outline-link.ts";
import type { Page, Site } from "./page.ts";
import { readPage } from "./page-parameters.ts";
import { graphKindOf } from "./picture-graph.ts";
import { linkToSource } from "./repository-link.ts";

/** Sections that are listed at most. */
const MAX_SECTIONS = 1000;
/** Neighbours that are listed in each direction. */
const MAX_LINKS = 100;
const MAX_NEAREST = 5;

/** Parameters of the page. */
export const OUTLINE_PARAMETERS = {
  symbol: {
    kind: "text",
    description: "path of a symbol: what uses it, and what it uses",
  },
} as const satisfies Parameters;

/** The page of the document that `asked` names, by id or by path. */
export async function writeOutlinePage(
  reader: IndexReader,
  site: Site,
  asked: string,
  parameters: URLSearchParams,
): Promise<Page> {
  const { base } = site;
  const listHref = linkTo(base, TREE_PATH);
  const id = await resolveDocumentId(reader, asked);
  const outline = id === undefined ? undefined : await loadOutline(reader, id);
  if (outline === undefined) {
    const near = await findNearestDocuments(reader, asked, MAX_NEAREST);
    const nearest = near.map((name) => ({ name, href: linkToOutline(base, name) }));
    return writeMissing({ what: "document", name: asked, nearest, current: TREE_PATH, listHref });
  }
  const { document } = outline;
  const { symbol: name } = readPage(parameters, OUTLINE_PARAMETERS);
  const found = await writeParts(reader, base, outline, name);
  if ("names" in found) {
    const nearest = nearestNames(name, found.names, MAX_NEAREST).map((symbol) => ({
      name: symbol,
      href: linkToOutline(base, document.id, { symbol }),
    }));
    const own = linkToOutline(base, document.id);
    return writeMissing({ what: "symbol", name, nearest, current: TREE_PATH, listHref: own });
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
  return { main: html`${writeSections(outline, base)}${await writeLinks(reader, outline, base)}` };
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

function writeSections({ document, sections }: DocumentOutline, base: string): Html {
  const shown = sections.slice(0, MAX_SECTIONS);
  const writeSection = ({
    nodeId,
    title,
    startLine,
    subtreeEndLine,
    words,
    summary,
    children,
    url,
  }: OutlineSection): Html => {
    const own = safeLink(url);
    return html`<li><a href="${linkToDocument(base, document.id, nodeId)}" dir="auto">${title === "" ? "(no heading)" : title}</a> <small>lines ${formatLines(startLine, subtreeEndLine)}, ${formatCount(words, "word")}${
      own !== undefined && own !== document.url && html`, <a href="${own}">page</a>`
    }</small>${summary !== "" && html`<div class="small soft" dir="auto">${summary}</div>`}${writeChildren(children)}</li>
`;
  };
  const writeChildren = (ordinals: readonly number[]): Html | "" => {
    const inner = ordinals.filter((ordinal) => ordinal < shown.length);
    if (inner.length === 0) return "";
    return html`<ul class="tree">${inner.map((ordinal) => writeSection(sections[ordinal] as OutlineSection))}</ul>`;
  };
  const left = sections.length - shown.length;
  return html`<h2>Sections</h2>
${writeChildren(sections[0]?.children ?? []) || html`<p>There are no headings.</p>`}
${left > 0 && html`<p class="soft">${formatCount(left, "section")} more are not listed.</p>`}`;
}

/** Pages that the page links to, and that link to it, each once. */
async function writeLinks(reader: IndexReader, outline: DocumentOutline, base: string): Promise<Html> {
  const links = await loadLinks(reader, outline);
  const own = outline.document.id;
  const idsOf = (nodeIds: readonly string[]): string[] =>
    [...new Set(nodeIds.map((nodeId) => splitNodeId(nodeId).documentId))].filter((id) => id !== own && id !== "");
  const out = idsOf(links.out.filter(({ kind }) => kind === "internal").map(({ toNodeId }) => toNodeId));
  const broken = links.out.filter(({ kind }) => kind === "broken");
  return html`${writeNames("Links to", out, base)}${writeNames("Linked from", idsOf(links.in.map(({ fromNodeId }) => fromNodeId)), base)}
${
  broken.length > 0 &&
  html`<h2>Broken links</h2><ul>${broken
    .slice(0, MAX_LINKS)
    .map(({ href, text }) => html`<li><code>${href}</code> <small dir="auto">${text}</small></li>`)}</ul>`
}`;
}
