/** The explorer's tree: collections, folders, documents; a folder a page, small ones open in place. */

import { type CatalogueName, checkCollection, listDocumentNames, listDocuments } from "../../core/docs/catalogue.ts";
import { loadDocuments } from "../../core/docs/documents.ts";
import { splitDocumentId } from "../../core/docs/node-id.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { nearestNames } from "../../core/text/nearest.ts";
import type { AddressParameters } from "../../surface/parameters.ts";
import {
  enterFolder,
  type Folder,
  findFolder,
  listFolders,
  makeFolders,
} from "../../surface/render/picture/fold-graph.ts";
import { formatCount } from "../../surface/render/text.ts";
import { type Html, html } from "./html.ts";
import { EXPLORER_PATH, linkTo, linkToOutline, linkToSourceFolder, TREE_PATH } from "./links.ts";
import {
  type IndexPage,
  OFFSET,
  type Page,
  readPage,
  type Site,
  writeMissing,
  writePaging,
  writeSteps,
} from "./page.ts";
import { graphKindOf } from "./picture-page.ts";

const PARAMETERS = {
  folder: {
    kind: "text",
    default: "",
    description: "id of the folder that is shown",
  },
  q: { kind: "text", default: "", description: "words of title or path" },
  collection: { kind: "text", default: "", description: "only this collection" },
  offset: OFFSET,
} as const satisfies AddressParameters;

export const TREE_PAGE: IndexPage = { path: TREE_PATH, parameters: PARAMETERS, write: writeTreePage };

/** Entries of a folder on a page. */
const PAGE_ENTRIES = 100;
/** Documents of folders that are open in place, on a page; a folder with more opens on its own. */
const MAX_IN_PLACE = 150;
const MAX_FOLDER_IN_PLACE = 40;
/** Entries with which a page still shows the folders in its folders, and so many of each. */
const MAX_OPENED = 12;
const MAX_NEAREST = 5;

/** The page. @throws {InputError} for a collection that is not there. */
async function writeTreePage(reader: IndexReader, site: Site, parameters: URLSearchParams): Promise<Page> {
  const { folder: given, q, collection, offset } = readPage(parameters, PARAMETERS);
  const query = q.trim();
  if (collection !== "") checkCollection(reader, collection);
  if (query !== "") return writeFiltered(reader, site, query, collection, offset);
  const asked = given === "" && collection !== "" ? `${collection}:` : given;
  const names = await listDocumentNames(reader);
  const root = makeFolders(names.map(({ id }) => id));
  const folder = findFolder(root, asked);
  if (folder === undefined) {
    const nearest = nearestNames(asked, listFolders(root), MAX_NEAREST);
    const hrefOf = (name: string): string => linkTo(site.base, TREE_PATH, { folder: name });
    return writeMissing({ what: "folder", name: asked, nearest, hrefOf, current: TREE_PATH, listHref: hrefOf("") });
  }
  const main = await writeFolder(reader, site, names, asked === "" ? enterFolder(folder) : folder, offset);
  return { title: folder.id === "" ? "Documents" : folder.id, current: TREE_PATH, main };
}

