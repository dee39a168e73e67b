/**
 * Table keys: UTF-8 bytes held as byte strings (one UTF-16 unit per byte, U+0000–U+00FF).
 *
 * JavaScript compares strings by UTF-16 units, which orders text beyond the BMP differently from its UTF-8 bytes.
 * A byte string compares exactly like its bytes, is cheap to slice, and serves as a `Map` key. Pure.
 */
import { encodeUtf8 } from "./writer.ts";

const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** A key of a table: every unit is one byte. */
export type ByteKey = string & { readonly __byteKey: true };

/** Separates the parts of a composed key; sorts below every byte of text. */
export const KEY_SEPARATOR = "\u0000";

/** Arguments that a call certainly takes; engines allow many times more. */
const MAX_ARGUMENTS = 4096;

export function keyOf(text: string): ByteKey {
  if (isAscii(text)) return text as ByteKey;
  return keyOfBytes(encodeUtf8(text));
}

export function keyOfBytes(bytes: Uint8Array): ByteKey {
  // All at once: put together byte by byte, a string is a chain of small ones, thirty times as large.
  if (bytes.length <= MAX_ARGUMENTS) return String.fromCharCode.apply(null, bytes as unknown as number[]) as ByteKey;
  let key = "";
  for (let at = 0; at < bytes.length; at += MAX_ARGUMENTS) key += keyOfBytes(bytes.subarray(at, at + MAX_ARGUMENTS));
  return key as ByteKey;
}

export function bytesOfKey(key: ByteKey): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(key.length);
  for (let i = 0; i < key.length; i++) bytes[i] = key.charCodeAt(i);
  return bytes;
}

/** The text of a key; invalid UTF-8 becomes U+FFFD. */
export function textOfKey(key: ByteKey): string {
  return isAscii(key) ? key : utf8.decode(bytesOfKey(key));
}

/** Key of a small number, so that numeric order is key order: four bytes, highest first. */
export function keyOfNumber(value: number): ByteKey {
  return String.fromCharCode(
    (value >>> 24) & 0xff,
    (value >>> 16) & 0xff,
    (value >>> 8) & 0xff,
    value & 0xff,
  ) as ByteKey;
}

/** The number that `keyOfNumber` made a key of. */
export function numberOfKey(key: ByteKey): number {
  return ((key.charCodeAt(0) << 24) | (key.charCodeAt(1) << 16) | (key.charCodeAt(2) << 8) | key.charCodeAt(3)) >>> 0;
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}
