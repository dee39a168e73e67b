/**
 * The catalogue and the section trees: list documents, outline one, read its text, follow its links.
 *
 * Every function takes the reader of one request and asks for all it needs in as few waves as its data allows.
 */
import { type ByteKey, keyOf, textOfKey } from "../bytes/key.ts";
import { decodeJson } from "../bytes/reader.ts";
import { FormatError } from "../errors.ts";
import { shapeOf } from "../format/json-shape.ts";
import { type BlockPlace, findBlock, type LocatedDocument } from "../format/locator.ts";
import { FIRST_TEXT_UNIT } from "../format/postings.ts";
import type { CollectionInfo } from "../format/collection.ts";
import { type BlockRead, findInChunks, type IndexReader, type TableRead } from "../index/index-reader.ts";
import { readWithResident, residentTable } from "../index/resident.ts";
import { nearestNames } from "../text/nearest.ts";
import { countFacets, type DocumentSet, isEmptyFilter, checkFilter, selectDocuments } from "./facets.ts";
import type {
  DocumentEntry,
  DocumentOutline,
  FacetCounts,
  FacetFilter,
  LinkEntry,
  OutlineSection,
  SectionText,
} from "./model.ts";
import { makeDocumentId, makeNodeId, makeUrl, splitDocumentId } from "./node-id.ts";

const checkDocument = shapeOf("table documents");
const checkSections = shapeOf("table sections");
const checkLinks = shapeOf("table links");

/** A document's place in the index. */
interface FoundDocument {
  readonly shard: number;
  readonly number: number;
  readonly entry: DocumentEntry;
  /** Bytes of frontmatter. */
  readonly skip: number;
}

/** Which documents to list. */
export interface ListRequest {
  /** Only documents whose title or path holds every word of this; `""` = all. */
  readonly query: string;
  /** Only this collection; `""` = all. */
  readonly collection: string;
  /** Only documents below this folder; `""` = all. */
  readonly pathPrefix: string;
  readonly filter: FacetFilter;
  readonly sort: "path" | "title" | "words";
  readonly offset: number;
  readonly limit: number;
}

/** A page of the catalogue. */
export interface DocumentList {
  readonly documents: readonly DocumentEntry[];
  /** Documents selected, before paging. */
  readonly total: number;
  /** Counts inside the selection. */
  readonly facetCounts: FacetCounts;
  /** Counts over everything visible. */
  readonly catalogueFacetCounts: FacetCounts;
}

/** One document by its id, or undefined. */
export async function loadDocument(reader: IndexReader, documentId: string): Promise<DocumentEntry | undefined> {
  const [found] = await findDocuments(reader, [documentId]);
  return found?.entry;
}

/** A document with its whole section tree, or undefined. */
export async function loadOutline(reader: IndexReader, documentId: string): Promise<DocumentOutline | undefined> {
  const found = await loadDocumentAndSections(reader, documentId);
  return found === undefined ? undefined : { document: found.document.entry, sections: found.sections };
}

