/** Options as Pagefind names them. What is none of them, or of another type, is passed over. */
import { isRecord } from "../../core/parse-text.ts";
import type { AddedFacets } from "../../core/search/find-pages.ts";
import { RANKING_BOUNDS, type RankingName, type RankingSettings } from "../../core/search/ranking-settings.ts";

interface PagefindRanking {
  /** How much length counts: 0 not at all, 1 in full. */
  readonly pageLength?: number;
  /** How soon further occurrences of a word count little: 0 at once, 2 late. */
  readonly termSaturation?: number;
  /** How much less longer words count that begin with what was typed; 1 unless given. */
  readonly termSimilarity?: number;
  /** Weights of the fields of a page; `title` is 5 unless given. */
  readonly metaWeights?: Readonly<Record<string, number>>;
  readonly [other: string]: unknown;
}

/** What one index is searched with. */
export interface PagefindOptions {
  /** Stands before addresses that begin at the site's root. */
  readonly baseUrl?: string;
  /** Folder of the index. */
  readonly basePath?: string;
  /** Another name for `basePath`. */
  readonly bundlePath?: string;
  /** Words of an excerpt. */
  readonly excerptLength?: number;
  /** Stands where an excerpt leaves something out. */
  readonly excerptEllipsis?: string;
  /** Name of a parameter that carries the words of the query to the page that was found. */
  readonly highlightParam?: string | null;
  /** By what the scores of this index are multiplied. */
  readonly indexWeight?: number;
  /** Values that all pages of this index have. */
  readonly mergeFilter?: Readonly<Record<string, string | readonly string[]>>;
  /** Language of the pages; that of the document unless given. */
  readonly language?: string;
  readonly ranking?: PagefindRanking;
  readonly [other: string]: unknown;
}

/** Options as they are used. */
export interface Settings {
  readonly baseUrl: string | undefined;
  readonly excerptLength: number;
  readonly excerptEllipsis: string;
  readonly highlightParam: string | undefined;
  readonly indexWeight: number;
  readonly added: AddedFacets;
  readonly language: string | undefined;
  readonly ranking: RankingSettings;
}

export const DEFAULT_SETTINGS: Settings = {
  baseUrl: undefined,
  excerptLength: 30,
  excerptEllipsis: "",
  highlightParam: undefined,
  indexWeight: 1,
  added: {},
  language: undefined,
  ranking: {},
};

/** Pagefind's weight of titles where none is given. */
const DEFAULT_TITLE_WEIGHT = 5;

/** Settings with those changed that the options give. */
export function applyOptions(settings: Settings, options: PagefindOptions): Settings {
  const { baseUrl, excerptLength, excerptEllipsis, highlightParam, indexWeight, mergeFilter, language, ranking } =
    options;
  return {
    baseUrl: typeof baseUrl === "string" ? baseUrl : settings.baseUrl,
    excerptLength: isNumber(excerptLength) ? Math.max(1, Math.floor(excerptLength)) : settings.excerptLength,
    excerptEllipsis: typeof excerptEllipsis === "string" ? excerptEllipsis : settings.excerptEllipsis,
    highlightParam:
      typeof highlightParam === "string" && highlightParam !== "" ? highlightParam : settings.highlightParam,
    indexWeight: isNumber(indexWeight) ? indexWeight : settings.indexWeight,
    added: isRecord(mergeFilter) ? readAdded(mergeFilter) : settings.added,
    language: typeof language === "string" ? language.toLowerCase() : settings.language,
    ranking: isRecord(ranking) ? { ...settings.ranking, ...readRanking(ranking) } : settings.ranking,
  };
}

/** Each value as a list. */
function readAdded(filter: Readonly<Record<string, unknown>>): AddedFacets {
  const lists = Object.entries(filter).map(([key, value]): [string, string[]] => [
    key,
    [value].flat().filter((one): one is string => typeof one === "string"),
  ]);
  return Object.fromEntries(lists.filter(([, values]) => values.length > 0));
}

/**
 * The settings that mean the same: length and saturation are BM25's `b` and `k1` here as there; similarity and the weight of the
 * title keep their ratio to the default.
 */
function readRanking({ pageLength, termSaturation, termSimilarity, metaWeights }: PagefindRanking): RankingSettings {
  const title = metaWeights?.["title"];
  const description = metaWeights?.["description"];
  return {
    ...(isNumber(pageLength) && { bm25_b: bound("bm25_b", pageLength) }),
    ...(isNumber(termSaturation) && { bm25_k1: bound("bm25_k1", termSaturation) }),
    ...(isNumber(termSimilarity) && {
      prefix_penalty: bound("prefix_penalty", termSimilarity * RANKING_BOUNDS.prefix_penalty.default),
    }),
    ...(isNumber(title) && {
      title_weight: bound("title_weight", (title / DEFAULT_TITLE_WEIGHT) * RANKING_BOUNDS.title_weight.default),
    }),
    ...(isNumber(description) && {
      description_weight: bound("description_weight", description * RANKING_BOUNDS.description_weight.default),
    }),
  };
}

function bound(name: RankingName, value: number): number {
  const { minimum, maximum } = RANKING_BOUNDS[name];
  return Math.min(maximum, Math.max(minimum, value));
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
