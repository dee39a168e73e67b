/**
 * Search: a query in, ranked documents with their best sections out, in two waves of reads.
 *
 * Wave one: the chunk of each word, in every shard the caller may see, with the locator where it is not in memory.
 * Wave two: the text of the best sections, with titles and facets where they are not in memory.
 */
import { type ByteKey, keyOf } from "../bytes/key.ts";
import type { Chunk } from "../format/chunk.ts";
import { findBlock, type LocatedDocument } from "../format/locator.ts";
import { decodePostings, FIRST_TEXT_UNIT } from "../format/postings.ts";
import type { BlockSection, TextBlock } from "../format/text-block.ts";
import { type BlockRead, findInChunks, type IndexReader, type TableRead } from "../index/index-reader.ts";
import { readWithResident, residentTable, type ResidentTable } from "../index/resident.ts";
import { checkFilter, countFacets, facetsOf, isEmptyFilter, selectDocuments } from "../tree/facets.ts";
import { makeDocumentId, makeNodeId, makeOrdinalId, makeUrl } from "../tree/node-id.ts";
import type { DocumentHit, SearchAnswer, SearchRequest, SectionHit } from "./answer.ts";
import { makeExcerpt } from "./excerpt.ts";
import { parseQuery, type QueryTerm } from "./query.ts";
import { DEFAULT_RANKING, inverseDocumentFrequency } from "./ranking.ts";
import {
  type ScoredDocument,
  type ScoredSection,
  type ScoredShard,
  scoreDocuments,
  sumStatistics,
  type TermPostings,
} from "./score.ts";

/** A further section of a document is listed when it scores at least this share of the document's best one. */
const FURTHER_SECTION_SHARE = 0.8;

/**
 * Answer a search.
 *
 * @throws {InputError} for facets that do not exist.
 */
export async function search(reader: IndexReader, request: SearchRequest): Promise<SearchAnswer> {
  const query = parseQuery(request.query);
  // The three lie side by side: asking for all of them is one read, asking for the first and the last would be two.
  const isRestricted = !isEmptyFilter(request.filter) || request.sort !== "relevance" || request.documentId !== undefined;
  const resident: ResidentTable[] = isRestricted ? ["locator", "facets", "titles"] : ["locator"];
  const keys = query.terms.map(({ term }) => keyOf(term));
  const reads = reader.shards.map(({ index }): TableRead => ({ shard: index, table: "terms", keys }));
  const wave = await readWithResident(reader, resident, reads);
  if (!isEmptyFilter(request.filter)) checkFilter(reader, request.filter);

  const terms = dampParts(readPostings(reader, query.terms, keys, wave.tables), query.terms);
  const statistics = sumStatistics(reader.shards.map(({ root }) => root));
  const shards = reader.shards.map(({ index }) => toScoredShard(reader, index, request));
  const ranked = scoreDocuments(terms, shards, statistics, DEFAULT_RANKING, request.offset + request.limit);
  const sorted = request.sort === "relevance" ? ranked : sortDocuments(reader, ranked, request.sort);
  const page = sorted.slice(request.offset, request.offset + request.limit).map(keepGoodSections);
  const weights = new Map(
    terms.map((term): [string, number] => {
      const frequency = term.lists.reduce((sum, list) => sum + (list?.frequencies.documents ?? 0), 0);
      return [term.term, inverseDocumentFrequency(statistics.documents, frequency)];
    }),
  );
  const hits = await loadHits(reader, page, request, weights);
  const missing = terms.flatMap((term, at) => (term.lists.every((list) => list === undefined) ? [query.terms[at]?.written ?? ""] : []));
  return {
    hits,
    totalDocuments: ranked.length,
    scoredTerms: terms.map(({ term }) => term),
    missingWords: missing,
    stopWordsUsed: query.stopWordsUsed,
    facetCounts: request.withFacetCounts ? countResult(reader, ranked) : {},
    cost: reader.cost,
  };
}

/** Postings of each term in every visible shard. */
function readPostings(
  reader: IndexReader,
  terms: readonly QueryTerm[],
  keys: readonly ByteKey[],
  tables: readonly (readonly Chunk[])[],
): TermPostings[] {
  return terms.map(({ term, count }, at) => ({
    term,
    count,
    lists: reader.shards.map((_, shard) => {
      const bytes = findInChunks(tables[shard] ?? [], keys[at] as ByteKey);
      if (bytes === undefined) return undefined;
      const list = decodePostings(bytes, `postings of ${JSON.stringify(term)}`);
      reader.countPostings(list.documents.length);
      return list;
    }),
  }));
}

