/**
 * Chooses what a build on a base writes: of each access group the levels that stay, and one with what changed.
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { ByteKey } from "../../../src/core/bytes/key.ts";
import { zigzag } from "../../../src/core/bytes/numbers.ts";
import { ByteWriter } from "../../../src/core/bytes/writer.ts";
import { FormatError, StaleGenerationError } from "../../../src/core/errors.ts";
import { fileOfPack, type TableEntry } from "../../../src/core/format/chunk.ts";
import type { ManifestFile } from "../../../src/core/format/generation.ts";
import { decodeLocator, findBlock, hasDocument, unitsOf } from "../../../src/core/format/locator.ts";
import { NO_DOCUMENTS } from "../../../src/core/format/postings.ts";
import { OVERLAY_TABLE_NAMES, type OverlayTableName, type TableName } from "../../../src/core/format/table.ts";
import { decodeConcept, decodeMembers, decodeTopics } from "../../../src/core/format/topics.ts";
import { ALL_WORDS, decodeSpelling } from "../../../src/core/format/word-tables.ts";
import { decodeFacets } from "../../../src/core/index/decode-tables.ts";
import { addedBytes, entriesOf, IndexReader } from "../../../src/core/index/index-reader.ts";
import { hasCode } from "../../../src/core/index/shards.ts";
import { describeFsError, isFsError } from "../../base/file-system.ts";
import type { TreelineConfig } from "../../config/config.ts";
import { type GroupCode, isEmptyCode } from "../../link/code/link-code.ts";
import { listShardKeys } from "../../topics/facets.ts";
import type { BuildLog } from "../build-log.ts";
import type { BuildMemory } from "../cache/document-cache.ts";
import { edgeEntries, exportEntries, packageEntries } from "../code-tables.ts";
import { afterFailure } from "../digests.ts";
import type { LoadedDocument } from "../load-documents.ts";
import { allShards, describeShard, type ReadCorpus } from "../read-corpus.ts";
import { isOutside } from "../stages.ts";
import type { GroupOverlays, KeptLevel, PlacedText, ShardInput } from "../write-generation.ts";
import { type FileSink, holdsItsName, sortEntries } from "../write-table.ts";
import { logGoneSymbols } from "./gone-symbols.ts";
import type { BaseIndex, BaseLevel } from "./open-base.ts";
import { openBase } from "./open-base.ts";

const NO_BYTES = new Uint8Array();

export interface ChosenShards {
  readonly shards: readonly (ShardInput | KeptLevel)[];
  /** The log, with what a base adds to it. */
  readonly log: BuildLog;
  /** Undefined where none is built on. */
  readonly base: UsedBase | undefined;
  /** Why the base that was asked for is not used, or what was done with it; `""` where none was asked for. */
  readonly notice: string;
}

interface UsedBase {
  readonly index: BaseIndex;
  /** Its files that stay, which the output folder holds. */
  readonly files: readonly ManifestFile[];
}

/**
 * Choose what to write.
 *
 * @param place Folder or address of the index to build on.
 * @param settings Digest of the settings, which must be the base's too.
 * @param target Where the files of a base are put that stay.
 */
export async function chooseLevels(
  corpus: ReadCorpus,
  config: TreelineConfig,
  settings: string,
  place: string,
  memory: BuildMemory,
  target: { readonly outDir: string; readonly sink: FileSink },
): Promise<ChosenShards> {
  const full = (notice: string): ChosenShards => {
    return { shards: allShards(corpus, config), log: corpus.description.log, base: undefined, notice };
  };
  const opened = await openBaseOrExplain(place, memory);
  if (typeof opened === "string") return full(opened);
  const { root } = opened.reader.index;
  if (root.settings === afterFailure(settings)) return full("a stage failed when the base was built");
  if (root.settings !== settings) {
    return full("the base was built with other settings or by another version of Treeline");
  }
  try {
    const groups = [...corpus.description.overviews.keys()].map((group) =>
      planGroup(opened, describeShard(group, corpus, config)),
    );
    const isSame = groups.every(({ plan }) => plan.isSame);
    const shards: (ShardInput | KeptLevel)[] = [];
    for (const group of groups) shards.push(...(await chooseGroup(opened, group, isSame, config)));
    const log = await logGoneSymbols(opened.reader, corpus, config);
    const files = await takeOverFiles(opened, shards, target.outDir, target.sink);
    return { shards, log, base: { index: opened, files }, notice: "" };
  } catch (error) {
    const isOfBase = error instanceof StaleGenerationError || (error instanceof Error && !isOutside(error));
    if (!isOfBase) throw error;
    return full(explainBase(error));
  }
}

