/**
 * Catalogue of all documents that a caller may see: lists, counts by facet, nearest names, and documents that the build's
 * scan warns of (instructions to models, hidden text, secrets), so an answer can say so next to a quotation. And which pages link to
 * which, what the picture of pages is drawn from.
 */

import { textOfKey } from "../bytes/key.ts";
import { InputError } from "../errors.ts";
import { type LoggedFinding, SCAN_SOURCE } from "../format/build-log.ts";
import { decodeLinks } from "../format/document-records.ts";
import { collectionOf, hasDocument } from "../format/locator.ts";
import { areFlatWithin } from "../format/table.ts";
import { entriesOf, type IndexReader, type TableRead } from "../index/index-reader.ts";
import { readVisibleLog } from "../index/read-log.ts";
import { readWithResident, residentTable } from "../index/resident.ts";
import { groupShards } from "../index/shards.ts";
import { codeLanguageOf } from "../text/code-languages.ts";
import { compareNames, labelKey } from "../text/names.ts";
import { nearestNames, quoteName } from "../text/nearest.ts";
import { loadDocuments } from "./documents.ts";
import { checkFilter, countFacets, type DocumentSet, selectDocuments } from "./facets.ts";
import { type DocumentEntry, type FacetFilter, isEmptyFilter } from "./model.ts";
import { makeDocumentId, pathOf, splitNodeId } from "./node-id.ts";

/** Names that an error offers. */
const NEAREST = 5;

interface ListRequest {
  /** Only documents whose title or path holds every word of this; `""` = all. */
  readonly query: string;
  /** Only this collection; `""` = all. */
  readonly collection: string;
  /** Only documents below this folder (`guide`, without a slash at its end); `""` = all. */
  readonly folder: string;
  readonly filter: FacetFilter;
  readonly sort: "path" | "title" | "words";
  readonly offset: number;
  readonly limit: number;
}

/**
 * A page of the catalogue with facet counts.
 *
 * @throws {InputError} for facets that do not exist.
 */
export async function listDocuments(reader: IndexReader, request: ListRequest) {
  await readWithResident(reader, ["titles", "facets", "locator"]);
  checkFilter(reader, request.filter);
  const words = request.query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const rows: (CatalogueRow & { readonly shard: number; readonly number: number })[] = [];
  const members = new Map<number, DocumentSet>();
  for (const { index, root } of reader.shards) {
    const selected = isEmptyFilter(request.filter) ? undefined : selectDocuments(reader, index, request.filter);
    const set = new Uint8Array(root.slots);
    const locator = residentTable(reader, index, "locator");
    for (const [number, name] of residentTable(reader, index, "titles").entries()) {
      if (!hasDocument(locator, number) || selected?.[number] === 0) continue;
      const collection = reader.collectionAt(collectionOf(locator, number));
      if (request.collection !== "" && collection.name !== request.collection) continue;
      if (!isBelow(name.path, request.folder)) continue;
      const text = `${name.title} ${name.path}`.toLowerCase();
      if (!words.every((word) => text.includes(word))) continue;
      set[number] = 1;
      const id = makeDocumentId(collection.name, name.path);
      rows.push({ shard: index, number, id, title: name.title, words: locator.bodies[number] as number });
    }
    members.set(index, set);
  }
  sortRows(rows, request.sort);
  const page = rows.slice(request.offset, request.offset + request.limit);
  const ids = page.map(({ id }) => id);
  return {
    documents: await loadDocuments(reader, ids),
    /** Documents selected, before paging. */
    total: rows.length,
    /** Counts inside the selection. */
    facetCounts: countFacets(reader, members),
    /** Counts over everything visible. */
    catalogueFacetCounts: countFacets(reader),
  };
}

/** A document by its names, as the resident tables hold them: its words are off by a few percent. */
export type CatalogueName = Pick<DocumentEntry, "id" | "collection" | "path" | "title" | "words">;

