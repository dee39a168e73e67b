/** The explorer's documents: the folders of a folder, and a table of all documents below it that can be sorted and filtered. */

import { type CatalogueName, checkCollection, listDocumentNames } from "../../core/docs/catalogue.ts";
import { loadDocuments } from "../../core/docs/documents.ts";
import { folderOf, splitDocumentId } from "../../core/docs/node-id.ts";
import { InputError } from "../../core/errors.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { compareNames, labelKey } from "../../core/text/names.ts";
import { nearestNames } from "../../core/text/nearest.ts";
import { formatCount, formatNumber } from "../../surface/render/text.ts";
import { graphKindOf } from "./graph-page.ts";
import { type Html, html } from "./html.ts";
import { EXPLORER_PATH, linkTo, linkToDocument, linkToSourceFolder, type Parameters, TREE_PATH } from "./links.ts";
import {
  type IndexPage,
  OFFSET,
  type Page,
  readPage,
  type Site,
  writeMissing,
  writePaging,
  writeSortHead,
  writeSteps,
} from "./page.ts";

const SORTS = ["path", "title", "words", "sections"] as const;

const PARAMETERS = {
  folder: { kind: "text", default: "" },
  q: { kind: "text", default: "" },
  collection: { kind: "text", default: "" },
  sort: { kind: "choice", values: SORTS, default: SORTS[0] },
  offset: OFFSET,
} as const;

export const TREE_PAGE: IndexPage = { path: TREE_PATH, write: writeTreePage };

const PAGE_ENTRIES = 100;
/** Documents that are sorted by their sections at most: these are read one by one. */
const MAX_COUNTED = 1000;
const MAX_NEAREST = 5;

