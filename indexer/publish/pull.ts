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
import {
  type Clock,
  machineClock,
  moveFiles,
  type ObjectStore,
  sumBytes,
  TooLarge,
  type TransferProgress,
} from "./object-store.ts";
import type { PublishSummary } from "./publish.ts";
import { type Published, readPublished } from "./published.ts";

/** How often a generation is begun: each was replaced and collected while it was being read. */
const ROUNDS = 10;

interface PullOptions extends Partial<LockOptions> {
  readonly onProgress?: (progress: TransferProgress) => void;
  readonly clock?: Clock;
}

/** What pulling did. The pointer and the generation before are the folder's. */
export interface PullSummary extends Omit<PublishSummary, "uploadedFiles" | "uploadedBytes" | "kept" | "dryRun"> {
  readonly commit: string;
  readonly builtAt: string;
  /** The pointer included. */
  readonly downloadedFiles: number;
  readonly downloadedBytes: number;
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
    const pulled: PulledFiles = new Map();
    const pull = (published: Published) => pullGeneration(published, store, { folder, disk, sink, pulled }, onProgress);
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
          ...(await pull(published)),
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

/** Files that were pulled, also for a generation that was given up since. */
type PulledFiles = Map<string, ManifestFile>;

interface PullTarget {
  readonly folder: string;
  readonly disk: OutputDisk;
  readonly sink: FileSink;
  readonly pulled: PulledFiles;
}

/** Pull one generation. @throws {MissingFile} */
async function pullGeneration(
  { pointer, built }: Published,
  store: ObjectStore,
  { folder, disk, sink, pulled }: PullTarget,
  onProgress: (progress: TransferProgress) => void,
): Promise<PullCounts> {
  const readHere = (name: string) => readIfThere(join(folder, name), disk);
  const download = async (name: string, size?: number): Promise<Uint8Array> => {
    const object = await store.get(name, size).catch((error: unknown) => {
      if (error instanceof TooLarge) throw new MissingFile(name);
      throw error;
    });
    const bytes = object?.bytes;
    const isWhole = bytes !== undefined && holdsItsName(name, bytes) && (size ?? bytes.length) === bytes.length;
    if (!isWhole) throw new MissingFile(name);
    await sink(name, bytes);
    pulled.set(name, { name, bytes: bytes.length });
    return bytes;
  };

  const before = readPointer(await readHere(POINTER_FILE));
  const held = await readHere(pointer.manifest);
  const isHeld = held !== undefined && holdsItsName(pointer.manifest, held);
  const manifest = isHeld ? held : await download(pointer.manifest);
  const all = [...readManifest(manifest, pointer, store.place), { name: pointer.manifest, bytes: manifest.length }];
  const lacking: ManifestFile[] = [];
  for (const file of all) {
    const bytes = await readHere(file.name);
    const isThere = bytes !== undefined && bytes.length === file.bytes && holdsItsName(file.name, bytes);
    if (!isThere) lacking.push(file);
  }
  await moveFiles(lacking, pulled, ({ name, bytes }) => download(name, bytes), onProgress);
  const reused = all.filter(({ name }) => !pulled.has(name));
  const switched = before?.root !== pointer.root;
  if (switched) {
    // Earlier generations stay where they were published: their files are not here.
    const bytes = encodePointer({ ...pointer, previous: [], ...(built !== undefined && { built }) });
    await sink(POINTER_FILE, bytes);
    pulled.set(POINTER_FILE, { name: POINTER_FILE, bytes: bytes.length });
  }
  return {
    replaced: before?.generation ?? "",
    switched,
    downloadedFiles: pulled.size,
    downloadedBytes: sumBytes([...pulled.values()]),
    reusedFiles: reused.length,
    reusedBytes: sumBytes(reused),
  };
}

/** The pointer of the folder; undefined where there is none, or one that cannot be read. */
function readPointer(bytes: Uint8Array | undefined) {
  try {
    return bytes && decodePointer(bytes);
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

function readManifest(bytes: Uint8Array, pointer: Pointer, place: string): readonly ManifestFile[] {
  try {
    return decodeManifest(bytes).files;
  } catch (error) {
    if (error instanceof FormatError) throw describeBroken(pointer, place, error.message);
    throw error;
  }
}

function describeBroken({ generation }: Pointer, place: string, reason: string): InputError {
  return new InputError(
    `generation ${generation} in ${place} is incomplete (${reason}), and nothing was changed: publish it again to repair it, or go back with \`treeline rollback\``,
  );
}
