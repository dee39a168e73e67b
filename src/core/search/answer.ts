/**
 * What a search is asked and what it gives back, whatever surface asked.
 */

import type { FacetCounts, FacetFilter } from "../docs/model.ts";
import { NO_FILTER } from "../docs/model.ts";
import type { Cost } from "../index/cost.ts";
import type { Correction } from "./correct.ts";
import type { RankingSettings } from "./ranking-settings.ts";

export interface SearchRequest {
  readonly query: string;
  /** Documents to skip (paging). */
  readonly offset: number;
  /** Documents to return. */
  readonly limit: number;
  /** Best sections that carry an excerpt. */
  readonly excerpts: number;
  /** The best section of each document carries one before a second of any does; readers that name by texts do so always. */
  readonly isSpread?: boolean;
  /** Only these collections; empty = all that the caller may see. */
  readonly collections: readonly string[];
  /** Only this document, or `undefined`. */
  readonly documentId: string | undefined;
  readonly filter: FacetFilter;
  /** `relevance`, or a key of the catalogue. */
  readonly sort: SearchSort;
  /**
   * Count facets of the result set. Costs one more read when the facet table is not in memory; `at-hand` counts where it
   * is, or is small.
   */
  readonly withFacetCounts: boolean | "at-hand";
  /** Give description, frontmatter and content hash of documents with an excerpt, which takes a further round of reads. */
  readonly withDetails: boolean;
  /** Ranking settings of this request, over those of the index. */
  readonly ranking: RankingSettings;
  /** False to search for every word as it is written. */
  readonly correct: boolean;
  /** The last word is still being typed. */
  readonly asYouType: boolean;
  /** Give the parts of each score. */
  readonly explain: boolean;
}

/**
 * Order of results. `relevance` is by score; the names are stable orders of the catalogue; a key is one that pages of built sites give
 * values for, and what has none is left out.
 */
export type SearchSort = "relevance" | "path" | "title" | "words" | SortKey;

/** Order by a key: by number where all of its values are numbers, else by text. Equal ones keep the order of scores. */
export interface SortKey {
  readonly key: string;
  readonly isDescending: boolean;
}

/** A marked piece of an excerpt. */
export interface ExcerptPart {
  readonly text: string;
  readonly marked: boolean;
}

export interface SectionHit {
  /** Full id; the ordinal form `doc#n7` where the section's slug path was not read. */
  readonly nodeId: string;
  readonly ordinal: number;
  readonly score: number;
  /** Heading, or `""` where it was not read. */
  readonly heading: string;
  /** Headings from the page title down to this section; empty where it was not read. */
  readonly headingPath: readonly string[];
  /** Page address with anchor, or `""`. */
  readonly url: string;
  /** 1-based lines, 0 where not read. */
  readonly startLine: number;
  readonly endLine: number;
  /** Parts of the excerpt, in order; empty for hits without one. */
  readonly excerpt: readonly ExcerptPart[];
}

/** One document found, with its best sections (at most three), best first. */
export interface DocumentHit {
  readonly id: string;
  readonly collection: string;
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly url: string;
  readonly score: number;
  readonly contentHash: string;
  readonly facets: Readonly<Record<string, readonly string[]>>;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly sections: readonly SectionHit[];
  /** Found by longer words alone. */
  readonly isFallback: boolean;
  /** How the score came about; absent when not asked for. */
  readonly explanation?: Explanation;
}

/** What a score is made of: adding everything up gives the score. */
export interface Explanation {
  /** What each word gives the document, field by field. */
  readonly words: readonly WordScore[];
  /** The bonuses of a title that is the query, and of title and path that hold it. */
  readonly wholeTitle: number;
  /** The bonus of a document that is called as the query is. */
  readonly name: number;
  /** What pairs of neighbouring words give. */
  readonly pairs: number;
  /** Best sections with their parts, best first. */
  readonly sections: readonly SectionScore[];
  /** What the sections add to the document: the parts of each, times its share. */
  readonly sectionsTotal: number;
  /** Weight of the collection, by which all of it is multiplied. */
  readonly collectionWeight: number;
}

