/**
 * Writes a generation into a folder that may hold one, is being read, and may be written by another build.
 *
 * - One build at a time. Announce, then look: a build puts a lock file of its own into the folder, named by its process, and has
 *   the lock when no other file there is of a process that lives. Of two that announce at once at least one sees the other;
 *   whoever sees one removes its own file and tries again. Nobody takes a lock over, so nobody can take one from its owner.
 *   A process is told from a later one with its number by its start time. Whether a process on another machine lives cannot be
 *   asked: its file counts for an hour.
 * - Whole or not at all: a file is written under another name, forced to the disk and renamed. The pointer comes last.
 * - Removed are files that this build or a dead one wrote, and those of the generations that the replaced pointer named; of all
 *   of these only what the current pointer does not need, its `previous` generations included. Nothing is removed because of its
 *   name. The lock file is the journal for that: a name is entered before its file is written, and the replaced generation's
 *   before the pointer is.
 *
 * So whenever a build is killed, the pointer names files that are whole, and the next build removes what the dead one left.
 */
import { randomBytes } from "node:crypto";
import { constants, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { FormatError, InputError } from "../../src/core/errors.ts";
import { decodeManifest, decodePointer, isIndexFile } from "../../src/core/format/generation.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { isFsError, onFsError, orAbsent } from "../base/file-system.ts";
import { type FileSink, nameFile } from "./write-table.ts";

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

/** The bytes of a file; undefined where there is none. */
export async function readIfThere(path: string, disk: OutputDisk = nodeDisk): Promise<Uint8Array | undefined> {
  return disk.read(path).catch(orAbsent);
}

/** How long a build waits for another one before it gives up. */
const MAX_WAIT_MS = 120_000;
/** Waits between two tries are drawn from this span, so that two builds do not stay in step. */
const RETRY_MS = { least: 20, most: 120 };
/** How long the file of a build on another machine counts. Builds take far less. */
const ELSEWHERE_MS = 3_600_000;

/** A process, by what tells it from others. */
interface LockOwner {
  /** Name of the machine; letters, digits and hyphens. */
  readonly host: string;
  readonly pid: number;
  /** When the process started, in any unit; 0 where that is not known. */
  readonly started: number;
}

export interface LockOptions {
  readonly disk: OutputDisk;
  /** This process when absent. */
  readonly owner?: LockOwner;
  /** Told once, when another build has to be waited for. */
  readonly onWait?: (other: LockOwner) => void;
  readonly maxWaitMs?: number;
}

interface FolderLock {
  /** Name of its file. */
  readonly name: string;
  /** Files of dead builds that were found when the lock was taken. */
  readonly dead: readonly string[];
}

const LOCK_FILE = /^\.build\.([A-Za-z0-9-]{0,64})\.(\d{1,10})\.(\d{1,16})\.(\d{1,10})\.lock$/;

let taken = 0;

/**
 * Take the lock on a folder; `disk.remove` of its file gives it back.
 *
 * @throws {InputError} when another build still holds it after the longest wait.
 */
export async function takeLock(folder: string, options: LockOptions): Promise<FolderLock> {
  const { disk, owner = await describeProcess(), onWait, maxWaitMs = MAX_WAIT_MS } = options;
  const name = `.build.${owner.host}.${owner.pid}.${owner.started}.${taken++}.lock`;
  const until = performance.now() + maxWaitMs;
  for (let tries = 0; ; tries++) {
    await disk.create(join(folder, name));
    const { alive, dead } = await lookAround(folder, name, owner.host, disk).catch(async (error: unknown) => {
      await disk.remove(join(folder, name));
      throw error;
    });
    if (alive === undefined) return { name, dead };
    await disk.remove(join(folder, name));
    if (tries === 0) onWait?.(alive);
    if (performance.now() > until) {
      throw new InputError(
        `another build (process ${alive.pid} on ${alive.host}) is writing to the same folder; wait for it, or build into another one`,
      );
    }
    const { least, most } = RETRY_MS;
    await new Promise((resolve) => setTimeout(resolve, least + Math.random() * (most - least)));
  }
}

/** Another build that lives, and the files of those that do not. */
async function lookAround(
  folder: string,
  own: string,
  host: string,
  disk: OutputDisk,
): Promise<{ readonly alive: LockOwner | undefined; readonly dead: readonly string[] }> {
  const dead: string[] = [];
  for (const name of await disk.list(folder)) {
    const found = LOCK_FILE.exec(name);
    if (name === own || found === null) continue;
    const other = { host: found[1] as string, pid: Number(found[2]), started: Number(found[3]) };
    const lives = other.host === host ? await isAlive(other) : await isRecent(join(folder, name), disk);
    if (lives) return { alive: other, dead: [] };
    dead.push(name);
  }
  return { alive: undefined, dead };
}

async function isAlive({ pid, started }: LockOwner): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process that may not be signalled lives.
    if (!isFsError(error) || error.code !== "EPERM") return false;
  }
  const now = await startOf(pid);
  return now === 0 || started === 0 || now === started;
}

