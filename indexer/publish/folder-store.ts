/**
 * A folder as a store of objects: of a web host that serves it, or beside an index that was built there.
 *
 * Files appear whole or not at all: each is written under another name, forced to the disk and renamed. The few that are
 * rewritten are so by one writer at a time, under a lock.
 */
import { createHash } from "node:crypto";
import type { Dirent } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../src/core/errors.ts";
import { isIndexFile, MAX_FILE_BYTES } from "../../src/core/format/generation.ts";
import { ACCESS_FILE } from "../../src/surface/access/access-file.ts";
import { isFsError, onFsError } from "../base/file-system.ts";
import { nodeDisk, replaceFile } from "../index/output-folder.ts";
import { type ListedObject, type ObjectStore, TooLarge } from "./object-store.ts";

/** A lock that is older was left by a program that died: it is held for as long as a file takes to write. */
const DEAD_LOCK_MS = 10_000;
const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
const CLOSED = new Set(["EACCES", "EPERM", "EROFS"]);

/** The folder as a store. One that is not there is empty, and cannot be written. */
export function openFolder(folder: string): ObjectStore {
  return openAt(folder, { operations: 0 });
}

function openAt(folder: string, sum: { operations: number }): ObjectStore {
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    sum.operations++;
    try {
      return await work();
    } catch (error) {
      throw describeFolderFailure(error, folder);
    }
  };

  const read: ObjectStore["get"] = async (name, maxBytes = MAX_FILE_BYTES) => {
    const path = join(folder, name);
    const found = await stat(path).catch(orNone);
    if (found !== undefined && found.size > maxBytes) throw new TooLarge(name, maxBytes, folder);
    const bytes = found && (await readFile(path).catch(orNone));
    return bytes && { bytes: Uint8Array.from(bytes), etag: createHash("sha256").update(bytes).digest("hex") };
  };

  return {
    place: folder,
    requests: () => sum.operations,
    within: (inner) => openAt(join(folder, inner), sum),
    get: (name, maxBytes) => counted(() => read(name, maxBytes)),
    put: (name, bytes, _type, known) =>
      counted(() =>
        underLock(folder, name, async () => {
          if ((await read(name))?.etag !== known) return false;
          const partial = join(folder, `.${name}.partial`);
          // Keys are for their owner's eyes only.
          await writeFile(partial, bytes, { mode: name === ACCESS_FILE ? 0o600 : 0o644, flush: true });
          await rename(partial, join(folder, name));
          return true;
        }),
      ),
    upload: (name, bytes) => counted(() => replaceFile(join(folder, name), bytes)),
    list: () => counted(() => listFiles(folder)),
    folders: () =>
      counted(async () =>
        (await readEntries(folder))
          .filter((one) => one.isDirectory())
          .map(({ name }) => name)
          .sort(),
      ),
    remove: (names) =>
      counted(async () => {
        for (const name of names) await nodeDisk.remove(join(folder, name));
      }),
  };
}

/** Make a folder where there is none. @throws {InputError} where it cannot be made. */
export async function makeStoreFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw describeFolderFailure(error, folder);
  });
}

/** Whether a file of a folder is one that was being written when its writer died. */
export function isPartialFile(name: string): boolean {
  const inner = /^\.(.+)\.[0-9a-f]{8}\.partial$/.exec(name)?.[1];
  return inner !== undefined && isIndexFile(inner);
}

async function listFiles(folder: string): Promise<ListedObject[]> {
  const objects: ListedObject[] = [];
  for (const entry of await readEntries(folder)) {
    if (!entry.isFile()) continue;
    // Gone since: then it is not there.
    const found = await stat(join(folder, entry.name)).catch(() => undefined);
    if (found !== undefined) objects.push({ name: entry.name, bytes: found.size, modifiedAt: found.mtimeMs });
  }
  return objects;
}

async function readEntries(folder: string): Promise<readonly Dirent[]> {
  return (await readdir(folder, { withFileTypes: true }).catch(orNone)) ?? [];
}

/** Runs work alone among all that rewrite a file of a folder. False where somebody else is at it. */
async function underLock(folder: string, name: string, work: () => Promise<boolean>): Promise<boolean> {
  const lock = join(folder, `.${name}.lock`);
  try {
    await (await open(lock, "wx")).close();
  } catch (error) {
    if (!isFsError(error) || error.code !== "EEXIST") throw error;
    const held = await stat(lock).catch(() => undefined);
    if (held !== undefined && Date.now() - held.mtimeMs > DEAD_LOCK_MS) await rm(lock, { force: true });
    return false;
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** For `catch`: a file in the place of the folder is an error. */
const orNone = onFsError((error): undefined => {
  if (error.code !== "ENOENT") throw error;
});

/** What a person can mend of a failure to read or write in a folder, as `InputError`; else the failure itself. */
export function describeFolderFailure(error: unknown, folder: string): unknown {
  if (!isFsError(error)) return error;
  const { code } = error;
  const quoted = JSON.stringify(folder);
  if (code === "EEXIST" || code === "ENOTDIR")
    return new InputError(`there is a file where ${quoted} should be a folder`);
  if (code === "ENOENT") {
    return new InputError(`there is no folder ${quoted}; a build makes it`, [], `treeline build DIR --out ${folder}`);
  }
  if (FULL.has(code)) return new InputError(`the disk of ${quoted} is full (${code}): make room and try again`);
  if (CLOSED.has(code)) return new InputError(`the folder ${quoted} may not be written (${code})`);
  return error;
}
