/**
 * The mark of a corpus that was removed: an object in the place of its pointer, whose age says for how long nothing was
 * published there. Ages of files do not: a file may be years old and have been read until a minute ago.
 *
 * A mark counts where it is a grace period old, and was written a grace period after every index file that is there. So one that
 * was left from before the corpus was published again says nothing: publishing where nothing is published takes over no file
 * that is older than some minutes (`plan-uploads.ts`).
 */
import type { Clock } from "./clock.ts";
import { isIndexFile, type ListedObject, type ObjectStore, REMOVED_MARK } from "./object-store.ts";

const TEXT = "This corpus was removed. An hour later `treeline gc --corpus NAME` removes its files.\n";

/** Write the mark anew. Nothing may be published when this is called. */
export async function writeMark(store: ObjectStore): Promise<void> {
  const before = await store.get(REMOVED_MARK);
  // Where another one was faster, that mark is as good as this one would have been.
  await store.put(REMOVED_MARK, new TextEncoder().encode(TEXT), "text/plain; charset=utf-8", before?.etag);
}

/** What a mark says about the files beside it. */
export type MarkState = "may go" | "wait" | "renew";

/**
 * Whether the files of a corpus without a pointer may go, have to wait, or wait and need a mark first.
 *
 * @param objects All of the corpus.
 * @param graceMs Milliseconds.
 */
export function readMark(objects: readonly ListedObject[], graceMs: number, clock: Clock): MarkState {
  const mark = objects.find(({ name }) => name === REMOVED_MARK)?.modifiedAt;
  if (mark === undefined) return "renew";
  const newest = Math.max(...objects.filter(({ name }) => isIndexFile(name)).map(({ modifiedAt }) => modifiedAt));
  if (mark - newest < graceMs) return clock.now() - newest < graceMs ? "wait" : "renew";
  return clock.now() - mark < graceMs ? "wait" : "may go";
}
