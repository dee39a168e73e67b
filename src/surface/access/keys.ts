/**
 * Keys of a deployment: `access.json`, read again by its ETag after a minute, and the key that a caller shows.
 *
 * Only decoded values are cached across requests, never promises: Workers forbid it. All hashes are compared, each to its end, so the time
 * says neither whether a key exists nor where. A slow hash would protect words that people choose; keys are 256 random bits.
 */
import { equalBytes } from "../../core/bytes/encodings.ts";
import { isWithin } from "../../core/is-within.ts";
import {
  ACCESS_FILE,
  type AccessFile,
  type AccessKey,
  hashKey,
  MAX_ACCESS_BYTES,
  parseAccessFile,
} from "./access-file.ts";
import type { Caller } from "./caller.ts";

/** A key whose hash is at hand as bytes. */
interface KnownKey {
  readonly key: AccessKey;
  readonly hash: Uint8Array;
}

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

/** A key that was added or revoked is known everywhere after this. */
const ACCESS_TTL_MS = 60_000;
/** How long keys hold that were read last while the file cannot be read. Then nobody is let in by a key. */
const ACCESS_GRACE_MS = 600_000;
/** A file that could not be read is tried again after this: callers can ask more often than that. */
const RETRY_MS = 5000;

/** An object of the bucket: its bytes, `"unchanged"` where it still has the known tag, undefined where it is not there. */
export type ObjectReader = (
  name: string,
  knownEtag?: string,
) => Promise<{ readonly bytes: Uint8Array; readonly etag: string } | "unchanged" | undefined>;

interface State {
  readonly keys: readonly KnownKey[];
  /** Tag of the file; undefined where there was none. */
  readonly etag: string | undefined;
  /** When it was known to be so, in milliseconds since 1970. */
  readonly readAtMs: number;
}

/** Reads the keys at a time in milliseconds since 1970. @param report Takes why the file could not be read. */
type AccessReader = (now: number, report: (error: unknown) => void) => Promise<readonly KnownKey[] | undefined>;

/**
 * Reads the keys: those that there are, or undefined where that cannot be told. A file that is not there has no keys.
 */
export function createAccessReader(read: ObjectReader): AccessReader {
  let state: State | undefined;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let failedAtMs = Number.NEGATIVE_INFINITY;
  return async (now, report) => {
    const known = state;
    // Whoever comes while the file is read has the keys from before, where they still hold.
    if (isWithin(now, failedAtMs, RETRY_MS)) return isHeld(known, now) ? known.keys : undefined;
    if (failedAtMs < triedAtMs && isWithin(now, triedAtMs, ACCESS_TTL_MS) && isHeld(known, now)) return known.keys;
    triedAtMs = now;
    try {
      state = await readState(read, known, now);
    } catch (error) {
      failedAtMs = now;
      // What is wrong with the file is for its operator, however its reader says it.
      report(new Error(`the keys cannot be read: ${String(error)}`, { cause: error }));
    }
    return isHeld(state, now) ? state.keys : undefined;
  };
}

/** Whether the file is there and says which keys there are. @throws what is wrong with it. */
export async function checkAccessFile(read: ObjectReader): Promise<"ok" | "absent"> {
  const { etag } = await readState(read, undefined, 0);
  return etag === undefined ? "absent" : "ok";
}

async function readState(read: ObjectReader, known: State | undefined, now: number): Promise<State> {
  const object = await read(ACCESS_FILE, known?.etag);
  if (object === undefined) return { keys: [], etag: undefined, readAtMs: now };
  if (object === "unchanged") return { keys: known?.keys ?? [], etag: known?.etag, readAtMs: now };
  const { bytes, etag } = object;
  if (bytes.length > MAX_ACCESS_BYTES) throw new Error(`${ACCESS_FILE} is longer than ${MAX_ACCESS_BYTES} bytes`);
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  return { keys: prepareKeys(parseAccessFile(text)), etag, readAtMs: now };
}

function isHeld(state: State | undefined, now: number): state is State {
  return state !== undefined && isWithin(now, state.readAtMs, ACCESS_GRACE_MS);
}
