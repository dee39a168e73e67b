/**
 * Value of the table `trigrams`: the documents whose text holds a given gram, see `src/core/text/grams.ts`.
 *
 * Layout: index-format v1, section 7.6. A gram that stands in more than a third of the documents narrows little and
 * would take most of the table, so of such a gram only that is kept. Pure: bytes in, values out.
 */
import { decodeNumbers, encodeNumbers, type NumbersBuilder } from "./postings.ts";

/** Of a gram in more than one of so many documents no list is kept. */
const COMMON_SHARE = 3;

/** Documents that hold a gram, ascending, or that there are too many of them to list. */
export type GramDocuments = Uint32Array | "common";

/** Bytes of a gram's documents in a shard of `total` documents. At least one document holds it. */
export function encodeTrigram(documents: Pick<NumbersBuilder, "count" | "finish">, total: number): Uint8Array {
  return documents.count * COMMON_SHARE > total ? encodeNumbers([]) : documents.finish();
}

/** The documents of a gram. @throws {FormatError} on bytes that are no such value. */
export function decodeTrigram(bytes: Uint8Array): GramDocuments {
  const documents = decodeNumbers(bytes, "trigram");
  // A gram that no document holds has no key, so an empty list is free to say "common".
  return documents.length === 0 ? "common" : documents;
}
