/**
 * Folders that are there whole or not at all: written under another name first, so that a run that was interrupted
 * leaves no half corpus behind for the next one.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";

/** Write a folder unless it is there; what `write` gave back, or `undefined` when it was there. */
export async function writeWholeFolder<T>(
  folder: string,
  write: (partial: string) => T | Promise<T>,
): Promise<T | undefined> {
  if (existsSync(folder)) return undefined;
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  mkdirSync(partial);
  const result = await write(partial);
  renameSync(partial, folder);
  return result;
}
