/**
 * Search root: the collections of a corpus, and the directory of every table. One read opens a corpus.
 *
 * The root file names the files of its levels, which hold the directories and never change. A pointer holds all of them, one
 * after the other. Index-format v1, section 4.
 */

import type { DeflateRaw, InflateRaw } from "../bytes/capabilities.ts";
import { crc32 } from "../bytes/checksum.ts";
import { type ByteKey, bytesOfKey } from "../bytes/key.ts";
import { ByteReader, decodeJson } from "../bytes/reader.ts";
import { ByteWriter, concatBytes, encodeJson } from "../bytes/writer.ts";
import { FormatError, malformed } from "../errors.ts";
import { DEFAULT_LANGUAGE, findLanguage, type Language } from "../text/language.ts";
import {
  array,
  count,
  dictionary,
  flag,
  number,
  object,
  oneOf,
  optional,
  type Shape,
  type ShapeOf,
  string,
} from "./json-shape.ts";
import { MAX_DOCUMENTS } from "./postings.ts";
import { type Directory, decodeDirectory, encodeDirectory, TABLE_NAMES, type TableName } from "./table.ts";

/** Version of the format that this code writes and reads. */
export const FORMAT_VERSION = 1;
const ROOT_MAGIC = "TLRT";
const LEVEL_MAGIC = "TLLV";
/** Places in the files of roots and levels. */
const LENGTH_AT = 5;
const CHECKSUM_AT = 9;
const BODY_AT = 13;
const WHAT = "search root";
const MAX_ROOT_BYTES = 64 * 1024 * 1024;

/** Terms of a language that this reader does not know cannot be looked up: that is no index for it. */
const language: Shape<Language> = (value, what) => {
  const name = string(value ?? DEFAULT_LANGUAGE, what);
  const known = findLanguage(name);
  if (known === undefined) throw malformed(what, `unknown language ${name}`);
  return known;
};

/** One collection of the corpus. */
const collection = object({
  name: string,
  kind: oneOf(["docs", "code", "site"] as const, "kind"),
  /** Multiplies scores. */
  weight: number,
  /** Start of page URLs, or `""` when the collection has none. */
  baseUrl: string,
  /** Version label, or `""`. */
  version: string,
  /** `public`, or the name of an access group. */
  access: string,
  /** Commit the files were read at, or `none`. */
  commit: string,
  /** Web address of the repository, or `""`. */
  repository: string,
  folder: optional(string),
  slash: optional(string),
  /** Language that its words are analysed in; queries do the same. */
  language,
  plain: flag,
  documents: count,
  sections: count,
  words: count,
});
export interface CollectionInfo extends Omit<ShapeOf<typeof collection>, "folder" | "plain" | "slash"> {
  /** Folder of the repository that paths start from, with `/` and none at its ends, `""` for its top; absent where paths lead nowhere in it. */
  readonly folder?: string | undefined;
  /** Set where addresses of a built site's pages are plain: without `.html`. */
  readonly plain?: true | undefined;
  /** End of all addresses of a built site, `/` or nothing; absent where those of folders' pages end in `/` and others do not. */
  readonly slash?: string | undefined;
}

const totals = {
  documents: count,
  /** Text units. */
  units: count,
  /** Terms that any of them holds. */
  terms: count,
  /** Documents that have a description. */
  described: count,
  /** Totals in words: what average lengths are computed from. */
  lengths: object({ body: count, title: count, path: count, description: count }),
};

/** Numbers that never descend, as differences. */
const gaps: Shape<readonly number[]> = (value, what) => {
  let sum = 0;
  return array(count)(value, what).map((gap) => {
    sum += gap;
    return sum;
  });
};

const level = object({
  /** Access group whose callers may read it. */
  group: string,
  ...totals,
  /** One more than the highest document number. */
  slots: count,
  /** Bytes of its chunks and of its text. */
  indexBytes: count,
  textBytes: count,
  /** Set where it was written beside older levels of its group: other pairs are listed then, see `pairs.ts`. */
  newer: flag,
  /** Set where the group has no source code any more, whatever levels before say. */
  withoutCode: flag,
  /** What its chunks and blocks are deflated with, a character a byte; newer levels have that of the oldest. */
  dictionary: optional(string),
  /** The packs that its places name, in their order. */
  packs: array(string),
  /** Hashes of the phrases that its table of synonyms has keys for, see `hashPhrase`. */
  phrases: optional(gaps, []),
  /** Names of the tables that it has. */
  tables: array(string),
});

