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
/** The newest level is written at each publish, the one below it when this has more than such a share of its documents. */
const FRESH_SHARE = 1 / 16;
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
  const changed = documents.length - homes.size;
  const sizes = levels.map((level, at) => {
    const dead = (deleted[at] as number[]).length;
    return { live: level.documents.length - dead, dead };
  });
  const isSame = changed === 0 && levels.every(({ file }, at) => file.deleted.join() === deleted[at]?.join());
  const kept = countKept(sizes, changed);
  const isWritten = (document: LoadedDocument): boolean => (homes.get(document)?.at ?? kept) >= kept;
  return { kept, deleted, written: documents.filter(isWritten), homes, isSame };
}

/** @param sizes Documents of each level, valid and not, the oldest first. */
function countKept(sizes: readonly { readonly live: number; readonly dead: number }[], changed: number): number {
  const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);
  let kept = sizes.length;
  let written = changed;
  while (kept > 1) {
    const { live } = sizes[kept - 1] as (typeof sizes)[number];
    if (kept < MOST_LEVELS && live > 0 && written <= Math.max(LEAST_DOCUMENTS, live * FRESH_SHARE)) break;
    written += live;
    kept--;
  }
  const above = written + sum(sizes.slice(1, kept).map(({ live }) => live));
  const total = sum(sizes.map(({ live }) => live)) + changed;
  const dead = sum(sizes.slice(0, kept).map((size) => size.dead));
  return above + dead > Math.max(LEAST_DOCUMENTS, total * CHANGED_SHARE) ? 0 : kept;
}

/** A pack of which less than this share is used is left, and the text in it written again. */
const LEAST_SHARE = 1 / 2;
/** Packs of fewer bytes are joined when there are more than so many: who reads the texts of a level reads each pack. */
const SMALL_BYTES = 64 * 1024;
const MOST_SMALL = 4;

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
    .filter(([, bytes], at) => bytes >= SMALL_BYTES || at < MOST_SMALL);
  const names = new Set(kept.map(([pack]) => pack));
  return new Map([...texts].filter(([, { pack }]) => names.has(pack)));
}
