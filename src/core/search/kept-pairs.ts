/**
 * Which pairs that an index lists count: those that an index of the live documents of their access group would list.
 *
 * A base lists a pair of documents that were deleted since, so base and delta of a group are counted together. Groups
 * are not: what one holds says nothing of another.
 */
import { PAIR_DOCUMENTS, PAIRED_WORD_DOCUMENTS, type PairList } from "../format/pairs.ts";
import type { PostingList } from "../format/postings.ts";
import type { IndexReader } from "../index/index-reader.ts";

/** By visible shard, how many documents of its group hold a term. */
export function countInGroup(reader: IndexReader, lists: readonly (PostingList | undefined)[] = []): number[] {
  return sumByGroup(reader, (shard) => lists[shard]?.frequencies.documents ?? 0);
}

/** The lists of a pair, by visible shard; undefined where its group would not list it. `words` counts each of its terms. */
export function takeKept(
  reader: IndexReader,
  lists: readonly (PairList | undefined)[],
  words: readonly (readonly number[])[],
): (PairList | undefined)[] {
  const documents = sumByGroup(reader, (shard) => lists[shard]?.documents.length ?? 0);
  return lists.map((list, at) =>
    (documents[at] as number) >= PAIR_DOCUMENTS && isPaired(words, at) ? list : undefined,
  );
}

/** Whether the group of a visible shard lists all pairs of these terms that two of its documents hold. */
export function isPaired(words: readonly (readonly number[])[], shard: number): boolean {
  return words.every((counts) => (counts[shard] as number) >= PAIRED_WORD_DOCUMENTS);
}

/** What the shards of each access group have together, by visible shard. */
export function sumByGroup({ shards }: IndexReader, of: (shard: number) => number): number[] {
  return shards.map(({ root: { group } }) =>
    shards.reduce((sum, { root }, at) => (root.group === group ? sum + of(at) : sum), 0),
  );
}