/** A set of documents with tables of its own, as it was written. */
export interface Level extends Omit<ShapeOf<typeof level>, "tables"> {
  readonly tables: Readonly<Record<TableName, Directory>>;
}

/** A level with what later ones say of it: counts and totals are those of the documents that are still valid. */
export interface ShardRoot extends Level {
  /** Name of its file. */
  readonly level: string;
  /** Numbers of documents that its tables still hold and that are no longer valid, ascending. */
  readonly deleted: readonly number[];
  /** Inflates its chunks and blocks. */
  readonly inflate: InflateRaw;
}

const rootHeader = object({
  /** Commit of the tree, or `none`. */
  commit: string,
  /** Time of that commit, ISO 8601 in UTC, or `""`. */
  builtAt: string,
  dirty: flag,
  /** Set where checkers of compilers left files unanswered that they would answer for on another day. */
  precise: optional(oneOf(["incomplete"] as const, "state of checkers")),
  collections: array<CollectionInfo>(collection),
  /** How pages present the project; older builds wrote none. */
  project: optional(
    object({
      name: optional(string),
      description: optional(string),
      /** Colours of links, `#0b57c2`, on a light and on a dark ground. */
      accent: optional(array(string)),
      /** Version of the picture that the build log holds. */
      logo: optional(string),
    }),
  ),
  /** Ranking parameters that the configuration sets, by their public names; older builds wrote none. */
  ranking: optional(dictionary(number), {}),
  facetKeys: array(string),
  facetKeysLeftOut: array(string),
  /** Roles of documents that their paths do not tell: by id, or of all in a folder (`code:gen/**`). */
  roles: optional(dictionary(string)),
  /** Digest of the settings that bear on every page, `""` where unknown: an index can be built on another of the same. */
  settings: string,
  skippedFiles: count,
  diagnostics: count,
  /** Bytes of the build log. */
  logBytes: count,
  /** Bytes of all chunks, and of all text blocks. */
  indexBytes: count,
  textBytes: count,
  /** The levels of each access group, the oldest first. */
  levels: array(
    object({
      /** Name of the file, its length, and the checksum that it holds. */
      name: string,
      bytes: count,
      checksum: count,
      deleted: optional(gaps, []),
    }),
  ),
});

/** What a root says beside its levels. */
interface RootHeader extends Omit<ShapeOf<typeof rootHeader>, "levels" | "dirty" | "roles"> {
  /** Set where files of that commit had been changed. */
  readonly dirty?: true | undefined;
  readonly roles?: Readonly<Record<string, string>> | undefined;
}

export interface Root extends RootHeader {
  readonly shards: readonly ShardRoot[];
}

/** A level as a root lists it. */
interface LevelFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly deleted: readonly number[];
}

export function encodeLevel({ tables, phrases, ...rest }: Level, deflate: DeflateRaw): Uint8Array {
  const names = TABLE_NAMES.filter((name) => tables[name].entries.length > 0);
  const header = encodeJson({ ...rest, ...(phrases.length > 0 && { phrases: toGaps(phrases) }), tables: names });
  const body = new ByteWriter(header.length + 4096);
  body.writeVarint(header.length);
  body.writeBytes(header);
  for (const name of names) {
    const directory = encodeDirectory(tables[name]);
    body.writeVarint(directory.length);
    body.writeBytes(directory);
  }
  return sealFile(LEVEL_MAGIC, body.finish(), deflate);
}

/** The level that these bytes are. @throws {FormatError} on bytes that are none, or of a newer version. */
async function decodeLevel(bytes: Uint8Array, inflate: InflateRaw): Promise<Level> {
  const body = await openFile(bytes, LEVEL_MAGIC, "level", inflate);
  const header = level(decodeJson(body.readBytes(body.readVarint()), body.what), body.what);
  if (header.slots > MAX_DOCUMENTS) throw outOfRange("slots", header.slots, MAX_DOCUMENTS);
  const tables = readTables(header.tables, body, header.packs.length);
  body.expectEnd();
  return { ...header, tables };
}

