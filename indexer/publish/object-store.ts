/**
 * What publishing needs of a store of objects. A bucket over S3 (`s3.ts`) and a folder (`folder-store.ts`) meet it. And what moving files
 * takes: clocks, several requests at a time, progress.
 */

import { setTimeout as wait } from "node:timers/promises";
import { InputError } from "../../src/core/errors.ts";
import type { ManifestFile } from "../../src/core/format/generation.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { ACCESS_FILE } from "../../src/surface/access/access-file.ts";

interface StoredObject {
  readonly bytes: Uint8Array;
  /** As the store gives it, to be given back. */
  readonly etag: string;
}

/** An object without its bytes. */
export interface ListedObject {
  readonly name: string;
  readonly bytes: number;
  /** When it was written last, in milliseconds since 1970. */
  readonly modifiedAt: number;
  /** MD5 of the content in hex; absent where the store does not tell. */
  readonly md5?: string;
}

/** A store of objects. What a person can mend is thrown as `InputError`. */
export interface ObjectStore {
  /** What it is, for messages. */
  readonly place: string;
  /** The store of what lies in a folder of this one: a corpus knows nothing of the others, nor of where it lies. */
  readonly within: (folder: string) => ObjectStore;
  /**
   * The object of a name; undefined where there is none.
   *
   * @param maxBytes Largest that is read; `MAX_FILE_BYTES` unless it is known to be smaller.
   * @throws {TooLarge} where it has more, however many: no more of them are read.
   */
  readonly get: (name: string, maxBytes?: number) => Promise<StoredObject | undefined>;
  /**
   * Writes a mutable object where it still has a tag, or where there is still none of the name. False where somebody else was
   * faster.
   */
  readonly put: (
    name: string,
    bytes: Uint8Array<ArrayBuffer>,
    type: string,
    known: string | undefined,
  ) => Promise<boolean>;
  /** Writes a file that never changes; done when the store has checked that it holds these bytes. */
  readonly upload: (name: string, bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** All objects of this store; those of its folders are none of them, and cost no request. */
  readonly list: () => Promise<readonly ListedObject[]>;
  /** Names of the folders that hold something, in order. */
  readonly folders: () => Promise<readonly string[]>;
  /**
   * Removes objects, at most 1,000. Those that are not there are removed already.
   *
   * @param deadline When nothing may be under way any more, on the clock of `performance.now()`.
   */
  readonly remove: (names: readonly string[], deadline: number) => Promise<void>;
  /** Requests sent so far, those that failed and those of folders too. */
  readonly requests: () => number;
}

export const MAX_REMOVED_AT_ONCE = 1000;
/** What caches may do with files that are named by their content, and with those that are not. */
export const CACHE_FOR_EVER = "public, max-age=31536000, immutable";
export const CACHE_NEVER = "no-cache";

/** Objects that are rewritten: who may read, and what is current. */
export const MUTABLE_OBJECTS: ReadonlySet<string> = new Set([POINTER_FILE, ACCESS_FILE]);

/** Most bytes of a pointer, which embeds the root: that of a corpus of a million sections is far below. */
export const MAX_POINTER_BYTES = 16 * 1024 * 1024;

/** An object has more bytes than it may have. */
export class TooLarge extends InputError {
  constructor(name: string, maxBytes: number, place: string) {
    super(
      `${name} in ${place} has more than the ${maxBytes} bytes that it may have: nothing was changed; publish again`,
    );
  }
}

export function sumBytes(objects: readonly { readonly bytes: number }[]): number {
  return objects.reduce((sum, { bytes }) => sum + bytes, 0);
}

export function typeOf(name: string): string {
  return name.endsWith(".manifest") ? "application/json" : "application/octet-stream";
}

/** What has arrived, of what is on its way. */
export interface TransferProgress {
  readonly files: number;
  readonly allFiles: number;
  readonly bytes: number;
  readonly allBytes: number;
}

export const machineClock = {
  /** Milliseconds since 1970. */
  now: Date.now,
  /** Milliseconds since anything, never backwards. */
  elapsed: (): number => performance.now(),
  sleep: async (ms: number): Promise<void> => {
    await wait(ms);
  },
};

/** Clocks, and a way to let time pass. */
export type Clock = Readonly<typeof machineClock>;

/** Most requests that are under way at a time. */
const AT_ONCE = 6;

/**
 * Do the work for each of some things, a few at a time, and wait for all. After a failure nothing new is begun; it is
 * thrown when what is under way has ended.
 */
export async function inParallel<T>(
  things: readonly T[],
  work: (thing: T) => Promise<void>,
  atOnce: number = AT_ONCE,
): Promise<void> {
  const waiting = [...things];
  const failures: unknown[] = [];
  const take = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && failures.length === 0; next = waiting.shift()) {
      await work(next).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, take));
  if (failures.length > 0) throw failures[0];
}

/** Files that were moved so far, by name. */
type Moved = Map<string, ManifestFile>;

/** Move files, and say after each how many have arrived. What `moved` holds counts as arrived before, and grows. */
export async function moveFiles(
  files: readonly ManifestFile[],
  moved: Moved,
  move: (file: ManifestFile) => Promise<unknown>,
  onProgress: (progress: TransferProgress) => void = () => undefined,
): Promise<void> {
  const allFiles = moved.size + files.length;
  const allBytes = sumBytes([...moved.values(), ...files]);
  await inParallel(files, async (file) => {
    await move(file);
    moved.set(file.name, file);
    onProgress({ files: moved.size, allFiles, bytes: sumBytes([...moved.values()]), allBytes });
  });
}
