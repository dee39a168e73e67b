/**
 * Search root: what the corpus consists of, and the directory of every table. One read opens a corpus.
 *
 * Layout: index-format v1, section 4. Pure: bytes in, values out.
 */
import { crc32 } from "../bytes/checksum.ts";
import type { DeflateRaw, InflateRaw } from "../bytes/codec.ts";
import { ByteReader, decodeJson } from "../bytes/reader.ts";
import { ByteWriter, encodeJson } from "../bytes/writer.ts";
import { FormatError } from "../errors.ts";
import { DEFAULT_LANGUAGE, findLanguage } from "../text/language.ts";
import type { CollectionInfo } from "./collection.ts";
import { type Directory, decodeDirectory, encodeDirectory } from "./directory.ts";
import { type JsonShape, shapeOf } from "./json-shape.ts";
import { MAX_DOCUMENTS } from "./postings.ts";

/** Version of the format that this code writes and reads. */
export const FORMAT_VERSION = 1;
const MAGIC = "TLRT";
const MAX_ROOT_BYTES = 64 * 1024 * 1024;
const KINDS = ["docs", "code", "site"] as const;

/** Tables of a shard, in the order in which the root holds their directories. */
export const TABLE_NAMES = [
  "terms",
  "locator",
  "titles",
  "facets",
  "documents",
  "sections",
  "links",
  "spelling",
  "suggestions",
  "trigrams",
] as const;
export type TableName = (typeof TABLE_NAMES)[number];

/** Totals over a shard, in words: what average lengths are computed from. */
export interface LengthTotals {
  readonly body: number;
  readonly title: number;
  readonly path: number;
  readonly description: number;
}

/** A set of documents with tables of its own. */
export interface ShardRoot {
  /** Access group whose callers may read this shard. */
  readonly group: string;
  readonly documents: number;
  /** Text units. */
  readonly units: number;
  /** Terms in the table. */
  readonly terms: number;
  /** Phrases that have synonyms. */
  readonly synonyms: number;
  /** One more than the highest document number. */
  readonly slots: number;
  /** Documents that have a description. */
  readonly described: number;
  readonly lengths: LengthTotals;
  readonly tables: Readonly<Record<TableName, Directory>>;
}

/** The whole root. */
export interface Root {
  /** Commit of the tree, or `none`. */
  readonly commit: string;
  /** Time of that commit, ISO 8601 in UTC, or `""`. */
  readonly builtAt: string;
  readonly collections: readonly CollectionInfo[];
  /** Ranking parameters that the configuration sets, by their public names. */
  readonly ranking: Readonly<Record<string, number>>;
  readonly facetKeys: readonly string[];
  readonly facetKeysLeftOut: readonly string[];
  readonly skippedFiles: number;
  readonly diagnostics: number;
  /** Bytes of all chunks, and of all text blocks. */
  readonly indexBytes: number;
  readonly textBytes: number;
  /** The packs, each as `pack.ts` lists it. */
  readonly packs: readonly string[];
  readonly shards: readonly ShardRoot[];
}

/** Bytes of a root file. */
export function encodeRoot(root: Root, deflate: DeflateRaw): Uint8Array {
  const { shards, ...rest } = root;
  const header = encodeJson({
    ...rest,
    shards: shards.map(({ tables: _, ...shard }) => ({ ...shard, tables: TABLE_NAMES })),
  });
  const body = new ByteWriter(header.length + 4096);
  body.writeVarint(header.length);
  body.writeBytes(header);
  for (const shard of shards) {
    for (const name of TABLE_NAMES) {
      const directory = encodeDirectory(shard.tables[name]);
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
  const file = new ByteReader(bytes, "search root");
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
  const check = shapeOf(body.what);
  const header = check.record(json);
  const packs = check.strings(header.packs);
  const shards = check.array(header.shards).map((value) => {
    const shard = check.record(value);
    const tables = readTables(check.strings(shard.tables), body, packs.length);
    const lengths = check.record(shard.lengths);
    const slots = check.count(shard.slots);
    if (slots > MAX_DOCUMENTS) {
      throw new FormatError(body.what, { code: "out-of-range", what: "slots", got: slots, limit: MAX_DOCUMENTS });
    }
    return {
      group: check.string(shard.group),
      documents: check.count(shard.documents),
      units: check.count(shard.units),
      terms: check.count(shard.terms),
      // Older builds know no synonyms.
      synonyms: shard.synonyms === undefined ? 0 : check.count(shard.synonyms),
      slots,
      described: check.count(shard.described),
      lengths: {
        body: check.count(lengths.body),
        title: check.count(lengths.title),
        path: check.count(lengths.path),
        description: check.count(lengths.description),
      },
      tables,
    };
  });
  body.expectEnd();
  return {
    commit: check.string(header.commit),
    builtAt: check.string(header.builtAt),
    collections: check.array(header.collections).map((value) => toCollection(check.record(value), check, body.what)),
    ranking: readNumbers(header.ranking, check),
    facetKeys: check.strings(header.facetKeys),
    facetKeysLeftOut: check.strings(header.facetKeysLeftOut),
    skippedFiles: check.count(header.skippedFiles),
    diagnostics: check.count(header.diagnostics),
    indexBytes: check.count(header.indexBytes),
    textBytes: check.count(header.textBytes),
    packs,
    shards,
  };
}

/** Numbers by name; none where an older build wrote none. */
function readNumbers(value: unknown, check: JsonShape): Record<string, number> {
  if (value === undefined) return {};
  return Object.fromEntries(Object.entries(check.record(value)).map(([name, number]) => [name, check.number(number)]));
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

function toCollection(record: Record<string, unknown>, check: JsonShape, what: string): CollectionInfo {
  const kind = KINDS.find((known) => known === record.kind);
  if (kind === undefined)
    throw new FormatError(what, { code: "malformed", reason: `unknown kind ${String(record.kind)}` });
  // Terms of a language that this reader does not know cannot be looked up: that is no index for it.
  const name = check.string(record.language ?? DEFAULT_LANGUAGE);
  const language = findLanguage(name);
  if (language === undefined) throw new FormatError(what, { code: "malformed", reason: `unknown language ${name}` });
  return {
    name: check.string(record.name),
    kind,
    weight: check.number(record.weight),
    baseUrl: check.string(record.baseUrl),
    version: check.string(record.version),
    access: check.string(record.access),
    commit: check.string(record.commit),
    repository: check.string(record.repository),
    language,
    documents: check.count(record.documents),
    sections: check.count(record.sections),
    words: check.count(record.words),
  };
}
