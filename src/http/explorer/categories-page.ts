/** The explorer's categories: what subjects there are, what is in one, where a concept is explained. */

import { listDocumentNames } from "../../core/docs/catalogue.ts";
import {
  CATEGORY_ORDERS,
  type CategoryTable,
  categoryShards,
  findCategory,
  findConcept,
  foldCategory,
  listAbove,
  listCategories,
  nearestCategories,
  readCategories,
  readContent,
} from "../../core/docs/categories.ts";
import { loadDocuments, loadOutlines } from "../../core/docs/documents.ts";
import type { Category, DocumentOutline } from "../../core/docs/model.ts";
import { folderOf } from "../../core/docs/node-id.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { codeLanguageOf } from "../../core/text/code-languages.ts";
import { compareNames, labelKey } from "../../core/text/names.ts";
import { formatCount, formatTopicCounts } from "../../surface/render/text.ts";
import { type Html, html } from "./html.ts";
import { EXPLORER_PATH, linkTo, linkToDocument } from "./links.ts";
import { type IndexPage, OFFSET, type Page, readPage, type Site, writeMissing, writePaging } from "./page.ts";

const CATEGORIES_PATH = `${EXPLORER_PATH}/categories`;

const ORDERS = ["tree", ...CATEGORY_ORDERS] as const;
const ORDER_NAMES: Readonly<Record<(typeof ORDERS)[number], string>> = {
  tree: "As a tree",
  name: "By name",
  popularity: "Most used first",
  document_count: "By documents",
  chunk_count: "By sections",
  concept_count: "By concepts",
};
/** Categories of a list, documents of a category, concepts of a category on a page. */
const PAGE_ENTRIES = 50;
const MAX_CATEGORIES = 500;
const MAX_CONCEPTS = 60;
const MAX_PLACES = 30;

const PARAMETERS = {
  sort: { kind: "choice", values: ORDERS, default: ORDERS[0] },
  category: { kind: "text", default: "" },
  concept: { kind: "text", default: "" },
  offset: OFFSET,
} as const;

export const CATEGORIES_PAGE: IndexPage = { path: CATEGORIES_PATH, write: writeCategoriesPage };

/** The page. @throws {InputError} for an order that there is not. */
async function writeCategoriesPage(reader: IndexReader, site: Site, parameters: URLSearchParams): Promise<Page> {
  const { base } = site;
  const { sort, offset, category: name, concept } = readPage(parameters, PARAMETERS);
  if (categoryShards(reader).length === 0) {
    return {
      title: "Categories",
      current: CATEGORIES_PATH,
      main: html`<p>This index has no categories that you can see.</p>`,
    };
  }
  if (concept !== "") return writeConcept(reader, base, concept);
  const table = await readCategories(reader);
  const labels = await labelCategories(reader, table.list);
  if (name !== "") return writeCategory(reader, base, table, name, offset, labels);
  const { categories, stats } = await listCategories(table, sort === "tree" ? "name" : sort, "");
  const shown = categories.slice(0, MAX_CATEGORIES);
  const roots = shown.filter(({ parent }) => parent === undefined);
  const { totalDocuments: documents, totalChunks: chunks, totalConcepts: concepts } = stats;
  return {
    title: "Categories",
    current: CATEGORIES_PATH,
    main: html`<p class="soft">${formatCount(categories.length, "category", "categories")}; together ${formatTopicCounts({ documents, chunks, concepts })}.</p>
<nav aria-label="Order"><ul class="chips">${ORDERS.filter((order) => order !== "document_count").map(
      (order) =>
        html`<li><a class="chip" href="${linkTo(base, CATEGORIES_PATH, { sort: order === "tree" ? "" : order })}"${order === sort && html` aria-current="true"`}>${ORDER_NAMES[order]}</a></li>`,
    )}</ul></nav>
${sort === "tree" ? writeTree(roots, base, new Set(shown), labels) : html`<ul class="tree">${shown.map((one) => html`<li>${nameCategory(one, base, labels)}</li>`)}</ul>`}
${categories.length > shown.length && html`<p class="soft">${categories.length - shown.length} more are not listed.</p>`}`,
  };
}

