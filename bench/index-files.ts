/**
 * Index files in a folder: how many, how large, and which of them an upload would send.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Size and content of a file. */
interface StoredFile {
  readonly bytes: number;
  readonly hash: string;
}

/** Files by their path in the folder. */
export type StoredFiles = ReadonlyMap<string, StoredFile>;

/** Number of files, and their bytes. */
export interface Amount {
  readonly objects: number;
  readonly bytes: number;
}

/** The files below a folder that `isCounted` takes. */
export function listStoredFiles(dir: string, isCounted: (path: string) => boolean = () => true): StoredFiles {
  const files = new Map<string, StoredFile>();
  for (const path of readdirSync(dir, { recursive: true, encoding: "utf8" }).sort()) {
    const place = join(dir, path);
    if (!isCounted(path) || !statSync(place).isFile()) continue;
    const bytes = readFileSync(place);
    files.set(path, { bytes: bytes.length, hash: createHash("sha256").update(bytes).digest("hex") });
  }
  return files;
}

/** How many files there are, and how large. */
export function sumFiles(files: StoredFiles, isCounted: (path: string) => boolean = () => true): Amount {
  const counted = [...files].filter(([path]) => isCounted(path));
  return { objects: counted.length, bytes: counted.reduce((sum, [, file]) => sum + file.bytes, 0) };
}

/** What has to be uploaded where `before` is stored: files of new names, and of old names with another content. */
export function listNewFiles(before: StoredFiles, after: StoredFiles): StoredFiles {
  return new Map([...after].filter(([path, file]) => before.get(path)?.hash !== file.hash));
}

/** How many files have to be uploaded, and how large they are. */
export function listUploads(before: StoredFiles, after: StoredFiles): Amount {
  return sumFiles(listNewFiles(before, after));
}
