/**
 * Search root: the collections of a corpus, and the directory of every table. One read opens a corpus.
 *
 * Index-format v1, section 4.
 */

import type { DeflateRaw, InflateRaw } from "../bytes/capabilities.ts";
import { crc32 } from "../bytes/checksum.ts";
import { ByteReader, decodeJson } from "../bytes/reader.ts";
import { ByteWriter, encodeJson } from "../bytes/writer.ts";
import { FormatError } from "../errors.ts";
import { DEFAULT_LANGUAGE, findLanguage, type Language } from "../text/language.ts";
import { type JsonShape, shapeOf } from "./json-shape.ts";
import { MAX_DOCUMENTS } from "./postings.ts";
import { type Directory, decodeDirectory, encodeDirectory, TABLE_NAMES, type TableName } from "./table.ts";

/** One collection of the corpus, as the index root describes it. */
export interface CollectionInfo {
  readonly name: string;
  readonly kind: "docs" | "code" | "site";
  /** Multiplies scores. */
  readonly weight: number;
  /** Start of page URLs, or `""` when the collection has none. */
  readonly baseUrl: string;
  /** Set where addresses of a built site's pages are plain: without `.html`. */
  readonly plain?: true | undefined;
  /** Version label, or `""`. */
  readonly version: string;
  /** `public`, or the name of an access group. */
  readonly access: string;
  /** Commit the files were read at, or `none`. */
  readonly commit: string;
  /** Web address of the repository, or `""`. */
  readonly repository: string;
  /** Folder of the repository that paths start from, with `/` and none at its ends, `""` for its top; absent where paths lead nowhere in it. */
  readonly folder?: string | undefined;
  /** Language that its words are analysed in; queries do the same. */
  readonly language: Language;
  readonly documents: number;
  readonly sections: number;
  readonly words: number;
}

/** Version of the format that this code writes and reads. */
export const FORMAT_VERSION = 1;
const MAGIC = "TLRT";
const MAX_ROOT_BYTES = 64 * 1024 * 1024;
const KINDS = ["docs", "code", "site"] as const;

/** Totals over a shard, in words: what average lengths are computed from. */
export interface LengthTotals {
  readonly body: number;
  readonly title: number;
  readonly path: number;
  readonly description: number;
}

/** What a shard says that holds documents changed since another one, its base, was written. */
export interface DeltaInfo {
  /** Index of the base in the root's list of shards. */
  readonly base: number;
  /** For each own document, by number: how many documents of the base come before it. Never descends. */
  readonly positions: readonly number[];
}

/** Counts and totals of a shard's documents. */
export interface ShardTotals {
  readonly documents: number;
  /** Text units. */
  readonly units: number;
  /** Terms that any of them holds. */
  readonly terms: number;
  /** Documents that have a description. */
  readonly described: number;
  readonly lengths: LengthTotals;
}

/** A set of documents with tables of its own. Counts and totals are those of the documents that were not deleted. */
export interface ShardRoot extends ShardTotals {
  /** Access group whose callers may read this shard. */
  readonly group: string;
  /** Phrases that have synonyms. */
  readonly synonyms: number;
  /** One more than the highest document number. */
  readonly slots: number;
  /** Bytes of its chunks and of its text. */
  readonly indexBytes: number;
  readonly textBytes: number;
  /** Numbers of documents that its tables still hold and that are no longer valid, ascending. */
  readonly deleted: readonly number[];
  /** Counts and totals as they were before any document was deleted; set where some were. */
  readonly written?: ShardTotals;
  /** Set where the shard holds what changed since its base. */
  readonly delta?: DeltaInfo;
  readonly tables: Readonly<Record<TableName, Directory>>;
}

/** The whole root. */
export interface Root {
  /** Commit of the tree, or `none`. */
  readonly commit: string;
  /** Time of that commit, ISO 8601 in UTC, or `""`. */
  readonly builtAt: string;
  /** Set where files of that commit had been changed. */
  readonly dirty?: true | undefined;
  readonly collections: readonly CollectionInfo[];
  /** Ranking parameters that the configuration sets, by their public names. */
  readonly ranking: Readonly<Record<string, number>>;
  readonly facetKeys: readonly string[];
  readonly facetKeysLeftOut: readonly string[];
  readonly skippedFiles: number;
  readonly diagnostics: number;
  /** Bytes of the build log. */
  readonly logBytes: number;
  /** Digest of the settings that bear on every page, `""` where unknown: an index can be built on another of the same. */
  readonly settings: string;
  /** Digest of the phrases that stand for the same thing, by access group. */
  readonly synonymSets: Readonly<Record<string, string>>;
  /** How many packs of the list belong to bases: those before any delta's. */
  readonly basePacks: number;
  /** Bytes of all chunks, and of all text blocks. */
  readonly indexBytes: number;
  readonly textBytes: number;
  /** The packs, in their order. */
  readonly packs: readonly string[];
  readonly shards: readonly ShardRoot[];
}

