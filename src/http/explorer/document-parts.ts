/**
 * Parts of a document that are shown on one page each: some sections of a long text, some lines of a long file.
 *
 * Pure: numbers in, numbers out.
 */

/** Indexes from `start` on, below `end`. */
export interface DocumentPart {
  readonly start: number;
  readonly end: number;
}

/** What a section or another entry of a document has. */
export interface EntrySize {
  readonly words: number;
  /** Compressed bytes: what has no words is long all the same. */
  readonly bytes: number;
}

/** What a part may have. */
export interface PartLimits extends EntrySize {
  readonly entries: number;
}

/** A quarter of an hour of reading, some 60 kB, which take a third of that when they are compressed. */
const PART_LIMITS: PartLimits = { words: 8000, bytes: 80_000, entries: 150 };

/** Parts that together are everything, in order; at least one. */
export function cutParts(sizes: readonly EntrySize[], limits = PART_LIMITS): readonly DocumentPart[] {
  const parts: DocumentPart[] = [];
  let start = 0;
  let sum: EntrySize = { words: 0, bytes: 0 };
  for (const [at, { words, bytes }] of sizes.entries()) {
    const isFull = sum.words + words > limits.words || sum.bytes + bytes > limits.bytes || at - start >= limits.entries;
    if (at > start && isFull) {
      parts.push({ start, end: at });
      start = at;
      sum = { words: 0, bytes: 0 };
    }
    sum = { words: sum.words + words, bytes: sum.bytes + bytes };
  }
  return [...parts, { start, end: sizes.length }];
}

/** The part that holds an index; the last one for an index behind all, the first for one before. */
export function findPart(parts: readonly DocumentPart[], index: number): DocumentPart {
  return parts.find(({ end }) => index < end) ?? (parts.at(-1) as DocumentPart);
}
