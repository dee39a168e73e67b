/**
 * Pointer: the one object that is ever rewritten. It embeds the current root, so one read opens a corpus.
 *
 * Layout: index-format v1, section 5. Pure: bytes in, values out.
 */
import { crc32 } from "../bytes/checksum.ts";
import { ByteReader, decodeJson } from "../bytes/reader.ts";
import { ByteWriter, encodeJson } from "../bytes/writer.ts";
import { FormatError } from "../errors.ts";
import { type BuildTime, formatBuildTime } from "./build-time.ts";
import { isIndexFile, refuseName } from "./index-file.ts";
import { shapeOf } from "./json-shape.ts";
import { expectMagic, FORMAT_VERSION } from "./root.ts";

const MAGIC = "TLPT";
const GENERATION_DIGITS = 12;

/** One generation by the names of its files. */
export interface GenerationFiles {
  readonly generation: string;
  readonly root: string;
  readonly manifest: string;
}

/** A generation that is no longer current but still whole. */
export interface PreviousGeneration extends GenerationFiles {
  readonly commit: string;
  readonly builtAt: string;
  /** When another one became current in its place, ISO 8601 in UTC. Written, and read by `replaced-at.ts` alone. */
  readonly replacedAt?: string;
}

/** A decoded pointer. */
export interface Pointer extends GenerationFiles {
  readonly log: string;
  /** Newest first. */
  readonly previous: readonly PreviousGeneration[];
  /** The root file, byte for byte. */
  readonly rootBytes: Uint8Array;
  /** Absent where it does not say; written, and read by `build-time.ts` alone. */
  readonly built?: BuildTime;
}

/** Bytes of a pointer. */
export function encodePointer(pointer: Pointer): Uint8Array {
  const { rootBytes, built, ...names } = pointer;
  const rest = new ByteWriter(rootBytes.length + 512);
  const header = encodeJson({ ...names, ...(built !== undefined && formatBuildTime(built)) });
  rest.writeVarint(header.length);
  rest.writeBytes(header);
  rest.writeBytes(rootBytes);
  const behind = rest.finish();
  const file = new ByteWriter(behind.length + 16);
  for (const letter of MAGIC) file.writeByte(letter.charCodeAt(0));
  file.writeByte(FORMAT_VERSION);
  file.writeUint32(crc32(behind));
  file.writeBytes(behind);
  return file.finish();
}

/**
 * The pointer that these bytes are, each name in it one of an index file, so that all of them may be joined to a folder.
 *
 * @throws {FormatError} on bytes that are none, of a newer version, or with other names.
 */
export function decodePointer(bytes: Uint8Array): Pointer {
  const pointer = parsePointer(bytes);
  expectName(pointer.log, "log");
  for (const { generation, root, manifest } of [pointer, ...pointer.previous]) {
    expectName(root, "root");
    expectName(manifest, "manifest");
    if (generation !== generationOf(root)) refuseName("pointer", generation);
  }
  return pointer;
}

/**
 * The same with whatever names: for readers that cannot reach anything but index files, as their source sees to that. A page
 * loads this one, which is smaller.
 *
 * @throws {FormatError} on bytes that are none, or of a newer version.
 */
export function parsePointer(bytes: Uint8Array): Pointer {
  const file = new ByteReader(bytes, "pointer");
  expectMagic(file, MAGIC);
  const expected = file.readUint32();
  const behind = file.readBytes(file.remaining);
  const got = crc32(behind);
  if (got !== expected) throw new FormatError(file.what, { code: "checksum", got, expected });
  const reader = new ByteReader(behind, file.what);
  const check = shapeOf(file.what);
  const header = check.record(decodeJson(reader.readBytes(reader.readVarint()), file.what));
  return {
    ...toFiles(header),
    log: check.string(header.log),
    previous: check.array(header.previous).map((value) => {
      const record = check.record(value);
      return { ...toFiles(record), commit: check.string(record.commit), builtAt: check.string(record.builtAt) };
    }),
    rootBytes: reader.readBytes(reader.remaining),
  };

  function toFiles(record: Record<string, unknown>): GenerationFiles {
    return {
      generation: check.string(record.generation),
      root: check.string(record.root),
      manifest: check.string(record.manifest),
    };
  }
}

function expectName(name: string, kind: string): void {
  if (!isIndexFile(name) || !name.endsWith(`.${kind}`)) refuseName("pointer", name);
}

/** Short name of the generation whose root file has this name. */
export function generationOf(rootFile: string): string {
  return rootFile.slice(0, GENERATION_DIGITS);
}