/** Bytes of a root file. */
export function encodeRoot(root: Root, deflate: DeflateRaw): Uint8Array {
  const { shards, ...rest } = root;
  const header = encodeJson({
    ...rest,
    shards: shards.map(({ tables, deleted, written, delta, ...shard }) => ({
      ...shard,
      ...(deleted.length > 0 && { deleted: toGaps(deleted) }),
      ...(written !== undefined && { written }),
      ...(delta !== undefined && { delta: { base: delta.base, positions: toGaps(delta.positions) } }),
      tables: presentTables(tables),
    })),
  });
  const body = new ByteWriter(header.length + 4096);
  body.writeVarint(header.length);
  body.writeBytes(header);
  for (const shard of shards) {
    for (const name of presentTables(shard.tables)) {
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
  const shards = check.array(header.shards).map((value): ShardRoot => {
    const shard = check.record(value);
    const tables = readTables(check.strings(shard.tables), body, packs.length);
    const slots = check.count(shard.slots);
    if (slots > MAX_DOCUMENTS) {
      throw new FormatError(body.what, { code: "out-of-range", what: "slots", got: slots, limit: MAX_DOCUMENTS });
    }
    return {
      group: check.string(shard.group),
      ...readTotals(shard, check),
      synonyms: check.count(shard.synonyms),
      slots,
      indexBytes: check.count(shard.indexBytes),
      textBytes: check.count(shard.textBytes),
      deleted: shard.deleted === undefined ? [] : fromGaps(shard.deleted, check),
      ...(shard.written !== undefined && { written: readTotals(check.record(shard.written), check) }),
      ...(shard.delta !== undefined && { delta: readDelta(shard.delta, check) }),
      tables,
    };
  });
  body.expectEnd();
  checkDeltas(shards, body.what);
  return {
    commit: check.string(header.commit),
    builtAt: check.string(header.builtAt),
    dirty: (header.dirty && true) as true | undefined,
    collections: check.array(header.collections).map((value) => toCollection(check.record(value), check, body.what)),
    ranking: readNumbers(header.ranking, check),
    facetKeys: check.strings(header.facetKeys),
    facetKeysLeftOut: check.strings(header.facetKeysLeftOut),
    settings: check.string(header.settings),
    synonymSets: readStrings(header.synonymSets, check),
    basePacks: check.count(header.basePacks),
    skippedFiles: check.count(header.skippedFiles),
    diagnostics: check.count(header.diagnostics),
    logBytes: check.count(header.logBytes),
    indexBytes: check.count(header.indexBytes),
    textBytes: check.count(header.textBytes),
    packs,
    shards,
  };
}

/** Tables that a shard has: those without a chunk are left out. */
function presentTables(tables: ShardRoot["tables"]): TableName[] {
  return TABLE_NAMES.filter((name) => tables[name].entries.length > 0);
}

function readTotals(record: Record<string, unknown>, check: JsonShape): ShardTotals {
  const lengths = check.record(record.lengths);
  return {
    documents: check.count(record.documents),
    units: check.count(record.units),
    terms: check.count(record.terms),
    described: check.count(record.described),
    lengths: {
      body: check.count(lengths.body),
      title: check.count(lengths.title),
      path: check.count(lengths.path),
      description: check.count(lengths.description),
    },
  };
}

function readStrings(value: unknown, check: JsonShape): Record<string, string> {
  return Object.fromEntries(Object.entries(check.record(value)).map(([name, text]) => [name, check.string(text)]));
}

function readDelta(value: unknown, check: JsonShape): DeltaInfo {
  const delta = check.record(value);
  return { base: check.count(delta.base), positions: fromGaps(delta.positions, check) };
}

/** A delta belongs to a base of its own group, which has no second one; deleted documents lie below the slots. */
function checkDeltas(shards: readonly ShardRoot[], what: string): void {
  const bases = new Set<number>();
  for (const { group, slots, deleted, delta } of shards) {
    if ((deleted.at(-1) ?? -1) >= slots) {
      throw new FormatError(what, {
        code: "out-of-range",
        what: "deleted document",
        got: deleted.at(-1) as number,
        limit: slots - 1,
      });
    }
    if (delta === undefined) continue;
    const base = shards[delta.base];
    const isSound = base?.group === group && base.delta === undefined && !bases.has(delta.base);
    if (!isSound || delta.positions.length !== slots) {
      throw new FormatError(what, {
        code: "malformed",
        reason: `shard ${group} is no delta of ${delta.base}`,
      });
    }
    bases.add(delta.base);
  }
}

/** Numbers that never descend, as differences. */
function toGaps(numbers: readonly number[]): number[] {
  return numbers.map((number, at) => number - (numbers[at - 1] ?? 0));
}

function fromGaps(value: unknown, check: JsonShape): number[] {
  let sum = 0;
  return check.array(value).map((gap) => {
    sum += check.count(gap);
    return sum;
  });
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
    folder: record.folder === undefined ? undefined : check.string(record.folder),
    language,
    // Only whether it is set is ever asked.
    plain: record.plain as true | undefined,
    documents: check.count(record.documents),
    sections: check.count(record.sections),
    words: check.count(record.words),
  };
}
