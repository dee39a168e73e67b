/**
 * Which levels of a base stay, and which documents are written beside them. The newest levels are written again together with
 * what changed where they are not much larger, so that few levels stand and a document is written once a level.
 */

import { fileOfPack } from "../../../src/core/format/chunk.ts";
import { decodeLocator, findBlock, hasDocument, unitsOf } from "../../../src/core/format/locator.ts";
import { addedBytes, entriesOf } from "../../../src/core/index/index-reader.ts";
import type { LoadedDocument } from "../load-documents.ts";
import type { PlacedText } from "../write-generation.ts";
import type { BaseIndex, BaseLevel } from "./open-base.ts";

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
export function planLevels(levels: readonly BaseLevel[], documents: readonly LoadedDocument[]): LevelPlan {
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
export async function placeTexts(
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
