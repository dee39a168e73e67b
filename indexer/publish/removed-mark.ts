/**
 * The mark of a corpus that is removed: an object beside the pointer whose age says when that was at the latest. Ages of files do
 * not say it: a file may be years old and have been read until a minute ago, and the pointer that knew is gone.
 *
 * It is written before the pointer is removed, so that nobody who publishes at once hides from collectors what was current a
 * moment ago. What it means to them:
 *
 * - Where it is younger than the grace period, all files stay, whether something is published there again or not.
 * - Where nothing is published, files go only with a mark that is older, and was written a grace period after every one of
 *   them. So one that was left from before the corpus was published again says nothing: publishing where nothing is published
 *   takes over no file that is older than some minutes (`plan-uploads.ts`). Without such a mark a collector writes one.
 */
import { isIndexFile } from "../../src/core/format/index-file.ts";
import type { Clock } from "./clock.ts";
import { type ListedObject, type ObjectStore, REMOVED_MARK } from "./object-store.ts";

const TEXT = "This corpus is being removed. An hour later `treeline gc --corpus NAME` removes its files.\n";
/** From the mark to the removal of the pointer, at the most; see `corpora.ts`. */
const SLACK_MS = 60_000;
const TRIES = 5;

/** Write the mark anew. The result is whether there was one. */
export async function writeMark(store: ObjectStore): Promise<boolean> {
  let before = await store.get(REMOVED_MARK);
  const wasThere = before !== undefined;
  const bytes = new TextEncoder().encode(TEXT);
  for (let tries = 1; ; tries++) {
    if (await store.put(REMOVED_MARK, bytes, "text/plain; charset=utf-8", before?.etag)) return wasThere;
    before = await store.get(REMOVED_MARK);
    // Another one was faster, or the old one was collected.
    if (before !== undefined || tries === TRIES) return true;
  }
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
  const mark = objects.find(({ name }) => name === REMOVED_MARK)?.modifiedAt;
  const isYoung = mark !== undefined && clock.now() - mark < graceMs + SLACK_MS;
  if (isPublished) return isYoung ? "wait" : "may go";
  const newest = Math.max(...objects.filter(({ name }) => isIndexFile(name)).map(({ modifiedAt }) => modifiedAt));
  if (mark === undefined || mark - newest < graceMs) return clock.now() - newest < graceMs ? "wait" : "renew";
  return isYoung ? "wait" : "may go";
}
