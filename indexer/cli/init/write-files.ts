/**
 * Writes planned files, all or none: what was made is taken away again where a later one fails.
 *
 * New files are made beside their place first, so that a disk that is full says so before anything is in its place;
 * they come into it without replacing what somebody else put there meanwhile. What is replaced stays beside it as a
 * copy.
 *
 * I/O: through an `InitDisk`.
 */
import { constants, copyFile, mkdir, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { InputError } from "../../../src/core/errors.ts";
import { createReadError, describeFsError, isFsError } from "../../base/file-system.ts";
import type { PlannedFile } from "./plan-files.ts";

const MAX_COPIES = 100;

/** The writing that `init` does; tests put faults behind it. Every method rejects as Node's do. */
export interface InitDisk {
  /** Make a folder and those on the way. The result is the first that was made. */
  readonly makeFolder: (path: string) => Promise<string | undefined>;
  /** Make a new file; it must not be there. */
  readonly makeFile: (path: string, text: string, mode?: number) => Promise<void>;
  readonly rename: (from: string, to: string) => Promise<void>;
  /** Copy a file to a name that must not be there. */
  readonly copy: (from: string, to: string) => Promise<void>;
  readonly modeOf: (path: string) => Promise<number>;
  readonly remove: (path: string) => Promise<void>;
  readonly removeFolder: (path: string) => Promise<void>;
}

/** The disk. */
export const initDisk: InitDisk = {
  makeFolder: (path) => mkdir(path, { recursive: true }),
  makeFile: (path, text, mode) => writeFile(path, text, { flag: "wx", ...(mode !== undefined && { mode }) }),
  rename,
  copy: (from, to) => copyFile(from, to, constants.COPYFILE_EXCL),
  modeOf: async (path) => (await stat(path)).mode & 0o777,
  remove: (path) => rm(path, { force: true }),
  removeFolder: (path) => rmdir(path),
};

/**
 * Write files: those to `create`, `append` to, and those that differ, which must be agreed to.
 *
 * @returns Copies of what was replaced, by the path of the file.
 * @throws {InputError} where one cannot be written; nothing is changed then.
 */
export async function writePlanned(
  files: readonly PlannedFile[],
  disk: InitDisk = initDisk,
): Promise<Map<string, string>> {
  /** How to take back each step, in order. */
  const undo: (() => Promise<void>)[] = [];
  const copies = new Map<string, string>();
  try {
    for (const file of files) await stage(file, disk, undo);
    for (const file of files) await putInPlace(file, disk, undo, copies);
  } catch (error) {
    for (const step of undo.reverse()) await step().catch(ignoreFsError);
    if (!isFsError(error)) throw error;
    const path = "path" in error && typeof error.path === "string" ? error.path : "";
    const failed = files.find((file) => path.startsWith(file.path) || file.path.startsWith(path));
    const reason = error.code === "EEXIST" ? "something else wrote it meanwhile" : describeFsError(error);
    throw createReadError(`${failed?.shown ?? "a file"} cannot be written: ${reason}; nothing was changed`, error);
  }
  for (const file of files) {
    await disk.remove(partialOf(file)).catch(ignoreFsError);
    const copy = file.action === "append" ? copies.get(file.path) : undefined;
    // Lines that were added need no copy of how it was without.
    if (copy === undefined) continue;
    await disk.remove(copy).catch(ignoreFsError);
    copies.delete(file.path);
  }
  return copies;
}

async function stage(file: PlannedFile, disk: InitDisk, undo: (() => Promise<void>)[]): Promise<void> {
  const folder = dirname(file.path);
  const made = await disk.makeFolder(folder);
  if (made !== undefined) undo.push(() => removeFolders(folder, made, disk));
  const partial = partialOf(file);
  const mode = file.before === undefined ? undefined : await disk.modeOf(file.path);
  // What a killed run left is in nobody's way.
  await disk.remove(partial);
  undo.push(() => disk.remove(partial));
  await disk.makeFile(partial, file.text, mode);
}

async function putInPlace(
  file: PlannedFile,
  disk: InitDisk,
  undo: (() => Promise<void>)[],
  copies: Map<string, string>,
): Promise<void> {
  if (file.before === undefined) {
    await disk.copy(partialOf(file), file.path);
    undo.push(() => disk.remove(file.path));
    return;
  }
  const copy = await copyBeside(file, disk);
  undo.push(() => disk.rename(copy, file.path));
  await disk.rename(partialOf(file), file.path);
  copies.set(file.path, copy);
}

/** A copy of a file under a name that is free. */
async function copyBeside(file: PlannedFile, disk: InitDisk): Promise<string> {
  for (let at = 0; at < MAX_COPIES; at++) {
    const copy = `${file.path}.bak${at === 0 ? "" : at}`;
    try {
      await disk.copy(file.path, copy);
      return copy;
    } catch (error) {
      if (!isFsError(error) || error.code !== "EEXIST") throw error;
    }
  }
  throw new InputError(`${file.shown} has ${MAX_COPIES} copies beside it already; remove some`);
}

/** Remove the folders from one up to the first that was made. */
async function removeFolders(folder: string, first: string, disk: InitDisk): Promise<void> {
  for (let at = folder; at.length >= first.length; at = dirname(at)) await disk.removeFolder(at);
}

function partialOf(file: PlannedFile): string {
  return `${file.path}.treeline-init`;
}

function ignoreFsError(error: unknown): void {
  if (!isFsError(error)) throw error;
}
