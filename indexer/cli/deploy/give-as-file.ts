/**
 * Gives a child process a content as a file that nobody else finds, and that does not stay whatever ends this process.
 */
import { constants } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";

/** A content that a child process reads under a path. */
export interface GivenFile {
  readonly path: string;
  /** What the child's standard input has to be, where the path needs that. */
  readonly standardInput?: number;
  readonly close: () => Promise<void>;
}

/** Only its owner reads it, in the moment in which it has a name. */
const OWNER_ONLY = 0o600;

/**
 * Makes a file without a name: it is removed before the content is written, and the child reads it as its standard
 * input. A pipe would not do: the child opens the path, and Node's pipes are sockets, which cannot be opened. On
 * Windows there is no such path; there the file has a name until it is closed.
 */
export async function giveAsFile(folder: string, content: string, platform = process.platform): Promise<GivenFile> {
  const path = join(folder, "given");
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, OWNER_ONLY);
  const isNameless = platform !== "win32";
  try {
    if (isNameless) await rm(path);
    // At a position, so that reading begins at the start where the child shares it.
    await file.write(content, 0);
  } catch (error) {
    await file.close();
    throw error;
  }
  if (isNameless) return { path: "/dev/stdin", standardInput: file.fd, close: () => file.close() };
  await file.close();
  return { path, close: () => rm(path, { force: true }) };
}
