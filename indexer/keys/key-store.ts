/**
 * Where the keys of a deployment are kept: `access.json` in the folder of an index, or in a bucket. Either is changed as a
 * whole, and only if nobody else changed it meanwhile.
 */
import { createHash } from "node:crypto";
import { open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  ACCESS_FILE,
  type AccessFile,
  formatAccessFile,
  NO_KEYS,
  parseAccessFile,
} from "../../src/access/access-file.ts";
import { InputError } from "../../src/core/errors.ts";
import type { CollectionInfo } from "../../src/core/format/collection.ts";
import { decodePointer } from "../../src/core/format/pointer.ts";
import { decodeRoot } from "../../src/core/format/root.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { inflateRaw } from "../codec.ts";
import type { Bucket, BucketObject } from "../publish/s3.ts";
import { isFsError } from "../sources/file-system.ts";

/** A place that keeps keys beside an index. */
export interface KeyStore {
  /** What it is, for messages. */
  readonly place: string;
  /** The file of a name and its tag; undefined where there is none. */
  readonly read: (name: string) => Promise<BucketObject | undefined>;
  /** Writes the keys where they still have the tag. False where somebody else was faster. */
  readonly write: (text: string, known: string | undefined) => Promise<boolean>;
}

const TRIES = 8;
/** Long enough that of two who met, one is done. */
const PAUSE_MS = 50;
/** A lock that is older was left by a program that died: it is held for as long as a file takes to write. */
const DEAD_LOCK_MS = 10_000;
const JSON_TYPE = "application/json";

/** The keys in a bucket. */
export function bucketStore(bucket: Bucket, place: string): KeyStore {
  return {
    place,
    read: bucket.get,
    write: (text, known) => bucket.put(ACCESS_FILE, new TextEncoder().encode(text), JSON_TYPE, known),
  };
}

/** The keys in a folder. */
export function folderStore(folder: string): KeyStore {
  const read = async (name: string): Promise<BucketObject | undefined> => {
    try {
      const bytes = Uint8Array.from(await readFile(join(folder, name)));
      return { bytes, etag: createHash("sha256").update(bytes).digest("hex") };
    } catch (error) {
      if (isFsError(error) && error.code === "ENOENT") return undefined;
      throw error;
    }
  };
  return {
    place: folder,
    read,
    write: (text, known) =>
      underLock(folder, async () => {
        if ((await read(ACCESS_FILE))?.etag !== known) return false;
        const partial = join(folder, `.${ACCESS_FILE}.partial`);
        await writeFile(partial, text, { mode: 0o600 });
        await rename(partial, join(folder, ACCESS_FILE));
        return true;
      }),
  };
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

/** Collections of the index beside the keys; undefined where there is none yet. @throws {FormatError} on damage. */
export async function readCollections(store: KeyStore): Promise<readonly CollectionInfo[] | undefined> {
  const pointer = await store.read(POINTER_FILE);
  if (pointer === undefined) return undefined;
  return (await decodeRoot(decodePointer(pointer.bytes).rootBytes, inflateRaw)).collections;
}

/** Runs work alone among all that change the keys of a folder. False where somebody else is at it. */
async function underLock(folder: string, work: () => Promise<boolean>): Promise<boolean> {
  const lock = join(folder, `.${ACCESS_FILE}.lock`);
  try {
    await (await open(lock, "wx")).close();
  } catch (error) {
    if (!isFsError(error) || error.code !== "EEXIST") throw folderError(error, folder);
    const held = await stat(lock).catch(() => undefined);
    if (held !== undefined && Date.now() - held.mtimeMs > DEAD_LOCK_MS) await rm(lock, { force: true });
    return false;
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

function folderError(error: unknown, folder: string): unknown {
  if (isFsError(error) && (error.code === "ENOENT" || error.code === "ENOTDIR")) {
    return new InputError(
      `there is no folder ${JSON.stringify(folder)}; a build makes it, or name another with --index`,
      [],
      `treeline build DIR --out ${folder}`,
    );
  }
  if (!isFsError(error) || (error.code !== "EACCES" && error.code !== "EROFS")) return error;
  return new InputError(`the folder ${JSON.stringify(folder)} may not be written (${error.code})`);
}
