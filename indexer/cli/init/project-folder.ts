/**
 * What `treeline init` reads of a project, as an interface: rules for tools are pure functions over it, and tests give
 * them folders in memory.
 *
 * I/O: `openProjectFolder` is the disk. Nothing is read through a link that leads out of the folder, and nothing
 * throws: what cannot be read is not there.
 */
import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { isFsError } from "../../base/file-system.ts";
import { isInside } from "../../sources/collection-root.ts";

/** Largest file that is read as settings; what is larger was not written by a person. */
export const MAX_SETTINGS_BYTES = 1024 * 1024;
/** Names looked at in one folder. */
const MAX_NAMES = 10_000;

/** A project's files, by paths with `/` that start at its folder; `""` is that folder. */
export interface ProjectFolder {
  /** Text of a file; undefined where there is none that can be a file of settings. */
  readonly read: (path: string) => string | undefined;
  /** Names in a folder, sorted; none where there is no such folder. */
  readonly names: (path: string) => readonly string[];
  readonly isFolder: (path: string) => boolean;
}

/** The folder on the disk. */
export function openProjectFolder(dir: string): ProjectFolder {
  const top = realpathSync(dir);
  /** Absolute path without links, if it is inside. */
  const locate = (path: string): string | undefined => {
    const real = realpathSync(join(top, path));
    return isInside(real, top) ? real : undefined;
  };
  return {
    read: (path) =>
      orAbsent(() => {
        const file = locate(path);
        if (file === undefined) return undefined;
        const status = statSync(file);
        if (!status.isFile() || status.size > MAX_SETTINGS_BYTES) return undefined;
        const bytes = readFileSync(file);
        return isUtf8(bytes) ? new TextDecoder().decode(bytes) : undefined;
      }),
    names: (path) =>
      orAbsent(() => {
        const folder = locate(path);
        return folder === undefined ? [] : readdirSync(folder).sort().slice(0, MAX_NAMES);
      }) ?? [],
    isFolder: (path) =>
      orAbsent(() => {
        const folder = locate(path);
        return folder !== undefined && statSync(folder).isDirectory();
      }) ?? false,
  };
}

/** A path below a folder of a project. */
export function below(folder: string, path: string): string {
  if (path === "" || path === ".") return folder;
  return folder === "" ? path : `${folder}/${path}`;
}

function orAbsent<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isFsError(error)) return undefined;
    throw error;
  }
}
