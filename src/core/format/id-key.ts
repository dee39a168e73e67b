/**
 * Keys of the code tables that are ids: `e` something external, `i` a symbol or file, `p` a page, `s` what it names.
 *
 * Layout: index-format v1, section 7.8. Pure.
 */
import { hashKey } from "../bytes/checksum.ts";
import { type ByteKey, keyOf } from "../bytes/key.ts";

/** Bytes of an id that stand in a key as they are; room is left for the number of a piece. */
const MAX_ID_BYTES = 960;

/** The key of an id. Longer ones, which no person writes, end in a hash of all of them. */
export function keyOfId(kind: "e" | "i" | "p" | "s", id: string): ByteKey {
  const key = keyOf(id);
  if (key.length <= MAX_ID_BYTES) return (kind + key) as ByteKey;
  return (kind + key.slice(0, MAX_ID_BYTES) + hashKey(key).toString(16).padStart(8, "0")) as ByteKey;
}