/** Parts of an identifier count less where the identifier itself is in the index: who writes it whole means it whole. */
function dampParts(postings: readonly TermPostings[], terms: readonly QueryTerm[]): TermPostings[] {
  const found = new Set(postings.filter(({ lists }) => lists.some((list) => list !== undefined)).map(({ term }) => term));
  return postings.map((term, at) => {
    const damped = terms[at]?.partOf.some((whole) => found.has(whole)) === true;
    return damped ? { ...term, count: term.count * DEFAULT_RANKING.identifierParts } : term;
  });
}

function toScoredShard(reader: IndexReader, shard: number, request: SearchRequest): ScoredShard {
  const locator = residentTable(reader, shard, "locator");
  return {
    locator,
    selected: restrict(reader, shard, locator, request),
    weightOf: (document) => reader.collectionAt(document.collection).weight,
  };
}

/** Documents that collection, document and facets leave, or undefined for all. */
function restrict(
  reader: IndexReader,
  shard: number,
  locator: readonly (LocatedDocument | undefined)[],
  request: SearchRequest,
): Uint8Array | undefined {
  const byFacets = selectDocuments(reader, shard, request.filter);
  if (request.collections.length === 0 && request.documentId === undefined) return byFacets;
  const selected = byFacets ?? new Uint8Array(locator.length).fill(1);
  for (const [number, located] of locator.entries()) {
    if (located === undefined) continue;
    const collection = reader.collectionAt(located.collection).name;
    if (request.collections.length > 0 && !request.collections.includes(collection)) selected[number] = 0;
    if (request.documentId === undefined) continue;
    const name = residentTable(reader, shard, "titles")[number];
    if (name === undefined || makeDocumentId(collection, name.path) !== request.documentId) selected[number] = 0;
  }
  return selected;
}

function sortDocuments(reader: IndexReader, ranked: readonly ScoredDocument[], sort: "path" | "title" | "words"): ScoredDocument[] {
  const keyed = ranked.map((document) => {
    const shard = reader.shards[document.shard]?.index ?? 0;
    const name = residentTable(reader, shard, "titles")[document.document];
    const words = residentTable(reader, shard, "locator")[document.document]?.lengths.body ?? 0;
    return { document, path: name?.path ?? "", title: name?.title ?? "", words };
  });
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  keyed.sort((a, b) => {
    if (sort === "words") return b.words - a.words || compare(a.path, b.path);
    return (sort === "title" ? compare(a.title, b.title) : 0) || compare(a.path, b.path);
  });
  return keyed.map(({ document }) => document);
}

function keepGoodSections(document: ScoredDocument): ScoredDocument {
  const best = document.sections[0]?.score ?? 0;
  return { ...document, sections: document.sections.filter((section) => section.score >= FURTHER_SECTION_SHARE * best) };
}

function countResult(reader: IndexReader, ranked: readonly ScoredDocument[]): SearchAnswer["facetCounts"] {
  const members = new Map(reader.shards.map(({ index, root }) => [index, new Uint8Array(root.slots)]));
  for (const { shard, document } of ranked) {
    const set = members.get(reader.shards[shard]?.index ?? -1);
    if (set !== undefined) set[document] = 1;
  }
  return countFacets(reader, (shard, document) => members.get(shard)?.[document] === 1);
}

interface WantedSection {
  readonly read: BlockRead;
  readonly document: number;
  readonly section: ScoredSection;
}

