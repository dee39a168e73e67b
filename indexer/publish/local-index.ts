/**
 * The index in a folder that is to be published: its pointer, and its files, checked before they are sent.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../src/core/errors.ts";
import {
  decodeManifest,
  decodePointer,
  type ManifestFile,
  type Pointer,
  readBuildTime,
} from "../../src/core/format/generation.ts";
import { decodeRoot } from "../../src/core/format/root.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { PUBLIC_GROUP } from "../../src/surface/access/caller.ts";
import { inflateRaw } from "../base/codec.ts";
import { isFsError } from "../base/file-system.ts";
import { holdsItsName } from "../index/pack-writer.ts";

/** An index to publish. */
export interface LocalIndex {
  readonly pointer: Pointer;
  /** As the root says. */
  readonly commit: string;
  readonly builtAt: string;
  /** Access groups that not everybody sees. */
  readonly closedGroups: readonly string[];
  /** All but the pointer. */
  readonly files: readonly ManifestFile[];
  /** A file's bytes. @throws {InputError} where it is missing, or is not what its name says. */
  readonly read: (name: string) => Promise<Uint8Array<ArrayBuffer>>;
  /** MD5 of a file in hex; undefined where the folder does not hold it. */
  readonly md5: (name: string) => Promise<string | undefined>;
}

const EXAMPLE = "treeline build docs --out index";

/** The index in a folder. @throws {InputError} where there is none. @throws {FormatError} where it is damaged. */
export async function readLocalIndex(folder: string): Promise<LocalIndex> {
  const pointerBytes = await readIfThere(join(folder, POINTER_FILE));
  if (pointerBytes === undefined) {
    throw new InputError(`there is no index in ${JSON.stringify(folder)}: build one first`, [], EXAMPLE);
  }
  const decoded = decodePointer(pointerBytes);
  const built = readBuildTime(pointerBytes);
  const pointer: Pointer = { ...decoded, ...(built !== undefined && { built }) };
  const { commit, builtAt, collections } = await decodeRoot(pointer.rootBytes, inflateRaw);

  const read = async (name: string): Promise<Uint8Array<ArrayBuffer>> => {
    const bytes = await readIfThere(join(folder, name));
    if (bytes === undefined) {
      throw new InputError(
        `${name} is missing in ${JSON.stringify(folder)}: another build may be writing there; wait for it, or build again`,
      );
    }
    if (!holdsItsName(name, bytes)) {
      throw new InputError(
        `${name} in ${JSON.stringify(folder)} does not hold what its name says: build again, into an empty folder`,
      );
    }
    return bytes;
  };

  const manifest = await read(pointer.manifest);
  const files = [...decodeManifest(manifest).files, { name: pointer.manifest, bytes: manifest.length }];
  return {
    pointer,
    commit,
    builtAt,
    closedGroups: [...new Set(collections.map(({ access }) => access))].filter((group) => group !== PUBLIC_GROUP),
    files,
    read,
    async md5(name) {
      const bytes = await readIfThere(join(folder, name));
      return bytes === undefined ? undefined : createHash("md5").update(bytes).digest("hex");
    },
  };
}

async function readIfThere(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return Uint8Array.from(await readFile(path));
  } catch (error) {
    if (isFsError(error) && (error.code === "ENOENT" || error.code === "ENOTDIR")) return undefined;
    throw error;
  }
}
