/**
 * Files that `treeline init` writes: planned first (made, left, lines added to, or replaced with consent), then written whole
 * or not at all. Everything that can stand in the way is looked for before the first byte is written.
 */

import {
  access,
  constants,
  copyFile,
  lstat,
  mkdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { InputError } from "../../../src/core/errors.ts";
import { createReadError, describeFsError, isFsError } from "../../base/file-system.ts";
import { isInside } from "../../sources/collection-root.ts";
import { MAX_SETTINGS_BYTES } from "./project-files.ts";

/** A file as it should be. */
export interface WantedFile {
  /** Absolute path of the folder that it must stay in. */
  readonly base: string;
  /** Path below it, with `/`. */
  readonly path: string;
  /** Whole text; or, of a file that has other lines as well, the text out of what it holds now (`""`: no file). */
  readonly text: string | ((before: string) => string);
}

/** What is to be done with a file. */
export interface PlannedFile {
  /** Absolute. */
  readonly path: string;
  /** As people read it, from the project's folder. */
  readonly shown: string;
  /**
   * `create`: it is not there. `keep`: it says the same. `append`: lines are missing. `differs`: it says something else
   * and stays, unless that is agreed to.
   */
  readonly action: "create" | "keep" | "append" | "differs";
  /** What it holds now; undefined where it is not there. */
  readonly before: string | undefined;
  /** What it would hold. */
  readonly text: string;
  /** Why it is left alone although it differs, where consent changes nothing. */
  readonly reason?: string;
}

/**
 * Plan all files.
 *
 * @param dir Absolute path of the project's folder.
 * @throws {InputError} where one cannot be written: something stands in its way, leads out, or permission is missing.
 */
export async function planFiles(wanted: readonly WantedFile[], dir: string): Promise<PlannedFile[]> {
  const planned: PlannedFile[] = [];
  for (const file of wanted) planned.push(await planFile(file, dir));
  return planned;
}

async function planFile({ base, path, text }: WantedFile, dir: string): Promise<PlannedFile> {
  const full = join(base, ...path.split("/"));
  const shown = relative(dir, full).split(sep).join("/");
  await checkFolders(base, dirname(full), shown);
  const status = await look(full, shown);
  const textOf = (before: string): string => (typeof text === "string" ? text : text(before));
  if (status === undefined) {
    return { path: full, shown, action: "create", before: undefined, text: textOf("") };
  }
  if (status.isDirectory())
    throw new InputError(`${shown} is a folder; move it away, or leave this file out with --only`);
  if (!status.isFile()) {
    // A link may lead anywhere; what is behind it is not this project's to change.
    const reason = status.isSymbolicLink() ? "it is a link" : "it is no regular file";
    return { path: full, shown, action: "differs", before: undefined, text: textOf(""), reason };
  }
  if (status.size > MAX_SETTINGS_BYTES) {
    return {
      path: full,
      shown,
      action: "differs",
      before: undefined,
      text: textOf(""),
      reason: "it is too large to be compared",
    };
  }
  const before = await readText(full, shown);
  const after = textOf(before);
  if (sameText(before, after)) return { path: full, shown, action: "keep", before, text: after };
  await checkWritable(full, shown);
  return { path: full, shown, action: typeof text === "string" ? "differs" : "append", before, text: after };
}

/** Texts are the same in an editor that writes other line ends. */
function sameText(before: string, after: string): boolean {
  const plain = (text: string): string =>
    text
      .replace(/^\uFEFF/, "")
      .replaceAll("\r\n", "\n")
      .trimEnd();
  return plain(before) === plain(after);
}

/** The folders on the way are folders inside the base, or will be made. */
async function checkFolders(base: string, folder: string, shown: string): Promise<void> {
  const realBase = await realpath(base);
  for (let at = folder; ; at = dirname(at)) {
    const status = await look(at, shown);
    if (status === undefined) continue;
    if (!status.isDirectory() && !status.isSymbolicLink()) {
      throw new InputError(`${shown} cannot be made: ${JSON.stringify(relative(base, at))} is no folder`);
    }
    if (!isInside(await followed(at, shown), realBase)) {
      throw new InputError(
        `${shown} cannot be made: ${JSON.stringify(relative(base, at))} is a link that leads out of the folder`,
      );
    }
    await checkWritable(at, shown);
    return;
  }
}

async function followed(path: string, shown: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isFsError(error)) throw error;
    throw createReadError(`${shown} cannot be made: a link on its way ${describeFsError(error)}`, error);
  }
}

async function look(path: string, shown: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if (!isFsError(error)) throw error;
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw createReadError(`${shown} cannot be looked at: ${describeFsError(error)}`, error);
  }
}

async function readText(path: string, shown: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (!isFsError(error)) throw error;
    throw createReadError(`${shown} cannot be read: ${describeFsError(error)}`, error);
  }
}

async function checkWritable(path: string, shown: string): Promise<void> {
  try {
    await access(path, constants.W_OK);
  } catch (error) {
    if (!isFsError(error)) throw error;
    throw createReadError(`${shown} cannot be written: ${describeFsError(error)}`, error);
  }
}

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
