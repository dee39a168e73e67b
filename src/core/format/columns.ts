/**
 * Records of the code and topic tables: members and their order are said once, for encoder, decoder and type. Keys that are ids.
 *
 * Values of one kind stand in columns, which deflate better than rows; one record is a table of one row. Index-format v1,
 * sections 7.8 to 7.10.
 */

import { hashKey } from "../bytes/checksum.ts";
import { formatHex } from "../bytes/encodings.ts";
import { type ByteKey, keyOf } from "../bytes/key.ts";
import { unzigzag, zigzag } from "../bytes/numbers.ts";
import { ByteReader, decodeUtf8, expectRoom } from "../bytes/reader.ts";
import { ByteWriter, encodeUtf8 } from "../bytes/writer.ts";
import { checkLimit, FormatError, malformed } from "../errors.ts";

/** How many values of one kind are stored. */
export interface Column<T> {
  /** Bytes that a value takes at least: a count of more than fit is refused before anything is allocated for it. */
  readonly least: number;
  readonly write: (writer: ByteWriter, values: readonly T[]) => void;
  /** @throws {FormatError} on bytes that are no such values. */
  readonly read: (reader: ByteReader, count: number) => T[];
}

export type ValueOf<C> = C extends Column<infer T> ? T : never;

/** Numbers of at most `limit`. @param what Their name in errors. */
export function numbers(what: string, limit?: number): Column<number> {
  return { least: 1, write: writeNumbers, read: (reader, count) => readNumbers(reader, count, what, limit) };
}

/** Values one by one. @param least Bytes of one at least. */
export function single<T>(
  least: number,
  write: (writer: ByteWriter, value: T) => void,
  read: (reader: ByteReader) => T,
): Column<T> {
  return {
    least,
    write: (writer, values) => {
      for (const value of values) write(writer, value);
    },
    read: (reader, count) => {
      const values: T[] = [];
      for (let at = 0; at < count; at++) values.push(read(reader));
      return values;
    },
  };
}

/** Numbers of a byte each. */
export const bytes: Column<number> = single(
  1,
  (writer, value) => writer.writeByte(value),
  (reader) => reader.readByte(),
);

const HASH_BYTES = 8;
/** Content hashes: 16 hexadecimal digits. */
export const hashes: Column<string> = single(
  HASH_BYTES,
  (writer, hash) => {
    for (let at = 0; at < HASH_BYTES; at++) writer.writeByte(Number.parseInt(hash.slice(2 * at, 2 * at + 2), 16));
  },
  (reader) => formatHex(reader.readBytes(HASH_BYTES)),
);

/** Numbers of either sign. */
export const differences: Column<number> = single(
  1,
  (writer, value) => writer.writeVarint(zigzag(value)),
  (reader) => unzigzag(reader.readVarint()),
);

/** Numbers as differences from the one before, the first from `start`; none is below `lowest`. */
export function running(what: string, start: number, lowest: number): Column<number> {
  return {
    least: 1,
    write: (writer, values) => {
      differences.write(
        writer,
        values.map((value, at) => value - (values[at - 1] ?? start)),
      );
    },
    read: (reader, count) => {
      let value = start;
      return differences.read(reader, count).map((difference) => {
        value += difference;
        if (value >= lowest) return value;
        throw malformed(reader.what, `${what} ${value}`);
      });
    },
  };
}

export const strings: Column<string> = single(
  1,
  (writer, value) => writer.writeString(value),
  (reader) => reader.readString(),
);

/** Texts as one, with their lengths. */
export const texts: Column<string> = { least: 1, write: writeTexts, read: readTexts };

/** Behind the end of a path: none holds it. */
const END = "\0";

/** Paths in their order: how many folders each shares with the one before, then the rest of all as one. */
export const paths: Column<string> = {
  least: 2,
  write: (writer, values) => {
    const rests = values.map((value, at) => {
      const [segments, before] = [value.split("/"), (values[at - 1] ?? "").split("/")];
      let shared = 0;
      while (shared < segments.length - 1 && segments[shared] === before[shared]) shared++;
      writer.writeVarint(shared);
      return `${segments.slice(shared).join("/")}${END}`;
    });
    writer.writeString(rests.join(""));
  },
  read: (reader, count) => {
    const shared = readNumbers(reader, count, "shared folders");
    const rests = reader.readString().split(END);
    if (rests.length !== count + 1) throw malformed(reader.what, `${rests.length - 1} paths in place of ${count}`);
    let before = [""];
    return shared.map((folders, at) => {
      checkLimit(reader.what, "shared folders", folders, before.length);
      before = [...before.slice(0, folders), ...(rests[at] as string).split("/")];
      return before.join("/");
    });
  },
};

/** Texts of which many are equal: each once, and which of them a value is. */
export function sharedTexts(what: string): Column<string> {
  return {
    least: 1,
    write: (writer, values) => {
      const placeOf = new Map([...new Set(values)].map((value, at) => [value, at]));
      list(texts).write(writer, [[...placeOf.keys()]]);
      writeNumbers(
        writer,
        values.map((value) => placeOf.get(value) as number),
      );
    },
    read: (reader, count) => {
      const known = list(texts).read(reader, 1).flat();
      return readNumbers(reader, count, what, known.length - 1).map((at) => known[at] as string);
    },
  };
}

/** Members of a list, as their places in it. @param places How these are stored. */
export function choice<T>(members: readonly T[], what: string, places = numbers(what)): Column<T> {
  return mapped<number, T>(
    places,
    (member) => members.indexOf(member),
    (got, reader) => {
      const member = members[got];
      if (member !== undefined) return member;
      throw new FormatError(reader.what, { code: "out-of-range", what, got, limit: members.length - 1 });
    },
  );
}

