/**
 * Languages that a search is read in.
 */
import { collectionOf, hasDocument } from "../format/locator.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { residentTable } from "../index/resident.ts";
import type { Analyzer, Analyzers } from "../text/analyze.ts";
import { DEFAULT_LANGUAGE } from "../text/language.ts";

/** Analyzers of some collections; empty = of all that the caller may see. */
export function listAnalyzers(reader: IndexReader, collections: readonly string[]): Analyzers {
  const counts = new Map<Analyzer, number>();
  for (const { name, language, documents } of reader.collections) {
    if (collections.length > 0 && !collections.includes(name)) continue;
    const analyzer = reader.analyzerOf(language);
    counts.set(analyzer, (counts.get(analyzer) ?? 0) + documents);
  }
  const [first, ...others] = [...counts].sort(([, a], [, b]) => b - a).map(([analyzer]) => analyzer);
  return first === undefined ? [reader.analyzerOf(DEFAULT_LANGUAGE)] : [first, ...others];
}

/** The analyzer that a document was indexed with. The locator must be resident. */
export function analyzerOfDocument(reader: IndexReader, shard: number, document: number): Analyzer {
  const locator = residentTable(reader, shard, "locator");
  if (!hasDocument(locator, document)) return reader.analyzerOf(DEFAULT_LANGUAGE);
  return reader.analyzerOf(reader.collectionAt(collectionOf(locator, document)).language);
}
