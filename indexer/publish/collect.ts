/**
 * The corpora of a store: lists them, removes one, and removes the files of generations that are kept no longer.
 *
 * Removing a corpus takes its pointer away whatever it holds by then: the S3 API of R2 knows no condition for that. Who publishes just
 * before finds the same as who published long before; who switches at the same moment is refused, and publishes into an empty place.
 *
 * A file is removed if it is named like an index file, no generation of the pointer names it and it is older than the grace period.
 * Publishers count on that and on the time limit here: what was listed is removed within ten seconds, or not.
 *
 * A corpus that was removed has a mark beside the pointer, whose age says when that was at the latest. The mark is written before
 * the pointer is removed. Each mark has a name of its own, so that a collector that removes an earlier one late cannot remove
 * this one. What the newest mark means:
 *
 * - If it is younger than the grace period, all files stay, even if something is published there again.
 * - If nothing is published, files go only with a mark that is older and was written a grace period after each of them.
 *   A mark from before the corpus was published again says nothing: publishing into an empty place takes over no file older
 *   than some minutes. Without such a mark a collector writes one.
 */
import { randomBytes } from "node:crypto";
import { FormatError, InputError } from "../../src/core/errors.ts";
import { decodePointer, isIndexFile } from "../../src/core/format/generation.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { compareCorpora } from "../../src/core/text/names.ts";
import { isCorpusName } from "../../src/surface/access/corpus-name.ts";
import { isPartialFile } from "./folder-store.ts";
import {
  type Clock,
  inParallel,
  type ListedObject,
  MAX_POINTER_BYTES,
  MAX_REMOVED_AT_ONCE,
  MUTABLE_OBJECTS,
  machineClock,
  type ObjectStore,
  sumBytes,
} from "./object-store.ts";
import { NothingPublished, readFiles, readPublished, STAYS_MS, UnreadablePointer } from "./published.ts";

/** How old what is removed must be at least, in milliseconds: uploads of a publish that has not switched yet are younger. */
export const LEAST_GRACE_MS = STAYS_MS;
/** All removals of a list end within this time; what is left is listed anew. See `COLLECTOR_ENDS_MS`. */
const LISTING_HOLDS_MS = 10_000;
/** A collector that listed before now has ended after this time, requests that are under way for long included. */
export const COLLECTOR_ENDS_MS = 30_000;

interface CollectOptions {
  /** Milliseconds; an hour at least. */
  readonly graceMs?: number;
  /** Say what would be removed, and remove nothing. */
  readonly dryRun?: boolean;
  /** Whether the place is that of a corpus with a name: such a one may have been removed, and its files are nobody's then. */
  readonly isNamed?: boolean;
  readonly clock?: Clock;
}

export interface CollectSummary {
  readonly removed: number;
  readonly removedBytes: number;
  /** Whether nothing is published there any more, so that all files are to go. */
  readonly isRemoved: boolean;
  /** Files that generations of the pointer need. */
  readonly needed: number;
  /** Files that nothing needs and that are younger than the grace period. */
  readonly young: number;
  /** Objects that are no index files, by name: they stay. */
  readonly foreign: readonly string[];
  readonly dryRun: boolean;
}