async function openBaseOrExplain(place: string, memory: BuildMemory): Promise<BaseIndex | string> {
  try {
    memory.base = await openBase(place, memory.base);
    return memory.base ?? `there is no index at ${JSON.stringify(place)} to build on`;
  } catch (error) {
    if (error instanceof FormatError || error instanceof StaleGenerationError) return explainBase(error);
    if (isFsError(error)) return `the base cannot be read: ${describeFsError(error)}`;
    throw error;
  }
}

function explainBase(error: Error): string {
  return `the base cannot be used: ${error.message}`;
}

/** An access group: all of it, its levels in the base, and what becomes of them. */
interface PlannedGroup {
  readonly whole: ReturnType<typeof describeShard>;
  readonly levels: readonly BaseLevel[];
  readonly plan: LevelPlan;
}

function planGroup(base: BaseIndex, whole: PlannedGroup["whole"]): PlannedGroup {
  const levels = base.levels.filter(({ level }) => level.group === whole.group);
  return { whole, levels, plan: planLevels(levels, whole.documents) };
}

/** @param isSame Whether no document of any group changed. */
async function chooseGroup(
  base: BaseIndex,
  { whole, levels, plan }: PlannedGroup,
  isSame: boolean,
  { facets }: Pick<TreelineConfig, "facets">,
): Promise<(ShardInput | KeptLevel)[]> {
  // Edges lead into other files, of other groups too: with any change, all code tables are written anew. Manifests and
  // what compilers know change edges and packages while no file does.
  const before = findCode(levels);
  const isOtherCode = isEmptyCode(whole.code)
    ? before !== undefined
    : !isSame || before === undefined || (await hasOtherCode(base, before.index, whole.code));
  if (isSame && !isOtherCode && countEntries(await findChanges(base, levels, whole.overlays)) === 0)
    return keepLevels(base, levels, plan);
  const { kept, written } = plan;
  const stay = levels.slice(0, kept);
  const texts = await placeTexts(base, levels.slice(kept), plan);
  const textPacks = [...new Set([...texts.values()].map(({ pack }) => pack))].sort();
  // What was deflated with it stays.
  const dictionary = kept + textPacks.length > 0 ? levels[0]?.level.dictionary : undefined;
  if (kept === 0) {
    return [{ ...whole, documents: written.map((one) => ({ ...one, text: texts.get(one) })), textPacks, dictionary }];
  }
  const overlays = await findChanges(base, stay, whole.overlays);
  const { code, ...rest } = whole;
  const isLost = findCode(stay) !== before;
  const level: ShardInput = {
    ...rest,
    facetKeys: listShardKeys(
      written.map(({ card }) => card),
      facets,
    ),
    overlays,
    documents: written.map((one, number) => ({
      card: { ...one.card, number },
      load: one.load,
      text: texts.get(one),
    })),
    textPacks,
    dictionary,
    older: {
      documents: whole.documents.length,
      words: await listWords(base, stay),
    },
    ...(isEmptyCode(code) ? findCode(stay) && { withoutCode: true } : (isOtherCode || isLost) && { code }),
  };
  const older = await keepLevels(base, stay, plan);
  const isNeeded =
    written.length + countEntries(overlays) > 0 || level.code !== undefined || level.withoutCode !== undefined;
  return isNeeded ? [...older, level] : older;
}

