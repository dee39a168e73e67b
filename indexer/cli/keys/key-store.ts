/**
 * Where the keys of a deployment are kept: `access.json` in the folder of an index, or in a bucket. Either is changed as a
 * whole, and only if nobody else changed it meanwhile.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { decodePointer } from "../../../src/core/format/generation.ts";
import { type CollectionInfo, decodeRoot } from "../../../src/core/format/root.ts";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import {
  ACCESS_FILE,
  type AccessFile,
  formatAccessFile,
  NO_KEYS,
  parseAccessFile,
} from "../../../src/surface/access/access-file.ts";
import { inflateRaw } from "../../base/codec.ts";
import { openFolder } from "../../publish/folder-store.ts";
import type { ObjectStore, StoredObject } from "../../publish/object-store.ts";

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
