/**
 * The file of keys: keys made and revoked, in the folder of an index or in a bucket. Nothing is written where somebody else
 * changed the file meanwhile.
 */

import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { InputError } from "../../../src/core/errors.ts";
import { decodePointer } from "../../../src/core/format/generation.ts";
import { type CollectionInfo, decodeRoot } from "../../../src/core/format/root.ts";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import { nearestNames, quoteName } from "../../../src/core/text/nearest.ts";
import {
  ACCESS_FILE,
  type AccessFile,
  type AccessKey,
  checkConsumer,
  formatAccessFile,
  KEY_SECRET_BYTES,
  NO_KEYS,
  parseAccessFile,
} from "../../../src/surface/access/access-file.ts";
import { inflateRaw } from "../../base/codec.ts";
import { openFolder } from "../../publish/folder-store.ts";
import type { ObjectStore, StoredObject } from "../../publish/object-store.ts";

const ID_BYTES = 4;

/** A key's text, and what may be kept of it. */
interface NewKey {
  readonly id: string;
  /** The key itself. */
  readonly text: string;
  /** SHA-256 of the text in hex. */
  readonly hash: string;
}

/** Makes a key out of 256 random bits. */
export function makeKey(): NewKey {
  const id = randomBytes(ID_BYTES).toString("hex");
  const text = `tl_${id}_${randomBytes(KEY_SECRET_BYTES).toString("base64url")}`;
  return { id, text, hash: createHash("sha256").update(text).digest("hex") };
}

const MAX_NEAREST = 3;
const DAY_MS = 86_400_000;
const EXAMPLE = "treeline keys add ci-bot --expires 90d";
/** Characters of `2030-01-31`. */
const DATE_LENGTH = 10;

/** What a new key opens, and until when. */
interface KeyWish {
  readonly consumer: string;
  readonly collections?: readonly string[];
  readonly admin: boolean;
  /** ISO 8601 in UTC. */
  readonly expiresAt?: string;
}

/** A key that opens something, or why it does not. */
type KeyState = "active" | "expired" | "revoked";

/** What a key is worth at a time, in milliseconds since 1970. */
export function stateOf({ revokedAt, expiresAt }: AccessKey, now: number): KeyState {
  if (revokedAt !== undefined) return "revoked";
  return expiresAt !== undefined && Date.parse(expiresAt) <= now ? "expired" : "active";
}

/** The file with one key more. @throws {InputError} */
export function addKey(file: AccessFile, wish: KeyWish, id: string, hash: string, now: number): AccessFile {
  checkConsumer(wish.consumer);
  if (file.keys.some((key) => key.id === id)) throw new Error(`the id ${id} is taken`);
  const { consumer, collections, admin, expiresAt } = wish;
  const key: AccessKey = {
    id,
    consumer,
    hash,
    ...(collections !== undefined && { collections }),
    ...(admin && { admin }),
    createdAt: new Date(now).toISOString(),
    ...(expiresAt !== undefined && { expiresAt }),
  };
  return { keys: [...file.keys, key] };
}

/**
 * The file with a key revoked, by its id, or all keys of a consumer, and the ids of those. What was revoked before stays as
 * it is.
 *
 * @throws {InputError} where nothing has that name.
 */
export function revokeKeys(
  file: AccessFile,
  name: string,
  now: number,
): { readonly file: AccessFile; readonly revoked: readonly string[] } {
  const meant = (key: AccessKey): boolean => key.id === name || key.consumer === name;
  if (!file.keys.some(meant)) {
    const names = [...new Set(file.keys.flatMap(({ id, consumer }) => [consumer, id]))];
    throw new InputError(`no key and no consumer is called ${quoteName(name)}`, nearestNames(name, names, MAX_NEAREST));
  }
  const revoked = file.keys.filter((key) => meant(key) && key.revokedAt === undefined).map(({ id }) => id);
  const revokedAt = new Date(now).toISOString();
  const keys = file.keys.map((key) => (revoked.includes(key.id) ? { ...key, revokedAt } : key));
  return { file: { keys }, revoked };
}

/** When a key ends: after so many days (`90d`), or at a day or time in UTC. ISO 8601. @throws {InputError} */
export function readExpiry(text: string, now: number): string {
  const days = /^(\d{1,4})d$/.exec(text)?.[1];
  const isDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/.test(text);
  const at = days !== undefined ? now + Number(days) * DAY_MS : isDate ? Date.parse(text) : Number.NaN;
  // A thirtieth of February is read as a day of March.
  if (Number.isNaN(at) || (isDate && !new Date(at).toISOString().startsWith(text.slice(0, DATE_LENGTH)))) {
    throw new InputError(
      `--expires takes a number of days (90d) or a day in UTC (2030-01-31); got ${quoteName(text)}`,
      [],
      EXAMPLE,
    );
  }
  if (at <= now) throw new InputError(`--expires ${text} is over already`, [], EXAMPLE);
  return new Date(at).toISOString();
}

/** A place that keeps keys beside an index. */
export interface KeyStore {
  /** What it is, for messages. */
  readonly place: string;
  /** The file of a name and its tag; undefined where there is none. */
  readonly read: (name: string) => Promise<StoredObject | undefined>;
  /** Writes the keys where they still have the tag. False where somebody else was faster. */
  readonly write: (text: string, known: string | undefined) => Promise<boolean>;
}

const TRIES = 8;
/** Long enough that of two who met, one is done. */
const PAUSE_MS = 50;
const JSON_TYPE = "application/json";

/** The keys in a bucket. */
export function bucketStore(bucket: ObjectStore, place: string): KeyStore {
  return {
    place,
    read: bucket.get,
    write: (text, known) => bucket.put(ACCESS_FILE, new TextEncoder().encode(text), JSON_TYPE, known),
  };
}

/** The keys in a folder: for its owner's eyes only. */
export function folderStore(folder: string): KeyStore {
  return bucketStore(openFolder(folder, { mode: 0o600 }), folder);
}

/** Changes the keys of a place; once more where somebody else did meanwhile. The result is what the last change gave. */
export async function changeKeys<T extends { readonly file: AccessFile }>(
  store: KeyStore,
  change: (file: AccessFile) => T,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const { file, etag } = await readKeys(store);
    const changed = change(file);
    if (changed.file === file || (await store.write(formatAccessFile(changed.file), etag))) return changed;
    if (tries === TRIES)
      throw new Error(`${ACCESS_FILE} of ${store.place} was changed by others all the time; try again`);
    await sleep(PAUSE_MS * tries * Math.random());
  }
}

/** The keys of a place, and their tag where there are some. @throws {InputError} where they cannot be read as keys. */
export async function readKeys(
  store: KeyStore,
): Promise<{ readonly file: AccessFile; readonly etag: string | undefined }> {
  const object = await store.read(ACCESS_FILE);
  if (object === undefined) return { file: NO_KEYS, etag: undefined };
  return { file: parseAccessFile(new TextDecoder().decode(object.bytes)), etag: object.etag };
}

/**
 * Collections of an index beside the keys; undefined where there is none yet.
 *
 * @param corpus Name of its corpus; `""` for the one at the root.
 * @throws {FormatError} on damage.
 */
export async function readCollections(store: KeyStore, corpus: string): Promise<readonly CollectionInfo[] | undefined> {
  const pointer = await store.read(corpus === "" ? POINTER_FILE : `${corpus}/${POINTER_FILE}`);
  if (pointer === undefined) return undefined;
  return (await decodeRoot(decodePointer(pointer.bytes).rootBytes, inflateRaw)).collections;
}