/** Names of all visible documents, by collection and path. Reads the resident tables only. */
export async function listDocumentNames(reader: IndexReader): Promise<CatalogueName[]> {
  await readWithResident(reader, ["titles", "locator"]);
  const placed = reader.shards.flatMap(({ index }) => {
    const locator = residentTable(reader, index, "locator");
    return [...residentTable(reader, index, "titles").entries()].flatMap(([number, name]) => {
      if (!hasDocument(locator, number)) return [];
      const at = collectionOf(locator, number);
      const collection = reader.collectionAt(at).name;
      const id = makeDocumentId(collection, name.path);
      return [{ at, entry: { id, collection, ...name, words: Math.round(locator.bodies[number] as number) } }];
    });
  });
  return placed.sort((a, b) => a.at - b.at || compareNames(a.entry.path, b.entry.path)).map(({ entry }) => entry);
}

/**
 * Ids of documents that a wrong id may have meant, best first: the same path in several collections, the same file
 * name elsewhere, then similar paths, file names and titles.
 */
export async function findNearestDocuments(reader: IndexReader, wrongId: string, count: number): Promise<string[]> {
  const documents = await listDocumentNames(reader);
  const path = pathOf(wrongId.includes(":") ? wrongId : `:${wrongId}`).replaceAll("\\", "/");
  const fileName = fileNameOf(path);
  const ids = (matches: (document: CatalogueName) => boolean): string[] =>
    documents.filter(matches).map((document) => document.id);
  const near = (wanted: string, keyOf: (document: CatalogueName) => string): string[] => {
    const byKey = new Map<string, string[]>();
    for (const document of documents) {
      const key = keyOf(document);
      const same = byKey.get(key);
      if (same === undefined) byKey.set(key, [document.id]);
      else same.push(document.id);
    }
    return nearestNames(wanted, byKey.keys(), count).flatMap((key) => byKey.get(key) ?? []);
  };
  const found = [
    ...ids((document) => document.path === path),
    ...ids((document) => document.path.endsWith(`/${path}`)),
    ...ids((document) => fileNameOf(document.path) === fileName),
    ...near(path, (document) => document.path),
    ...near(fileName, (document) => fileNameOf(document.path)),
    ...near(path, (document) => document.title),
  ];
  return [...new Set(found)].slice(0, count);
}

/** Refuse a collection that the caller cannot see. @throws {InputError} with those there are. */
export function checkCollection(reader: IndexReader, name: string): void {
  const known = reader.collections.map((collection) => collection.name);
  if (known.includes(name)) return;
  const near = nearestNames(name, known, NEAREST);
  throw new InputError(`There is no collection ${quoteName(name)}.`, near.length > 0 ? near : known.slice(0, NEAREST));
}

function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Whether a path lies in a folder, which `""` is for all. */
export function isBelow(path: string, folder: string): boolean {
  return folder === "" || path.startsWith(`${folder}/`);
}

type CatalogueRow = Pick<DocumentEntry, "id" | "title" | "words">;

function sortRows(rows: CatalogueRow[], sort: ListRequest["sort"]): void {
  const keys = new Map(rows.map((row) => [row, sort === "title" ? labelKey(row.title) : ""]));
  const keyOf = (row: CatalogueRow): string => keys.get(row) ?? "";
  const wordsOf = ({ words }: CatalogueRow): number => (sort === "words" ? words : 0);
  rows.sort((a, b) => wordsOf(b) - wordsOf(a) || compareNames(keyOf(a), keyOf(b)) || compareNames(a.id, b.id));
}

/** A document with findings, in words: `secret in line 3`. */
export interface MarkedDocument {
  readonly id: string;
  readonly path: string;
  readonly findings: readonly string[];
}

/** About what a document with findings takes in memory. */
const MARK_BYTES = 300;
const KEPT_NAME = "findings";

