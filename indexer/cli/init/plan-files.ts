/**
 * What `treeline init` would do to each file: make it, leave it, add lines to it, or replace it with consent.
 * Everything that can stand in the way is looked for before the first byte is written.
 *
 * I/O: looks paths up and reads the files that are there.
 */
import { constants } from "node:fs";
import { access, lstat, readFile, realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { InputError } from "../../../src/core/errors.ts";
import { createReadError, describeFsError, isFsError } from "../../base/file-system.ts";
import { isInside } from "../../sources/collection-root.ts";
import { MAX_SETTINGS_BYTES } from "./project-folder.ts";

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