/** Collect. @throws {InputError} where it cannot be told what is needed: then nothing is removed. */
export async function collectGarbage(
  store: ObjectStore,
  { graceMs = LEAST_GRACE_MS, dryRun = false, isNamed = false, clock = machineClock }: CollectOptions = {},
): Promise<CollectSummary> {
  if (graceMs < LEAST_GRACE_MS)
    throw new InputError("the grace period is an hour at least: readers may be at old files");
  let removed = 0;
  let removedBytes = 0;
  for (;;) {
    const needed = await listNeeded(store);
    const listedAt = clock.elapsed();
    const objects = await store.list();
    const isRemoved = needed === undefined;
    if (isRemoved && (!isNamed || !objects.some(({ name }) => isLeftOver(name)))) {
      throw new NothingPublished(store.place, "so it cannot be told what is needed; nothing was removed");
    }
    const state = readMark(objects, !isRemoved, graceMs, clock);
    const mayGo = objects.filter(({ name }) => isLeftOver(name) && needed?.has(name) !== true);
    const old = state === "may go" ? mayGo.filter(({ modifiedAt }) => clock.now() - modifiedAt >= graceMs) : [];
    // A mark says that the others may go.
    old.sort((a, b) => Number(isMark(a.name)) - Number(isMark(b.name)));
    if (state === "renew" && !dryRun) await writeMark(store, clock);
    const summary = (): CollectSummary => ({
      removed,
      removedBytes,
      isRemoved,
      needed: objects.filter(({ name }) => needed?.has(name)).length,
      young: mayGo.length - old.length,
      foreign: objects.map(({ name }) => name).filter((name) => !isLeftOver(name) && !MUTABLE_OBJECTS.has(name)),
      dryRun,
    });
    if (dryRun) {
      removed = old.length;
      removedBytes = sumBytes(old);
      return summary();
    }
    let at = 0;
    while (at < old.length && clock.elapsed() - listedAt < LISTING_HOLDS_MS) {
      const batch = old.slice(at, at + MAX_REMOVED_AT_ONCE);
      await store.remove(
        batch.map(({ name }) => name),
        listedAt + LISTING_HOLDS_MS,
      );
      at += batch.length;
      removed += batch.length;
      removedBytes += sumBytes(batch);
    }
    if (at === old.length) return summary();
    if (at === 0) throw new InputError(`${store.place} is too slow to be collected: try again later`);
  }
}

/** Names of all files that the generations of the pointer need; undefined where there is no pointer. */
async function listNeeded(store: ObjectStore): Promise<ReadonlySet<string> | undefined> {
  const published = await readPublished(store);
  if (published === undefined) return undefined;
  const needed = new Set<string>();
  for (const generation of [published.pointer, ...published.pointer.previous]) {
    const files = await readFiles(store, generation);
    if (files === undefined) {
      throw new InputError(
        `the manifest of generation ${generation.generation} is missing or damaged, so it cannot be told what is needed; nothing was removed. Publish again, where it is an old one with a lower --keep`,
      );
    }
    for (const { name } of files) needed.add(name);
    needed.add(generation.root);
  }
  needed.add(published.pointer.log);
  return needed;
}

/** Whether an object is of a kind that is removed when nobody needs it. */
function isLeftOver(name: string): boolean {
  return isIndexFile(name) || isPartialFile(name) || isMark(name);
}

const MARK = /^treeline\.removed\.[0-9a-f]{8}$/;
const TEXT = "This corpus is being removed. An hour later `treeline gc --corpus NAME` removes its files.\n";
/** From the mark to the removal of the pointer, at the most: writing the one and, in `corpora.ts`, removing the other. */
const SLACK_MS = 60_000;
/** How long writing may take. A mark is as old as the first try that came through, whenever its answer comes. */
const WRITTEN_IN_MS = 30_000;
const TRIES = 5;

function isMark(name: string): boolean {
  return MARK.test(name);
}

/** Write a mark, which is half a minute old at most when this is done. @throws {InputError} where the store is too slow. */
async function writeMark(store: ObjectStore, clock: Clock): Promise<void> {
  const bytes = new TextEncoder().encode(TEXT);
  for (let tries = 1; tries <= TRIES; tries++) {
    const began = clock.elapsed();
    const name = `treeline.removed.${randomBytes(4).toString("hex")}`;
    const isWritten = await store.put(name, bytes, "text/plain; charset=utf-8", undefined);
    if (isWritten && clock.elapsed() - began <= WRITTEN_IN_MS) return;
  }
  throw new InputError(`${store.place} is too slow: nothing was removed; try again later`);
}

/** What a mark says about files that nobody needs. */
type MarkState = "may go" | "wait" | "renew";

/**
 * Whether files that nobody needs may go, have to wait, or wait and need a mark first.
 *
 * @param objects All of the corpus.
 * @param graceMs Milliseconds.
 */
function readMark(objects: readonly ListedObject[], isPublished: boolean, graceMs: number, clock: Clock): MarkState {
  const mark = newestOf(objects.filter(({ name }) => isMark(name)));
  const isYoung = clock.now() - mark < graceMs + SLACK_MS;
  if (isPublished) return isYoung ? "wait" : "may go";
  const newest = newestOf(objects.filter(({ name }) => isIndexFile(name)));
  if (!(mark - newest >= graceMs)) return clock.now() - newest < graceMs ? "wait" : "renew";
  return isYoung ? "wait" : "may go";
}