function countEntries(overlays: Record<keyof GroupOverlays, TableEntry[]>): number {
  return Object.values(overlays).reduce((sum, { length }) => sum + length, 0);
}

/** Words that some levels know, for corrections. */
async function listWords({ reader }: BaseIndex, levels: readonly BaseLevel[]): Promise<Set<string>> {
  const { tables } = await reader.read(
    levels.map(({ index }) => ({ shard: index, table: "spelling", keys: ALL_WORDS }) as const),
  );
  return new Set(tables.flatMap((chunks) => [...decodeSpelling(entriesOf(chunks)).keys()]));
}

async function readEntries(reader: IndexReader, shard: number, table: TableName) {
  const { tables } = await reader.read([{ shard, table, keys: "all" }]);
  return new Map(entriesOf(tables[0] ?? []));
}

async function keepLevels(
  { reader }: BaseIndex,
  levels: readonly BaseLevel[],
  { homes, deleted }: LevelPlan,
): Promise<KeptLevel[]> {
  const reads = levels.map(({ index }) => ({ shard: index, table: "facets", keys: "all" }) as const);
  const { tables } = await reader.read(reads);
  return levels.map((own, at) => ({
    file: { ...own.file, deleted: deleted[at] as readonly number[] },
    level: own.level,
    documents: [...homes].flatMap(([document, home]) => (home.level === own ? [document] : [])),
    facetKeys: new Set(decodeFacets(tables[at] ?? [], NO_DOCUMENTS).keys()),
  }));
}

/** The level whose code is valid; undefined where none has any, or a newer one says that it is gone. */
function findCode(levels: readonly BaseLevel[]): BaseLevel | undefined {
  const found = levels.findLast(({ level }) => hasCode(level) || level.withoutCode === true);
  return found?.level.withoutCode === true ? undefined : found;
}

async function hasOtherCode({ reader }: BaseIndex, shard: number, code: GroupCode): Promise<boolean> {
  const tables = [
    { entries: edgeEntries(code), before: await readEntries(reader, shard, "edges") },
    { entries: packageEntries(code), before: await readEntries(reader, shard, "packages") },
    { entries: exportEntries(code), before: await readEntries(reader, shard, "exports") },
  ];
  return tables.some(
    ({ entries, before }) =>
      entries.length !== before.size ||
      entries.some(({ key, value }) => Buffer.compare(before.get(key) ?? NO_BYTES, value) !== 0),
  );
}

/**
 * Make sure that the output folder holds the files of levels that stay. The result are these files.
 *
 * @throws {FormatError} when the base does not list one, or holds it damaged.
 * @throws {StaleGenerationError} when one is gone.
 */
async function takeOverFiles(
  base: BaseIndex,
  shards: ChosenShards["shards"],
  outDir: string,
  sink: FileSink,
): Promise<ManifestFile[]> {
  const names = new Set(
    shards.flatMap((shard) =>
      "file" in shard
        ? [shard.file.name, ...shard.level.packs.map(fileOfPack)]
        : (shard.textPacks ?? []).map(fileOfPack),
    ),
  );
  const files = base.files.filter(({ name }) => names.has(name));
  if (files.length < names.size)
    throw new FormatError("manifest", { code: "malformed", reason: "does not list all files of its levels" });
  for (const { name, bytes: length } of files) {
    const { size } = await stat(join(outDir, name)).catch(() => ({ size: -1 }));
    if (size === length) continue;
    const bytes = await base.reader.index.source.readRange(name, 0, length);
    if (!holdsItsName(name, bytes)) {
      throw new FormatError(name, { code: "malformed", reason: "its content is not that of its name" });
    }
    await sink(name, bytes);
  }
  return files;
}

