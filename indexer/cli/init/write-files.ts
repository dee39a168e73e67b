/**
 * Files that `treeline init` writes: planned first (made, left, lines added to, or replaced with consent), then written, each
 * whole. Everything that can stand in the way is looked for before the first byte is written.
 */

import { existsSync } from "node:fs";
import {
  access,
  constants,
  copyFile,
  lstat,
  mkdir,
  readFile,
  realpath,
  rename,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { InputError } from "../../../src/core/errors.ts";
import { createReadError, describeFsError, failWith, isFsError, onFsError, orAbsent } from "../../base/file-system.ts";
import { isInside } from "../../sources/discover.ts";
import { MAX_SETTINGS_BYTES } from "./project-files.ts";

export interface WantedFile {
  /** Absolute path of the folder that it must stay in. */
  readonly base: string;
  readonly path: string;
  /** Whole text; or, of a file that has other lines as well, the text out of what it holds now (`""`: no file). */
  readonly text: string | ((before: string) => string);
}

export interface PlannedFile {
  readonly path: string;
  /** As people read it, from the project's folder. */
  readonly shown: string;
  /** `create`: it is not there. `keep`: it says the same. `append`: lines are missing. `differs`: it says something else and stays, unless that is agreed to. */
  readonly action: "create" | "keep" | "append" | "differs";
  readonly before: string | undefined;
  readonly text: string;
  /** Why it is left alone although it differs, where consent changes nothing. */
  readonly reason?: string;
}

/** @throws {InputError} where something stands in the way of a file, leads out, or may not be written. */
export async function planFiles(wanted: readonly WantedFile[], dir: string): Promise<PlannedFile[]> {
  const planned: PlannedFile[] = [];
  for (const file of wanted) planned.push(await planFile(file, dir));
  return planned;
}

async function planFile({ base, path: below, text }: WantedFile, dir: string): Promise<PlannedFile> {
  const path = join(base, ...below.split("/"));
  const shown = relative(dir, path).split(sep).join("/");
  await checkFolders(base, dirname(path), shown);
  const status = await look(path, shown);
  const textOf = (before: string): string => (typeof text === "string" ? text : text(before));
  const planned = { path, shown, before: undefined, text: textOf("") };
  if (status === undefined) return { ...planned, action: "create" };
  if (status.isDirectory()) {
    throw new InputError(`${shown} is a folder; move it away, or leave this file out with --only`);
  }
  // A link may lead anywhere; what is behind it is not this project's to change.
  if (status.isSymbolicLink()) return { ...planned, action: "differs", reason: "it is a link" };
  if (!status.isFile()) return { ...planned, action: "differs", reason: "it is no regular file" };
  if (status.size > MAX_SETTINGS_BYTES) {
    return { ...planned, action: "differs", reason: "it is too large to be compared" };
  }
  const before = await readFile(path, "utf8").catch(failWith(`${shown} cannot be read`));
  const after = textOf(before);
  if (sameText(before, after)) return { path, shown, action: "keep", before, text: after };
  await checkWritable(path, shown);
  return { path, shown, action: typeof text === "string" ? "differs" : "append", before, text: after };
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
    const real = await realpath(at).catch(
      onFsError((error): never => {
        throw createReadError(`${shown} cannot be made: a link on its way: ${describeFsError(error)}`, error);
      }),
    );
    if (!isInside(real, realBase)) {
      throw new InputError(
        `${shown} cannot be made: ${JSON.stringify(relative(base, at))} is a link that leads out of the folder`,
      );
    }
    await checkWritable(at, shown);
    return;
  }
}

function look(path: string, shown: string) {
  return lstat(path)
    .catch(orAbsent)
    .catch(failWith(`${shown} cannot be looked at`));
}

function checkWritable(path: string, shown: string): Promise<void> {
  return access(path, constants.W_OK).catch(failWith(`${shown} cannot be written`));
}

/**
 * Write files: those to `create`, `append` to, and those that differ, which must be agreed to.
 *
 * @returns Copies of what was replaced, by the path of the file.
 * @throws {InputError} where one cannot be written.
 */
export async function writePlanned(files: readonly PlannedFile[]): Promise<Map<string, string>> {
  const copies = new Map<string, string>();
  for (const file of files) {
    try {
      await write(file, copies);
    } catch (error) {
      if (!isFsError(error)) throw error;
      const reason = error.code === "EEXIST" ? "something else wrote it meanwhile" : describeFsError(error);
      throw createReadError(`${file.shown} cannot be written: ${reason}`, error);
    }
  }
  return copies;
}

async function write(file: PlannedFile, copies: Map<string, string>): Promise<void> {
  const { path, text, before, action } = file;
  await mkdir(dirname(path), { recursive: true });
  if (before === undefined) return writeFile(path, text, { flag: "wx" });
  if (action === "differs") copies.set(path, await copyBeside(path));
  const partial = `${path}.treeline-init`;
  await writeFile(partial, text, { mode: (await stat(path)).mode & 0o777 });
  return rename(partial, path);
}

async function copyBeside(path: string): Promise<string> {
  for (let at = 0; ; at++) {
    const copy = `${path}.bak${at === 0 ? "" : at}`;
    if (existsSync(copy)) continue;
    await copyFile(path, copy, constants.COPYFILE_EXCL);
    return copy;
  }
}
