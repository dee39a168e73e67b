/**
 * Parts that code and topic tables share: columns of values, which deflate better than rows, and keys that are ids.
 *
 * Index-format v1, sections 7.8 to 7.10. The first letter of a key: of code tables `e` something external, `i` a symbol or
 * file, `p` a page, `s` a mentioned symbol; of topic tables `c` a category, `m` its members, `n` a concept, `d` a document.
 */

import { hashKey } from "../bytes/checksum.ts";
import { type ByteKey, keyOf } from "../bytes/key.ts";
import { unzigzag, zigzag } from "../bytes/numbers.ts";
import { type ByteReader, decodeUtf8 } from "../bytes/reader.ts";
import { type ByteWriter, encodeUtf8 } from "../bytes/writer.ts";
import { FormatError } from "../errors.ts";

/** A varint for each value. */
export function writeNumbers(writer: ByteWriter, values: Iterable<number>): void {
  for (const value of values) writer.writeVarint(value);
}

/** What `writeNumbers` wrote. @throws {FormatError} where one is above `limit`. */
export function readNumbers(
  reader: ByteReader,
  count: number,
  what: string,
  limit = Number.MAX_SAFE_INTEGER,
): number[] {
  const values: number[] = [];
  for (let at = 0; at < count; at++) {
    const got = reader.readVarint();
    if (got > limit) throw new FormatError(reader.what, { code: "out-of-range", what, got, limit });
    values.push(got);
  }
  return values;
}

/** For each value its difference from what is expected of it. */
export function writeDifferences(writer: ByteWriter, values: Iterable<number>): void {
  for (const value of values) writer.writeVarint(zigzag(value));
}

/** What `writeDifferences` wrote. @throws {FormatError}. */
export function readDifferences(reader: ByteReader, count: number): number[] {
  return Array.from({ length: count }, () => unzigzag(reader.readVarint()));
}

/** Lengths of all texts in UTF-16 units, then the texts as one. */
export function writeTexts(writer: ByteWriter, texts: readonly string[]): void {
  for (const { length } of texts) writer.writeVarint(length);
  const bytes = encodeUtf8(texts.join(""));
  writer.writeVarint(bytes.length);
  writer.writeBytes(bytes);
}

/** What `writeTexts` wrote. @throws {FormatError} where the lengths are not those of the texts. */
export function readTexts(reader: ByteReader, count: number): string[] {
  const lengths = readNumbers(reader, count, "length of a text");
  const whole = decodeUtf8(reader.readBytes(reader.readVarint()), reader.what);
  const sum = lengths.reduce((total, length) => total + length, 0);
  if (sum !== whole.length) {
    throw new FormatError(reader.what, { code: "malformed", reason: `texts of ${sum} units in ${whole.length}` });
  }
  let at = 0;
  return lengths.map((length) => {
    at += length;
    return whole.slice(at - length, at);
  });
}

/** A number that has to be at least 1: a line or a column. @throws {FormatError}. */
export function checkPlace(value: number, what: string): number {
  if (value < 1) throw new FormatError(what, { code: "malformed", reason: `a place at ${value}` });
  return value;
}

/** Bytes of an id that stand in a key as they are; room is left for the number of a piece. */
const MAX_ID_BYTES = 960;

/** The key of an id. Longer ones, which no person writes, end in a hash of all of them. */
export function keyOfId(kind: "c" | "d" | "e" | "i" | "m" | "n" | "p" | "s", id: string): ByteKey {
  const key = keyOf(id);
  if (key.length <= MAX_ID_BYTES) return (kind + key) as ByteKey;
  return (kind + key.slice(0, MAX_ID_BYTES) + hashKey(key).toString(16).padStart(8, "0")) as ByteKey;
}
