/**
 * Documents by their ids: outline them, read their text, follow their links. `catalogue.ts` lists them.
 *
 * Every function takes the reader of one request and asks for all it needs in as few waves as its data allows, for
 * many documents at once where callers have many. Long, because all of it shares how a document's rows are read and checked.
 */
import { type ByteKey, keyOf, textOfKey } from "../bytes/key.ts";
import { decodeUtf8 } from "../bytes/reader.ts";
import { encodeUtf8 } from "../bytes/writer.ts";
import { checkLimit } from "../errors.ts";
import { decodeOnce } from "../format/chunk.ts";
import { decodeDocument, decodeLinks, decodeSections } from "../format/document-records.ts";
import { findBlock, unitsOf } from "../format/locator.ts";
import { FIRST_TEXT_UNIT, MAX_UNITS } from "../format/postings.ts";
import type { CollectionInfo } from "../format/root.ts";
import type { TextBlock } from "../format/text-block.ts";
import {
  addedBytes,
  type BlockRead,
  findInChunks,
  type IndexReader,
  type TableRead,
  valuesIn,
} from "../index/index-reader.ts";
import { type ReadBlocks, readTexts, type TextBudget } from "../index/read-texts.ts";
import { type ResidentTable, readWithResident, residentTable } from "../index/resident.ts";
import { groupShards } from "../index/shards.ts";
import { codeLanguageOf } from "../text/code-languages.ts";
import { countLines } from "../text/lines.ts";
import type { DocumentEntry, DocumentOutline, LinkEntry, OutlineSection, SectionText } from "./model.ts";
import { joinSlugs, makeDocumentId, makeNodeId, makeUrl, pathOf, splitDocumentId } from "./node-id.ts";

const SECTIONS = "table sections";

export interface DocumentPlace {
  /** Index of its shard in the root. */
  readonly shard: number;
  readonly number: number;
}

/** Lines of a document that are wanted as they stand in the file. */
interface PassageRequest {
  readonly outline: DocumentOutline;
  /** 1-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  /** Whether frontmatter in front of the first text belongs to it. */
  readonly withFrontmatter: boolean;
}

/** Documents by their ids, those that exist, in the order asked for. One wave. */
export async function loadDocuments(reader: IndexReader, documentIds: readonly string[]): Promise<DocumentEntry[]> {
  return (await findDocuments(reader, documentIds)).map(({ entry }) => entry);
}

/** What to read for documents by their ids. */
export function documentReads(reader: IndexReader, documentIds: readonly string[]): TableRead[] {
  const keys = documentIds.map(keyOf);
  return reader.shards.map(({ index }) => ({ shard: index, table: "documents", keys }));
}

/** Where the document with an id is, or undefined. One wave. */
export async function findPlace(reader: IndexReader, documentId: string): Promise<DocumentPlace | undefined> {
  const [found] = await findDocuments(reader, [documentId]);
  return found;
}

/** A document with its whole section tree, or undefined. */
export async function loadOutline(reader: IndexReader, documentId: string): Promise<DocumentOutline | undefined> {
  const [outline] = await loadOutlines(reader, [documentId]);
  return outline;
}

/** Documents with their section trees, in the order asked for; undefined where there is none of that id. One wave. */
export async function loadOutlines(
  reader: IndexReader,
  documentIds: readonly string[],
): Promise<(DocumentOutline | undefined)[]> {
  return (await loadDocumentsAndSections(reader, documentIds)).map(toOutline);
}

/**
 * Documents that texts name, with their section trees, in one wave. A text is an id, or a path that exactly one
 * collection holds; undefined where it is neither.
 *
 * @param forText Read in the same wave what finding their text will take.
 */
export async function resolveOutlines(
  reader: IndexReader,
  texts: readonly string[],
  forText = false,
): Promise<(DocumentOutline | undefined)[]> {
  const candidates = texts.map((text) => candidateIds(reader, text));
  const loaded = await loadDocumentsAndSections(reader, candidates.flat(), forText ? ["locator"] : []);
  let at = 0;
  return candidates.map((ids) => {
    const found = loaded.slice(at, at + ids.length);
    at += ids.length;
    return toOutline(chooseCandidate(found));
  });
}

