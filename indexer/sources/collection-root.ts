/**
 * The folder that a collection is read from, checked: it exists, is a folder, and lies inside the folder of the
 * configuration even after its links are followed. Around it, the folder up to which ignore files count.
 *
 * I/O: looks folders up through a `SourceFileSystem`.
 */
import { basename, dirname, join, relative, sep } from "node:path";
import { InputError } from "../../src/core/errors.ts";
import { nearestNames } from "../../src/core/text/nearest.ts";
import { createReadError, describeFsError, isFsError, type SourceFileSystem } from "../base/file-system.ts";
import type { CollectionConfig } from "../config/config.ts";

/** Folder names offered when one does not exist. */
const MAX_SUGGESTIONS = 3;

/** A collection root that exists. */
export interface CollectionRoot {
  /** Absolute path, as the configuration spells it. */
  readonly path: string;
  /** Absolute path with all links followed. */
  readonly real: string;
  /** Absolute path of the outermost folder whose ignore files count. */
  readonly ignoreTop: string;
}

/**
 * The root of a collection.
 *
 * @throws {InputError} when it does not exist, is no folder, cannot be reached or leads outside.
 */
export async function openCollectionRoot(
  collection: Pick<CollectionConfig, "root">,
  baseDir: string,
  fileSystem: SourceFileSystem,
): Promise<CollectionRoot> {
  const path = join(baseDir, collection.root);
  const shown = JSON.stringify(collection.root === "." ? basename(path) : collection.root);
  let real: string;
  let realBase: string;
  try {
    const status = await fileSystem.stat(path);
    if (!status.isDirectory()) {
      throw new InputError(`${shown} is a file; a collection is read from a folder`);
    }
    real = await fileSystem.realpath(path);
    realBase = await fileSystem.realpath(baseDir);
  } catch (error) {
    if (!isFsError(error)) {
      throw error;
    }
    if (error.code === "ENOENT" || error.code === "ENOTDIR") {
      const nearest = await findNearestFolders(path, collection.root, fileSystem);
      throw createReadError(`folder ${shown} does not exist`, error, nearest);
    }
    throw createReadError(`folder ${shown} cannot be read: ${describeFsError(error)}`, error);
  }
  if (!isInside(real, realBase)) {
    throw new InputError(`folder ${shown} is a link that leads out of the folder of the configuration`);
  }
  return { path, real, ignoreTop: (await findGitRoot(real, fileSystem)) ?? realBase };
}

/** Whether an absolute path is `folder` or below it; both with links followed. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** A path below `folder` with `/` as separator, `""` for the folder itself. */
export function relativePath(folder: string, path: string): string {
  return relative(folder, path).split(sep).join("/");
}

/** The folder that holds `.git`, which is a folder, or a file in worktrees and submodules. */
async function findGitRoot(start: string, fileSystem: SourceFileSystem): Promise<string | undefined> {
  let folder = start;
  for (;;) {
    try {
      await fileSystem.stat(join(folder, ".git"));
      return folder;
    } catch (error) {
      if (!isFsError(error)) {
        throw error;
      }
    }
    const parent = dirname(folder);
    if (parent === folder) {
      return undefined;
    }
    folder = parent;
  }
}

/** Folders beside the first part of the path that does not exist, in the spelling that the configuration would use. */
async function findNearestFolders(path: string, root: string, fileSystem: SourceFileSystem): Promise<string[]> {
  let missing = path;
  for (;;) {
    const parent = dirname(missing);
    if (parent === missing) {
      return [];
    }
    try {
      const entries = await fileSystem.readdir(parent);
      const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
      const names = nearestNames(basename(missing), folders, MAX_SUGGESTIONS);
      const base = root === "." ? parent : path.slice(0, path.length - root.length);
      return names.map((name) => relativePath(base, join(parent, name)));
    } catch (error) {
      if (!isFsError(error)) {
        throw error;
      }
      missing = parent;
    }
  }
}
