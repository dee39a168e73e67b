/**
 * Reading the words that a mistyped one may be a slip of, in one round: those like it at the beginning, at the end, and of
 * long words those like it in the middle.
 *
 * One slip leaves one half of a word as it is; only a swap in the very middle touches both, and makes a single word, which
 * is read too. Two slips leave the first letters, the last ones, or with one at either end what is between, moved by at most
 * one letter. (Not read: two slips at both ends of a word of eight letters, which leave too little between, and of these a
 * swap over the border of an end.) Words that go on from what was typed are among those that begin like it.
 *
 * What is taken depends on the words alone, not on how they lie in chunks: a build on a base answers like one from scratch.
 */
import { type ByteKey, KEY_SEPARATOR } from "../bytes/key.ts";
import {
  ALL_WORDS,
  decodeSpelling,
  FRONT_LETTERS,
  keysOfWord,
  rangeOfBeginning,
  rangeOfEnd,
  rangeOfMiddle,
  type SpelledWords,
  type WordRange,
} from "../format/spelling.ts";
import { entriesOf, type IndexReader, type TableRead } from "../index/index-reader.ts";

/** Where there are no more terms than this, all words are read: they are a few kilobytes. */
const FEW_TERMS = 1_000;
/** From so many letters on, words like the mistyped one in the middle are read. */
const LEAST_WITH_MIDDLE = 9;
/** Chunks that are read for one beginning or end, about 18 kB: below a hundred thousand words hardly any needs more. */
const MAX_NEAR_CHUNKS = 64;

/** A word that no document holds. */
export interface MistypedWord {
  readonly word: string;
  /** Slips that are allowed. */
  readonly edits: 1 | 2;
}

/** Words near the mistyped ones, and those that they begin, with their documents summed over the visible shards. */
export async function readNearWords(reader: IndexReader, mistyped: readonly MistypedWord[]): Promise<SpelledWords> {
  const terms = reader.shards.reduce((sum, { root }) => sum + root.terms, 0);
  const ranges = mistyped.flatMap((word) => listRanges(word, terms <= FEW_TERMS));
  const reads = reader.shards.flatMap(({ index }) =>
    ranges.map(
      (range): TableRead => ({ shard: index, table: "spelling", keys: { ...range, maxChunks: MAX_NEAR_CHUNKS } }),
    ),
  );
  const { tables } = await reader.read(reads);
  const counts = new Map<string, number>();
  for (const shard of reader.shards.keys()) {
    const near = new Map<ByteKey, Uint8Array>();
    for (const [at, { from, to }] of ranges.entries()) {
      const chunks = tables[shard * ranges.length + at] ?? [];
      for (const [key, value] of entriesOf(chunks)) if (key >= from && key < to) near.set(key, value);
    }
    for (const [word, count] of decodeSpelling(near)) counts.set(word, (counts.get(word) ?? 0) + count);
  }
  return counts;
}

function listRanges({ word, edits }: MistypedWord, isSmall: boolean): WordRange[] {
  if (isSmall) return [ALL_WORDS];
  const letters = Array.from(word);
  const count = letters.length;
  if (edits === 1) {
    const half = Math.floor(count / 2);
    const [swapped] = keysOfWord(swapAt(letters, half).join(""));
    return [
      rangeOfBeginning(letters.slice(0, half)),
      rangeOfEnd(letters.slice(half)),
      { from: swapped, to: `${swapped}${KEY_SEPARATOR}` as ByteKey },
    ];
  }
  const back = count - Math.max(FRONT_LETTERS, Math.floor((count - 1) / 3));
  const ranges = [rangeOfBeginning(letters.slice(0, FRONT_LETTERS)), rangeOfEnd(letters.slice(back))];
  if (count < LEAST_WITH_MIDDLE) return ranges;
  // The middle as it is, and where the slip in front left a letter out or put one in.
  const starts = [FRONT_LETTERS - 1, FRONT_LETTERS, FRONT_LETTERS + 1];
  return [...ranges, ...starts.map((start) => rangeOfMiddle(letters.slice(start, back)))];
}

/** The letters with the one at an index and the one before it swapped. */
function swapAt(letters: readonly string[], index: number): string[] {
  const [before = "", after = ""] = letters.slice(index - 1, index + 1);
  return [...letters.slice(0, index - 1), after, before, ...letters.slice(index + 1)];
}
