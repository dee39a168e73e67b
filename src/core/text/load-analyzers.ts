/**
 * Analyzers of the languages that open indexes are in: English at once, others once they are loaded.
 *
 * The stemmers of all other languages are eight times the rest of a search, so whoever opens an index says where they come from:
 * a page fetches them, and a Worker evaluates them, only for an index that has such a language.
 */
import { type Analyzer, ENGLISH } from "./analyze.ts";
import type { Language } from "./language.ts";

/** Gives the function that makes analyzers, `analyzerOf`. */
export type LoadAnalyzers = () => Promise<(language: Language) => Analyzer>;

const loaded = new Map<Language, Analyzer>([["english", ENGLISH]]);

/** Makes the analyzers of some languages ready for `loadedAnalyzer`. */
export async function loadAnalyzers(languages: Iterable<Language>, load: LoadAnalyzers): Promise<void> {
  const missing = [...languages].filter((language) => !loaded.has(language));
  if (missing.length === 0) return;
  const analyzerOf = await load();
  for (const language of missing) loaded.set(language, analyzerOf(language));
}

/** The analyzer of a language, always the same one. Opening an index loads those of its collections. */
export function loadedAnalyzer(language: Language): Analyzer {
  const analyzer = loaded.get(language);
  if (analyzer === undefined) throw new Error(`the analyzer of ${language} was not loaded`);
  return analyzer;
}
