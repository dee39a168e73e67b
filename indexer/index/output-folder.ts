/**
 * Writing a generation into a folder that may hold one, is being read, and may be written by another build.
 *
 * - One build at a time: `folder-lock.ts`.
 * - Whole or not at all: a file is written under another name, forced to the disk and renamed. The pointer comes last.
 * - What is removed: files that this build or a dead one wrote, and those of the generations that the replaced pointer
 *   named; of all of these only what the pointer that stands does not need, its `previous` generations included. Nothing
 *   is removed because of how it is called. The lock's file is the journal for that: a name is entered before its file is
 *   written, and the replaced generation's before the pointer is.
 *
 * So whenever a build is killed, the pointer that stands names files that are whole, and the next build takes away what
 * the dead one left.
 */
import { join } from "node:path";
import { FormatError, InputError } from "../../src/core/errors.ts";
import { decodeManifest, decodePointer, isIndexFile } from "../../src/core/format/generation.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { isFsError } from "../base/file-system.ts";
import { type FolderLock, type LockOptions, takeLock } from "./folder-lock.ts";
import { nodeDisk, type OutputDisk } from "./output-disk.ts";
import { type FileSink, nameFile } from "./pack-writer.ts";

/**
 * Do work that writes index files into a folder, alone. The sink takes whole files; the pointer must come last.
 *
 * @throws {InputError} when another build does not end, or the folder is taken away meanwhile.
 */
export async function writeToFolder<T>(
  folder: string,
  work: (sink: FileSink) => Promise<T>,
  options: Partial<LockOptions> = {},
): Promise<T> {
  const { disk = nodeDisk } = options;
  await disk.makeFolder(folder);
  const lock = await takeLock(folder, { ...options, disk });
  const journal = new Set<string>();
  try {
    for (const dead of lock.dead) await cleanUpAfter(folder, dead, disk);
    const result = await work(createSink(folder, lock, journal, disk));
    await removeUnneeded(folder, journal, disk);
    return result;
  } catch (error) {
    // What went wrong may go wrong again; the first error says more, and the next build cleans up.
    await removeUnneeded(folder, journal, disk).catch(() => undefined);
    throw error;
  } finally {
    await disk.remove(join(folder, lock.name)).catch(() => undefined);
  }
}

function createSink(folder: string, lock: FolderLock, journal: Set<string>, disk: OutputDisk): FileSink {
  const enter = async (names: Iterable<string>): Promise<void> => {
    const fresh = [...names].filter((name) => !journal.has(name));
    await disk.append(join(folder, lock.name), fresh.map((name) => `${name}\n`).join(""));
    for (const name of fresh) journal.add(name);
  };
  return async (name, bytes) => {
    // Names come from pointers and manifests too; one with a way in it would lead out of the folder.
    if (name !== POINTER_FILE && !isIndexFile(name)) throw new Error(`${JSON.stringify(name)} is no index file`);
    if (name !== POINTER_FILE) await enter([name]);
    else {
      await expectLock(folder, lock, disk);
      await enter((await listNeeded(folder, disk)) ?? []);
    }
    const partial = join(folder, partialOf(name, lock.name));
    try {
      await disk.write(partial, bytes);
      await disk.rename(partial, join(folder, name));
    } catch (error) {
      await disk.remove(partial).catch(() => undefined);
      throw error;
    }
  };
}

/** Somebody who removes the folder while it is written removes the lock too, and others may write there since. */
async function expectLock(folder: string, lock: FolderLock, disk: OutputDisk): Promise<void> {
  if ((await disk.list(folder)).includes(lock.name)) return;
  throw new InputError("the output folder was removed or emptied while it was being written; build again");
}

/** A file while it is being written: its name ends as the lock's does, so that a dead build's can be told. */
function partialOf(name: string, lock: string): string {
  return `.${name}${lock}.partial`;
}

/** Remove what a dead build left, then its lock's file: until then the journal says what there is to remove. */
async function cleanUpAfter(folder: string, lock: string, disk: OutputDisk): Promise<void> {
  for (const name of await disk.list(folder)) {
    if (name.endsWith(`${lock}.partial`)) await disk.remove(join(folder, name));
  }
  const lines = new TextDecoder().decode(await disk.read(join(folder, lock))).split("\n");
  await removeUnneeded(folder, new Set(lines), disk);
  await disk.remove(join(folder, lock));
}

/**
 * Remove those of some files that the pointer which stands does not need. What is not called like an index file was not written by
 * a build, whatever a journal says.
 */
async function removeUnneeded(folder: string, names: ReadonlySet<string>, disk: OutputDisk): Promise<void> {
  const needed = await listNeeded(folder, disk);
  if (needed === undefined) return;
  for (const name of names) if (isIndexFile(name) && !needed.has(name)) await disk.remove(join(folder, name));
}

/**
 * Files that the pointer of a folder needs, those of the previous generations that it lists included; none where there is
 * no pointer, undefined where that cannot be told because it or a manifest is damaged.
 */
async function listNeeded(folder: string, disk: OutputDisk): Promise<Set<string> | undefined> {
  try {
    const bytes = await readIfThere(join(folder, POINTER_FILE), disk);
    if (bytes === undefined) return new Set();
    const pointer = decodePointer(bytes);
    const needed = new Set([pointer.log]);
    for (const { root, manifest } of [pointer, ...pointer.previous]) {
      const listed = await readIfThere(join(folder, manifest), disk);
      // A manifest has no checksum but its name. One that is damaged could leave out what is needed.
      if (listed === undefined || nameFile(listed, "manifest") !== manifest) return undefined;
      for (const name of [root, manifest, ...decodeManifest(listed).files.map((file) => file.name)]) needed.add(name);
    }
    return needed;
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

async function readIfThere(path: string, disk: OutputDisk): Promise<Uint8Array | undefined> {
  return disk.read(path).catch((error: unknown) => {
    if (isFsError(error) && error.code === "ENOENT") return undefined;
    throw error;
  });
}