/** Patches of what some levels of a group, the oldest of it first, say otherwise; of what they have and is not there, empty ones. */
async function findChanges(
  base: BaseIndex,
  levels: readonly BaseLevel[],
  overlays: GroupOverlays,
): Promise<Record<OverlayTableName, TableEntry[]>> {
  const { index } = base.reader;
  const readerOf = (own: readonly BaseLevel[]): IndexReader =>
    new IndexReader({ ...index, root: { ...index.root, shards: own.map(({ level }) => level) } }, "all");
  const [reader, oldest] = [readerOf(levels), readerOf(levels.slice(0, 1))];
  const changed = {} as Record<OverlayTableName, TableEntry[]>;
  for (const table of OVERLAY_TABLE_NAMES) {
    const gone = await readEntries(reader, 0, table);
    const first = levels.length > 1 ? await readEntries(oldest, 0, table) : new Map(gone);
    const patches: TableEntry[] = [];
    for (const { key, value } of overlays[table]) {
      const known = gone.get(key);
      gone.delete(key);
      if (known === undefined || !isAlike(table, key, value, known))
        patches.push({ key, value: makePatch(first.get(key) ?? NO_BYTES, value) });
    }
    changed[table] = sortEntries([...patches, ...[...gone.keys()].map((key) => ({ key, value: NO_BYTES }))]);
  }
  return changed;
}

/** A shorter piece takes no less than its bytes. */
const LEAST_PIECE = 6;

/** The patch that makes a value of another, see `applyPatch`: what both hold is named by its place. */
function makePatch(before: Uint8Array, value: Uint8Array): Uint8Array {
  const writer = new ByteWriter(64);
  const places = indexPieces(before);
  let [copied, written, at] = [0, 0, 0];
  while (at + LEAST_PIECE <= value.length) {
    // What follows in both comes first, then what took the place of as many bytes.
    const found = [copied, copied + at - written, places[hashAt(value, at) & (places.length - 1)] ?? -1]
      .map((start) => ({ start, length: countEqual(before, start, value, at) }))
      .find(({ length }) => length >= LEAST_PIECE);
    if (found === undefined) {
      at++;
      continue;
    }
    writeNew(writer, value.subarray(written, at));
    writer.writeVarint(2 * found.length + 1);
    writer.writeVarint(zigzag(found.start - copied));
    copied = found.start + found.length;
    at += found.length;
    written = at;
  }
  writeNew(writer, value.subarray(written));
  return writer.finish();
}

function writeNew(writer: ByteWriter, bytes: Uint8Array): void {
  if (bytes.length === 0) return;
  writer.writeVarint(2 * bytes.length);
  writer.writeBytes(bytes);
}

/** Where pieces begin, by their hash; of several the first. */
function indexPieces(bytes: Uint8Array): Int32Array {
  const places = new Int32Array(2 ** (33 - Math.clz32(bytes.length))).fill(-1);
  for (let at = bytes.length - LEAST_PIECE; at >= 0; at--) places[hashAt(bytes, at) & (places.length - 1)] = at;
  return places;
}

function hashAt(bytes: Uint8Array, at: number): number {
  let hash = 0;
  for (let i = at; i < at + LEAST_PIECE; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x9e3779b1);
  return hash ^ (hash >>> 15);
}

/** How many bytes are equal from two places on; 0 where the first is none. */
function countEqual(before: Uint8Array, start: number, value: Uint8Array, at: number): number {
  let length = 0;
  while (start >= 0 && start + length < before.length && before[start + length] === value[at + length]) length++;
  return length;
}

function isAlike(table: OverlayTableName, key: ByteKey, value: Uint8Array, other: Uint8Array): boolean {
  if (Buffer.compare(value, other) === 0) return true;
  if (table !== "categories" && table !== "concepts") return false;
  const [now, before] = [substanceOf(key, value), substanceOf(key, other)];
  return now !== undefined && JSON.stringify(now) === JSON.stringify(before);
}

