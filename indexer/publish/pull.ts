/**
 * Pull the index that is published at a place into a folder: the files that the folder lacks, then the pointer.
 *
 * It is written as a build writes: under the folder's lock, each file whole, and what the replaced generation alone needed is
 * removed. A generation that is dropped and collected meanwhile is given up for the one that is current then.
 */
import { join } from "node:path";
import { FormatError, InputError } from "../../src/core/errors.ts";
import {
  decodeManifest,
  decodePointer,
  encodePointer,
  type ManifestFile,
  type Pointer,
} from "../../src/core/format/generation.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { type LockOptions, nodeDisk, type OutputDisk, readIfThere, writeToFolder } from "../index/output-folder.ts";
import { type FileSink, holdsItsName } from "../index/write-table.ts";
import { describeFolderFailure } from "./folder-store.ts";
import { type ObjectStore, sumBytes, TooLarge } from "./object-store.ts";
import { type Published, readPublished } from "./published.ts";
import { type Clock, inParallel, machineClock, type TransferProgress } from "./transfer.ts";

const DOWNLOADS_AT_ONCE = 6;
/** How often a generation is begun: each was replaced and collected while it was being read. */
const ROUNDS = 10;

/** How to pull. */
interface PullOptions extends Partial<LockOptions> {
  readonly onProgress?: (progress: TransferProgress) => void;
  readonly clock?: Clock;
}

/** What pulling did. */
export interface PullSummary {
  readonly generation: string;
  readonly commit: string;
  readonly builtAt: string;
  /** The generation that the folder held before, `""` for none. */
  readonly replaced: string;
  /** Whether the folder's pointer was written. */
  readonly switched: boolean;
  /** The pointer included. */
  readonly downloadedFiles: number;
  readonly downloadedBytes: number;
  readonly reusedFiles: number;
  readonly reusedBytes: number;
  /** Requests to the store, those that were sent again included. */
  readonly requests: number;
  readonly seconds: number;
}

/**
 * Pull what is current at a place into a folder, which is made where there is none. Undefined where nothing is published: then
 * the folder is as it was.
 *
 * @throws {InputError} where what is published is not whole, or cannot be read, and where the folder cannot be written.
 */
export async function pullIndex(
  store: ObjectStore,
  folder: string,
  { clock = machineClock, onProgress = () => undefined, ...lock }: PullOptions = {},
): Promise<PullSummary | undefined> {
  const began = { elapsed: clock.elapsed(), requests: store.requests() };
  const { disk = nodeDisk } = lock;
  if ((await readPublished(store)) === undefined) return undefined;
  const pullInto = async (sink: FileSink): Promise<PullSummary | undefined> => {
    const pulling = new Pulling(store, folder, disk, sink, onProgress);
    let failed = "";
    for (let round = 1; round <= ROUNDS; round++) {
      // Read under the lock: somebody who was waited for may have pulled the same.
      const published = await readPublished(store);
      if (published === undefined) return undefined;
      try {
        return {
          generation: published.pointer.generation,
          commit: published.commit,
          builtAt: published.builtAt,
          ...(await pulling.run(published)),
          requests: store.requests() - began.requests,
          seconds: (clock.elapsed() - began.elapsed) / 1000,
        };
      } catch (error) {
        if (!(error instanceof MissingFile)) throw error;
        // Twice under the same pointer: nobody replaced it meanwhile, so it is the store that lacks the file.
        if (failed === published.etag) throw describeBroken(published.pointer, store.place, error.message);
        failed = published.etag;
      }
    }
    throw new InputError(`others publish to ${store.place} all the time, and what was pulled was removed: try again`);
  };
  return writeToFolder(folder, pullInto, lock).catch((error: unknown) => {
    throw describeFolderFailure(error, folder);
  });
}

/** A file that the store does not hold, or not as its name says. */
class MissingFile extends Error {
  override readonly name = "MissingFile";

  constructor(file: string) {
    super(`${file} is missing or damaged`);
  }
}

type PullCounts = Omit<PullSummary, "generation" | "commit" | "builtAt" | "requests" | "seconds">;

