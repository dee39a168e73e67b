/**
 * Search root: the collections of a corpus, and the directory of every table. One read opens a corpus.
 *
 * Index-format v1, section 4.
 */

import type { DeflateRaw, InflateRaw } from "../bytes/capabilities.ts";
import { crc32 } from "../bytes/checksum.ts";
import { ByteReader, decodeJson } from "../bytes/reader.ts";
import { ByteWriter, encodeJson } from "../bytes/writer.ts";
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
const MAGIC = "TLRT";
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
  /** Language that its words are analysed in; queries do the same. */
  language,
  plain: flag,
  documents: count,
  sections: count,
  words: count,
});
export interface CollectionInfo extends Omit<ShapeOf<typeof collection>, "folder" | "plain"> {
  /** Folder of the repository that paths start from, with `/` and none at its ends, `""` for its top; absent where paths lead nowhere in it. */
  readonly folder?: string | undefined;
  /** Set where addresses of a built site's pages are plain: without `.html`. */
  readonly plain?: true | undefined;
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
const shardTotals = object(totals);
/** Counts and totals of a shard's documents. */
export type ShardTotals = ShapeOf<typeof shardTotals>;

/** Numbers that never descend, as differences. */
const gaps: Shape<readonly number[]> = (value, what) => {
  let sum = 0;
  return array(count)(value, what).map((gap) => {
    sum += gap;
    return sum;
  });
};

/** What a shard says that holds documents changed since another one, its base, was written. */
const delta = object({
  /** Index of the base in the root's list of shards. */
  base: count,
  /** For each own document, by number: how many documents of the base come before it. Never descends. */
  positions: gaps,
});
export type DeltaInfo = ShapeOf<typeof delta>;

const shard = object({
  /** Access group whose callers may read this shard. */
  group: string,
  ...totals,
  /** One more than the highest document number. */
  slots: count,
  /** Bytes of its chunks and of its text. */
  indexBytes: count,
  textBytes: count,
  /** Numbers of documents that its tables still hold and that are no longer valid, ascending. */
  deleted: optional(gaps, []),
  /** Counts and totals as they were before any document was deleted; set where some were. */
  written: optional(shardTotals),
  /** Set where the shard holds what changed since its base. */
  delta: optional(delta),
  /** Names of the tables that it has. */
  tables: array(string),
});

/** A set of documents with tables of its own. Counts and totals are those of the documents that were not deleted. */
export interface ShardRoot extends Omit<ShapeOf<typeof shard>, "tables"> {
  readonly tables: Readonly<Record<TableName, Directory>>;
}

const rootHeader = object({
  /** Commit of the tree, or `none`. */
  commit: string,
  /** Time of that commit, ISO 8601 in UTC, or `""`. */
  builtAt: string,
  dirty: flag,
  collections: array<CollectionInfo>(collection),
  /** Ranking parameters that the configuration sets, by their public names; older builds wrote none. */
  ranking: optional(dictionary(number), {}),
  facetKeys: array(string),
  facetKeysLeftOut: array(string),
  /** Roles of documents that their paths do not tell: by id, or of all in a folder (`code:gen/**`). */
  roles: optional(dictionary(string)),
  /** Digest of the settings that bear on every page, `""` where unknown: an index can be built on another of the same. */
  settings: string,
  /** How many packs of the list belong to bases: those before any delta's. */
  basePacks: count,
  skippedFiles: count,
  diagnostics: count,
  /** Bytes of the build log. */
  logBytes: count,
  /** Bytes of all chunks, and of all text blocks. */
  indexBytes: count,
  textBytes: count,
  /** The packs, in their order. */
  packs: array(string),
  shards: array(shard),
});

export interface Root extends Omit<ShapeOf<typeof rootHeader>, "shards" | "dirty" | "roles"> {
  /** Set where files of that commit had been changed. */
  readonly dirty?: true | undefined;
  readonly roles?: Readonly<Record<string, string>> | undefined;
  readonly shards: readonly ShardRoot[];
}

/** Bytes of a root file. */
export function encodeRoot(root: Root, deflate: DeflateRaw): Uint8Array {
  const { shards, ...rest } = root;
  const header = encodeJson({
    ...rest,
    shards: shards.map(({ tables, deleted, written, delta: own, ...other }) => ({
      ...other,
      ...(deleted.length > 0 && { deleted: toGaps(deleted) }),
      ...(written !== undefined && { written }),
      ...(own !== undefined && { delta: { base: own.base, positions: toGaps(own.positions) } }),
      tables: presentTables(tables),
    })),
  });
  const body = new ByteWriter(header.length + 4096);
  body.writeVarint(header.length);
  body.writeBytes(header);
  for (const { tables } of shards) {
    for (const name of presentTables(tables)) {
      const directory = encodeDirectory(tables[name]);
      body.writeVarint(directory.length);
      body.writeBytes(directory);
    }
  }
  const compressed = deflate(body.finish());
  const file = new ByteWriter(compressed.length + 16);
  for (const letter of MAGIC) file.writeByte(letter.charCodeAt(0));
  file.writeByte(FORMAT_VERSION);
  file.writeUint32(compressed.length);
  file.writeUint32(crc32(compressed));
  file.writeBytes(compressed);
  return file.finish();
}

/** The root that these bytes are. @throws {FormatError} on bytes that are none, or of a newer version. */
export async function decodeRoot(bytes: Uint8Array, inflate: InflateRaw): Promise<Root> {
  const file = new ByteReader(bytes, WHAT);
  expectMagic(file, MAGIC);
  const length = file.readUint32();
  const expected = file.readUint32();
  const compressed = file.readBytes(length);
  file.expectEnd();
  const got = crc32(compressed);
  if (got !== expected) throw new FormatError(file.what, { code: "checksum", got, expected });
  const body = new ByteReader(await inflate(compressed, MAX_ROOT_BYTES), file.what);
  const header = decodeJson(body.readBytes(body.readVarint()), file.what);
  return decodeBody(header, body);
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

function decodeBody(json: unknown, body: ByteReader): Root {
  const header = rootHeader(json, WHAT);
  const shards = header.shards.map((own): ShardRoot => {
    if (own.slots > MAX_DOCUMENTS) throw outOfRange("slots", own.slots, MAX_DOCUMENTS);
    return { ...own, tables: readTables(own.tables, body, header.packs.length) };
  });
  body.expectEnd();
  checkDeltas(shards);
  return { ...header, shards };
}

function outOfRange(what: string, got: number, limit: number): FormatError {
  return new FormatError(WHAT, { code: "out-of-range", what, got, limit });
}

/** Tables that a shard has: those without a chunk are left out. */
function presentTables(tables: ShardRoot["tables"]): TableName[] {
  return TABLE_NAMES.filter((name) => tables[name].entries.length > 0);
}

/** A delta belongs to a base of its own group, which has no second one; deleted documents lie below the slots. */
function checkDeltas(shards: readonly ShardRoot[]): void {
  const bases = new Set<number>();
  for (const { group, slots, deleted, delta: own } of shards) {
    const last = deleted.at(-1) ?? -1;
    if (last >= slots) throw outOfRange("deleted document", last, slots - 1);
    if (own === undefined) continue;
    const base = shards[own.base];
    const isSound = base?.group === group && base.delta === undefined && !bases.has(own.base);
    if (!isSound || own.positions.length !== slots) throw malformed(WHAT, `shard ${group} is no delta of ${own.base}`);
    bases.add(own.base);
  }
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
    if (known !== undefined) tables[known] = decodeDirectory(bytes, known, packs);
  }
  return tables;
}