/** What people call each category. */
export type CategoryLabels = ReadonlyMap<Category, string>;

/** `01-` in front of a name puts folders in order. */
const ORDER = /^\d{1,4}[-_. ]+(?=[^\d\s.])/;

/** Folders are called by the title of their index page, else by the last part of their path; other categories by their name. */
export async function labelCategories(reader: IndexReader, categories: readonly Category[]): Promise<CategoryLabels> {
  const titles = new Map<string, string>();
  for (const { collection, path, title } of await listDocumentNames(reader)) {
    const segments = [collection, ...path.split("/")].map((segment) => segment.replace(ORDER, ""));
    if (title === "" || !/^(?:index|readme)\.[a-z]+$/i.test(segments.pop() ?? "")) continue;
    for (const at of segments.keys()) titles.set(foldCategory(segments.slice(at).join("/")), title);
  }
  const labelOf = ({ name, sources, parent }: Category): string => {
    if (parent === undefined || sources.some((source) => source !== "folder")) return name;
    const last = name.slice(name.lastIndexOf("/") + 1);
    return titles.get(foldCategory(name)) ?? last.charAt(0).toUpperCase() + last.slice(1);
  };
  return new Map(categories.map((category) => [category, labelOf(category)]));
}

function writeTree(
  categories: readonly Category[],
  base: string,
  shown: ReadonlySet<Category>,
  labels: CategoryLabels,
): Html | "" {
  const own = categories.filter((category) => shown.has(category));
  if (own.length === 0) return "";
  const keys = new Map(own.map((category) => [category, labelKey(labels.get(category) ?? "")]));
  own.sort((a, b) => compareNames(keys.get(a) ?? "", keys.get(b) ?? ""));
  return html`<ul class="tree">${own.map(
    (
      category,
    ) => html`<li>${nameCategory(category, base, labels)}${writeTree(category.children, base, shown, labels)}</li>
`,
  )}</ul>`;
}

function nameCategory(category: Category, base: string, labels: CategoryLabels): Html {
  return html`${linkCategory(category, base, labels)} <small>${formatTopicCounts(category.all)}</small>`;
}

function linkCategory(category: Category, base: string, labels: CategoryLabels): Html {
  const { id, name } = category;
  return html`<a href="${linkTo(base, CATEGORIES_PATH, { category: id })}" title="${name}" dir="auto">${labels.get(category) ?? name}</a>`;
}