/** The page. @throws {InputError} for a collection that is not there, and where too many documents are sorted by sections. */
async function writeTreePage(reader: IndexReader, { base }: Site, parameters: URLSearchParams): Promise<Page> {
  const { folder: given, q, collection, sort, offset } = readPage(parameters, PARAMETERS);
  const query = q.trim();
  if (collection !== "") checkCollection(reader, collection);
  const names = await listDocumentNames(reader);
  const asked = given === "" && collection !== "" ? `${collection}:` : given;
  const link = (changed: Parameters): string =>
    linkTo(base, TREE_PATH, { folder: asked, q: query, sort: sort === "path" ? "" : sort, ...changed });
  const below = asked === "" || /[:/]$/.test(asked) ? asked : `${asked}/`;
  const all = names.filter(({ id }) => id.startsWith(below));
  if (all.length === 0 && asked !== "") {
    const nearest = nearestNames(asked, listFolders(names), MAX_NEAREST);
    const hrefOf = (folder: string): string => linkTo(base, TREE_PATH, { folder });
    return writeMissing({ what: "folder", name: asked, nearest, hrefOf, current: TREE_PATH, listHref: hrefOf("") });
  }
  const folder = asked === "" ? enterFolder(all) : below;
  const words = query.toLowerCase().split(/\s+/);
  const wanted = all.filter(({ title, path }) => {
    const text = `${title} ${path}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (sort === "sections" && wanted.length > MAX_COUNTED) {
    const message = `Of at most ${formatNumber(MAX_COUNTED)} documents the sections are compared, and there are ${formatNumber(wanted.length)}. Choose a folder.`;
    throw new InputError(message, [], "sort=words");
  }
  const inFolder = folder === "" ? "" : ` in ${/[^:/]*[:/]$/.exec(folder)?.[0].replace(/[:/]$/, "")}`;
  const title = `Documents${query === "" ? "" : ` with ${query}`}${inFolder}`;
  return {
    title,
    current: TREE_PATH,
    isWide: true,
    main: html`${writeFilter(base, query, asked)}
${folder !== "" && writeSteps(folder, "All", (id) => linkTo(base, TREE_PATH, { folder: id }))}
<p class="soft">${describeFolder(reader, folder, wanted.length, query)} <a href="${linkTo(base, `${EXPLORER_PATH}/graph`, { of: graphKindOf(all[0]?.path ?? ""), folder })}">As a graph</a>${writeSource(reader, folder)}</p>
${query === "" && writeFolders(folder, all, base)}
${await writeTable(reader, wanted, { folder, sort, offset, base, link })}
${writePaging({ offset, limit: PAGE_ENTRIES, total: wanted.length, linkTo: (next) => link({ offset: next }) })}`,
  };
}

/** Words are known of whole collections alone. */
function describeFolder({ collections }: IndexReader, folder: string, count: number, query: string): string {
  const documents = formatCount(count, "document");
  const own = collections.filter(({ name }) => folder === "" || folder === `${name}:`);
  if (query !== "" || own.length === 0) return `${documents}.`;
  return `${documents}, ${formatCount(
    own.reduce((sum, { words }) => sum + words, 0),
    "word",
  )}.`;
}

function writeSource({ collections }: IndexReader, folder: string): Html | "" {
  const { collection, path } = splitDocumentId(folder);
  const source = linkToSourceFolder(
    collections.find(({ name }) => name === collection),
    path,
  );
  return folder === "" || source === undefined ? "" : html` · <a href="${source}">In the repository</a>`;
}

/** Folders directly in a folder, with how many documents are below them. */
function writeFolders(folder: string, all: readonly CatalogueName[], base: string): Html | "" {
  const inner = Map.groupBy(all, ({ id }) => stepBelow(id, folder));
  inner.delete("");
  if (inner.size === 0) return "";
  return html`<ul class="chips" aria-label="Folders">${[...inner].map(
    ([step, { length }]) =>
      html`<li><a class="chip" href="${linkTo(base, TREE_PATH, { folder: folder + step })}"><bdi>${step}</bdi> <small>${formatNumber(length)}</small></a></li>`,
  )}</ul>`;
}

interface TableSetting {
  readonly folder: string;
  readonly sort: (typeof SORTS)[number];
  readonly offset: number;
  readonly base: string;
  readonly link: (changed: Parameters) => string;
}

async function writeTable(
  reader: IndexReader,
  names: readonly CatalogueName[],
  { folder, sort, offset, base, link }: TableSetting,
): Promise<Html | ""> {
  if (names.length === 0) return "";
  const titleOf = ({ title, id }: CatalogueName): string => title || id.slice(folderOf(id).length);
  const keys = new Map(sort === "title" ? names.map((name) => [name.id, labelKey(titleOf(name))]) : []);
  const load = async (some: readonly CatalogueName[]) =>
    new Map(
      (
        await loadDocuments(
          reader,
          some.map(({ id }) => id),
        )
      ).map((entry) => [entry.id, entry]),
    );
  // What is known of all of them is off by a few percent: it chooses the page, whose order is exact.
  let known = sort === "sections" ? await load(names) : new Map<string, { sections: number; words: number }>();
  const weigh = ({ id, words }: CatalogueName): number =>
    sort === "words" ? (known.get(id)?.words ?? words) : (known.get(id)?.sections ?? 0);
  const compare = (a: CatalogueName, b: CatalogueName): number =>
    sort === "title" ? compareNames(keys.get(a.id) ?? "", keys.get(b.id) ?? "") : weigh(b) - weigh(a);
  const sorted = sort === "path" ? names : names.toSorted(compare);
  const page = sorted.slice(offset, offset + PAGE_ENTRIES);
  known = await load(page);
  if (sort === "words") page.sort(compare);
  const head = (name: (typeof SORTS)[number], label: string): Html =>
    writeSortHead(
      label,
      name === sort,
      link({ sort: name === "path" ? "" : name }),
      name === "words" || name === "sections",
    );
  return html`<div class="table" tabindex="0" role="region" aria-label="Documents"><table class="cards">
<thead><tr>${head("title", "Title")}${head("words", "Words")}${head("sections", "Sections")}${head("path", "Path")}</tr></thead>
<tbody>${page.map((name) => {
    const entry = known.get(name.id);
    const cell = (label: string, value = 0): Html =>
      html`<td class="number" data-label="${label}">${formatNumber(value)}</td>`;
    return html`<tr><th scope="row"><a href="${linkToDocument(base, name.id)}" dir="auto">${titleOf(name)}</a></th>${cell("Words", entry?.words)}${cell("Sections", entry?.sections)}<td class="small soft"><bdi>${name.id.slice(folder.length)}</bdi></td></tr>
`;
  })}</tbody></table></div>`;
}

function writeFilter(base: string, query: string, folder: string): Html {
  return html`<form class="controls" action="${linkTo(base, TREE_PATH)}"><label>Title or path <input type="search" name="q" value="${query}" maxlength="200" autocomplete="off" spellcheck="false"></label>${
    folder !== "" && html`<input type="hidden" name="folder" value="${folder}">`
  } <button>Filter</button></form>`;
}

/** `guide/` of `docs:guide/install.md` below `docs:`; `""` of a document directly in the folder. */
function stepBelow(id: string, folder: string): string {
  return /^[^:/]*[:/]/.exec(id.slice(folder.length))?.[0] ?? "";
}

/** The deepest folder that holds all of some documents. */
function enterFolder(all: readonly CatalogueName[]): string {
  for (let folder = ""; ; ) {
    const [step = "", ...others] = new Set(all.map(({ id }) => stepBelow(id, folder)));
    if (step === "" || others.length > 0) return folder;
    folder += step;
  }
}

function listFolders(names: readonly CatalogueName[]): string[] {
  const folders = new Set<string>();
  for (const { id } of names) {
    for (const { index } of id.matchAll(/[:/]/g)) folders.add(id.slice(0, index + 1));
  }
  return [...folders];
}
