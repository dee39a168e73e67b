/**
 * Analyzers at the time of a query: English at once, others once they are loaded.
 *
 * The stemmers of all other languages are eight times what the rest of a search is, so they stand in a module of their
 * own (`analyzers.ts`), which a page fetches only for an index that has such a language. Pure.
 */
import { type Analyzer, ENGLISH } from "./analyze.ts";
import type { Language } from "./language.ts";

const loaded = new Map<Language, Analyzer>([["english", ENGLISH]]);

/** Make the analyzers of some languages ready for `loadedAnalyzer`. */
export async function loadAnalyzers(languages: Iterable<Language>): Promise<void> {
  const missing = [...languages].filter((language) => !loaded.has(language));
  if (missing.length === 0) return;
  const { analyzerOf } = await import("./analyzers.ts");
  for (const language of missing) loaded.set(language, analyzerOf(language));
}

/** The analyzer of a language, always the same one. Opening an index loads those of its collections. */
export function loadedAnalyzer(language: Language): Analyzer {
  const analyzer = loaded.get(language);
  if (analyzer === undefined) throw new Error(`the analyzer of ${language} was not loaded`);
  return analyzer;
}
