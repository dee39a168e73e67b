/**
 * The few file operations that reading sources takes, as an interface: tests put faults behind it that no real disk
 * gives on demand, such as a file that may not be read.
 *
 * I/O: `nodeFileSystem` is the disk. Everything else is pure.
 */
import { statSync } from "node:fs";
import { readdir, readFile, realpath } from "node:fs/promises";
import { InputError } from "../../src/core/errors.ts";

/** One name in a folder. Its kind is the name's own: a link is not what it leads to. */
export interface FolderEntry {
  readonly name: string;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** What a path leads to, links followed. */
export interface FileStatus {
  readonly size: number;
  /** Times of the last change of content and of anything about the file, in milliseconds; absent where unknown. */
  readonly mtimeMs?: number;
  readonly ctimeMs?: number;
  readonly ino?: number;
  isFile(): boolean;
  isDirectory(): boolean;
}

/** What the disk says of a file's content without reading it. */
export interface FileState {
  readonly bytes: number;
  readonly modifiedMs: number;
  readonly changedMs: number;
  readonly inode: number;
}

/** Reads of the disk. Every method rejects with an error that has a `code`, as Node's do. */
export interface SourceFileSystem {
  readdir(path: string): Promise<readonly FolderEntry[]>;
  stat(path: string): Promise<FileStatus>;
  realpath(path: string): Promise<string>;
  readFile(path: string): Promise<Uint8Array>;
}

/** The disk. */
export const nodeFileSystem: SourceFileSystem = {
  readdir: (path) => readdir(path, { withFileTypes: true }),
  // Asked for each of ten thousand files; waiting for another thread takes several times as long as the answer.
  stat: async (path) => statSync(path),
  realpath: (path) => realpath(path),
  readFile: (path) => readFile(path),
};

/** Whether an error is the file system's answer, as opposed to a fault in our own code. */
export function isFsError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

/** An `InputError` for a failed read; the system's own error stays its cause. */
export function createReadError(message: string, cause: Error, nearest: readonly string[] = []): InputError {
  const error = new InputError(message, nearest);
  error.cause = cause;
  return error;
}

/** Why a read failed, in words. Node's own messages hold absolute paths, which must not reach the index. */
export function describeFsError(error: { readonly code: string }): string {
  switch (error.code) {
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "EIO":
      return "the disk reports an input/output error";
    case "ENOENT":
      return "it does not exist";
    case "EISDIR":
      return "it is a folder";
    case "ENOTDIR":
      return "a part of its path is not a folder";
    case "ELOOP":
      return "its links lead in a circle";
    case "ENAMETOOLONG":
      return "its path is too long";
    case "ENOSPC":
    case "EDQUOT":
      return "the disk is full";
    case "EROFS":
      return "the disk can only be read";
    case "EMFILE":
    case "ENFILE":
      return "too many files are open";
    case "ERR_FS_FILE_TOO_LARGE":
      return "it is too large to be read at once";
    default:
      return `the system answers ${error.code}`;
  }
}