/**
 * Documents that the scan warns of, as far as the caller sees them. None where the log cannot be read: it is no part of an
 * answer, and the next call looks again.
 */
export async function loadMarked(reader: IndexReader): Promise<readonly MarkedDocument[]> {
  if (reader.index.generation.diagnostics === 0) return [];
  const known = reader.recallKept(KEPT_NAME) as readonly MarkedDocument[] | undefined;
  if (known !== undefined) return known;
  try {
    const marked = listMarked((await readVisibleLog(reader)).diagnostics);
    reader.keep(KEPT_NAME, marked, MARK_BYTES * (1 + marked.length));
    return marked;
  } catch {
    return [];
  }
}

function listMarked(diagnostics: readonly LoggedFinding[]): readonly MarkedDocument[] {
  const found = new Map<string, { readonly path: string; readonly findings: string[] }>();
  for (const { tool, severity, collection, path, code, line } of diagnostics) {
    if (tool !== SCAN_SOURCE || severity === "info") continue;
    const id = makeDocumentId(collection, path);
    const one = found.get(id) ?? { path, findings: [] };
    one.findings.push(line > 0 ? `${code} in line ${line}` : `${code} in its name`);
    found.set(id, one);
  }
  return Array.from(found, ([id, { path, findings }]) => ({ id, path, findings }));
}

/** Tables of more bytes, of all shards together, are not read at once. */
const MAX_WHOLE_BYTES = 2 * 1024 * 1024;
/** About what a link takes in memory. */
const LINK_MEMORY = 80;

/**
 * The graph of pages: their document ids, with titles beside them, and which link to which, by their places in the list: each pair once,
 * none to itself. Undefined where its table is too large to be read at once. Two waves, none where all is in memory.
 */
export async function readPageLinks(reader: IndexReader) {
  const directories = reader.shards.map(({ root }) => root.tables.links);
  if (!areFlatWithin(directories, MAX_WHOLE_BYTES)) return undefined;
  const names = await listDocumentNames(reader);
  const pages = names.filter(({ path }) => codeLanguageOf(path) === undefined);
  const placeOf = new Map(pages.map(({ id }, at) => [id, at]));
  const links: { from: number; to: number; typeOnly: false }[] = [];
  for (const [id, targets] of await readTargets(reader)) {
    const from = placeOf.get(id);
    for (const target of targets) {
      const to = placeOf.get(target);
      if (from !== undefined && to !== undefined && from !== to) links.push({ from, to, typeOnly: false });
    }
  }
  return { ids: pages.map(({ id }) => id), titles: pages.map(({ title }) => title), links };
}

/** Documents that each document links to, once each. */
async function readTargets(reader: IndexReader): Promise<ReadonlyMap<string, readonly string[]>> {
  const targets = new Map<string, readonly string[]>();
  const shards = groupShards(reader);
  const missing = shards.filter(({ index }) => reader.recall(nameOf(index)) === undefined);
  const reads = missing.map(({ index }): TableRead => ({ shard: index, table: "links", keys: "all" }));
  const { tables } = await reader.read(reads);
  for (const [at, { index }] of missing.entries()) {
    const own = new Map<string, readonly string[]>();
    for (const [key, value] of entriesOf(tables[at] ?? [])) {
      const internal = decodeLinks(value).out.flatMap(({ target, kind }) =>
        kind === "internal" ? [splitNodeId(target).documentId] : [],
      );
      own.set(textOfKey(key), [...new Set(internal)]);
    }
    const count = [...own.values()].reduce((sum, list) => sum + list.length + 1, 0);
    reader.remember(nameOf(index), own, count * LINK_MEMORY);
  }
  for (const { index } of shards) {
    const own = reader.recall(nameOf(index)) as ReadonlyMap<string, readonly string[]>;
    for (const [id, list] of own) targets.set(id, list);
  }
  return targets;
}

function nameOf(shard: number): string {
  return `page-links/${shard}`;
}
