/**
 * The file of keys that `treeline dev --access` lets in: read at the start, and followed while it serves, so that a key
 * that is revoked ends here as it does in a deployment.
 */
import { type Stats, unwatchFile, watchFile } from "node:fs";
import { parseAccessFile } from "../../../src/access/access-file.ts";
import { InputError } from "../../../src/core/errors.ts";
import { readText } from "../map-files.ts";
import type { FolderWatch } from "./watch-folder.ts";

/**
 * The file is looked at this often: watches of the operating system stay with a file that another took the place of.
 */
const POLL_MS = 1000;

/** Text of the file of keys. @throws {InputError} where it is not there, or holds no keys. */
export async function readKeysFile(file: string): Promise<string> {
  const text = await readText(file);
  if (text === undefined) {
    throw new InputError(`there is no file ${JSON.stringify(file)}`, [], "treeline keys add NAME --index DIR");
  }
  parseAccessFile(text);
  return text;
}

/** What a file of keys says while it is served. */
export interface KeysChange {
  /** What to serve from now on; undefined for no keys, because the file is gone. */
  readonly text: string | undefined;
}

/**
 * What changed since a text of the file was served; undefined where nothing did.
 *
 * @throws {InputError} where it holds no keys.
 */
export async function readKeysChange(file: string, served: string | undefined): Promise<KeysChange | undefined> {
  const text = await readText(file);
  if (text === served) return undefined;
  if (text !== undefined) parseAccessFile(text);
  return { text };
}

/** Calls `onChange` when the file is written, replaced, removed or made. */
export function watchKeysFile(file: string, onChange: () => void, intervalMs: number = POLL_MS): FolderWatch {
  const look = (now: Stats, before: Stats): void => {
    // Who only reads it changes its times as well.
    if (now.mtimeMs !== before.mtimeMs || now.ino !== before.ino || now.size !== before.size) onChange();
  };
  watchFile(file, { interval: intervalMs }, look);
  return { stop: () => unwatchFile(file, look) };
}