/** What may not lag of an entry of `categories` or `concepts`; undefined where nothing may. */
export function substanceOf(key: ByteKey, value: Uint8Array): unknown {
  return SUBSTANCE[key[0] ?? ""]?.(value);
}

/** By the first letter of keys. */
const SUBSTANCE: Readonly<Record<string, (value: Uint8Array) => unknown>> = {
  m: (value) => decodeMembers(value).documents,
  n: (value) => {
    const { name, type, places } = decodeConcept(value);
    return [name, type, places.map(({ documentId }) => documentId).sort()];
  },
  d: (value) => {
    const { preview, categories, concepts } = decodeTopics(value);
    return [preview, categories, concepts.map(({ name }) => name).sort()];
  },
};

/*
 * Which levels of a base stay, and which documents are written beside them. The newest levels are written again together with
 * what changed where they are not much larger, so that few levels stand and a document is written once a level.
 */

/** Levels of an access group: each is one more place to read in every query. */
const MOST_LEVELS = 3;
/** So many documents always may stand beside others. */
const LEAST_DOCUMENTS = 8;
/** Bytes that the tables of a publish may take beside as many as the text of what changed: levels are joined below it. */
const TABLE_BYTES = 96 * 1024;
/** What a word takes in a small level, of what it takes in a large one. */
const SMALL_LEVEL = 1.5;
/** When documents above the oldest level, and those that are no longer valid, are more than such a share, all is written as one. */
const CHANGED_SHARE = 1 / 4;

/** A level with a document's number in it. */
interface DocumentHome {
  readonly level: BaseLevel;
  readonly at: number;
  readonly number: number;
}

/** What becomes of the levels of an access group. */
interface LevelPlan {
  /** How many of the oldest stay. */
  readonly kept: number;
  /** Of each level, the numbers of its documents that are no longer valid there. */
  readonly deleted: readonly (readonly number[])[];
  /** Documents to write, in their order. */
  readonly written: readonly LoadedDocument[];
  /** Where levels of the base hold documents as they are now, those that stay too. */
  readonly homes: ReadonlyMap<LoadedDocument, DocumentHome>;
  /** Whether each document is where the base has it. */
  readonly isSame: boolean;
}

/**
 * Compare the levels of a group, the oldest first, with its documents. A document stays in the newest level that has it as it is,
 * whatever levels of the base say in between.
 */
function planLevels(levels: readonly BaseLevel[], documents: readonly LoadedDocument[]): LevelPlan {
  const byId = new Map(documents.map((document) => [document.task.id, document]));
  const homes = new Map<LoadedDocument, DocumentHome>();
  const deleted: number[][] = levels.map(() => []);
  for (const [at, level] of [...levels.entries()].reverse()) {
    for (const { id, hash, number } of level.documents) {
      const document = byId.get(id);
      if (document === undefined || document.card.hash !== hash || homes.has(document)) deleted[at]?.push(number);
      else homes.set(document, { level, at, number });
    }
  }
  const changed = documents.filter((document) => !homes.has(document));
  const sizes = levels.map(({ level, documents: { length } }, at): LevelSize => {
    const dead = (deleted[at] as number[]).length;
    return { live: length - dead, dead, bytes: (level.indexBytes * (length - dead)) / Math.max(1, length) };
  });
  const isSame = changed.length === 0 && levels.every(({ file }, at) => file.deleted.join() === deleted[at]?.join());
  const kept = countKept(sizes, changed.length, estimate(levels[0]?.level, changed));
  const isWritten = (document: LoadedDocument): boolean => (homes.get(document)?.at ?? kept) >= kept;
  return { kept, deleted, written: documents.filter(isWritten), homes, isSame };
}

/** Bytes of text and tables that some documents take, measured by what the words of a level take. */
function estimate(level: BaseLevel["level"] | undefined, documents: readonly LoadedDocument[]) {
  const words = documents.reduce((sum, { card }) => sum + card.words, 0);
  const share = words / Math.max(1, level?.lengths.body ?? 0);
  return { text: share * (level?.textBytes ?? 0), tables: share * SMALL_LEVEL * (level?.indexBytes ?? 0) };
}