async function loadHits(
  reader: IndexReader,
  page: readonly ScoredDocument[],
  request: SearchRequest,
  weights: ReadonlyMap<string, number>,
): Promise<DocumentHit[]> {
  if (page.length === 0) {
    if (request.withFacetCounts) await readWithResident(reader, ["titles", "facets"]);
    return [];
  }
  const wanted = chooseExcerpts(reader, page, request.excerpts);
  const wave = await readWithResident(
    reader,
    ["titles", "facets"],
    [],
    wanted.map(({ read }) => read),
  );
  const blocks = new Map(wanted.map(({ document, section }, at) => [`${document}/${section.ordinal}`, at]));
  return page.map((scored, index) => {
    const shard = reader.shards[scored.shard]?.index ?? 0;
    const located = residentTable(reader, shard, "locator")[scored.document] as LocatedDocument;
    const name = residentTable(reader, shard, "titles")[scored.document] ?? { path: "", title: "" };
    const collection = reader.collectionAt(located.collection);
    const id = makeDocumentId(collection.name, name.path);
    const own = wanted.find(({ document }) => document === index);
    const block = own === undefined ? undefined : wave.blocks[wanted.indexOf(own)];
    return {
      id,
      collection: collection.name,
      path: name.path,
      title: name.title,
      description: block?.description ?? "",
      url: makeUrl(collection.baseUrl, name.path, ""),
      score: scored.score,
      contentHash: block?.contentHash ?? "",
      facets: facetsOf(reader, shard, scored.document),
      meta: block?.meta ?? {},
      sections: scored.sections.map((section) => {
        const at = blocks.get(`${index}/${section.ordinal}`);
        if (at === undefined) return bareSection(id, section);
        const { read } = wanted[at] as WantedSection;
        return fullSection(id, collection.baseUrl, section, wave.blocks[at] as TextBlock, read.firstUnit, weights);
      }),
    };
  });
}

/**
 * The sections whose text is read: the best one of each document first, then second and third ones, so that every
 * document near the top can show itself.
 */
function chooseExcerpts(reader: IndexReader, page: readonly ScoredDocument[], count: number): WantedSection[] {
  const order: { document: number; rank: number; section: ScoredSection }[] = [];
  for (const [document, { sections }] of page.entries()) {
    for (const [rank, section] of sections.entries()) order.push({ document, rank, section });
  }
  order.sort((a, b) => a.rank - b.rank || a.document - b.document);
  return order.slice(0, count).map(({ document, section }) => {
    const scored = page[document] as ScoredDocument;
    const shard = reader.shards[scored.shard]?.index ?? 0;
    const located = residentTable(reader, shard, "locator")[scored.document] as LocatedDocument;
    const { block, firstUnit } = findBlock(located, section.unit);
    return { document, section, read: { shard, document: scored.document, firstUnit, block } };
  });
}

function bareSection(documentId: string, { ordinal, score }: ScoredSection): SectionHit {
  return {
    nodeId: makeOrdinalId(documentId, ordinal),
    ordinal,
    score,
    heading: "",
    headingPath: [],
    url: "",
    startLine: 0,
    endLine: 0,
    excerpt: [],
  };
}

function fullSection(
  documentId: string,
  baseUrl: string,
  { ordinal, unit, score }: ScoredSection,
  block: TextBlock,
  firstUnit: number,
  weights: ReadonlyMap<string, number>,
): SectionHit {
  const chain = sectionChain(block, ordinal);
  const own = chain.at(-1);
  const isRoot = ordinal === 0 || own === undefined;
  const slugPath = isRoot ? "" : chain.map(({ slug }) => slug).join("/");
  const source = block.units[unit - firstUnit]?.text ?? "";
  const root = block.units.find(({ section }) => section?.ordinal === 0)?.section;
  return {
    nodeId: makeNodeId(documentId, slugPath),
    ordinal,
    score,
    heading: isRoot ? block.title : own.title,
    headingPath: isRoot ? [block.title] : [block.title, ...chain.map(({ title }) => title)],
    url: makeUrl(baseUrl, block.path, isRoot ? "" : own.anchor),
    startLine: isRoot ? (root?.startLine ?? 1) : own.startLine,
    endLine: isRoot ? (root?.endLine ?? 0) : own.endLine,
    excerpt: makeExcerpt(source, weights, unit === FIRST_TEXT_UNIT),
  };
}

/** Sections from below the root down to the one with this ordinal, as the block's headings nest. */
function sectionChain(block: TextBlock, ordinal: number): BlockSection[] {
  let chain = [...block.ancestors];
  if (chain.at(-1)?.ordinal === ordinal) return chain;
  for (const { section } of block.units) {
    if (section === undefined || section.level === 0) continue;
    chain = [...chain.filter(({ level }) => level < section.level), section];
    if (section.ordinal === ordinal) return chain;
  }
  return chain;
}
