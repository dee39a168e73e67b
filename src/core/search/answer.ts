/**
 * What a search is asked and what it gives back, whatever surface asked.
 *
 * Pure types; no I/O.
 */
import type { Cost } from "../index/index-reader.ts";
import type { FacetCounts, FacetFilter } from "../tree/model.ts";

/** One search. */
export interface SearchRequest {
  readonly query: string;
  /** Documents to skip (paging). */
  readonly offset: number;
  /** Documents to return. */
  readonly limit: number;
  /** Best sections that carry an excerpt. */
  readonly excerpts: number;
  /** Only these collections; empty = all that the caller may see. */
  readonly collections: readonly string[];
  /** Only this document, or `undefined`. */
  readonly documentId: string | undefined;
  readonly filter: FacetFilter;
  /** `relevance`, or a key of the catalogue. */
  readonly sort: SearchSort;
  /** Count facets of the result set. Costs one more read when the facet table is not in memory. */
  readonly withFacetCounts: boolean;
}

/** Order of results. `relevance` is by score; the others are stable orders of the catalogue. */
export type SearchSort = "relevance" | "path" | "title" | "words";

/** A marked piece of an excerpt. */
export interface ExcerptPart {
  readonly text: string;
  readonly marked: boolean;
}

/** One section found. */
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
}

/** Answer of a search. */
export interface SearchAnswer {
  readonly hits: readonly DocumentHit[];
  /** Documents that match, before paging. */
  readonly totalDocuments: number;
  /** Words that were scored, as stems. */
  readonly scoredTerms: readonly string[];
  /** Words of the query that no document holds. */
  readonly missingWords: readonly string[];
  /** Words that were not looked up because the query has more than a search takes. */
  readonly unusedWords: number;
  /** True when only stop words were left and they were used. */
  readonly stopWordsUsed: boolean;
  /** Counts inside the result set; empty when not asked for. */
  readonly facetCounts: FacetCounts;
  readonly cost: Cost;
}