async function isRecent(path: string, disk: OutputDisk): Promise<boolean> {
  const changedAt = await disk.changedAt(path).catch(orAbsent);
  return changedAt !== undefined && Date.now() - changedAt < ELSEWHERE_MS;
}

async function describeProcess(): Promise<LockOwner> {
  const host = hostname()
    .replace(/[^A-Za-z0-9-]/g, "-")
    .slice(0, 64);
  return { host, pid: process.pid, started: await startOf(process.pid) };
}

/** When a process started, in clock ticks since the machine did; 0 where the system has no `/proc`, or no such process. */
async function startOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(onFsError(() => ""));
  // The name, in parentheses, may hold anything; behind it the start is the 20th field, proc(5).
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[19] ?? 0) || 0;
}

/** The disk. Every operation rejects with an error that has a `code`. */
export const nodeDisk = {
  makeFolder,
  list: (path: string): Promise<readonly string[]> => readdir(path),
  read: (path: string): Promise<Uint8Array> => readFile(path),
  /** When a file was changed last, milliseconds since 1970. */
  changedAt: async (path: string): Promise<number> => (await stat(path)).mtimeMs,
  /** A new file; rejects with `EEXIST` where there is one. */
  create: (path: string): Promise<void> => writeFile(path, "", { flag: "wx" }),
  /** Returns when the bytes are on the disk itself, so that no crash leaves a name without its content. */
  write: (path: string, bytes: Uint8Array): Promise<void> => writeFile(path, bytes, { flush: true }),
  /** To a file that is there; rejects with `ENOENT` where there is none. */
  append: (path: string, text: string): Promise<void> =>
    writeFile(path, text, { flag: constants.O_WRONLY | constants.O_APPEND }),
  rename: (from: string, to: string): Promise<void> => rename(from, to),
  /** What is not there is removed already. */
  remove: (path: string): Promise<void> => rm(path, { force: true }),
};

export type OutputDisk = typeof nodeDisk;

/** Writes a file in one step: whoever reads it meanwhile sees the old bytes or the new ones. */
export async function replaceFile(path: string, bytes: Uint8Array, disk: OutputDisk = nodeDisk): Promise<void> {
  const partial = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString("hex")}.partial`);
  try {
    await disk.write(partial, bytes);
    await disk.rename(partial, path);
  } catch (error) {
    await disk.remove(partial).catch(() => undefined);
    throw error;
  }
}

/** Makes a folder and those around it. Not by Node's `recursive`, which never ends below `/proc`. */
async function makeFolder(path: string): Promise<void> {
  const isFolder = (other: string): Promise<boolean> =>
    stat(other).then(
      (found) => found.isDirectory(),
      () => false,
    );
  try {
    await mkdir(path);
  } catch (error) {
    if (await isFolder(path)) return;
    const around = dirname(path);
    if (around === path || (await isFolder(around))) throw error;
    await makeFolder(around);
    await makeFolder(path);
  }
}