/** What is on its way into a folder: one generation, and others that were given up for it. */
class Pulling {
  readonly #store: ObjectStore;
  readonly #folder: string;
  readonly #disk: OutputDisk;
  readonly #sink: FileSink;
  readonly #onProgress: (progress: TransferProgress) => void;
  readonly #downloaded = new Map<string, number>();

  constructor(
    store: ObjectStore,
    folder: string,
    disk: OutputDisk,
    sink: FileSink,
    onProgress: (progress: TransferProgress) => void,
  ) {
    this.#store = store;
    this.#folder = folder;
    this.#disk = disk;
    this.#sink = sink;
    this.#onProgress = onProgress;
  }

  async run({ pointer, built }: Published): Promise<PullCounts> {
    const before = await this.#readCurrent();
    const manifest = await this.#readManifest(pointer);
    const all = [...manifest.files, { name: pointer.manifest, bytes: manifest.bytes }];
    const lacking: ManifestFile[] = [];
    for (const file of all) if (!(await this.#isThere(file))) lacking.push(file);
    const [allFiles, allBytes] = [this.#downloaded.size + lacking.length, this.#downloadedBytes() + sumBytes(lacking)];
    await inParallel(lacking, DOWNLOADS_AT_ONCE, async ({ name, bytes }) => {
      await this.#download(name, bytes);
      this.#onProgress({ files: this.#downloaded.size, allFiles, bytes: this.#downloadedBytes(), allBytes });
    });
    const reused = all.filter(({ name }) => !this.#downloaded.has(name));
    const switched = before?.root !== pointer.root;
    if (switched) {
      // Earlier generations stay where they were published: their files are not here.
      const bytes = encodePointer({ ...pointer, previous: [], ...(built !== undefined && { built }) });
      await this.#sink(POINTER_FILE, bytes);
      this.#downloaded.set(POINTER_FILE, bytes.length);
    }
    return {
      replaced: before?.generation ?? "",
      switched,
      downloadedFiles: this.#downloaded.size,
      downloadedBytes: this.#downloadedBytes(),
      reusedFiles: reused.length,
      reusedBytes: sumBytes(reused),
    };
  }

  #downloadedBytes(): number {
    return [...this.#downloaded.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  /** The pointer of the folder; undefined where there is none, or one that cannot be read. */
  async #readCurrent(): Promise<{ readonly generation: string; readonly root: string } | undefined> {
    const bytes = await readIfThere(join(this.#folder, POINTER_FILE), this.#disk);
    if (bytes === undefined) return undefined;
    try {
      return decodePointer(bytes);
    } catch (error) {
      if (error instanceof FormatError) return undefined;
      throw error;
    }
  }

  async #readManifest(pointer: Pointer): Promise<{ readonly files: readonly ManifestFile[]; readonly bytes: number }> {
    const name = pointer.manifest;
    const here = await readIfThere(join(this.#folder, name), this.#disk);
    const bytes = here !== undefined && holdsItsName(name, here) ? here : await this.#download(name);
    try {
      return { files: decodeManifest(bytes).files, bytes: bytes.length };
    } catch (error) {
      if (error instanceof FormatError) throw describeBroken(pointer, this.#store.place, error.message);
      throw error;
    }
  }

  async #isThere({ name, bytes }: ManifestFile): Promise<boolean> {
    const held = await readIfThere(join(this.#folder, name), this.#disk);
    return held !== undefined && held.length === bytes && holdsItsName(name, held);
  }

  /** @param size What the manifest says; undefined where it does not say. */
  async #download(name: string, size?: number): Promise<Uint8Array> {
    const object = await this.#store.get(name, size).catch((error: unknown) => {
      if (error instanceof TooLarge) throw new MissingFile(name);
      throw error;
    });
    const bytes = object?.bytes;
    const isWhole = bytes !== undefined && holdsItsName(name, bytes) && (size ?? bytes.length) === bytes.length;
    if (!isWhole) throw new MissingFile(name);
    await this.#sink(name, bytes);
    this.#downloaded.set(name, bytes.length);
    return bytes;
  }
}

function describeBroken({ generation }: Pointer, place: string, reason: string): InputError {
  return new InputError(
    `generation ${generation} in ${place} is not whole (${reason}), and nothing was changed: publish it again, which mends it, or go back with \`treeline rollback\``,
  );
}
