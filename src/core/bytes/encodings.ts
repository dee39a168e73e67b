/**
 * Bytes as text: hexadecimal, base64url (RFC 4648, section 5, without padding), and UTF-8 lengths; comparison of secrets.
 */

/** The bytes as text, in small letters. */
export function formatHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

export function encodeBase64Url(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3);
    const bits = (a << 16) | (b << 8) | c;
    const digits = Math.min(4, bytes.length - at + 1);
    for (let digit = 0; digit < digits; digit++) text += ALPHABET[(bits >> (18 - 6 * digit)) & 63];
  }
  return text;
}

/** The bytes that a text stands for; undefined where it is not exactly what `encodeBase64Url` makes of any. */
export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const digit of text) {
    const value = ALPHABET.indexOf(digit);
    if (value < 0) return undefined;
    bits = ((bits << 6) | value) & 0xffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes[at++] = (bits >> held) & 0xff;
  }
  // Digits that say the same bytes in another way would be a second name for one thing.
  return (bits & ((1 << held) - 1)) === 0 ? bytes : undefined;
}

/** Most texts, and looked for by the platform itself. */
const ASCII = /^[\0-\x7f]*$/;

/** Bytes of a text in UTF-8; a lone surrogate counts three, as the U+FFFD that stands for it. */
export function utf8Length(text: string): number {
  if (ASCII.test(text)) return text.length;
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    if (unit < 0x800) {
      bytes++;
      continue;
    }
    bytes += 2;
    const isPair = unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    // The second half of a pair is counted with the first: four bytes for two units.
    if (isPair) at++;
  }
  return bytes;
}

/** Whether bytes are the same, in a time that does not depend on where they differ. Their length is no secret. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < a.length; index++) difference |= (a[index] ?? 0) ^ (b[index] ?? 0);
  return difference === 0;
}
