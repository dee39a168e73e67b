/**
 * A prepared document in parts: what a build needs of every document at any time, what it needs when the document's
 * turn comes, of source files what linking needs, of pages what concepts are chosen of. All but the first are kept as bytes,
 * on disk where there are many. Of
 * the first, too, what is long stays bytes: as objects, sections and links of a million sections would not fit into the
 * heap.
 */
import { hashKey } from "../../../src/core/bytes/checksum.ts";
import { keyOf } from "../../../src/core/bytes/key.ts";
import { encodeJson } from "../../../src/core/bytes/writer.ts";
import { isSpellable } from "../../../src/core/text/word-keys.ts";
import { type InvertedDocument, TERM_IS_WORD } from "../invert.ts";
import type { PreparedDocument } from "../prepare-document.ts";

/** The large part. */
export type DocumentBody = Pick<PreparedDocument, "inverted" | "unitCodes" | "grams" | "blocks">;
/** The rest but for what is kept apart. Number and collection are those of the build that made it. */
export type DocumentCard = Omit<PreparedDocument, keyof DocumentBody | "code" | "candidates">;

/** A card as it is kept. */
export interface PackedCard {
  readonly head: Omit<DocumentCard, "sections" | "links">;
  /** JSON, as `packCard` wrote it. */
  readonly sections: Uint8Array;
  readonly links: Uint8Array;
}

/** Hashes of a document's pairs, in their order, and of its words as they are written. */
export interface DocumentHashes {
  readonly pairs: Uint32Array;
  readonly words: Uint32Array;
}

/** A document taken apart, its large part as bytes. */
export interface PackedDocument extends DocumentHashes {
  readonly card: PackedCard;
  /** As `encodeBody` wrote it. */
  readonly body: Uint8Array;
  /** As `encodeCode` wrote it; empty where the document is no source file. */
  readonly code: Uint8Array;
  /** As `encodeCandidates` wrote it. */
  readonly candidates: Uint8Array;
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** A card with its long lists as bytes. */
export function packCard({ sections, links, ...head }: DocumentCard): PackedCard {
  return { head, sections: encodeJson(sections), links: encodeJson(links) };
}

/** The card that was packed; its long lists are made anew each time they are asked for, so ask once. */
export function openCard(
  { head, sections, links }: PackedCard,
  place: Pick<DocumentCard, "number" | "collection"> = head,
): DocumentCard {
  return {
    ...head,
    number: place.number,
    collection: place.collection,
    get sections() {
      return JSON.parse(utf8.decode(sections)) as DocumentCard["sections"];
    },
    get links() {
      return JSON.parse(utf8.decode(links)) as DocumentCard["links"];
    },
  };
}

type Words = Pick<InvertedDocument, "terms" | "flags" | "pairs" | "words">;

/** Words of a document as they are written, each once: what the table `spelling` counts. */
export function listSpelledWords({ terms, flags, words }: Pick<Words, "terms" | "flags" | "words">): string[] {
  return [...words, ...listSpelledTerms({ terms, flags }).map((index) => terms[index] as string)];
}

/** Indexes of a document's terms that are words as they are written. */
export function listSpelledTerms({ terms, flags }: Pick<Words, "terms" | "flags">): number[] {
  const indexes: number[] = [];
  for (const [index, term] of terms.entries()) {
    if (((flags[index] as number) & TERM_IS_WORD) !== 0 && isSpellable(term)) indexes.push(index);
  }
  return indexes;
}

/** Hash of a word as written, 32 bits. */
export function hashWord(word: string): number {
  return hashKey(keyOf(word));
}

/** Hash of a pair out of the hashes of its terms, 32 bits. */
export function hashPair(first: number, second: number): number {
  return (Math.imul(first, 0x9e3779b1) ^ Math.imul(second ^ (second >>> 15), 0x85ebca6b)) >>> 0;
}

/** Hash of a term, 32 bits. */
export function hashTerm(term: string): number {
  return hashKey(keyOf(term));
}

/** Hashes of a document's pairs, in their order. */
export function hashPairs({ terms, pairs }: Pick<Words, "terms" | "pairs">): Uint32Array {
  const hashes = Uint32Array.from(terms, hashTerm);
  const result = new Uint32Array(pairs.length / 3);
  for (let at = 0; at < result.length; at++) {
    result[at] = hashPair(hashes[pairs[at * 3] as number] as number, hashes[pairs[at * 3 + 1] as number] as number);
  }
  return result;
}

/** Hashes of a document's words as they are written. */
export function hashWords(words: Words): Uint32Array {
  return Uint32Array.from(listSpelledWords(words), hashWord);
}