interface LevelSize {
  /** Documents, valid and not. */
  readonly live: number;
  readonly dead: number;
  /** Of the tables of valid ones. */
  readonly bytes: number;
}

/**
 * The newest level is written at each publish. The one below is written with it when publishes since it was written have cost
 * as much: soon where that is little beside the change, else when they have cost it twice, or cost much themselves.
 *
 * @param sizes Of each level, the oldest first.
 */
function countKept(sizes: readonly LevelSize[], changed: number, fresh: ReturnType<typeof estimate>): number {
  const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);
  const most = TABLE_BYTES + fresh.text;
  let kept = sizes.length;
  let written = changed;
  let bytes = fresh.tables;
  while (kept > 1) {
    const { live, bytes: more } = sizes[kept - 1] as LevelSize;
    // As if each publish had changed as much as this one.
    const spent = (bytes * (written / Math.max(1, changed) + 1)) / 2;
    const isCheap = bytes + more <= most;
    const isDue = bytes > TABLE_BYTES ? spent + bytes >= more : spent >= more * (isCheap ? 1 / 2 : 2);
    if (kept < MOST_LEVELS && !isDue) break;
    written += live;
    bytes += more;
    kept--;
  }
  const above = written + sum(sizes.slice(1, kept).map(({ live }) => live));
  const total = sum(sizes.map(({ live }) => live)) + changed;
  const dead = sum(sizes.slice(0, kept).map((size) => size.dead));
  return above + dead > Math.max(LEAST_DOCUMENTS, total * CHANGED_SHARE) ? 0 : kept;
}

/** A pack of which less than this share is used is left, and the text in it written again. */
const LEAST_SHARE = 1 / 2;
/** Of more packs the smallest are joined: who reads the texts of a level reads each pack. */
const MOST_PACKS = 16;

/** The text of those documents that some levels hold and that can stay in its pack. */
async function placeTexts(
  { reader, files }: BaseIndex,
  levels: readonly BaseLevel[],
  { written, homes }: Pick<LevelPlan, "written" | "homes">,
): Promise<ReadonlyMap<LoadedDocument, PlacedText>> {
  const reads = levels.map(({ index }) => ({ shard: index, table: "locator", keys: "all" }) as const);
  const { tables } = await reader.read(reads);
  const locators = new Map(
    levels.map(({ index, level: { packs, slots } }, at) => {
      return [index, { packs, locator: decodeLocator(entriesOf(tables[at] ?? []), packs.length, slots) }];
    }),
  );
  const texts = new Map<LoadedDocument, PlacedText>();
  const used = new Map<string, number>();
  for (const document of written) {
    const home = homes.get(document);
    const found = home && locators.get(home.level.index);
    if (home === undefined || found === undefined || !hasDocument(found.locator, home.number)) continue;
    const units = unitsOf(found.locator, home.number);
    const blocks = units.map((unit) => findBlock(found.locator, home.number, unit));
    const { pack, offset } = blocks[0] as (typeof blocks)[number];
    const lengths = blocks.map((block, at) => addedBytes(units[at] as number, block));
    const text = { pack: found.packs[pack] ?? "", offset, lengths };
    texts.set(document, text);
    used.set(
      text.pack,
      text.lengths.reduce((sum, length) => sum + length, used.get(text.pack) ?? 0),
    );
  }
  const sizes = new Map(files.map(({ name, bytes }) => [name, bytes]));
  const kept = [...used]
    .filter(([pack, bytes]) => bytes >= (sizes.get(fileOfPack(pack)) ?? Number.POSITIVE_INFINITY) * LEAST_SHARE)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, MOST_PACKS);
  const names = new Set(kept.map(([pack]) => pack));
  return new Map([...texts].filter(([, { pack }]) => names.has(pack)));
}
