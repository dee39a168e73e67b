/**
 * Patches: what a delta says about single values of its base, where taking documents away is not enough.
 *
 * Layout: index-format v1, section 7.7. Encoder and decoder stay in this one file. Pure: bytes in, values out.
 */
import { type ByteKey, KEY_SEPARATOR, keyOf } from "../bytes/key.ts";
import { ByteReader } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { FormatError } from "../errors.ts";
import { type FieldFrequencies, readFrequencies, writeFrequencies } from "./postings.ts";
import { TABLE_NAMES, type TableName } from "./table-names.ts";

const ABSENT = 0;
const VALUE = 1;
const STATED = 2;

/** What stands in the place of a value of the base. */
export type Patch =
  /** Nothing: the base's value is not to be used. */
  | { readonly kind: "absent" }
  /** This value, whatever the base has. */
  | { readonly kind: "value"; readonly value: Uint8Array }
  /** The base's postings without deleted documents, with these counts. */
  | { readonly kind: "stated"; readonly frequencies: FieldFrequencies };

/** A patch with the table and the key that it is for. */
export interface KeyedPatch {
  readonly table: TableName;
  readonly key: ByteKey;
  readonly patch: Patch;
}

/** Key of the patch of a table's key. */
export function keyOfPatch(table: TableName, key: ByteKey): ByteKey {
  return `${keyOf(table)}${KEY_SEPARATOR}${key}` as ByteKey;
}

/** Value of a patch. */
export function encodePatch(patch: Patch): Uint8Array {
  const writer = new ByteWriter(patch.kind === "value" ? patch.value.length + 1 : 16);
  if (patch.kind === "absent") {
    writer.writeByte(ABSENT);
  } else if (patch.kind === "value") {
    writer.writeByte(VALUE);
    writer.writeBytes(patch.value);
  } else {
    writer.writeByte(STATED);
    writeFrequencies(writer, patch.frequencies);
  }
  return writer.finish();
}

/** The patch that an entry of the table `patches` holds. @throws {FormatError}. */
export function decodePatch(key: ByteKey, bytes: Uint8Array): KeyedPatch {
  const what = "table patches";
  const at = key.indexOf(KEY_SEPARATOR);
  const table = TABLE_NAMES.find((name) => name === key.slice(0, Math.max(0, at)));
  if (table === undefined) throw new FormatError(what, { code: "malformed", reason: "a key names no table" });
  const own = key.slice(at + 1) as ByteKey;
  const reader = new ByteReader(bytes, what);
  const kind = reader.readByte();
  if (kind === VALUE) return { table, key: own, patch: { kind: "value", value: reader.readBytes(reader.remaining) } };
  if (kind > STATED) throw new FormatError(what, { code: "out-of-range", what: "kind", got: kind, limit: STATED });
  const patch: Patch = kind === ABSENT ? { kind: "absent" } : { kind: "stated", frequencies: readFrequencies(reader) };
  reader.expectEnd();
  return { table, key: own, patch };
}
