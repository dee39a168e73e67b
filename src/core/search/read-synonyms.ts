/**
 * Synonyms of the words of a query, out of the chunks that were read for its words. Loaded where an index has any.
 */
import type { Chunk } from "../format/chunk.ts";
import { decodeSynonyms, keyOfSynonyms } from "../format/pairs.ts";
import { findInChunks, type IndexReader } from "../index/index-reader.ts";
import type { SynonymPhrase } from "./query-words.ts";
import type { RankingParameters } from "./ranking.ts";
import type { Alternative, WordPostings } from "./statistics.ts";

/** The words with what stands for them, or for a run of words that they are in. */
export function addSynonyms(
  reader: IndexReader,
  words: readonly WordPostings[],
  phrases: readonly SynonymPhrase[],
  ranking: RankingParameters,
  chunksOf: (shard: number) => readonly Chunk[],
): WordPostings[] {
  const added = new Map<number, Alternative[]>();
  for (const { terms, words: indexes } of phrases) {
    const found = reader.shards.map((_, shard) => {
      const bytes = findInChunks(chunksOf(shard), keyOfSynonyms(terms));
      if (bytes === undefined) return undefined;
      const synonyms = decodeSynonyms(bytes);
      reader.countPostings(synonyms.list.documents.length);
      return synonyms;
    });
    if (found.every((synonyms) => synonyms === undefined)) continue;
    const marks = [...new Set(found.flatMap((synonyms) => synonyms?.phrases.flat() ?? []))];
    const alternative: Alternative = {
      term: [...new Set(found.flatMap((synonyms) => synonyms?.phrases.map((phrase) => phrase.join(" ")) ?? []))].join(
        ", ",
      ),
      // One occurrence of `SSO` stands for all words of `single sign-on` together.
      weight: ranking.synonyms / indexes.length,
      isLonger: false,
      lists: found.map((synonyms) => synonyms?.list),
      marks,
    };
    for (const index of indexes) added.set(index, [...(added.get(index) ?? []), alternative]);
  }
  return words.map((word, at) => ({ ...word, alternatives: [...word.alternatives, ...(added.get(at) ?? [])] }));
}
