/**
 * Which key a caller showed.
 *
 * All hashes are compared, each to its end, so the time says neither whether a key is there nor where. A slow hash would
 * protect words that people choose; keys are 256 random bits.
 */
import { equalBytes } from "../../core/bytes/encodings.ts";
import { type AccessFile, type AccessKey, hashKey } from "./access-file.ts";
import type { Caller } from "./caller.ts";

/** A key whose hash is at hand as bytes. */
export interface KnownKey {
  readonly key: AccessKey;
  readonly hash: Uint8Array;
}

/** Why a key opens nothing. */
export type KeyFault = "unknown" | "revoked" | "expired";

/** The keys of a file, ready to be compared. */
export function prepareKeys({ keys }: AccessFile): readonly KnownKey[] {
  return keys.map((key) => ({ key, hash: Uint8Array.from(key.hash.match(/../g) ?? [], (pair) => parseInt(pair, 16)) }));
}

/**
 * The key whose text was shown, or why it opens nothing.
 *
 * @param now Milliseconds since 1970.
 */
export async function findKey(keys: readonly KnownKey[], text: string, now: number): Promise<AccessKey | KeyFault> {
  const shown = await hashKey(text);
  let found: AccessKey | undefined;
  for (const { key, hash } of keys) {
    const isSame = equalBytes(shown, hash);
    found = isSame ? key : found;
  }
  if (found === undefined) return "unknown";
  if (found.revokedAt !== undefined) return "revoked";
  if (found.expiresAt !== undefined && Date.parse(found.expiresAt) <= now) return "expired";
  return found;
}

/** Who holds a key. @param seesPublic Whether the deployment shows the group `public` to everybody. */
export function callerOfKey({ consumer, collections, admin }: AccessKey, seesPublic: boolean): Caller {
  return { name: consumer, collections: collections ?? "all", seesPublic, isAdmin: admin === true };
}
