/**
 * What only some searches need: phrases, filters, fields, facets, orders other than by score, explanations, and words that no
 * document holds. A page loads it with the first search that does; everybody else has it at hand.
 */
import { checkFilter, facetsOf, listFacetValues } from "../docs/facets.ts";
import { checkPage } from "./check-page.ts";
import { correctWords, mergeEqual } from "./correct.ts";
import { explainScore } from "./explain.ts";
import { countResult, findOnly, readFields, readsOfOnly, restrictShard } from "./filter.ts";
import { listSelected, sortDocuments } from "./order-documents.ts";
import { judgePhrases, listPhrasePairs } from "./phrases.ts";

/** The functions. */
export const REFINED = {
  checkFilter,
  checkPage,
  correctWords,
  countResult,
  explainScore,
  facetsOf,
  findOnly,
  judgePhrases,
  listFacetValues,
  listPhrasePairs,
  listSelected,
  mergeEqual,
  readFields,
  readsOfOnly,
  restrictShard,
  sortDocuments,
} as const;

/** Gives the functions when a search first needs one of them. */
export type LoadRefined = () => Promise<typeof REFINED>;

/** Gives them at once. */
export const loadRefined: LoadRefined = async () => REFINED;