/** The section that an id names inside an outline: full or short, by slug path or as `#n3`; undefined when none does. */
export function resolveNode(outline: DocumentOutline, nodeId: string): OutlineSection | undefined {
  const written = nodeId.startsWith(outline.document.id) ? nodeId.slice(outline.document.id.length) : nodeId;
  const short = written.replace(/^#/, "");
  if (short === "") return outline.sections[0];
  const exact = outline.sections.find((section) => section.nodeId === `${outline.document.id}#${short}`);
  if (exact !== undefined) return exact;
  const ordinal = /^n(\d{1,7})$/.exec(short);
  return ordinal === null ? undefined : outline.sections[Number(ordinal[1])];
}

/**
 * Exact source text of some sections, in the order asked for. Each is the section's own text without its children;
 * the root's comes without frontmatter.
 */
export async function readSections(
  reader: IndexReader,
  outline: DocumentOutline,
  ordinals: readonly number[],
): Promise<SectionText[]> {
  const found = await loadDocumentAndSections(reader, outline.document.id, true);
  if (found === undefined) return [];
  const { shard, number, skip } = found.document;
  const located = residentTable(reader, shard, "locator")[number];
  if (located === undefined) throw new FormatError("locator", { code: "malformed", reason: `no document ${number}` });
  const wanted = ordinals.map((ordinal) => unitsOfSection(found.unitCounts, ordinal));
  const texts = await readUnits(reader, shard, number, located, wanted.flat());
  return ordinals.map((ordinal, index) => {
    const own = (wanted[index] as number[]).map((unit) => texts.get(unit) ?? "").join("");
    return { section: outline.sections[ordinal] as OutlineSection, text: ordinal === 0 ? withoutFrontmatter(own, skip) : own };
  });
}

/** Lines `startLine` to `endLine` (1-based, inclusive) of a document as they stand in the file. */
export async function readLines(
  reader: IndexReader,
  outline: DocumentOutline,
  startLine: number,
  endLine: number,
): Promise<string> {
  const found = await loadDocumentAndSections(reader, outline.document.id, true);
  if (found === undefined) return "";
  const covering = outline.sections.filter((section) => section.startLine <= endLine && section.endLine >= startLine);
  const first = covering[0];
  if (first === undefined) return "";
  const { shard, number } = found.document;
  const located = residentTable(reader, shard, "locator")[number];
  if (located === undefined) throw new FormatError("locator", { code: "malformed", reason: `no document ${number}` });
  const units = covering.flatMap((section) => unitsOfSection(found.unitCounts, section.ordinal));
  const texts = await readUnits(reader, shard, number, located, units);
  const text = units.map((unit) => texts.get(unit) ?? "").join("");
  return text.split(/(?<=\n)/).slice(startLine - first.startLine, endLine - first.startLine + 1).join("");
}

/** Links from and to a document's sections. */
export async function loadLinks(
  reader: IndexReader,
  documentId: string,
): Promise<{ readonly out: readonly LinkEntry[]; readonly in: readonly LinkEntry[] }> {
  const outline = await loadOutline(reader, documentId);
  if (outline === undefined) return { out: [], in: [] };
  const key = keyOf(documentId);
  const wave = await reader.read(reader.shards.map(({ index }): TableRead => ({ shard: index, table: "links", keys: [key] })));
  const bytes = wave.tables.map((chunks) => findInChunks(chunks, key)).find((value) => value !== undefined);
  if (bytes === undefined) return { out: [], in: [] };
  const record = checkLinks.record(decodeJson(bytes, "table links"));
  const nodeIdAt = (ordinal: unknown): string => outline.sections[checkLinks.count(ordinal)]?.nodeId ?? documentId;
  return {
    out: checkLinks.array(record.o).map((row) => {
      const [section, target, href, text, kind] = checkLinks.array(row, 5);
      return {
        fromNodeId: nodeIdAt(section),
        toNodeId: checkLinks.string(target),
        href: checkLinks.string(href),
        text: checkLinks.string(text),
        kind: kind === "internal" || kind === "broken" ? kind : "external",
      };
    }),
    in: checkLinks.array(record.i).map((row) => {
      const [from, section] = checkLinks.array(row, 2);
      return { fromNodeId: checkLinks.string(from), toNodeId: nodeIdAt(section), href: "", text: "", kind: "internal" };
    }),
  };
}

/**
 * A page of the catalogue with facet counts.
 *
 * @throws {InputError} for facets that do not exist.
 */
export async function listDocuments(reader: IndexReader, request: ListRequest): Promise<DocumentList> {
  await readWithResident(reader, ["titles", "facets", "locator"]);
  checkFilter(reader, request.filter);
  const words = request.query.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const rows: { shard: number; number: number; id: string; title: string; words: number }[] = [];
  const members = new Map<number, DocumentSet>();
  for (const { index, root } of reader.shards) {
    const selected = isEmptyFilter(request.filter) ? undefined : selectDocuments(reader, index, request.filter);
    const set = new Uint8Array(root.slots);
    const locator = residentTable(reader, index, "locator");
    for (const [number, name] of residentTable(reader, index, "titles").entries()) {
      const located = locator[number];
      if (name === undefined || located === undefined || selected?.[number] === 0) continue;
      const collection = reader.collectionAt(located.collection);
      if (request.collection !== "" && collection.name !== request.collection) continue;
      if (!isBelow(name.path, request.pathPrefix)) continue;
      const text = `${name.title} ${name.path}`.toLowerCase();
      if (!words.every((word) => text.includes(word))) continue;
      set[number] = 1;
      const id = makeDocumentId(collection.name, name.path);
      rows.push({ shard: index, number, id, title: name.title, words: located.lengths.body });
    }
    members.set(index, set);
  }
  rows.sort((a, b) => compareRows(a, b, request.sort));
  const page = rows.slice(request.offset, request.offset + request.limit);
  const found = await findDocuments(
    reader,
    page.map((row) => row.id),
  );
  return {
    documents: found.map(({ entry }) => entry),
    total: rows.length,
    facetCounts: countFacets(reader, (shard, document) => members.get(shard)?.[document] === 1),
    catalogueFacetCounts: countFacets(reader, () => true),
  };
}

/** Ids of all visible documents, with collection and path. Reads the resident titles. */
export async function listDocumentIds(
  reader: IndexReader,
): Promise<{ readonly id: string; readonly collection: string; readonly path: string; readonly title: string }[]> {
  await readWithResident(reader, ["titles", "locator"]);
  return reader.shards.flatMap(({ index }) => {
    const locator = residentTable(reader, index, "locator");
    return residentTable(reader, index, "titles").flatMap((name, number) => {
      const located = locator[number];
      if (name === undefined || located === undefined) return [];
      const collection = reader.collectionAt(located.collection).name;
      return [{ id: makeDocumentId(collection, name.path), collection, path: name.path, title: name.title }];
    });
  });
}

/** The id of the document that a text names: an id, or a path that exactly one collection holds; else undefined. */
export async function resolveDocumentId(reader: IndexReader, text: string): Promise<string | undefined> {
  const [exact] = await findDocuments(reader, [text]);
  if (exact !== undefined) return exact.entry.id;
  const ids = reader.collections.map(({ name }) => makeDocumentId(name, splitDocumentId(`:${text}`).path));
  const found = await findDocuments(reader, ids);
  return found.length === 1 ? found[0]?.entry.id : undefined;
}

/** Ids of documents whose id, path or file name is nearest to a wrong one, best first. */
export async function findNearestDocuments(reader: IndexReader, wrongId: string, count: number): Promise<string[]> {
  const documents = await listDocumentIds(reader);
  const { path } = splitDocumentId(wrongId.includes(":") ? wrongId : `:${wrongId}`);
  const fileName = path.slice(path.lastIndexOf("/") + 1);
  const byPath = new Map(documents.map((document) => [document.path, document.id]));
  const bySuffix = documents.filter((document) => document.path.endsWith(`/${path}`) || document.path.endsWith(`/${fileName}`));
  const near = nearestNames(path, byPath.keys(), count).map((found) => byPath.get(found) as string);
  return [...new Set([...bySuffix.map(({ id }) => id), ...near])].slice(0, count);
}

/** Documents by id, those that exist, in the order asked for. One wave. */
async function findDocuments(reader: IndexReader, ids: readonly string[]): Promise<FoundDocument[]> {
  if (ids.length === 0) return [];
  const keys = ids.map(keyOf);
  const wave = await reader.read(reader.shards.map(({ index }): TableRead => ({ shard: index, table: "documents", keys })));
  return keys.flatMap((key) => {
    for (const [at, { index }] of reader.shards.entries()) {
      const bytes = findInChunks(wave.tables[at] ?? [], key);
      if (bytes !== undefined) return [toDocument(reader, index, key, bytes)];
    }
    return [];
  });
}

async function loadDocumentAndSections(
  reader: IndexReader,
  documentId: string,
  withLocator = false,
): Promise<{ document: FoundDocument; sections: OutlineSection[]; unitCounts: number[] } | undefined> {
  const key = keyOf(documentId);
  const reads = reader.shards.flatMap(({ index }): TableRead[] => [
    { shard: index, table: "documents", keys: [key] },
    { shard: index, table: "sections", keys: [key] },
  ]);
  const wave = await readWithResident(reader, withLocator ? ["locator"] : [], reads);
  for (const [at, { index }] of reader.shards.entries()) {
    const document = findInChunks(wave.tables[at * 2] ?? [], key);
    const rows = findInChunks(wave.tables[at * 2 + 1] ?? [], key);
    if (document === undefined || rows === undefined) continue;
    const found = toDocument(reader, index, key, document);
    return { document: found, ...toSections(reader, found.entry, rows) };
  }
  return undefined;
}

function toDocument(reader: IndexReader, shard: number, key: ByteKey, bytes: Uint8Array): FoundDocument {
  const check = checkDocument;
  const record = check.record(decodeJson(bytes, "table documents"));
  const id = textOfKey(key);
  const { collection, path } = splitDocumentId(id);
  return {
    shard,
    number: check.count(record.n),
    skip: check.count(record.skip),
    entry: {
      id,
      collection,
      path,
      title: check.string(record.title),
      description: check.string(record.description),
      url: makeUrl(findCollection(reader, collection)?.baseUrl ?? "", path, ""),
      words: check.count(record.words),
      sections: check.count(record.sections),
      lines: check.count(record.lines),
      contentHash: check.string(record.hash),
      facets: check.facets(record.facets),
      meta: check.record(record.meta),
    },
  };
}

function toSections(
  reader: IndexReader,
  document: DocumentEntry,
  bytes: Uint8Array,
): { sections: OutlineSection[]; unitCounts: number[] } {
  const check = checkSections;
  const baseUrl = findCollection(reader, document.collection)?.baseUrl ?? "";
  const rows = check.array(decodeJson(bytes, "table sections")).map((row) => check.array(row, 12));
  const slugPaths: string[] = [];
  const sections = rows.map((row, ordinal) => {
    const [level, title, parent, slug, anchor, startLine, endLine, words, summary, languages, linksOut] = row;
    const above = ordinal === 0 ? -1 : check.count(parent);
    if (above >= ordinal) throw new FormatError("table sections", { code: "malformed", reason: "a section stands above its parent" });
    const prefix = above > 0 ? `${slugPaths[above]}/` : "";
    slugPaths.push(ordinal === 0 ? "" : `${prefix}${check.string(slug)}`);
    return {
      ordinal,
      nodeId: makeNodeId(document.id, slugPaths[ordinal] as string),
      title: check.string(title),
      level: check.count(level),
      parent: above,
      children: [] as number[],
      startLine: check.count(startLine),
      endLine: check.count(endLine),
      subtreeEndLine: check.count(endLine),
      words: check.count(words),
      summary: check.string(summary),
      codeLanguages: check.strings(languages),
      url: makeUrl(baseUrl, document.path, check.string(anchor)),
      linksOut: check.count(linksOut),
    };
  });
  // Children come after their parents, so going backwards every subtree is complete when its parent takes it in.
  for (let ordinal = sections.length - 1; ordinal > 0; ordinal--) {
    const section = sections[ordinal] as (typeof sections)[number];
    const parent = sections[section.parent] as (typeof sections)[number];
    parent.children.unshift(ordinal);
    parent.subtreeEndLine = Math.max(parent.subtreeEndLine, section.subtreeEndLine);
  }
  return { sections, unitCounts: rows.map((row) => check.count(row[11])) };
}

function unitsOfSection(unitCounts: readonly number[], ordinal: number): number[] {
  let first = FIRST_TEXT_UNIT;
  for (let i = 0; i < ordinal; i++) first += unitCounts[i] ?? 0;
  return Array.from({ length: unitCounts[ordinal] ?? 0 }, (_, index) => first + index);
}

async function readUnits(
  reader: IndexReader,
  shard: number,
  document: number,
  located: LocatedDocument,
  units: readonly number[],
): Promise<Map<number, string>> {
  const blocks = new Map<number, BlockPlace>();
  for (const unit of units) {
    const { block, firstUnit } = findBlock(located, unit);
    blocks.set(firstUnit, block);
  }
  const reads = [...blocks].map(([firstUnit, block]): BlockRead => ({ shard, document, firstUnit, block }));
  const wave = await reader.read([], reads);
  const texts = new Map<number, string>();
  for (const [at, { firstUnit }] of reads.entries()) {
    for (const [index, unit] of (wave.blocks[at]?.units ?? []).entries()) texts.set(firstUnit + index, unit.text);
  }
  return texts;
}

/** `skip` counts UTF-8 bytes; frontmatter is mostly ASCII, so the characters are counted off one by one. */
function withoutFrontmatter(text: string, skip: number): string {
  let bytes = 0;
  let at = 0;
  while (bytes < skip && at < text.length) {
    const code = text.codePointAt(at) as number;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    at += code < 0x10000 ? 1 : 2;
  }
  return text.slice(at);
}

function isBelow(path: string, prefix: string): boolean {
  const folder = prefix.replace(/\/+$/, "");
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

function compareRows(
  a: { id: string; title: string; words: number },
  b: { id: string; title: string; words: number },
  sort: ListRequest["sort"],
): number {
  const byId = a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
  if (sort === "words") return b.words - a.words || byId;
  if (sort === "title") return a.title < b.title ? -1 : a.title > b.title ? 1 : byId;
  return byId;
}

function findCollection(reader: IndexReader, name: string): CollectionInfo | undefined {
  return reader.collections.find((collection) => collection.name === name);
}
