/**
 * Pairs: which documents hold two terms side by side, and how often.
 *
 * Layout: index-format v1, section 7.1. Pairs are keys of the table `terms`, so that they lie behind their first word.
 * Encoder and decoder stay in this one file. Pure: bytes in, values out.
 */
import { type ByteKey, KEY_SEPARATOR, keyOf } from "../bytes/key.ts";
import { ByteReader } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { decodeNumbers, encodeNumbers } from "./postings.ts";
import { decodeFrequency, encodeFrequency } from "./quantize.ts";

/** A decoded pair: parallel arrays over its documents, numbers ascending. */
export interface PairList {
  readonly documents: Uint32Array;
  /** Occurrences, as scored. */
  readonly frequencies: Float32Array;
}

/** Key of a pair of terms. */
export function keyOfPair(first: string, second: string): ByteKey {
  return keyOf(`${first}${KEY_SEPARATOR}${second}`);
}

/** Value of a pair. `frequencies` are ≥ 1 and belong to `documents`, which ascend. */
export function encodePair(documents: readonly number[], frequencies: readonly number[]): Uint8Array {
  const writer = new ByteWriter(documents.length * 2 + 2);
  const numbers = encodeNumbers(documents);
  writer.writeVarint(numbers.length);
  writer.writeBytes(numbers);
  const nibble = (index: number): number => encodeFrequency(frequencies[index] ?? 1);
  for (let i = 0; i < documents.length; i += 2) {
    writer.writeByte(nibble(i) | (i + 1 < documents.length ? nibble(i + 1) << 4 : 0));
  }
  return writer.finish();
}

/** The pair that a value holds. @throws {FormatError} on bytes that are none. */
export function decodePair(bytes: Uint8Array, what = "pair"): PairList {
  const reader = new ByteReader(bytes, what);
  const documents = decodeNumbers(reader.readBytes(reader.readVarint()), what);
  const nibbles = reader.readBytes((documents.length + 1) >> 1);
  reader.expectEnd();
  const frequencies = Float32Array.from(documents, (_, index) => {
    const byte = nibbles[index >> 1] as number;
    return decodeFrequency((index & 1 ? byte >> 4 : byte) & 7);
  });
  return { documents, frequencies };
}
