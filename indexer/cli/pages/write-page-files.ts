/**
 * Files for pages in the folder of an index. They have fixed names, so that a page can name them, and are no part of the
 * generation: each is replaced in one step, and a list beside them says which were written.
 */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createReadError, describeFsError, isFsError } from "../../base/file-system.ts";
import { nodeDisk, type OutputDisk } from "../../index/output-folder.ts";
import { type PageFile, readPageFiles } from "./read-page-files.ts";

/** Names of the files for pages that lie in a folder, as a JSON list. */
export const PAGE_LIST_FILE = "treeline-pages.json";
/** What such a file may be called: a list from elsewhere leads to nothing else. */
const PAGE_FILE = /^[a-z][a-z0-9-]*\.js$/;

/** Put what pages load beside an index. The result is the number of files. @throws {InputError} where it cannot be written. */
export async function writePagesFor(indexFolder: string): Promise<number> {
  const files = await readPageFiles();
  try {
    await writePageFiles(indexFolder, files);
    return files.length;
  } catch (error) {
    if (!isFsError(error)) throw error;
    throw createReadError(`cannot write to ${JSON.stringify(indexFolder)}: ${describeFsError(error)}`, error);
  }
}

/** Copy the files for pages that lie in one folder to another, their number is the result; 0 where there are none. */
export async function copyPageFiles(from: string, to: string): Promise<number> {
  const files: PageFile[] = [];
  for (const name of await listPageFiles(from)) files.push({ name, bytes: await nodeDisk.read(join(from, name)) });
  if (files.length > 0) await writePageFiles(to, files);
  return files.length;
}

/**
 * Put files for pages into a folder, in place of those that were written there before. Whatever else lies there stays, also
 * where it has a name that an earlier list has not.
 */
export async function writePageFiles(
  folder: string,
  files: readonly PageFile[],
  disk: OutputDisk = nodeDisk,
): Promise<void> {
  await disk.makeFolder(folder);
  const before = await listPageFiles(folder, disk);
  const names = files.map(({ name }) => name).sort();
  // Listed before they are written: what a build that is killed leaves is known to the next one.
  await replace(join(folder, PAGE_LIST_FILE), encodeList([...new Set([...before, ...names])].sort()), disk);
  for (const { name, bytes } of files) await replace(join(folder, name), bytes, disk);
  for (const name of before) if (!names.includes(name)) await disk.remove(join(folder, name));
  if (before.some((name) => !names.includes(name))) {
    await replace(join(folder, PAGE_LIST_FILE), encodeList(names), disk);
  }
}

/** Names of the files for pages that a build wrote into a folder; none where it wrote none. */
export async function listPageFiles(folder: string, disk: OutputDisk = nodeDisk): Promise<readonly string[]> {
  try {
    const listed: unknown = JSON.parse(new TextDecoder().decode(await disk.read(join(folder, PAGE_LIST_FILE))));
    return Array.isArray(listed) ? listed.filter((name) => typeof name === "string" && PAGE_FILE.test(name)) : [];
  } catch (error) {
    if ((isFsError(error) && error.code === "ENOENT") || error instanceof SyntaxError) return [];
    throw error;
  }
}

function encodeList(names: readonly string[]): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(names, null, 2)}\n`);
}

/** In one step: whoever reads the file meanwhile sees the old bytes or the new ones. */
async function replace(path: string, bytes: Uint8Array, disk: OutputDisk): Promise<void> {
  const partial = `${path}.${randomBytes(4).toString("hex")}.partial`;
  try {
    await disk.write(partial, bytes);
    await disk.rename(partial, path);
  } catch (error) {
    await disk.remove(partial).catch(() => undefined);
    throw error;
  }
}
