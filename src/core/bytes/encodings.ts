/**
 * Bytes as text: hexadecimal, base64url (RFC 4648, section 5, without padding), and UTF-8 lengths; comparison of secrets.
 */
import { type ByteKey, bytesOfKey, keyOfBytes } from "./key.ts";
import { encodeUtf8 } from "./writer.ts";

/** The bytes as text, in small letters. */
export function formatHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function encodeBase64Url(bytes: Uint8Array): string {
  return btoa(keyOfBytes(bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The bytes that a text stands for; undefined where it is not exactly what `encodeBase64Url` makes of any. */
export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 === 1 || !/^[\w-]*$/.test(text)) return undefined;
  const bytes = bytesOfKey(atob(text.replaceAll("-", "+").replaceAll("_", "/")) as ByteKey);
  // Digits that say the same bytes in another way would be a second name for one thing.
  return encodeBase64Url(bytes) === text ? bytes : undefined;
}

/** Most texts, and looked for by the platform itself. */
const ASCII = /^[\0-\x7f]*$/;

/** Bytes of a text in UTF-8; a lone surrogate counts three, as the U+FFFD that stands for it. */
export function utf8Length(text: string): number {
  return ASCII.test(text) ? text.length : encodeUtf8(text).length;
}

/** Whether bytes are the same, in a time that does not depend on where they differ. Their length is no secret. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < a.length; index++) difference |= (a[index] ?? 0) ^ (b[index] ?? 0);
  return difference === 0;
}
