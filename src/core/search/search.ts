/**
 * Search: a query in, ranked documents with their best sections out, in two waves of reads.
 *
 * Wave one: the chunk of each word, in every shard the caller may see, with the locator where it is not in memory.
 * Wave two: the text of the best sections, with titles and facets where they are not in memory.
 */
import { type ByteKey, keyOf } from "../bytes/key.ts";
import type { Chunk } from "../format/chunk.ts";
import type { LocatedDocument } from "../format/locator.ts";
import { decodePostings } from "../format/postings.ts";
import { findInChunks, type IndexReader, type TableRead } from "../index/index-reader.ts";
import { type ResidentTable, readWithResident, residentTable } from "../index/resident.ts";
import { checkFilter, countFacets, isEmptyFilter, selectDocuments } from "../tree/facets.ts";
import { makeDocumentId } from "../tree/node-id.ts";
import type { SearchAnswer, SearchRequest } from "./answer.ts";
import { loadHits } from "./hits.ts";
import { parseQuery, type QueryTerm } from "./query.ts";
import { DEFAULT_RANKING, inverseDocumentFrequency } from "./ranking.ts";
import {
  type ScoredDocument,
  type ScoredShard,
  scoreDocuments,
  sumStatistics,
  type TermPostings,
  withSections,
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
  const isRestricted =
    !isEmptyFilter(request.filter) || request.sort !== "relevance" || request.documentId !== undefined;
  const resident: ResidentTable[] = isRestricted ? ["locator", "facets", "titles"] : ["locator"];
  const keys = query.terms.map(({ term }) => keyOf(term));
  const reads = reader.shards.map(({ index }): TableRead => ({ shard: index, table: "terms", keys }));
  const wave = await readWithResident(reader, resident, reads);
  if (!isEmptyFilter(request.filter)) checkFilter(reader, request.filter);

  const terms = dampParts(readPostings(reader, query.terms, keys, wave.tables), query.terms);
  const statistics = sumStatistics(reader.shards.map(({ root }) => root));
  const shards = reader.shards.map(({ index }) => toScoredShard(reader, index, request));
  const scoring = { terms, shards, statistics, ranking: DEFAULT_RANKING };
  const ranked = scoreDocuments(scoring);
  const sorted = request.sort === "relevance" ? ranked : sortDocuments(reader, ranked, request.sort);
  const shown = sorted.slice(request.offset, request.offset + request.limit);
  const page = withSections(shown, scoring).map(keepGoodSections);
  const weights = new Map(
    terms.map((term): [string, number] => {
      const frequency = term.lists.reduce((sum, list) => sum + (list?.frequencies.documents ?? 0), 0);
      return [term.term, inverseDocumentFrequency(statistics.documents, frequency)];
    }),
  );
  // Nothing found has nothing to count, and needs no read to know it.
  const withFacetCounts = request.withFacetCounts && ranked.length > 0;
  const hits = await loadHits(reader, page, { ...request, withFacetCounts }, weights);
  const missing = terms.flatMap((term, at) =>
    term.lists.every((list) => list === undefined) ? [query.terms[at]?.written ?? ""] : [],
  );
  return {
    hits,
    totalDocuments: ranked.length,
    scoredTerms: terms.map(({ term }) => term),
    missingWords: missing,
    unusedWords: query.unused,
    stopWordsUsed: query.stopWordsUsed,
    facetCounts: withFacetCounts ? countResult(reader, ranked) : {},
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
  const found = new Set(
    postings.filter(({ lists }) => lists.some((list) => list !== undefined)).map(({ term }) => term),
  );
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

function sortDocuments(
  reader: IndexReader,
  ranked: readonly ScoredDocument[],
  sort: "path" | "title" | "words",
): ScoredDocument[] {
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
  return {
    ...document,
    sections: document.sections.filter((section) => section.score >= FURTHER_SECTION_SHARE * best),
  };
}

function countResult(reader: IndexReader, ranked: readonly ScoredDocument[]): SearchAnswer["facetCounts"] {
  const members = new Map(reader.shards.map(({ index, root }) => [index, new Uint8Array(root.slots)]));
  for (const { shard, document } of ranked) {
    const set = members.get(reader.shards[shard]?.index ?? -1);
    if (set !== undefined) set[document] = 1;
  }
  return countFacets(reader, (shard, document) => members.get(shard)?.[document] === 1);
}
