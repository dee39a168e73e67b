/**
 * What scoring works on and what comes out of it. Types only; formulas: `score.ts`.
 */
import type { Locator } from "../format/locator.ts";
import type { PairList } from "../format/pairs.ts";
import type { CompareDocuments } from "../index/shards.ts";
import type { RankingParameters } from "./ranking.ts";
import type { CorpusStatistics, WordPostings } from "./statistics.ts";

/** The parts of a section's score. */
export interface SectionParts {
  readonly text: number;
  readonly heading: number;
  /** What it carries of the page's title. */
  readonly title: number;
  /** Bonuses for holding much of the query, or all of it. */
  readonly coverage: number;
}

/** A scored section. */
export interface ScoredSection {
  readonly ordinal: number;
  /** Its best text unit. */
  readonly unit: number;
  readonly score: number;
  readonly parts: SectionParts;
}

/** Two words that stand side by side in the query, with the documents in which they do, in every visible shard. */
export interface PairPostings {
  readonly terms: readonly [string, string];
  readonly lists: readonly (PairList | undefined)[];
}

/** A shard as scoring sees it. */
export interface ScoredShard {
  readonly locator: Locator;
  /** Documents that may be found; undefined = all. */
  readonly selected: Uint8Array | undefined;
  /** Weight of a document's collection. */
  readonly weightOf: (document: number) => number;
}

/** A scored document. `shard` counts the visible shards. */
export interface ScoredDocument {
  readonly shard: number;
  readonly document: number;
  readonly score: number;
  /** Found by longer words alone: stands behind all that hold a word of the query. */
  readonly isFallback: boolean;
  /** Best first, at most three. */
  readonly sections: readonly ScoredSection[];
}

/** All that scoring one query needs. */
export interface Scoring {
  readonly words: readonly WordPostings[];
  readonly pairs: readonly PairPostings[];
  readonly shards: readonly ScoredShard[];
  readonly statistics: CorpusStatistics;
  readonly ranking: RankingParameters;
  /** Words of the query, stop words among them. */
  readonly queryLength: number;
  /** Whether documents that hold longer words alone stand behind the others. */
  readonly longerLast: boolean;
  /** Order of equally good documents. */
  readonly compare: CompareDocuments;
}
