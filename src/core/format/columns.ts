/**
 * Columns of values of the code tables: all values of one kind one behind the other, which deflates better than row by
 * row. Layouts: index-format v1, section 7.8. Pure.
 */
import { type ByteReader, decodeUtf8 } from "../bytes/reader.ts";
import { unzigzag, zigzag } from "../bytes/signed.ts";
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
