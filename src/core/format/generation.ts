/**
 * Files of a generation as a whole: their names, the pointer, and the manifest.
 *
 * Index-format v1, sections 1 and 5. A name is 32 digits of the content's hash and the kind. Pointers and manifests name
 * files, and anyone with access to a bucket can write them, so each name is checked where it is read: none leads out of
 * the folder. The pointer is the one object that is rewritten; it embeds the current root. The manifest lists every file
 * with its size, for publish, verify and gc.
 */

import { crc32 } from "../bytes/checksum.ts";
import { ByteReader, decodeJson } from "../bytes/reader.ts";
import { ByteWriter, encodeJson } from "../bytes/writer.ts";
import { FormatError } from "../errors.ts";
import { shapeOf } from "./json-shape.ts";
import { expectMagic, FORMAT_VERSION } from "./root.ts";

const MAGIC_AND_VERSION_BYTES = 5;
const DIGITS = 9;
const MAX_MS = 999_999_999;
const MAGIC = "TLPT";
const GENERATION_DIGITS = 12;

const INDEX_FILE = /^[0-9a-f]{32}\.(?:pack|root|manifest|log)$/;
/** Of a name that is refused, so much is shown. */
const MAX_SHOWN_CHARACTERS = 40;

/** Whether something is called like a file of an index: then it lies beside the pointer, wherever that is. */
export function isIndexFile(name: string): boolean {
  return INDEX_FILE.test(name);
}

/** A name in an error: quoted, and cut. */
function quoteFile(name: string): string {
  return JSON.stringify(name.slice(0, MAX_SHOWN_CHARACTERS));
}

/** Refuse a name that is none of an index file. @param what What holds it. @throws {FormatError} in any case. */
function refuseName(what: string, name: string): never {
  throw new FormatError(what, { code: "malformed", reason: `${quoteFile(name)} is no name of an index file` });
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** When a build was done, and how long it took. */
export interface BuildTime {
  /** ISO 8601 in UTC with milliseconds. */
  readonly at: string;
  readonly ms: number;
}

/**
 * The time of the build that wrote a pointer which `decodePointer` takes; undefined where it does not say.
 *
 * @throws {FormatError} where what it says is no time.
 */
export function readBuildTime(bytes: Uint8Array): BuildTime | undefined {
  const file = new ByteReader(bytes, "pointer");
  // Magic, version and checksum: `decodePointer` looked at them.
  file.readBytes(MAGIC_AND_VERSION_BYTES);
  file.readUint32();
  const header: unknown = decodeJson(file.readBytes(file.readVarint()), file.what);
  const { builtAt, buildMs } = shapeOf(file.what).record(header);
  if (buildMs === undefined || builtAt === undefined) return undefined;
  const [at, digits] = shapeOf(file.what).strings([builtAt, buildMs]) as [string, string];
  if (!TIME.test(at) || !/^\d{9}$/.test(digits)) {
    throw new FormatError(file.what, { code: "malformed", reason: "a time that is none" });
  }
  return { at, ms: Number(digits) };
}

/** Always so many digits: the size of a pointer, which bars on bytes count, does not depend on a clock. */
function formatBuildTime({ at, ms }: BuildTime): { readonly builtAt: string; readonly buildMs: string } {
  return { builtAt: at, buildMs: String(Math.min(MAX_MS, Math.max(0, Math.round(ms)))).padStart(DIGITS, "0") };
}

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
  /** When another one became current in its place, ISO 8601 in UTC. Written, and read by `readReplacedAt` alone. */
  readonly replacedAt?: string;
}

/** A decoded pointer. */
export interface Pointer extends GenerationFiles {
  readonly log: string;
  /** Newest first. */
  readonly previous: readonly PreviousGeneration[];
  /** The root file, byte for byte. */
  readonly rootBytes: Uint8Array;
  /** Absent where it does not say; written, and read by `readBuildTime` alone. */
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

/**
 * When each previous generation of a pointer that `decodePointer` takes was replaced, in milliseconds since 1970, by
 * generation. Those of which the pointer does not say it are left out, as are times that are none.
 */
export function readReplacedAt(bytes: Uint8Array): ReadonlyMap<string, number> {
  const file = new ByteReader(bytes, "pointer");
  // Magic, version and checksum: `decodePointer` looked at them.
  file.readBytes(MAGIC_AND_VERSION_BYTES);
  file.readUint32();
  const check = shapeOf(file.what);
  const { previous } = check.record(decodeJson(file.readBytes(file.readVarint()), file.what));
  const times = new Map<string, number>();
  for (const value of check.array(previous)) {
    const { generation, replacedAt } = check.record(value);
    const time = replacedAt === undefined ? Number.NaN : Date.parse(check.string(replacedAt));
    if (!Number.isNaN(time)) times.set(check.string(generation), time);
  }
  return times;
}

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
interface Manifest {
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
