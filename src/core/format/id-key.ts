/**
 * Keys that are ids: of the code tables `e` something external, `i` a symbol or file, `p` a page, `s` what it names; of the map
 * `c` a category, `m` what is in it, `n` a concept, `d` what a document is about.
 *
 * Layout: index-format v1, sections 7.8 and 7.9. Pure.
 */
import { hashKey } from "../bytes/checksum.ts";
import { type ByteKey, keyOf } from "../bytes/key.ts";

/** Bytes of an id that stand in a key as they are; room is left for the number of a piece. */
const MAX_ID_BYTES = 960;

/** The key of an id. Longer ones, which no person writes, end in a hash of all of them. */
export function keyOfId(kind: "c" | "d" | "e" | "i" | "m" | "n" | "p" | "s", id: string): ByteKey {
  const key = keyOf(id);
  if (key.length <= MAX_ID_BYTES) return (kind + key) as ByteKey;
  return (kind + key.slice(0, MAX_ID_BYTES) + hashKey(key).toString(16).padStart(8, "0")) as ByteKey;
}
