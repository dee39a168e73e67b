/**
 * Text of a file of settings: the configuration, or one that it names.
 *
 * I/O: reads the file.
 */
import { isUtf8 } from "node:buffer";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { InputError } from "../../src/core/errors.ts";
import { nearestNames, quoteName } from "../../src/core/text/nearest.ts";
import { createReadError, describeFsError, isFsError } from "../base/file-system.ts";

/** Largest file of settings that is read; a larger one is something else under that name. */
const MAX_SETTINGS_BYTES = 1024 * 1024;
/** Files that are offered where one does not exist. */
const MAX_NEAREST = 3;

/**
 * The text of the file `name` in `dir`, or undefined when there is none.
 *
 * @throws {InputError} when it cannot be read, is no UTF-8 text or too large to be what its name says.
 */
export async function readSettingsFile(dir: string, name: string): Promise<string | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(join(dir, name));
  } catch (error) {
    if (!isFsError(error)) {
      throw error;
    }
    // ENOTDIR: `dir` itself is a file, which whoever looks for its files reports.
    if (error.code === "ENOENT" || error.code === "ENOTDIR") {
      return undefined;
    }
    throw createReadError(`${name} cannot be read: ${describeFsError(error)}`, error);
  }
  if (bytes.length > MAX_SETTINGS_BYTES) {
    throw new InputError(`${name} has ${bytes.length} bytes, at most ${MAX_SETTINGS_BYTES} are read`);
  }
  if (!isUtf8(bytes)) {
    throw new InputError(`${name} is not UTF-8 text; save it as UTF-8`);
  }
  return new TextDecoder().decode(bytes);
}

/** The text of a configuration that somebody named. @throws {InputError} when it is not there, or cannot be read. */
export async function readNamedConfig(file: string): Promise<string> {
  const text = await readSettingsFile(dirname(file), basename(file));
  if (text !== undefined) return text;
  const beside = await readdir(dirname(file)).catch((error: unknown) => {
    if (isFsError(error)) return [];
    throw error;
  });
  const likely = nearestNames(
    basename(file),
    beside.filter((name) => /\.jsonc?$/.test(name)),
    MAX_NEAREST,
  );
  throw new InputError(
    `there is no configuration ${quoteName(file)}`,
    likely.map((name) => join(dirname(file), name)),
  );
}