/** The section that an id names inside an outline: full or short, by slug path or as `#n3`; undefined when none does. */
export function resolveNode(outline: DocumentOutline, nodeId: string): OutlineSection | undefined {
  const { id } = outline.document;
  const written = nodeId === id || nodeId.startsWith(`${id}#`) ? nodeId.slice(id.length) : nodeId;
  const short = written.replace(/^#/, "");
  if (short === "") return outline.sections[0];
  const exact = outline.sections.find((section) => section.nodeId === `${id}#${short}`);
  if (exact !== undefined) return exact;
  const ordinal = /^n(\d{1,7})$/.exec(short);
  return ordinal === null ? undefined : outline.sections[Number(ordinal[1])];
}

/**
 * Exact source text of some sections, in the order asked for. Each is the section's own text without its children;
 * the root's comes without frontmatter.
 *
 * @param budget Characters that are read at most; sections behind them, and one that does not fit, are marked as cut.
 */
export async function readSections(
  reader: IndexReader,
  outline: DocumentOutline,
  ordinals: readonly number[],
  budget?: TextBudget,
): Promise<SectionText[]> {
  const sections = ordinals.flatMap((ordinal) => outline.sections[ordinal] ?? []);
  const read = await readPassages(
    reader,
    sections.map(({ startLine, endLine }) => ({ outline, startLine, endLine, withFrontmatter: false })),
    Number.POSITIVE_INFINITY,
    budget,
  );
  return sections.map((section, at) => {
    const passage = read[at];
    return { section, text: passage?.text ?? "", ...(passage?.isCut === true && { isCut: true }) };
  });
}

/**
 * Lines of documents, in the order asked for, in one wave where no budget makes it rounds. Of each no more is read than
 * `maxBytes` of compressed text holds, so that a caller with a budget does not pay for a document of megabytes.
 *
 * @param budget Characters of all of them together; what stands behind is left out.
 */
export async function readPassages(
  reader: IndexReader,
  wanted: readonly PassageRequest[],
  maxBytes = Number.POSITIVE_INFINITY,
  budget?: TextBudget,
) {
  const ids = [...new Set(wanted.map(({ outline }) => outline.document.id))];
  const loaded = await loadDocumentsAndSections(reader, ids, ["locator"]);
  const parts = wanted.map((request) => {
    const found = loaded[ids.indexOf(request.outline.document.id)] as LoadedDocument;
    const covering = found.sections.filter(
      (section) => section.startLine <= request.endLine && section.endLine >= request.startLine,
    );
    const units = covering.flatMap((section) => unitsOfSection(found.unitStarts, section.ordinal));
    return { request, document: found.document, firstLine: covering[0]?.startLine ?? 1, units };
  });
  const read = await readUnits(reader, parts, maxBytes, budget);
  return parts.map((part, index) => {
    const { request, document, firstLine, units } = part;
    const whole = units.map((unit) => read[index]?.texts.get(unit) ?? "").join("");
    const skipped = request.withFrontmatter || request.startLine > 1 ? "" : frontmatterOf(whole, document.skip);
    const startLine = Math.max(request.startLine, firstLine + countLines(skipped));
    const text = sliceLines(whole, startLine - firstLine, request.endLine - startLine + 1);
    const isCut = units.some((unit) => read[index]?.whole.has(unit) !== true);
    const endLine = startLine + countLines(text) - 1;
    // Text may begin behind the lines asked for, where frontmatter was left out, and end before them, where it was longer than
    // `maxBytes`. It is cut where some of it is missing, since a bound was reached.
    return { startLine, endLine, text, ...(isCut && { isCut }) };
  });
}

/**
 * Whole texts of documents by their ids, those that exist, in the order asked for: as they stand in their files, behind the
 * frontmatter, and marked where the end is missing, since a bound was reached. What their sections are is not even read:
 * that is as long as the text, and the locator knows how many units there are.
 *
 * @param budget Characters of all of them together.
 */
export async function readWholeTexts(reader: IndexReader, documentIds: readonly string[], budget: TextBudget) {
  const [found] = await Promise.all([findDocuments(reader, documentIds), readWithResident(reader, ["locator"])]);
  const wanted = found.map((document) => ({
    document,
    units: unitsOf(residentTable(reader, document.shard, "locator"), document.number),
  }));
  const read = await readUnits(reader, wanted, Number.POSITIVE_INFINITY, budget);
  return wanted.map(({ document: { entry, skip }, units }, at) => {
    const { texts, whole } = read[at] as UnitTexts;
    const text = withoutFrontmatter([...texts.values()].join(""), skip);
    return { document: entry, text, ...(whole.size < units.length && { isCut: true }) };
  });
}

/** Links from and to a document's sections. */
export async function loadLinks(
  reader: IndexReader,
  outline: DocumentOutline,
): Promise<{ readonly out: readonly LinkEntry[]; readonly in: readonly LinkEntry[] }> {
  const documentId = outline.document.id;
  const key = keyOf(documentId);
  const wave = await reader.read(
    groupShards(reader).map(({ index }): TableRead => ({ shard: index, table: "links", keys: [key] })),
  );
  const [bytes] = valuesIn(wave.tables, key);
  if (bytes === undefined) return { out: [], in: [] };
  const links = decodeLinks(bytes);
  const nodeIdAt = (ordinal: number): string => outline.sections[ordinal]?.nodeId ?? documentId;
  return {
    out: links.out.map(({ section, target, ...link }) => ({
      ...link,
      fromNodeId: nodeIdAt(section),
      toNodeId: target,
    })),
    in: links.in.map(({ from, section }) => {
      return { fromNodeId: from, toNodeId: nodeIdAt(section), href: "", text: "", kind: "internal" };
    }),
  };
}

/** The id of the document that a text names: an id, or a path that exactly one collection holds; else undefined. */
export async function resolveDocumentId(reader: IndexReader, text: string): Promise<string | undefined> {
  const ids = candidateIds(reader, text);
  const found = await findDocuments(reader, ids);
  return chooseCandidate(ids.map((id) => found.find(({ entry }) => entry.id === id)))?.entry.id;
}

/** Ids that a text may stand for: as it is, and as a path of each collection. */
export function candidateIds(reader: IndexReader, text: string): string[] {
  const path = pathOf(`:${text}`);
  return [text, ...reader.collections.map(({ name }) => makeDocumentId(name, path))];
}

/** An id wins over paths; a path must be one document's alone. */
export function chooseCandidate<T>([byId, ...byPath]: readonly (T | undefined)[]): T | undefined {
  if (byId !== undefined) return byId;
  const found = byPath.filter((one) => one !== undefined);
  return found.length === 1 ? found[0] : undefined;
}

/** Documents by id, those that exist, in the order asked for. One wave. */
async function findDocuments(reader: IndexReader, ids: readonly string[]): Promise<FoundDocument[]> {
  if (ids.length === 0) return [];
  const keys = ids.map(keyOf);
  const wave = await reader.read(documentReads(reader, ids));
  return keys.flatMap((key) => {
    for (const [at, { index }] of reader.shards.entries()) {
      const bytes = findInChunks(wave.tables[at] ?? [], key);
      const found = bytes && toDocument(reader, index, key, bytes);
      if (found !== undefined && !reader.deletedIn(index).has(found.number)) return [found];
    }
    return [];
  });
}

/** A document with its sections as they are stored, each a run of units. */
interface LoadedDocument {
  readonly document: FoundDocument;
  readonly sections: OutlineSection[];
  /** First unit of each section, and one more. */
  readonly unitStarts: number[];
}

async function loadDocumentsAndSections(
  reader: IndexReader,
  documentIds: readonly string[],
  resident: readonly ResidentTable[] = [],
): Promise<(LoadedDocument | undefined)[]> {
  if (documentIds.length === 0) return [];
  const keys = documentIds.map(keyOf);
  const reads = reader.shards.flatMap(({ index }): TableRead[] => [
    { shard: index, table: "documents", keys },
    { shard: index, table: "sections", keys },
  ]);
  const wave = await readWithResident(reader, resident, reads);
  return keys.map((key) => {
    for (const [at, { index }] of reader.shards.entries()) {
      const document = findInChunks(wave.tables[at * 2] ?? [], key);
      const rows = findInChunks(wave.tables[at * 2 + 1] ?? [], key);
      if (document === undefined || rows === undefined) continue;
      const found = toDocument(reader, index, key, document);
      if (reader.deletedIn(index).has(found.number)) continue;
      return { document: found, ...toSections(reader, found.entry, rows) };
    }
    return undefined;
  });
}

function toOutline(loaded: LoadedDocument | undefined): DocumentOutline | undefined {
  return loaded === undefined ? undefined : { document: loaded.document.entry, sections: loaded.sections };
}

/** What a decoded byte of a document takes in memory. */
const DOCUMENT_MEMORY = 8;

function toDocument(reader: IndexReader, shard: number, key: ByteKey, bytes: Uint8Array) {
  const id = textOfKey(key);
  const { collection, path } = splitDocumentId(id);
  const known = decodeOnce(bytes, decodeDocument, () => bytes.length * DOCUMENT_MEMORY);
  const { number, skip, hash, facets, ...stored } = known;
  const url = makeUrl(findCollection(reader, collection), path, "");
  const { facetKeys } = reader.index.root;
  const usable = facets.flatMap(({ key: name, values }) => (facetKeys.includes(name) ? [[name, values] as const] : []));
  const byKey = Object.fromEntries(usable);
  return { shard, number, skip, entry: { id, collection, path, ...stored, facets: byKey, url, contentHash: hash } };
}

/** `skip`: bytes of frontmatter. */
type FoundDocument = Readonly<ReturnType<typeof toDocument>>;

function toSections(reader: IndexReader, document: DocumentEntry, bytes: Uint8Array) {
  const collection = findCollection(reader, document.collection);
  const rows = decodeSections(bytes);
  const isCode = codeLanguageOf(document.path) !== undefined;
  const slugPaths: string[] = [];
  const sections = rows.map(({ level, title, parent, slug, anchor, startLine, endLine, words, ...row }, ordinal) => {
    const declared = isCode ? lastLineOf(anchor) : undefined;
    const prefix = parent > 0 ? [slugPaths[parent] as string] : [];
    slugPaths.push(ordinal === 0 ? "" : joinSlugs(document.path, [...prefix, slug]));
    return {
      ordinal,
      nodeId: makeNodeId(document.id, slugPaths[ordinal] as string),
      title,
      level,
      parent,
      children: [] as number[],
      startLine,
      endLine,
      subtreeEndLine: declared ?? (isCode && ordinal === 0 ? document.lines : endLine),
      words,
      summary: row.summary,
      codeLanguages: row.languages,
      url: makeUrl(collection, document.path, anchor),
      linksOut: row.links,
    };
  });
  for (const { ordinal, parent } of sections) if (ordinal > 0) sections[parent]?.children.push(ordinal);
  // Children come after their parents, so going backwards every subtree is complete when its parent takes it in.
  for (let ordinal = sections.length - 1; ordinal > 0; ordinal--) {
    const section = sections[ordinal] as (typeof sections)[number];
    const parent = sections[section.parent] as (typeof sections)[number];
    parent.subtreeEndLine = Math.max(parent.subtreeEndLine, section.subtreeEndLine);
  }
  return { sections, unitStarts: sumUnits(rows.map(({ units }) => units)) };
}

/** Last line of the declaration that the anchor of a symbol's section names: 9 of `L7-L9`. */
function lastLineOf(anchor: string): number | undefined {
  const lines = /^L\d+-L(\d{1,9})$/.exec(anchor);
  return lines === null ? undefined : Number(lines[1]);
}

/** First unit of each section, and behind the last one the unit that would follow. */
function sumUnits(counts: readonly number[]): number[] {
  const starts = [FIRST_TEXT_UNIT];
  for (const count of counts) {
    const end = (starts.at(-1) as number) + count;
    checkLimit(SECTIONS, "units", end, FIRST_TEXT_UNIT + MAX_UNITS);
    starts.push(end);
  }
  return starts;
}

function unitsOfSection(unitStarts: readonly number[], ordinal: number): number[] {
  const first = unitStarts[ordinal] ?? 0;
  return Array.from({ length: (unitStarts[ordinal + 1] ?? first) - first }, (_, index) => first + index);
}

interface UnitsRequest {
  readonly document: FoundDocument;
  /** Ascending. */
  readonly units: readonly number[];
}

interface UnitTexts {
  /** Texts by the numbers of their units. */
  readonly texts: ReadonlyMap<number, string>;
  /** Units whose text is not cut. */
  readonly whole: ReadonlySet<number>;
}

/** Texts of units, for each request; the locator must be in memory. One wave where there is no budget. */
async function readUnits(
  reader: IndexReader,
  wanted: readonly UnitsRequest[],
  maxBytes: number,
  budget: TextBudget | undefined,
): Promise<UnitTexts[]> {
  const requested = wanted.map(({ document: { shard, number, entry }, units }) => {
    const locator = residentTable(reader, shard, "locator");
    const reads: BlockRead[] = [];
    let bytes = 0;
    for (const unit of units) {
      if (bytes >= maxBytes) break;
      const place = findBlock(locator, number, unit);
      reads.push({ shard, document: number, unit, place, path: entry.path });
      bytes += addedBytes(unit, place);
    }
    return reads;
  });
  const read = async (blocks: readonly BlockRead[]): Promise<readonly TextBlock[]> =>
    (await reader.read([], blocks)).blocks;
  const found = await readTexts(requested, read, budget);
  return requested.map((reads, at) => {
    const { blocks, whole } = found[at] as ReadBlocks;
    return {
      texts: new Map(blocks.map(({ text }, block) => [(reads[block] as BlockRead).unit, text])),
      whole: new Set(reads.slice(0, whole).map(({ unit }) => unit)),
    };
  });
}

function withoutFrontmatter(text: string, skip: number): string {
  return text.slice(frontmatterOf(text, skip).length);
}

/** `skip` counts UTF-8 bytes. */
function frontmatterOf(text: string, skip: number): string {
  return decodeUtf8(encodeUtf8(text.slice(0, skip)).subarray(0, skip), SECTIONS);
}

function findCollection(reader: IndexReader, name: string): CollectionInfo | undefined {
  return reader.collections.find((collection) => collection.name === name);
}

/** Id of a root section inside its document: an alias of the document's own id. */
const SHORT_ROOT = "#n0";

/** Id of a section inside its document: `#linux/apt`, `#n0` for the root. */
export function shortNodeId({ document }: DocumentOutline, section: OutlineSection): string {
  return section.ordinal === 0 ? SHORT_ROOT : section.nodeId.slice(document.id.length);
}

/** A section and all below it, in source order. */
export function subtreeOf(outline: DocumentOutline, section: OutlineSection): OutlineSection[] {
  const below = section.children.flatMap((ordinal) => {
    const child = outline.sections[ordinal];
    return child === undefined ? [] : subtreeOf(outline, child);
  });
  return [section, ...below];
}

/** Titles from the page down to a section. */
export function titlePath(outline: DocumentOutline, section: OutlineSection): string[] {
  const parent = section.parent < 0 ? undefined : outline.sections[section.parent];
  const above = parent === undefined ? [] : titlePath(outline, parent);
  return [...above, section.ordinal === 0 ? outline.document.title : section.title];
}

/** Files that lines are read of in one call. */
const MAX_FILES_READ = 12;

interface WantedLines {
  /** Document id. */
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** The texts of some lines without the end of the last, undefined where its file is one too many. Two waves. */
export async function readSourceLines(
  reader: IndexReader,
  wanted: readonly WantedLines[],
): Promise<(string | undefined)[]> {
  const ids = [...new Set(wanted.map(({ file }) => file))].slice(0, MAX_FILES_READ);
  const outlines = await loadOutlines(reader, ids);
  const requests = wanted.flatMap(({ file, start, end }, index) => {
    const outline = outlines[ids.indexOf(file)];
    return outline === undefined ? [] : [{ index, outline, startLine: start, endLine: end, withFrontmatter: true }];
  });
  const passages = await readPassages(reader, requests);
  const texts = new Array<string | undefined>(wanted.length).fill(undefined);
  for (const [at, { index }] of requests.entries()) texts[index] = passages[at]?.text.replace(/\r?\n$/, "");
  return texts;
}

/** Some of the lines of a text with their line feeds, as one. @param first The first of them, from 0. @param count How many at most. */
function sliceLines(text: string, first: number, count: number): string {
  return text
    .split(/(?<=\n)/)
    .slice(first, first + count)
    .join("");
}
