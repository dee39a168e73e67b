/**
 * Bytes as text for addresses: base64 with `-` and `_`, without padding (RFC 4648, section 5).
 *
 * Pure: bytes in, text out, and back.
 */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The bytes as text. */
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