interface WordScore {
  readonly word: string;
  /** Terms that it was looked up as. */
  readonly terms: readonly string[];
  readonly body: number;
  readonly title: number;
  readonly path: number;
  readonly description: number;
}

/** What one section is worth, and how much of it counts. */
interface SectionScore {
  readonly ordinal: number;
  /** How much of it the document gets; 0 where sections do not count. */
  readonly share: number;
  readonly text: number;
  readonly heading: number;
  readonly title: number;
  readonly coverage: number;
}

/** A field of the query that was not used, because no document has such a value. */
export interface UnusedField {
  readonly field: string;
  readonly value: string;
  readonly nearest: readonly string[];
}

export interface Interpretation {
  readonly words: readonly string[];
  readonly required: readonly (readonly string[])[];
  readonly excluded: readonly string[];
  readonly fields: readonly { readonly field: string; readonly values: readonly string[]; readonly negated: boolean }[];
  readonly beginnings: readonly string[];
}

export interface SearchAnswer {
  readonly hits: readonly DocumentHit[];
  /** Documents that match, before paging. */
  readonly totalDocuments: number;
  /** How many of those were not checked for a phrase. */
  readonly uncheckedDocuments: number;
  /** Index in the list of matches of each hit, and behind it that of the next page's first one. */
  readonly positions: readonly number[];
  /** Values by key that the filter preferred, and that pages of other values were left out for. */
  readonly preferred: Readonly<Record<string, string>>;
  /** Words that no document holds, with what was searched for in their place. */
  readonly corrections: readonly Correction[];
  /** How the query was understood; absent where it is plain words. */
  readonly interpretation?: Interpretation;
  readonly unusedFields: readonly UnusedField[];
  /** Phrases, each with its alternatives, that were asked for and that nothing holds: results are without them. */
  readonly relaxedPhrases: readonly (readonly string[])[];
  /** Words that were scored, as stems. */
  readonly scoredTerms: readonly string[];
  /** Words of the query that no document holds. */
  readonly missingWords: readonly string[];
  /** Words that were not looked up because the query has more than a search takes. */
  readonly unusedWords: number;
  /** True when only stop words were left and they were used. */
  readonly stopWordsUsed: boolean;
  /** True when quotes, dashes, `OR` or `NOT` were taken as text. */
  readonly operatorsAsText: boolean;
  /** Counts inside the result set; empty when not asked for. */
  readonly facetCounts: FacetCounts;
  readonly cost: Cost;
}

/** Documents of an answer, and sections that carry an excerpt, unless asked otherwise. */
export const DEFAULT_LIMIT = 10;
export const DEFAULT_EXCERPTS = 5;
/** The most of both that can be asked for. */
export const MAX_LIMIT = 50;
export const MAX_EXCERPTS = 10;
/** Longest query, in UTF-16 units: a question, not a document. */
export const MAX_QUERY_LENGTH = 2000;
/** Orders that can be asked for; the first is the default. */
export const SORTS = ["relevance", "path", "title", "words"] as const satisfies readonly SearchRequest["sort"][];

/** A request for `query`, by relevance over everything the reader sees, but for what `changes` says. */
export function makeSearchRequest(query: string, changes: Partial<SearchRequest> = {}): SearchRequest {
  return {
    query,
    offset: 0,
    limit: DEFAULT_LIMIT,
    excerpts: DEFAULT_EXCERPTS,
    collections: [],
    documentId: undefined,
    filter: NO_FILTER,
    sort: "relevance",
    withFacetCounts: false,
    withDetails: false,
    ranking: {},
    correct: true,
    asYouType: false,
    explain: false,
    ...changes,
  };
}

/**
 * The offset of the next page; undefined where this is the last. With phrases it is not the number of documents shown so far: those that
 * turned out not to hold them were passed over.
 *
 * @param offset That of this page.
 */
export function findNextOffset(
  offset: number,
  answer: Pick<SearchAnswer, "hits" | "positions" | "totalDocuments" | "uncheckedDocuments">,
): number | undefined {
  const { hits, positions, totalDocuments, uncheckedDocuments } = answer;
  const next = positions.at(-1) ?? offset;
  const isMore = offset + hits.length < totalDocuments + uncheckedDocuments;
  return isMore && next > offset ? next : undefined;
}
