/**
 * Analyzers of the languages that an index is in.
 *
 * The stemmers of all languages but English are eight times the rest of a search, so whoever opens an index says where they come from:
 * a page fetches them, and a Worker evaluates them, only for an index that has such a language.
 */
import { type Analyzer, ENGLISH } from "./analyze.ts";
import type { Language } from "./language.ts";

/** Gives the function that makes analyzers, `analyzerOf`. */
export type LoadAnalyzers = () => Promise<(language: Language) => Analyzer>;

/** The analyzers of some languages, with English. */
export async function loadAnalyzers(
  languages: readonly Language[],
  load: LoadAnalyzers,
): Promise<ReadonlyMap<Language, Analyzer>> {
  const others = languages.filter((language) => language !== "english");
  const analyzers = new Map<Language, Analyzer>([["english", ENGLISH]]);
  if (others.length === 0) return analyzers;
  const analyzerOf = await load();
  for (const language of others) analyzers.set(language, analyzerOf(language));
  return analyzers;
}