async function writeFolder(
  reader: IndexReader,
  { base }: Site,
  names: readonly CatalogueName[],
  folder: Folder,
  offset: number,
): Promise<Html> {
  const total = folder.folders.length + folder.files.length;
  const folders = folder.folders.slice(offset, offset + PAGE_ENTRIES);
  const skipped = Math.max(0, offset - folder.folders.length);
  const files = folder.files.slice(skipped, skipped + PAGE_ENTRIES - folders.length);
  const inPlace = new Set<Folder>();
  let room = MAX_IN_PLACE;
  for (const inner of folders) {
    if (inner.count > Math.min(room, MAX_FOLDER_IN_PLACE)) continue;
    inPlace.add(inner);
    room -= inner.count;
  }
  // Sizes of what is shown at once alone.
  const shown = files.map((at) => (names[at] as CatalogueName).id);
  const loaded = new Map((await loadDocuments(reader, shown)).map((entry) => [entry.id, entry]));
  const describe = ({ id, count }: Folder): string => {
    const documents = formatCount(count, "document");
    // Words are known of whole collections.
    if (id !== "" && !id.endsWith(":")) return documents;
    const whole = reader.collections.filter(({ name }) => id === "" || id === `${name}:`);
    const words = whole.reduce((sum, collection) => sum + collection.words, 0);
    return `${documents}, ${formatCount(words, "word")}`;
  };
  const writeDocument = (at: number): Html => {
    const { id, title, path } = names[at] as CatalogueName;
    const entry = loaded.get(id);
    const file = path.slice(path.lastIndexOf("/") + 1);
    const facts = [
      ...(title === "" || title === path || title === file ? [] : [file]),
      ...(entry === undefined ? [] : [formatCount(entry.words, "word"), formatCount(entry.sections, "section")]),
    ];
    return html`<li class="file"><a href="${linkToOutline(base, id)}" dir="auto">${title === "" ? file : title}</a>${facts.length > 0 && html` <small><bdi>${facts.join(", ")}</bdi></small>`}</li>
`;
  };
  // Where there is little on the page, a step more is shown.
  const isShort = total <= MAX_OPENED;
  const writeFoldersIn = (inner: Folder): Html | "" => {
    const own = inner.folders.slice(0, MAX_OPENED);
    const more = inner.folders.length - own.length;
    if (own.length === 0) return "";
    return html`<ul class="tree">${own.map(
      (one) =>
        html`<li><a href="${linkTo(base, TREE_PATH, { folder: one.id })}">${one.name}</a> <small>${describe(one)}</small></li>
`,
    )}${more > 0 && html`<li class="soft">${formatCount(more, "more folder")}</li>`}</ul>`;
  };
  const writeInner = (inner: Folder): Html => {
    const href = linkTo(base, TREE_PATH, { folder: inner.id });
    const facts = html`<small>${describe(inner)}</small>`;
    if (!inPlace.has(inner))
      return html`<li class="folder"><a href="${href}">${inner.name}</a> ${facts}${isShort && writeFoldersIn(inner)}</li>
`;
    return html`<li class="folder"><details><summary><bdi>${inner.name}</bdi> ${facts}</summary>${writeAll(inner)}</details></li>
`;
  };
  const writeAll = (inner: Folder): Html =>
    html`<ul class="tree">${inner.folders.map(
      (one) => html`<li class="folder"><bdi>${one.name}</bdi>${writeAll(one)}</li>`,
    )}${inner.files.map(writeDocument)}</ul>`;
  const { collection, path } = splitDocumentId(folder.id);
  const own = reader.collections.find(({ name }) => name === collection);
  const source = folder.id === "" ? undefined : linkToSourceFolder(own, path);
  return html`${writeFilter(base, "", "")}
${folder.id !== "" && writeSteps(folder.id, "All", (id) => linkTo(base, TREE_PATH, { folder: id }))}
<p class="soft">${describe(folder)}. ${folder.id !== "" && html`<a href="${linkTo(base, `${EXPLORER_PATH}/graph`, { of: graphKindOf(firstPath(folder, names)), folder: folder.id })}">As a graph</a>`}${source !== undefined && html` · <a href="${source}">In the repository</a>`}</p>
<ul class="tree">${folders.map(writeInner)}${files.map(writeDocument)}</ul>
${writePaging({
  offset,
  limit: PAGE_ENTRIES,
  total,
  linkTo: (next) => linkTo(base, TREE_PATH, { folder: folder.id, offset: next }),
})}`;
}

/** Documents whose title or path holds each word. */
async function writeFiltered(
  reader: IndexReader,
  { base }: Site,
  query: string,
  collection: string,
  offset: number,
): Promise<Page> {
  const { documents, total } = await listDocuments(reader, {
    ...{ query, collection, folder: "", filter: { include: {}, exclude: {} } },
    ...{ sort: "path", offset, limit: PAGE_ENTRIES },
  });
  return {
    title: `Documents with ${query}`,
    heading: html`Documents with <q>${query}</q>`,
    current: TREE_PATH,
    main: html`${writeFilter(base, query, collection)}
<p class="soft">${formatCount(total, "document")} with ${total === 1 ? "it" : "all of it"} in title or path. <a href="${linkTo(base, TREE_PATH, { collection })}">All folders</a></p>
<ul class="tree">${documents.map(
      ({ id, title, words, sections }) =>
        html`<li class="file"><a href="${linkToOutline(base, id)}" dir="auto">${title === "" ? id : title}</a> <small><bdi>${id}</bdi>, ${formatCount(words, "word")}, ${formatCount(sections, "section")}</small></li>
`,
    )}</ul>
${writePaging({
  offset,
  limit: PAGE_ENTRIES,
  total,
  linkTo: (next) => linkTo(base, TREE_PATH, { q: query, collection, offset: next }),
})}`,
  };
}

function writeFilter(base: string, query: string, collection: string): Html {
  return html`<form class="controls" action="${linkTo(base, TREE_PATH)}"><label>Title or path <input type="search" name="q" value="${query}" maxlength="200" autocomplete="off" spellcheck="false"></label>${
    collection !== "" && html`<input type="hidden" name="collection" value="${collection}">`
  } <button>Filter</button></form>`;
}

/** Path of some document in a folder or below. */
function firstPath({ folders, files }: Folder, names: readonly CatalogueName[]): string {
  const [file] = files;
  const [inner] = folders;
  return file === undefined ? (inner === undefined ? "" : firstPath(inner, names)) : (names[file]?.path ?? "");
}
