/**
 * Manifest: every file of one generation with its size, for publish, verify and gc. No query reads it.
 *
 * Layout: index-format v1, section 1; JSON, so that people can read it. Pure.
 */
import { decodeJson } from "../bytes/reader.ts";
import { encodeJson } from "../bytes/writer.ts";
import { FormatError } from "../errors.ts";
import { isIndexFile, quoteFile, refuseName } from "./index-file.ts";
import { shapeOf } from "./json-shape.ts";

/**
 * Bytes of a file at most. Packs are cut at a few MiB; who reads a whole file reads it into memory.
 */
export const MAX_FILE_BYTES = 1024 ** 3;

/** One file: its name is its content's hash and its kind. */
export interface ManifestFile {
  readonly name: string;
  readonly bytes: number;
}

/** What one generation consists of, the manifest itself and the pointer left out. */
export interface Manifest {
  readonly format: number;
  /** Sorted by name. */
  readonly files: readonly ManifestFile[];
}

/** Bytes of a manifest. */
export function encodeManifest(manifest: Manifest): Uint8Array {
  return encodeJson(manifest);
}

/**
 * The manifest that these bytes are, each name in it that of an index file.
 *
 * @throws {FormatError} on bytes that are none, with other names, or with sizes that no file has.
 */
export function decodeManifest(bytes: Uint8Array): Manifest {
  const check = shapeOf("manifest");
  const record = check.record(decodeJson(bytes, "manifest"));
  return {
    format: check.count(record.format),
    files: check.array(record.files).map((value) => {
      const file = check.record(value);
      return checkFile({ name: check.string(file.name), bytes: check.count(file.bytes) });
    }),
  };
}

function checkFile(file: ManifestFile): ManifestFile {
  if (!isIndexFile(file.name)) refuseName("manifest", file.name);
  if (file.bytes <= MAX_FILE_BYTES) return file;
  throw new FormatError("manifest", {
    code: "out-of-range",
    what: `size of ${quoteFile(file.name)}`,
    got: file.bytes,
    limit: MAX_FILE_BYTES,
  });
}
