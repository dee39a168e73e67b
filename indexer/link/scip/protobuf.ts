/**
 * Protobuf's wire format, as far as reading a message takes: fields with their numbers, nothing of any schema.
 *
 * Strict: lengths are held against what is there before anything is taken, groups (long out of use) are refused.
 * Source: https://protobuf.dev/programming-guides/encoding/. Pure: bytes in, values out.
 */
import { ByteReader, decodeUtf8 } from "../../../src/core/bytes/reader.ts";
import { FormatError } from "../../../src/core/errors.ts";

/** A varint as an unsigned number, negative ones far above 2^53; or the bytes of a text, a message or packed numbers. */
type FieldValue = number | Uint8Array;

const MAX_VARINT_BYTES = 10;
const MAX_FIELD_NUMBER = 2 ** 29 - 1;
const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const FIXED_32 = 5;

/**
 * Hand over each field of a message in order; fixed-width ones are passed over.
 *
 * @param what What is read, for errors.
 * @throws {FormatError} where the bytes are no message.
 */
export function readFields(bytes: Uint8Array, what: string, take: (field: number, value: FieldValue) => void): void {
  const reader = new ByteReader(bytes, what);
  while (reader.remaining > 0) {
    const tag = readVarint(reader);
    const field = Math.floor(tag / 8);
    if (field < 1 || field > MAX_FIELD_NUMBER) throw malformed(what, `no field has the number ${field}`);
    const type = tag % 8;
    if (type === VARINT) take(field, readVarint(reader));
    else if (type === BYTES) take(field, reader.readBytes(readVarint(reader)));
    else if (type === FIXED_64) reader.readBytes(8);
    else if (type === FIXED_32) reader.readBytes(4);
    else throw malformed(what, `field ${field} has wire type ${type}`);
  }
}

/** Bytes of a field that must be a message. @throws {FormatError} */
export function messageOf(value: FieldValue, what: string): Uint8Array {
  if (typeof value === "number") throw malformed(what, "a number stands where bytes belong");
  return value;
}

/** Text of a field that must be one. @throws {FormatError} */
export function textOf(value: FieldValue, what: string): string {
  return decodeUtf8(messageOf(value, what), what);
}

/** Number of a field that must be one. @throws {FormatError} */
export function numberOf(value: FieldValue, what: string): number {
  if (typeof value !== "number") throw malformed(what, "bytes stand where a number belongs");
  return value;
}

/** Add the numbers of a repeated field to `list`: packed ones, or the one that stands by itself. @throws {FormatError} */
export function addNumbers(list: number[], value: FieldValue, what: string): void {
  if (typeof value === "number") {
    list.push(value);
    return;
  }
  const reader = new ByteReader(value, what);
  while (reader.remaining > 0) list.push(readVarint(reader));
}

/** Up to 64 bits; exact below 2^53. The index format's own varints are shorter and have one form each. */
function readVarint(reader: ByteReader): number {
  let value = 0;
  let scale = 1;
  for (let count = 0; count < MAX_VARINT_BYTES; count++) {
    const byte = reader.readByte();
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return value;
    scale *= 128;
  }
  throw malformed(reader.what, `a number of more than ${MAX_VARINT_BYTES} bytes`);
}

function malformed(what: string, reason: string): FormatError {
  return new FormatError(what, { code: "malformed", reason });
}
