/**
 * Bytes as text for people and files: two hexadecimal digits each.
 *
 * Pure: bytes in, text out.
 */

/** The bytes as text, in small letters. */
export function formatHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
