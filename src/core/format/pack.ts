/**
 * Packs as the root lists them: the digits of the file's name, then those of its key.
 *
 * Layout: index-format v1, section 3.4. The key is a number out of all of a pack's content, and the checksum of each chunk
 * and block in it is stored with the key and its offset mixed in. Reads are of ranges, so nobody sees whether the hash of
 * the whole file is that of its name; so a chunk out of another pack, or out of another place of this one, is damage
 * even where it is of the same table, or of the same unit of another document.
 *
 * Pure.
 */

/** Digits of a pack's name, before `.pack`. */
const NAME_DIGITS = 32;
const KEY_DIGITS = 8;
const HEXADECIMAL = 16;

/** How the root lists a pack. `name` is its file's without `.pack`, `key` an unsigned number of 32 bits. */
export function listPack(name: string, key: number): string {
  return `${name}${key.toString(HEXADECIMAL).padStart(KEY_DIGITS, "0")}`;
}

/** Name of the file of a pack that the root lists. */
export function fileOfPack(listed: string): string {
  return `${listed.slice(0, NAME_DIGITS)}.pack`;
}

/** Key of a pack that the root lists. */
export function keyOfPack(listed: string): number {
  return Number.parseInt(listed.slice(NAME_DIGITS, NAME_DIGITS + KEY_DIGITS), HEXADECIMAL) || 0;
}

/** What is mixed into the checksum of the chunk or block at an offset of a pack with this key. */
export function keyAt(key: number, offset: number): number {
  return (key ^ offset) >>> 0;
}

/** Mix a key (`keyAt`) into the checksum at the start of sealed bytes, or take it out again. Changes the bytes. */
export function mixKey(bytes: Uint8Array, offset: number, key: number): void {
  for (let at = 0; at < 4; at++) {
    bytes[offset + at] = (bytes[offset + at] as number) ^ ((key >>> (8 * at)) & 0xff);
  }
}
