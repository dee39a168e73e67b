/**
 * Where the text of documents lies that are written into another level: a block says nothing of the level that it is in, so it can
 * stay where it is.
 */
import { fileOfPack } from "../../../src/core/format/chunk.ts";
import { decodeLocator, findBlock, hasDocument, unitsOf } from "../../../src/core/format/locator.ts";
import { addedBytes, entriesOf } from "../../../src/core/index/index-reader.ts";
import type { LoadedDocument } from "../load-documents.ts";
import type { PlacedText } from "../write-generation.ts";
import type { BaseIndex, BaseLevel } from "./open-base.ts";
import type { LevelPlan } from "./plan-levels.ts";

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
