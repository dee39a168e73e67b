/**
 * Folders of parts, as steps that fetch artifacts leave them: one beside another in a folder.
 *
 * I/O: lists folders.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../../src/core/errors.ts";
import { quoteName } from "../../../src/core/text/quote-value.ts";
import { describeFsError, isFsError } from "../../base/file-system.ts";
import { PART_FILE } from "../../index/part.ts";

/** The folders of parts among some folders and directly in them. @throws {InputError} where a folder is or holds none. */
export async function listParts(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(folders.map(listPartsIn));
  return found.flat();
}

async function listPartsIn(folder: string): Promise<string[]> {
  const names = await listNames(folder);
  if (names.files.includes(PART_FILE)) return [folder];
  const inside: string[] = [];
  for (const name of names.folders.sort()) {
    const path = join(folder, name);
    if ((await listNames(path)).files.includes(PART_FILE)) inside.push(path);
  }
  if (inside.length > 0) return inside;
  throw new InputError(`the input parts names ${quoteName(folder)}, which is no part of a build and holds none`);
}

async function listNames(folder: string): Promise<{ readonly files: string[]; readonly folders: string[] }> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const names = (isWanted: boolean): string[] =>
      entries.filter((entry) => entry.isDirectory() === isWanted).map(({ name }) => name);
    return { files: names(false), folders: names(true) };
  } catch (error) {
    if (!isFsError(error)) throw error;
    throw new InputError(`the input parts names ${quoteName(folder)}, which cannot be read: ${describeFsError(error)}`);
  }
}