/** Values of two decimals. @param limit The highest, in hundredths. */
export function hundredths(what: string, limit: number): Column<number> {
  return mapped(
    numbers(what, limit),
    (value: number) => Math.round(value * 100),
    (stored) => stored / 100,
  );
}

/** Values that are stored as others. */
export function mapped<Stored, T>(
  column: Column<Stored>,
  toStored: (value: T) => Stored,
  fromStored: (stored: Stored, reader: ByteReader) => T,
): Column<T> {
  return {
    least: column.least,
    write: (writer, values) =>
      column.write(
        writer,
        values.map((value) => toStored(value)),
      ),
    read: (reader, count) => column.read(reader, count).map((stored) => fromStored(stored, reader)),
  };
}

/** Lists: the lengths of all, then the members of all. */
export function list<T>(item: Column<T>): Column<readonly T[]> {
  return {
    least: 1,
    write: (writer, lists) => {
      writeNumbers(
        writer,
        lists.map(({ length }) => length),
      );
      item.write(writer, lists.flat() as T[]);
    },
    read: (reader, count) => {
      const lengths = readNumbers(reader, count, "length of a list");
      const total = lengths.reduce((sum, length) => sum + length, 0);
      expectRoom(reader, total, item.least);
      const all = item.read(reader, total);
      let end = 0;
      return lengths.map((length) => {
        end += length;
        return all.slice(end - length, end);
      });
    },
  };
}

/** Values one by one, each with all of its columns. */
export function each<T>(item: Column<T>): Column<T> {
  return single(
    item.least,
    (writer, value) => item.write(writer, [value]),
    (reader) => item.read(reader, 1)[0] as T,
  );
}

/** The columns of records, by the names of their members. */
type Columns<T> = { readonly [Name in keyof T]: readonly T[Name][] };

/** Records: a column for each member, in the order in which they are named here. */
export interface RecordColumn<T> extends Column<Readonly<T>> {
  /** The same as `read`, without an object for each record. */
  readonly readColumns: (reader: ByteReader, count: number) => Columns<T>;
}

export function record<T extends object>(members: { readonly [Name in keyof T]: Column<T[Name]> }): RecordColumn<T> {
  const names = Object.keys(members) as (keyof T)[];
  return {
    least: names.reduce((sum, name) => sum + members[name].least, 0),
    write: (writer, rows) => {
      for (const name of names) {
        members[name].write(
          writer,
          rows.map((row) => row[name]),
        );
      }
    },
    readColumns: (reader, count) => {
      const columns: Partial<{ [Name in keyof T]: T[Name][] }> = {};
      for (const name of names) columns[name] = members[name].read(reader, count);
      return columns as Columns<T>;
    },
    read: (reader, count) => {
      const columns = names.map((name) => members[name].read(reader, count));
      const rows: T[] = [];
      for (let at = 0; at < count; at++) {
        const row = {} as T;
        for (let member = 0; member < names.length; member++) {
          row[names[member] as keyof T] = columns[member]?.[at] as T[keyof T];
        }
        rows.push(row);
      }
      return rows;
    },
  };
}

/** Lines or columns, from 1 on. */
export const places: Column<number> = single(
  1,
  (writer, place) => writer.writeVarint(place),
  (reader) => checkPlace(reader.readVarint(), reader.what),
);

/** Encoder and decoder of a table's values. @param what Their name in errors. */
export function codec<T>(
  what: string,
  column: Column<T>,
): { readonly encode: (value: T) => Uint8Array; readonly decode: (bytes: Uint8Array) => T } {
  return {
    encode: (value) => {
      const writer = new ByteWriter(256);
      column.write(writer, [value]);
      return writer.finish();
    },
    decode: (encoded) => {
      const reader = new ByteReader(encoded, what);
      const [value] = column.read(reader, 1);
      reader.expectEnd();
      return value as T;
    },
  };
}

/** @throws {FormatError} where places are not those of a list of so many. */
export function expectPlaces(
  { what: table }: ByteReader,
  what: string,
  places: readonly number[],
  count: number,
): void {
  const got = places.find((place) => place >= count);
  if (got !== undefined) throw new FormatError(table, { code: "out-of-range", what, got, limit: count - 1 });
}

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
    checkLimit(reader.what, what, got, limit);
    values.push(got);
  }
  return values;
}

/** Lengths of all texts in UTF-16 units, then the texts as one. */
function writeTexts(writer: ByteWriter, texts: readonly string[]): void {
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
  if (sum !== whole.length) throw malformed(reader.what, `texts of ${sum} units in ${whole.length}`);
  let at = 0;
  return lengths.map((length) => {
    at += length;
    return whole.slice(at - length, at);
  });
}

/** A number that has to be at least 1: a line or a column. @throws {FormatError}. */
export function checkPlace(value: number, what: string): number {
  if (value < 1) throw malformed(what, `a place at ${value}`);
  return value;
}

/** Bytes of an id that stand in a key as they are; room is left for the number of a piece. */
const MAX_ID_BYTES = 960;

/** What a key is of, by its first letter. */
const KEY_LETTERS = {
  category: "c",
  topics: "d",
  external: "e",
  symbol: "i",
  members: "m",
  concept: "n",
  page: "p",
  named: "s",
} as const;

/** The key of an id. Longer ones, which no person writes, end in a hash of all of them. */
export function keyOfId(kind: keyof typeof KEY_LETTERS, id: string): ByteKey {
  const key = keyOf(id);
  const hash = key.length <= MAX_ID_BYTES ? "" : hashKey(key).toString(16).padStart(8, "0");
  return (KEY_LETTERS[kind] + key.slice(0, MAX_ID_BYTES) + hash) as ByteKey;
}