export function encodeRoot(header: RootHeader, levels: readonly LevelFile[], deflate: DeflateRaw): Uint8Array {
  const listed = levels.map(({ name, bytes, deleted }) => ({
    name,
    bytes: bytes.length,
    checksum: new ByteReader(bytes, WHAT, CHECKSUM_AT).readUint32(),
    ...(deleted.length > 0 && { deleted: toGaps(deleted) }),
  }));
  return sealFile(ROOT_MAGIC, encodeJson({ ...header, levels: listed }), deflate);
}

/** Levels of more bytes are read by their names: an edit leaves them as they are, and so pointers do not repeat them. */
const EMBEDDED_BYTES = 16 * 1024;

/** Whether pointers hold the file of a level. */
export function isEmbedded({ bytes }: { readonly bytes: number }): boolean {
  return bytes <= EMBEDDED_BYTES;
}

/** Files that stand one after the other: a root and its small levels, as pointers hold them. @throws {FormatError}. */
export function splitRoot(bytes: Uint8Array): Uint8Array[] {
  const files: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += (files.at(-1) as Uint8Array).length) {
    const length = new ByteReader(bytes, WHAT, at + LENGTH_AT).readUint32();
    files.push(new ByteReader(bytes, WHAT, at).readBytes(BODY_AT + length));
  }
  return files;
}

/**
 * What a root file says, with the levels that it lists; files of these may follow it.
 *
 * @throws {FormatError} on bytes that are none, or of a newer version.
 */
export async function readRootHeader(bytes: Uint8Array, inflate: InflateRaw): Promise<ShapeOf<typeof rootHeader>> {
  // Before anything else is believed of a file that may be of another version.
  expectMagic(new ByteReader(bytes, WHAT), ROOT_MAGIC);
  const [file = bytes] = splitRoot(bytes);
  const body = await openFile(file, ROOT_MAGIC, WHAT, inflate);
  return rootHeader(decodeJson(body.readBytes(body.remaining), WHAT), WHAT);
}

/**
 * The root that these bytes are, the files of its small levels after its own.
 *
 * @param read Gives the files of larger levels.
 * @throws {FormatError} on bytes that are none, or of a newer version.
 */
export async function decodeRoot(
  bytes: Uint8Array,
  inflate: InflateRaw,
  read: (name: string, bytes: number) => Promise<Uint8Array>,
): Promise<Root> {
  const { levels, ...header } = await readRootHeader(bytes, inflate);
  const [, ...files] = splitRoot(bytes);
  const embedded = levels.filter(isEmbedded);
  if (files.length !== embedded.length) throw malformed(WHAT, `${files.length} levels in place of ${embedded.length}`);
  const shards = levels.map(async (listed): Promise<ShardRoot> => {
    const { name, checksum, deleted } = listed;
    const own = isEmbedded(listed) ? (files[embedded.indexOf(listed)] as Uint8Array) : await read(name, listed.bytes);
    const got = new ByteReader(own, WHAT, CHECKSUM_AT).readUint32();
    if (got !== checksum) throw new FormatError(name, { code: "checksum", got, expected: checksum });
    return { ...toShard(name, await decodeLevel(own, inflate), deleted), inflate };
  });
  const all = await Promise.all(shards);
  const oldestOf = (group: string) => all.find((shard) => shard.group === group)?.dictionary ?? "";
  return {
    ...header,
    shards: all.map((shard) => ({ ...shard, inflate: inflateWith(oldestOf(shard.group), inflate) })),
  };
}

/** Totals of what is left, as if the deleted documents were of average length. */
function toShard(name: string, own: Level, deleted: readonly number[]): Omit<ShardRoot, "inflate"> {
  const last = deleted.at(-1) ?? -1;
  if (last >= own.slots) throw outOfRange("deleted document", last, own.slots - 1);
  const { units, described, lengths } = own;
  const documents = Math.max(0, own.documents - deleted.length);
  const left = (total: number): number => Math.round((total * documents) / Math.max(1, own.documents));
  return {
    ...own,
    level: name,
    deleted,
    documents,
    units: left(units),
    described: left(described),
    lengths: {
      body: left(lengths.body),
      title: left(lengths.title),
      path: left(lengths.path),
      description: left(lengths.description),
    },
  };
}