async function writeCategory(
  reader: IndexReader,
  base: string,
  table: CategoryTable,
  name: string,
  offset: number,
  labels: CategoryLabels,
): Promise<Page> {
  const category = table.list.find(({ id }) => id === name) ?? findCategory(table.list, name);
  if (category === undefined) {
    const nearest = nearestCategories(table.list, name);
    const hrefOf = (near: string): string => linkTo(base, CATEGORIES_PATH, { category: near });
    const listHref = linkTo(base, CATEGORIES_PATH);
    return writeMissing({ what: "category", name, nearest, hrefOf, current: CATEGORIES_PATH, listHref });
  }
  const { counts, documents, concepts } = await readContent(table, category, true);
  const shown = documents.slice(offset, offset + PAGE_ENTRIES);
  const loaded = await loadDocuments(
    reader,
    shown.map(({ id }) => id),
  );
  const titles = new Map(loaded.map(({ id, title }) => [id, title]));
  const above = listAbove(category).slice(1).reverse();
  const { description, aliases, children, related } = category;
  const title = labels.get(category) ?? category.name;
  return {
    title,
    heading: html`<bdi>${title}</bdi>`,
    current: CATEGORIES_PATH,
    main: html`<nav class="place" aria-label="Category"><a href="${linkTo(base, CATEGORIES_PATH)}">Categories</a>${above.map((one) => html` › ${linkCategory(one, base, labels)}`)} › <b>${title}</b></nav>
${description !== "" && html`<p dir="auto">${description}</p>`}
<p class="soft">${formatTopicCounts(counts)}${aliases.length > 0 && `; also called ${aliases.join(", ")}`}.</p>
${children.length > 0 && html`<h2>Categories in it</h2><ul class="tree">${children.map((child) => html`<li>${nameCategory(child, base, labels)}</li>`)}</ul>`}
${related.length > 0 && html`<h2>Related</h2><ul class="chips">${related.map((one) => html`<li>${linkCategory(one, base, labels)}</li>`)}</ul>`}
${
  concepts.length > 0 &&
  html`<h2>Concepts <small>${concepts.length}</small></h2><ul class="chips">${concepts
    .slice(0, MAX_CONCEPTS)
    .map(
      ({ name: own, documents: count }) =>
        html`<li><a class="chip" href="${linkTo(base, CATEGORIES_PATH, { concept: own })}"><bdi>${own}</bdi> <small>${count}</small></a></li>`,
    )}${concepts.length > MAX_CONCEPTS && html`<li class="soft">${concepts.length - MAX_CONCEPTS} more</li>`}</ul>`
}
<h2>Documents <small>${documents.length}</small></h2>
<ul class="tree">${shown.map(
      ({ id, sections }) =>
        html`<li><a href="${linkToDocument(base, id)}" dir="auto">${titles.get(id) || id.slice(folderOf(id).length)}</a> <small><bdi>${id}</bdi>, ${formatCount(sections, "section")}</small></li>
`,
    )}</ul>
${writePaging({
  offset,
  limit: PAGE_ENTRIES,
  total: documents.length,
  linkTo: (next) => linkTo(base, CATEGORIES_PATH, { category: category.id, offset: next }),
})}`,
  };
}

async function writeConcept(reader: IndexReader, base: string, name: string): Promise<Page> {
  const found = await findConcept(reader, name);
  const link = (concept: string): string => linkTo(base, CATEGORIES_PATH, { concept });
  if (!found.ok) {
    const { nearest } = found;
    const listHref = linkTo(base, CATEGORIES_PATH);
    return writeMissing({ what: "concept", name, nearest, hrefOf: link, current: CATEGORIES_PATH, listHref });
  }
  const { concept } = found;
  const places = concept.places.slice(0, MAX_PLACES);
  const outlines = await loadOutlines(
    reader,
    places.map(({ documentId }) => documentId),
  );
  return {
    title: concept.name,
    heading: html`<bdi>${concept.name}</bdi>`,
    current: CATEGORIES_PATH,
    main: html`<p class="soft">${concept.type}; in ${formatCount(concept.documents, "document")} and ${formatCount(concept.chunks, "section")}. <a href="${linkTo(base, `${EXPLORER_PATH}/search`, { q: concept.name })}">Search for it</a></p>
${concept.related.length > 0 && html`<h2>Related</h2><ul class="chips">${concept.related.map((near) => html`<li><a class="chip" href="${link(near)}"><bdi>${near}</bdi></a></li>`)}</ul>`}
<h2>Where it is explained</h2>
<ol>${places.map(
      ({ documentId, section, sections }, at) =>
        html`<li><a href="${linkToPlace(base, documentId, outlines[at], section)}" dir="auto">${outlines[at]?.document.title || documentId}</a> <small><bdi>${documentId}</bdi>, ${formatCount(sections, "section")}</small></li>
`,
    )}</ol>
${concept.documents > places.length && html`<p class="soft">${concept.documents - places.length} more.</p>`}`,
  };
}

/** A section of a page by its anchor; in source files a line, whose part of a long file is found by it. */
function linkToPlace(base: string, documentId: string, outline: DocumentOutline | undefined, ordinal: number): string {
  const section = outline?.sections[ordinal];
  if (outline === undefined || section === undefined || ordinal === 0) return linkToDocument(base, documentId);
  const isSource = codeLanguageOf(outline.document.path) !== undefined;
  return isSource
    ? `${linkToDocument(base, documentId)}#L${section.startLine}`
    : linkToDocument(base, documentId, section.nodeId);
}
