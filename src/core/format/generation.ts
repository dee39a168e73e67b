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
import { FormatError, malformed } from "../errors.ts";
import { array, count, object, optional, type ShapeOf, string } from "./json-shape.ts";
import { expectMagic, FORMAT_VERSION } from "./root.ts";

const POINTER = "pointer";
const MANIFEST = "manifest";
const MAGIC_AND_VERSION_BYTES = 5;
const CHECKSUM_BYTES = 4;
const DIGITS = 9;
const MAX_MS = 999_999_999;
const MAGIC = "TLPT";
const GENERATION_DIGITS = 12;

const INDEX_FILE = /^[0-9a-f]{32}\.(?:pack|level|root|manifest|log)$/;
/** Of a name that is refused, so much is shown. */
const MAX_SHOWN_CHARACTERS = 40;

/** Whether something is called like a file of an index: then it lies beside the pointer, wherever that is. */
export function isIndexFile(name: string): boolean {
  return INDEX_FILE.test(name);
}

function quoteFile(name: string): string {
  return JSON.stringify(name.slice(0, MAX_SHOWN_CHARACTERS));
}

/** Refuse a name that is none of an index file. @param what What holds it. @throws {FormatError} in any case. */
function refuseName(what: string, name: string): never {
  throw malformed(what, `${quoteFile(name)} is no name of an index file`);
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** When a build was done, how long it took, and of what it was. */
export interface BuildTime {
  /** ISO 8601 in UTC with milliseconds. */
  readonly at: string;
  readonly ms: number;
  /** Digest of all that the index was made of; absent where a build of the same may give another index. */
  readonly inputs?: string;
}

const times = object({ builtAt: optional(string), buildMs: optional(string), inputs: optional(string) });

/**
 * The time of the build that wrote a pointer which `decodePointer` takes; undefined where it does not say.
 *
 * @throws {FormatError} where what it says is no time.
 */
export function readBuildTime(bytes: Uint8Array): BuildTime | undefined {
  const { builtAt, buildMs, inputs } = times(headerOf(bytes), POINTER);
  if (buildMs === undefined || builtAt === undefined) return undefined;
  if (!TIME.test(builtAt) || !/^\d{9}$/.test(buildMs)) throw malformed(POINTER, "a time that is none");
  return { at: builtAt, ms: Number(buildMs), ...(inputs !== undefined && { inputs }) };
}

/** What a pointer says besides the root, whose magic, version and checksum `decodePointer` looked at. */
function headerOf(bytes: Uint8Array): unknown {
  const file = new ByteReader(bytes, POINTER, MAGIC_AND_VERSION_BYTES + CHECKSUM_BYTES);
  return decodeJson(file.readBytes(file.readVarint()), POINTER);
}

/** Always so many digits: the size of a pointer, which bars on bytes count, does not depend on a clock. */
function formatBuildTime({ at, ms, ...inputs }: BuildTime) {
  const buildMs = String(Math.min(MAX_MS, Math.max(0, Math.round(ms)))).padStart(DIGITS, "0");
  return { builtAt: at, buildMs, ...inputs };
}

const files = { generation: string, root: string, manifest: string };
const generationFiles = object(files);
type GenerationFiles = ShapeOf<typeof generationFiles>;

const previousGeneration = object({ ...files, commit: string, builtAt: string });
/** A generation that is no longer current but still whole. */
export interface PreviousGeneration extends ShapeOf<typeof previousGeneration> {
  /** When another one became current in its place, ISO 8601 in UTC. Written, and read by `readReplacedAt` alone. */
  readonly replacedAt?: string;
}

const pointerHeader = object({ ...files, log: string, previous: array(previousGeneration) });

export interface Pointer extends GenerationFiles {
  readonly log: string;
  /** Newest first. */
  readonly previous: readonly PreviousGeneration[];
  /** The root file and those of its levels, byte for byte. */
  readonly rootBytes: Uint8Array;
  /** Absent where it does not say; written, and read by `readBuildTime` alone. */
  readonly built?: BuildTime;
}

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
    if (generation !== generationOf(root)) refuseName(POINTER, generation);
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
  const file = new ByteReader(bytes, POINTER);
  expectMagic(file, MAGIC);
  const expected = file.readUint32();
  const behind = file.readBytes(file.remaining);
  const got = crc32(behind);
  if (got !== expected) throw new FormatError(POINTER, { code: "checksum", got, expected });
  const reader = new ByteReader(behind, POINTER);
  const header = pointerHeader(decodeJson(reader.readBytes(reader.readVarint()), POINTER), POINTER);
  return { ...header, rootBytes: reader.readBytes(reader.remaining) };
}

function expectName(name: string, kind: string): void {
  if (!isIndexFile(name) || !name.endsWith(`.${kind}`)) refuseName(POINTER, name);
}

/** Short name of the generation whose root file has this name. */
export function generationOf(rootFile: string): string {
  return rootFile.slice(0, GENERATION_DIGITS);
}

const replaced = object({ previous: array(object({ generation: string, replacedAt: optional(string) })) });

/**
 * When each previous generation of a pointer that `decodePointer` takes was replaced, in milliseconds since 1970, by
 * generation. Those of which the pointer does not say it are left out, as are times that are none.
 */
export function readReplacedAt(bytes: Uint8Array): ReadonlyMap<string, number> {
  const { previous } = replaced(headerOf(bytes), POINTER);
  return new Map(
    previous
      .map(({ generation, replacedAt = "" }) => [generation, Date.parse(replacedAt)] as const)
      .filter(([, time]) => !Number.isNaN(time)),
  );
}

/** Bytes of a file at most. Packs are cut at a few MiB; who reads a whole file reads it into memory. */
export const MAX_FILE_BYTES = 1024 ** 3;

const manifestFile = object({ name: string, bytes: count });
/** One file: its name is its content's hash and its kind. */
export type ManifestFile = ShapeOf<typeof manifestFile>;

/** What one generation consists of, the manifest itself and the pointer left out; files sorted by name. */
const manifest = object({ format: count, files: array(checkFile) });
type Manifest = ShapeOf<typeof manifest>;

export function encodeManifest(value: Manifest): Uint8Array {
  return encodeJson(value);
}

/**
 * The manifest that these bytes are, each name in it that of an index file.
 *
 * @throws {FormatError} on bytes that are none, with other names, or with sizes that no file has.
 */
export function decodeManifest(bytes: Uint8Array): Manifest {
  return manifest(decodeJson(bytes, MANIFEST), MANIFEST);
}

function checkFile(value: unknown, what: string): ManifestFile {
  const file = manifestFile(value, what);
  if (!isIndexFile(file.name)) refuseName(what, file.name);
  if (file.bytes <= MAX_FILE_BYTES) return file;
  const size = { what: `size of ${quoteFile(file.name)}`, got: file.bytes, limit: MAX_FILE_BYTES };
  throw new FormatError(what, { code: "out-of-range", ...size });
}
