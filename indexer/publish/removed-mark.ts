/**
 * The mark of a corpus that is removed: an object beside the pointer whose age says when that was at the latest. Ages of files do
 * not say it: a file may be years old and have been read until a minute ago, and the pointer that knew is gone.
 *
 * It is written before the pointer is removed, so that nobody who publishes at once hides from collectors what was current a
 * moment ago. Each has a name of its own: a collector that listed one of an earlier removal, and takes it away late or twice, cannot
 * take this one. What the newest means to collectors:
 *
 * - Where it is younger than the grace period, all files stay, whether something is published there again or not.
 * - Where nothing is published, files go only with a mark that is older, and was written a grace period after every one of
 *   them. So one that was left from before the corpus was published again says nothing: publishing where nothing is published
 *   takes over no file that is older than some minutes (`plan-uploads.ts`). Without such a mark a collector writes one.
 */
import { randomBytes } from "node:crypto";
import { InputError } from "../../src/core/errors.ts";
import { isIndexFile } from "../../src/core/format/generation.ts";
import type { Clock } from "../base/clock.ts";
import type { ListedObject, ObjectStore } from "./object-store.ts";

const MARK = /^treeline\.removed\.[0-9a-f]{8}$/;
const TEXT = "This corpus is being removed. An hour later `treeline gc --corpus NAME` removes its files.\n";
/** From the mark to the removal of the pointer, at the most: writing the one and, in `corpora.ts`, removing the other. */
const SLACK_MS = 60_000;
/** How long writing may take. A mark is as old as the first try that came through, whenever its answer comes. */
const WRITTEN_IN_MS = 30_000;
const TRIES = 5;

/** Whether an object is called like a mark. */
export function isMark(name: string): boolean {
  return MARK.test(name);
}

/** Write a mark, which is half a minute old at most when this is done. @throws {InputError} where the store is too slow. */
export async function writeMark(store: ObjectStore, clock: Clock): Promise<void> {
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
export type MarkState = "may go" | "wait" | "renew";

/**
 * Whether files that nobody needs may go, have to wait, or wait and need a mark first.
 *
 * @param objects All of the corpus.
 * @param graceMs Milliseconds.
 */
export function readMark(
  objects: readonly ListedObject[],
  isPublished: boolean,
  graceMs: number,
  clock: Clock,
): MarkState {
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