/** A file with a deflated body: magic, version, length, checksum, body. */
function sealFile(magic: string, body: Uint8Array, deflate: DeflateRaw): Uint8Array {
  const compressed = deflate(body);
  const file = new ByteWriter(compressed.length + 16);
  for (const letter of magic) file.writeByte(letter.charCodeAt(0));
  file.writeByte(FORMAT_VERSION);
  file.writeUint32(compressed.length);
  file.writeUint32(crc32(compressed));
  file.writeBytes(compressed);
  return file.finish();
}

/** The body of such a file. @throws {FormatError}. */
async function openFile(bytes: Uint8Array, magic: string, what: string, inflate: InflateRaw): Promise<ByteReader> {
  const file = new ByteReader(bytes, what);
  expectMagic(file, magic);
  const length = file.readUint32();
  const expected = file.readUint32();
  const compressed = file.readBytes(length);
  file.expectEnd();
  const got = crc32(compressed);
  if (got !== expected) throw new FormatError(what, { code: "checksum", got, expected });
  return new ByteReader(await inflate(compressed, MAX_ROOT_BYTES), what);
}

/** Check magic and version, which every file of the format begins with. @throws {FormatError}. */
export function expectMagic(reader: ByteReader, magic: string): void {
  const got = String.fromCharCode(...reader.readBytes(magic.length));
  if (got !== magic)
    throw new FormatError(reader.what, { code: "bad-magic", got: JSON.stringify(got), expected: magic });
  const version = reader.readByte();
  if (version !== FORMAT_VERSION) {
    throw new FormatError(reader.what, { code: "unsupported-version", got: version, supported: FORMAT_VERSION });
  }
}

/** A dictionary of more bytes is no stored block. */
const MAX_DICTIONARY_BYTES = 0xffff;
const STORED_HEADER_BYTES = 5;

/** Inflates what was deflated with a dictionary. Not every inflater takes one: it stands before the data, as a stored block. */
function inflateWith(dictionary: string, inflate: InflateRaw): InflateRaw {
  const { length } = dictionary;
  if (length === 0) return inflate;
  if (length > MAX_DICTIONARY_BYTES) throw outOfRange("dictionary", length, MAX_DICTIONARY_BYTES);
  const stored = new Uint8Array(STORED_HEADER_BYTES + length);
  new DataView(stored.buffer).setUint16(1, length, true);
  new DataView(stored.buffer).setUint16(3, ~length, true);
  stored.set(bytesOfKey(dictionary as ByteKey), STORED_HEADER_BYTES);
  return async (bytes, maxBytes) => (await inflate(concatBytes([stored, bytes]), maxBytes + length)).subarray(length);
}

function outOfRange(what: string, got: number, limit: number): FormatError {
  return new FormatError(WHAT, { code: "out-of-range", what, got, limit });
}

/** Numbers that never descend, as differences. */
function toGaps(numbers: readonly number[]): number[] {
  return numbers.map((number, at) => number - (numbers[at - 1] ?? 0));
}

/** Directories by name. Unknown tables are passed over, missing ones are empty: both may come with later builds. */
function readTables(names: readonly string[], body: ByteReader, packs: number): Record<TableName, Directory> {
  const tables = Object.fromEntries(TABLE_NAMES.map((name) => [name, { height: 0, entries: [] }])) as unknown as Record<
    TableName,
    Directory
  >;
  for (const name of names) {
    const bytes = body.readBytes(body.readVarint());
    const known = TABLE_NAMES.find((table) => table === name);
    if (known !== undefined) tables[known] = lazily(() => decodeDirectory(bytes, known, packs));
  }
  return tables;
}

/** A directory that is decoded when it is asked for: a search needs few of them, of which the largest have thousands of entries. */
function lazily(decode: () => Directory): Directory {
  let known: Directory | undefined;
  const get = (): Directory => {
    known ??= decode();
    return known;
  };
  return {
    get height() {
      return get().height;
    },
    get entries() {
      return get().entries;
    },
  };
}
