/**
 * The folder that a collection is read from, checked: it exists, is a folder, and lies inside the folder of the
 * configuration even after its links are followed. Around it, the folder up to which ignore files count.
 *
 * I/O: looks folders up through a `SourceFileSystem`.
 */
import { basename, dirname, join, relative, sep } from "node:path";
import { InputError } from "../../src/core/errors.ts";
import {
  createReadError,
  describeFsError,
  findNearest,
  onFsError,
  type SourceFileSystem,
} from "../base/file-system.ts";
import type { CollectionConfig } from "../config/config.ts";

/**
 * The root of a collection.
 *
 * @returns Absolute paths: as the configuration spells it, with all links followed, and of the outermost folder whose ignore files count.
 * @throws {InputError} when it does not exist, is no folder, cannot be reached or leads outside.
 */
export async function openCollectionRoot(
  collection: Pick<CollectionConfig, "root">,
  baseDir: string,
  fileSystem: SourceFileSystem,
) {
  const path = join(baseDir, collection.root);
  const shown = JSON.stringify(collection.root === "." ? basename(path) : collection.root);
  const fail = onFsError(async (error): Promise<never> => {
    if (error.code !== "ENOENT" && error.code !== "ENOTDIR") {
      throw createReadError(`folder ${shown} cannot be read: ${describeFsError(error)}`, error);
    }
    const [above, missing] = collection.root === "." ? [dirname(path), basename(path)] : [baseDir, collection.root];
    const nearest = await findNearest(above, missing, fileSystem, (entry) => entry.isDirectory());
    throw createReadError(`folder ${shown} does not exist`, error, nearest);
  });
  const status = await fileSystem.stat(path).catch(fail);
  if (!status.isDirectory()) throw new InputError(`${shown} is a file; a collection is read from a folder`);
  const real = await fileSystem.realpath(path).catch(fail);
  const realBase = await fileSystem.realpath(baseDir).catch(fail);
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
  for (let folder = start; ; folder = dirname(folder)) {
    const found = await fileSystem.stat(join(folder, ".git")).catch(onFsError(() => undefined));
    if (found !== undefined) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}