/** When the youngest of some objects was written; -∞ where there is none. */
function newestOf(objects: readonly ListedObject[]): number {
  return objects.reduce((newest, { modifiedAt }) => Math.max(newest, modifiedAt), Number.NEGATIVE_INFINITY);
}

/** A removal that has not come through by then is given up, so that it meets no later publish. */
const REMOVAL_ENDS_MS = 10_000;

export interface StoredCorpus {
  /** `""` for that of the root. */
  readonly name: string;
  readonly generation: string;
  readonly commit: string;
  readonly builtAt: string;
  /** Of the current generation: its tables and its text. */
  readonly bytes: number;
  /** Generations that are kept beside it. */
  readonly kept: number;
}

/**
 * What there is in a store: its corpora, that of the root first, the others in the order of the numbers in their names, as the server
 * lists them; those whose pointer cannot be read, and why; names of those with files and no pointer, which were removed, or whose first
 * publish did not end.
 *
 * @throws {InputError} where the store cannot be read.
 */
export async function listCorpora(store: ObjectStore) {
  const names = ["", ...(await listNames(store))];
  const found = new Map<string, StoredCorpus | UnreadablePointer | "left over">();
  await inParallel(names, async (name) => {
    const one = await describeCorpus(name === "" ? store : store.within(name), name);
    if (one !== undefined) found.set(name, one);
  });
  const corpora: StoredCorpus[] = [];
  const unreadable: { name: string; problem: string }[] = [];
  const leftOver: string[] = [];
  for (const name of names) {
    const one = found.get(name);
    if (one === "left over") leftOver.push(name);
    else if (one instanceof UnreadablePointer) unreadable.push({ name, problem: one.message });
    else if (one !== undefined) corpora.push(one);
  }
  return { corpora, unreadable, leftOver };
}

/** Names of the folders of a store that may be corpora, in the order of the numbers in them. */
export async function listNames(store: ObjectStore): Promise<readonly string[]> {
  return (await store.folders()).filter(isCorpusName).sort(compareCorpora);
}

/**
 * Remove a corpus: nobody finds it any more, and its files go with a later collection. One that was removed already stays so.
 *
 * @param store The corpus's own.
 * @returns The generation that was current, `""` where the pointer could not be read or was removed before; and the files that stay.
 * @throws {NothingPublished} where there is none.
 */
export async function removeCorpus(
  store: ObjectStore,
  corpus: string,
  { dryRun = false, clock = machineClock }: { readonly dryRun?: boolean; readonly clock?: Clock } = {},
) {
  const pointer = await store.get(POINTER_FILE, MAX_POINTER_BYTES);
  const objects = await store.list();
  const files = objects.filter(({ name }) => isIndexFile(name));
  if (pointer === undefined && files.length === 0) throw new NothingPublished(store.place);
  if (!dryRun && pointer !== undefined) {
    await writeMark(store, clock);
    await store.remove([POINTER_FILE], clock.elapsed() + REMOVAL_ENDS_MS);
  }
  return {
    corpus,
    generation: pointer === undefined ? "" : readGeneration(pointer.bytes),
    files: files.length,
    bytes: sumBytes(files),
    dryRun,
  };
}

async function describeCorpus(
  store: ObjectStore,
  name: string,
): Promise<StoredCorpus | UnreadablePointer | "left over" | undefined> {
  try {
    const published = await readPublished(store);
    if (published === undefined) {
      // The root may hold nothing but corpora; files of an index there are told by `gc`.
      return name !== "" && (await store.list()).some((object) => isIndexFile(object.name)) ? "left over" : undefined;
    }
    const { pointer, commit, builtAt, indexBytes, textBytes } = published;
    const { generation, previous } = pointer;
    return { name, generation, commit, builtAt, bytes: indexBytes + textBytes, kept: previous.length };
  } catch (error) {
    if (error instanceof UnreadablePointer) return error;
    throw error;
  }
}

function readGeneration(pointer: Uint8Array): string {
  try {
    return decodePointer(pointer).generation;
  } catch (error) {
    if (error instanceof FormatError) return "";
    throw error;
  }
}
