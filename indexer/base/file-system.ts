/**
 * The few file operations that reading sources takes, as an interface: tests put faults behind it that no real disk
 * gives on demand, such as a file that may not be read.
 *
 * I/O: `nodeFileSystem` is the disk. Everything else is pure.
 */

import { readFileSync, type Stats, statSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { getSystemErrorMap } from "node:util";
import { createScanner, type ParseError, parse } from "jsonc-parser";
import { InputError } from "../../src/core/errors.ts";
import { nearestNames } from "../../src/core/text/nearest.ts";

/** One name in a folder. Its kind is the name's own: a link is not what it leads to. */
interface FolderEntry {
  readonly name: string;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

interface FileStatus {
  readonly size: number;
  isFile(): boolean;
  isDirectory(): boolean;
}

/** Reads of the disk. Every method rejects with an error that has a `code`, as Node's do. */
export interface SourceFileSystem {
  readdir(path: string): Promise<readonly FolderEntry[]>;
  stat(path: string): Promise<FileStatus>;
  realpath(path: string): Promise<string>;
  readFile(path: string): Promise<Uint8Array>;
}

export const nodeFileSystem: SourceFileSystem = {
  readdir: (path) => readdir(path, { withFileTypes: true }),
  // Asked for each of ten thousand files; waiting for another thread takes several times as long as the answer.
  readFile: async (path) => readFileSync(path),
  stat: async (path) => statSync(path),
  realpath: (path) => realpath(path),
};

type FsError = Error & { readonly code: string };

/** Whether an error is the file system's answer, as opposed to a fault in our own code. */
export function isFsError(error: unknown): error is FsError {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

/** For `catch`: what `handle` makes of the file system's error. Any other error is thrown. */
export function onFsError<T>(handle: (error: FsError) => T): (error: unknown) => T {
  return (error) => {
    if (isFsError(error)) return handle(error);
    throw error;
  };
}

/** For `catch`: undefined where the file or folder is not there. Any other error is thrown. */
export function orAbsent(error: unknown): undefined {
  if (isFsError(error) && (error.code === "ENOENT" || error.code === "ENOTDIR")) return undefined;
  throw error;
}

/** For `catch`: throws an `InputError` that says what failed, and why. @param what As in `docs/a.md cannot be read`. */
export function failWith(what: string): (error: unknown) => never {
  return onFsError((error) => {
    throw createReadError(`${what}: ${describeFsError(error)}`, error);
  });
}

/** An `InputError` for a failed read; the system's own error stays its cause. */
export function createReadError(message: string, cause: Error, nearest: readonly string[] = []): InputError {
  const error = new InputError(message, nearest);
  error.cause = cause;
  return error;
}

const SYSTEM_MESSAGES: ReadonlyMap<string, string> = new Map([
  ...getSystemErrorMap().values(),
  ["EISDIR", "it is a folder"],
]);

/** Why a read failed, in words. Node's own messages hold absolute paths, which must not reach the index. */
export function describeFsError({ code }: { readonly code: string }): string {
  return SYSTEM_MESSAGES.get(code) ?? `the system answers ${code}`;
}

/** @throws {InputError} when there is no such folder; `written`: as the caller wrote it. */
export async function expectFolder(dir: string, written: string): Promise<void> {
  const found = await statIfThere(dir);
  if (found === undefined) {
    const isFolder = (entry: FolderEntry): boolean => entry.isDirectory();
    const nearest = await findNearest(dirname(dir), basename(dir), nodeFileSystem, isFolder);
    throw new InputError(
      `folder ${JSON.stringify(written)} does not exist`,
      nearest.map((name) => join(dirname(written), name)),
    );
  }
  if (!found.isDirectory()) throw new InputError(`${JSON.stringify(written)} is a file; name the folder that holds it`);
}

/** Refuse a folder for the index, or a part of it, that cannot be made, before anything is read. @throws {InputError} */
export async function expectNoFile(outDir: string, written: string): Promise<void> {
  for (let path = outDir; ; path = dirname(path)) {
    const found = await statIfThere(path);
    if (found?.isDirectory() === true) return;
    if (found === undefined && path !== dirname(path)) continue;
    throw new InputError(`the index cannot be written to ${JSON.stringify(written)}: ${basename(path)} is a file`);
  }
}

async function statIfThere(path: string): Promise<Stats | undefined> {
  return stat(path)
    .catch(orAbsent)
    .catch(failWith(`cannot use ${JSON.stringify(path)}`));
}

/** Paths that are offered where one does not exist. */
const MAX_SUGGESTIONS = 3;

/**
 * Paths like one that does not exist: what is called nearly so in the last folder on its way that does.
 *
 * @param path Below `root`, with `/`.
 */
export async function findNearest(
  root: string,
  path: string,
  fileSystem: SourceFileSystem,
  isWanted: (entry: FolderEntry) => boolean = () => true,
): Promise<string[]> {
  const parts = path.split("/");
  for (let depth = parts.length - 1; depth >= 0; depth--) {
    const folder = parts.slice(0, depth);
    const entries = await fileSystem.readdir(join(root, ...folder)).catch(onFsError(() => undefined));
    if (entries === undefined) continue;
    const names = entries.filter(isWanted).map(({ name }) => name);
    return nearestNames(parts[depth] as string, names, MAX_SUGGESTIONS).map((near) => [...folder, near].join("/"));
  }
  return [];
}

/*
 * JSON of manifests, with comments and trailing commas as TypeScript allows them.
 */

/** Deeper than any manifest. The parser goes down by calls of its own: brackets without end would use up its stack. */
const MAX_DEPTH = 200;

/** What a text says, as far as it can be read. */
interface ReadJson {
  /** Undefined where nothing can be read. */
  readonly value: unknown;
  /** Where the first fault stands, in units of UTF-16; undefined where there is none. */
  readonly fault?: number;
}

/** Read a JSON text; faults are passed over where that is possible. Never throws. */
export function readJson(text: string): ReadJson {
  const tooDeep = findTooDeep(text);
  if (tooDeep !== undefined) return { value: undefined, fault: tooDeep };
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  return first === undefined ? { value } : { value, fault: first.offset };
}

function findTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const first = text[scanner.getTokenOffset()];
    if (first === "{" || first === "[") depth++;
    else if (first === "}" || first === "]") depth--;
    if (depth > MAX_DEPTH) return scanner.getTokenOffset();
  }
  return undefined;
}
