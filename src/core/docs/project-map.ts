/**
 * Project map, an agent's first answer: collections, folders, entry points, packages and their exports; and the ids that
 * the map names, each checked. At most four rounds of reads.
 */

import { readInsights } from "../code/insights.ts";
import { neighboursOf, productPackages, readPackages } from "../code/packages.ts";
import { resolveSymbol } from "../code/resolve-symbol.ts";
import type { Hub } from "../format/insights.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { codeShards } from "../index/shards.ts";
import { compareNames } from "../text/names.ts";
import { type CatalogueName, listDocumentNames } from "./catalogue.ts";
import { loadOutlines, resolveNode } from "./documents.ts";
import { makeUrl, splitNodeId } from "./node-id.ts";

/** Something between backticks: as many behind it as before it, none of their number inside. */
const QUOTED = /(`+)( ?)(.+?)\2\1(?!`)/g;
/** An id, as far as its signs tell. */
const ID = /^[^\s:/]+:(?!\/\/)\S.*$/;

/** Ids of documents, sections and symbols in a text, each once, in its order. */
export function listIds(text: string): string[] {
  const quoted = [...text.matchAll(QUOTED)].map(([, , , inside]) => inside ?? "");
  return [...new Set(quoted.filter((inside) => ID.test(inside)))];
}

/** Those that name no document, section or symbol of the index, in their order. A round of reads, and more for symbols. */
export async function findDeadIds(reader: IndexReader, ids: readonly string[]): Promise<string[]> {
  const outlines = await loadOutlines(
    reader,
    ids.map((id) => splitNodeId(id).documentId),
  );
  const dead: string[] = [];
  for (const [at, id] of ids.entries()) {
    const outline = outlines[at];
    if (outline !== undefined && resolveNode(outline, id) !== undefined) continue;
    // A symbol that begins in the middle of a line has no section of its own.
    if (outline !== undefined && (await resolveSymbol(reader, id)).total === 1) continue;
    dead.push(id);
  }
  return dead;
}

export interface MapPage {
  readonly id: string;
  readonly title: string;
  /** Its address, or `""`. */
  readonly url: string;
}

/** A folder with more of a collection than this, and more than so many pages, is shown by the folders in it. */
const LARGE_SHARE = 0.3;
const LARGE_FOLDER = 20;
/** How deep such folders are taken apart. */
const MAX_DEPTH = 3;
/** Names of the pages that folders begin with. */
const ENTRY_NAME = /^(?:\d+-)?(?:index|readme|overview|introduction)\.\w+$/i;

/** The map of all that the reader's caller may see. */
export async function readProjectMap(reader: IndexReader) {
  const names = await listDocumentNames(reader);
  const { values } = await readInsights(reader);
  const packages = codeShards(reader).length === 0 ? [] : await readPackages(reader);
  const collections = reader.collections.filter(({ documents }) => documents > 0);
  const addresses = new Map(collections.map((collection) => [collection.name, collection]));
  const pageOf = ({ id, title, collection, path }: CatalogueName): MapPage => {
    return { id, title, url: makeUrl(addresses.get(collection), path, "") };
  };
  const byId = new Map(names.map((name) => [name.id, name]));
  return {
    commit: reader.generation.commit,
    collections: collections.map(({ name, kind, version, documents, sections }) => {
      const own = names.filter(({ collection }) => collection === name);
      return {
        name,
        kind,
        version,
        documents,
        sections,
        /** Pages at its root, in the order of their paths. */
        pages: own.filter(({ path }) => !path.includes("/")).map(pageOf),
        /** Its folders in the order of their paths, large ones by the folders in them, each with the page to begin with. */
        folders: listFolders(own).map(({ path, members }) => {
          return { path, documents: members.length, entry: pageOf(entryOf(path, members, own)) };
        }),
      };
    }),
    /** Pages that most others link to. */
    linkHubs: mostLedTo(values.linkHubs.items).flatMap((id) => {
      const name = byId.get(id);
      return name === undefined ? [] : [pageOf(name)];
    }),
    entryPoints: values.entryPoints.items,
    // Styles and pictures are no documents.
    /** Ids of source files that most others import, those first that most do. */
    fileHubs: mostLedTo(values.topHubs.items).filter((id) => byId.has(id)),
    /** The largest first. */
    packages: [...productPackages(packages)]
      .sort((a, b) => b.symbols - a.symbols || compareNames(a.name, b.name))
      .map((entry) => ({
        module: entry.module,
        name: entry.name,
        files: entry.files,
        /** Names of packages that it imports, the heaviest first. */
        imports: neighboursOf(entry, false).imports.list.map((other) => other.name),
        exports: entry.exports.list,
        exportCount: entry.exports.total,
      })),
  };
}

/** See the header. Everything is in the order in which it matters. */
export type ProjectMap = Readonly<Awaited<ReturnType<typeof readProjectMap>>>;

/** Ids of hubs that others lead to, those first that most do. */
function mostLedTo(hubs: readonly Hub[]): string[] {
  return hubs
    .filter(({ fanIn }) => fanIn > 0)
    .sort((a, b) => b.fanIn - a.fanIn)
    .map(({ id }) => id);
}

interface Folder {
  readonly path: string;
  readonly members: readonly CatalogueName[];
}

/** Folders that together hold all pages but those at the root. */
function listFolders(names: readonly CatalogueName[]): Folder[] {
  const split = ({ path, members }: Folder, depth: number): Folder[] => {
    const isLarge = members.length > Math.max(LARGE_FOLDER, names.length * LARGE_SHARE);
    if (depth > 0 && (!isLarge || depth >= MAX_DEPTH)) return [{ path, members }];
    const start = path === "" ? 0 : path.length + 1;
    const below = new Map<string, CatalogueName[]>();
    for (const member of members) {
      const end = member.path.indexOf("/", start);
      const folder = end < 0 ? "" : member.path.slice(0, end);
      const inside = below.get(folder);
      if (inside === undefined) below.set(folder, [member]);
      else inside.push(member);
    }
    const loose = below.get("") ?? [];
    below.delete("");
    // Folders that hold nothing but one folder are no step of the way.
    const next = below.size === 1 && loose.length === 0 ? depth : depth + 1;
    const folders = [...below].flatMap(([folder, inside]) => split({ path: folder, members: inside }, next));
    return loose.length === 0 || path === "" ? folders : [{ path, members: loose }, ...folders];
  };
  return split({ path: "", members: names }, 0);
}

/** The page that a folder begins with: its own by name, the one beside it that is called as it is, or its first. */
function entryOf(path: string, members: readonly CatalogueName[], all: readonly CatalogueName[]): CatalogueName {
  const own = members.find((member) => ENTRY_NAME.test(member.path.slice(path.length + 1)));
  const beside = all.find((other) => other.path.replace(/\.\w+$/, "") === path);
  return own ?? beside ?? (members[0] as CatalogueName);
}
