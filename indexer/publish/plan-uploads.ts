/**
 * Which files of an index a store lacks, and which of those that it holds will stay there.
 *
 * A file that nobody needs may be about to be removed by a collector. So it counts as there only where a generation of the
 * pointer names it, or where it is so young that no collector touches it before the pointer is switched.
 */
import type { ManifestFile } from "../../src/core/format/manifest.ts";
import type { Clock } from "../base/clock.ts";
import { inParallel } from "../base/in-parallel.ts";
import type { LocalIndex } from "./local-index.ts";
import type { ListedObject, ObjectStore } from "./object-store.ts";
import { type Published, readFiles } from "./published.ts";

/**
 * What is younger is taken for the upload of a publish that died, or of another one at work. With clocks that are 15 minutes
 * off and the time that such a plan is good for, it is far from the hour that collectors wait.
 */
const YOUNG_MS = 15 * 60_000;
/** Files that are read at a time to compare them. */
const AT_ONCE = 6;

/** What there is to do. */
export interface UploadPlan {
  readonly missing: readonly ManifestFile[];
  /** Those of the missing that are there, and that a collector may be about to remove. */
  readonly revived: readonly ManifestFile[];
  readonly reused: readonly ManifestFile[];
  /** Whether a file is reused because it is young: such a plan does not hold for long. */
  readonly isShortLived: boolean;
  /** When the store was listed, on the clock of `elapsed`. */
  readonly listedAt: number;
}

/**
 * Compare an index with a store.
 *
 * @param mine Files that this publish uploaded before.
 */
export async function planUploads(
  local: LocalIndex,
  published: Published | undefined,
  store: ObjectStore,
  mine: ReadonlySet<string>,
  clock: Clock,
): Promise<UploadPlan> {
  const listedAt = clock.elapsed();
  const listed = new Map((await store.list()).map((object) => [object.name, object]));
  const same = await findSame(local, listed);
  const isYoung = ({ name }: ManifestFile): boolean =>
    clock.now() - (listed.get(name)?.modifiedAt ?? Number.NEGATIVE_INFINITY) < YOUNG_MS;
  const old = same.filter((file) => !mine.has(file.name) && !isYoung(file));
  const loose = new Set(await leaveUnnamed(old, local, published, store));
  const reused = same.filter((file) => !loose.has(file));
  const kept = new Set(reused);
  return {
    missing: local.files.filter((file) => !kept.has(file)),
    revived: [...loose],
    reused,
    isShortLived: reused.some((file) => !mine.has(file.name) && isYoung(file)),
    listedAt,
  };
}

/** Files that the store holds as they are: in size, and where both sides tell it in MD5. */
async function findSame(local: LocalIndex, listed: ReadonlyMap<string, ListedObject>): Promise<ManifestFile[]> {
  const sized = local.files.filter(({ name, bytes }) => listed.get(name)?.bytes === bytes);
  const other = new Set<ManifestFile>();
  await inParallel(sized, AT_ONCE, async (file) => {
    const there = listed.get(file.name)?.md5;
    const here = there === undefined ? undefined : await local.md5(file.name);
    if (here !== undefined && here !== there) other.add(file);
  });
  return sized.filter((file) => !other.has(file));
}

/** Those of some files that no generation of the pointer names. Reads no more manifests than it takes. */
async function leaveUnnamed(
  files: readonly ManifestFile[],
  local: LocalIndex,
  published: Published | undefined,
  store: ObjectStore,
): Promise<readonly ManifestFile[]> {
  if (published === undefined) return files;
  const generations = [published.pointer, ...published.pointer.previous];
  if (generations.some(({ root }) => root === local.pointer.root)) return [];
  let left = files;
  for (const generation of generations) {
    if (left.length === 0) break;
    const named = new Set((await readFiles(store, generation))?.map(({ name }) => name));
    left = left.filter(({ name }) => !named.has(name));
  }
  return left;
}
