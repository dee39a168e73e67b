/**
 * Entries of the table `spelling`: the words of a shard as they are written, with the number of documents that have
 * them. Pure: prepared documents in, entries out.
 */
import { keyOf } from "../../src/core/bytes/key.ts";
import type { TableEntry } from "../../src/core/format/chunk.ts";
import { encodeLength } from "../../src/core/format/quantize.ts";
import { visitTerms } from "../../src/core/text/analyze.ts";
import { listSpelledWords } from "../cache/cached-document.ts";
import type { PreparedDocument } from "./prepare-document.ts";

/** From so many documents on, a word that only one of them has is more often a slip than a word. */
export const MANY_DOCUMENTS = 2_000;

/** Counts are compared, never shown: one in steps of 2 is enough, and packs into half the bytes of exact ones. */
const STEP = 8;
const MAX_COUNT_CODE = 0xff;

/** Entries in no particular order. */
export function spellingEntries(documents: readonly PreparedDocument[]): TableEntry[] {
  const counts = new Map<string, number>();
  const count = (word: string): void => {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  };
  for (const { inverted } of documents) {
    listSpelledWords(inverted).forEach(count);
  }
  const isKept = makeChoice(documents);
  return [...counts]
    .filter(([word, documentCount]) => documentCount > 1 || isKept(word))
    .map(([word, documentCount]) => ({ key: keyOf(word), value: Uint8Array.of(encodeCount(documentCount)) }));
}

/** Which words that one document has are kept: of many documents those of titles, for pages are asked for by name. */
function makeChoice(documents: readonly PreparedDocument[]): (word: string) => boolean {
  if (documents.length < MANY_DOCUMENTS) return () => true;
  const titles = new Set<string>();
  for (const { title } of documents) visitTerms(title, (_term, _kind, _stop, _start, _end, word) => titles.add(word));
  return (word) => titles.has(word);
}

/** Code of a count, as a length code that is rounded down to a power of 2. */
export function encodeCount(count: number): number {
  const code = encodeLength(count, MAX_COUNT_CODE);
  return code - ((code - 1) % STEP);
}
