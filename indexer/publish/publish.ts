/**
 * Publishes an index: uploads the files that a store lacks, then switches its pointer in one conditional write.
 *
 * Readers see no change before the switch, so it may end at any point. A file that no generation needs may be about to be removed
 * by a collector, so it counts as there only if a generation of the pointer names it, or if it is so young that no collector
 * touches it before the switch. `docs/decisions/0013-publishing.md` says why this holds beside other publishers and
 * collectors.
 */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { InputError } from "../../src/core/errors.ts";
import {
  decodeManifest,
  decodePointer,
  encodePointer,
  type ManifestFile,
  type Pointer,
  readBuildTime,
} from "../../src/core/format/generation.ts";
import { readRootHeader } from "../../src/core/format/root.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { PUBLIC_GROUP } from "../../src/surface/access/caller.ts";
import { inflateRaw } from "../base/codec.ts";
import { readIfThere } from "../index/output-folder.ts";
import { holdsItsName } from "../index/write-table.ts";
import { COLLECTOR_ENDS_MS } from "./collect.ts";
import {
  type Clock,
  inParallel,
  type ListedObject,
  machineClock,
  moveFiles,
  type ObjectStore,
  sumBytes,
  type TransferProgress,
  typeOf,
} from "./object-store.ts";
import { KEPT_GENERATIONS, keepGenerations, type Published, readFiles, readPublished } from "./published.ts";

const EXAMPLE = "treeline build docs --out index";

/** The index in a folder. @throws {InputError} where there is none. @throws {FormatError} where it is damaged. */
export async function readLocalIndex(folder: string) {
  const pointerBytes = await readIfThere(join(folder, POINTER_FILE));
  if (pointerBytes === undefined) {
    throw new InputError(`there is no index in ${JSON.stringify(folder)}: build one first`, [], EXAMPLE);
  }
  const decoded = decodePointer(pointerBytes);
  const built = readBuildTime(pointerBytes);
  const pointer: Pointer = { ...decoded, ...(built !== undefined && { built }) };
  const { commit, builtAt, collections } = await readRootHeader(pointer.rootBytes, inflateRaw);

  const read = async (name: string): Promise<Uint8Array<ArrayBuffer>> => {
    const bytes = await readIfThere(join(folder, name));
    if (bytes === undefined) {
      throw new InputError(
        `${name} is missing in ${JSON.stringify(folder)}: another build may be writing there; wait for it, or build again`,
      );
    }
    if (!holdsItsName(name, bytes)) {
      throw new InputError(
        `${name} in ${JSON.stringify(folder)} does not hold what its name says: build again, into an empty folder`,
      );
    }
    return Uint8Array.from(bytes);
  };

  const manifest = await read(pointer.manifest);
  const files: readonly ManifestFile[] = [
    ...decodeManifest(manifest).files,
    { name: pointer.manifest, bytes: manifest.length },
  ];
  return {
    pointer,
    /** As the root says. */
    commit,
    builtAt,
    /** Access groups that not everybody sees. */
    closedGroups: [...new Set(collections.map(({ access }) => access))].filter((group) => group !== PUBLIC_GROUP),
    /** All but the pointer. */
    files,
    /** A file's bytes. @throws {InputError} where it is missing, or is not what its name says. */
    read,
    /** MD5 of a file in hex; undefined where the folder does not hold it. */
    async md5(name: string) {
      const bytes = await readIfThere(join(folder, name));
      return bytes === undefined ? undefined : createHash("md5").update(bytes).digest("hex");
    },
  };
}

export type LocalIndex = Readonly<Awaited<ReturnType<typeof readLocalIndex>>>;

/**
 * What is younger is taken for the upload of a publish that died, or of another one at work. With clocks that are 15 minutes
 * off and the time that such a plan is good for, it is far from the hour that collectors wait.
 */
const YOUNG_MS = 15 * 60_000;

/** How often the switch is tried, each time on what somebody else published meanwhile. */
const ROUNDS = 10;
/** So that of two who met, one is done. */
const PAUSE_MS = 500;
/** How long a plan is good for that counts on young files. */
const SHORT_LIFE_MS = 10 * 60_000;

interface PublishOptions {
  /** Generations to keep beside the new one. */
  readonly keep?: number;
  /** Say what would be uploaded, and write nothing. */
  readonly dryRun?: boolean;
  readonly onProgress?: (progress: TransferProgress) => void;
  /** Takes sentences about what a person should know of. */
  readonly onNotice?: (text: string) => void;
  readonly clock?: Clock;
}

export interface PublishSummary {
  readonly generation: string;
  /** The generation that was current before, `""` for none. */
  readonly replaced: string;
  /** Whether the pointer was switched, or would be. */
  readonly switched: boolean;
  /** The pointer included. */
  readonly uploadedFiles: number;
  readonly uploadedBytes: number;
  readonly reusedFiles: number;
  readonly reusedBytes: number;
  /** Generations that stay beside the new one, the latest first. */
  readonly kept: readonly string[];
  /** Requests to the store, those that were sent again included. */
  readonly requests: number;
  readonly seconds: number;
  readonly dryRun: boolean;
}

/** Publish an index. @throws {InputError} */
export async function publishIndex(
  local: LocalIndex,
  store: ObjectStore,
  options: PublishOptions = {},
): Promise<PublishSummary> {
  const { keep = KEPT_GENERATIONS, dryRun = false, onNotice = () => undefined, clock = machineClock } = options;
  const began = { elapsed: clock.elapsed(), requests: store.requests() };
  /** What is in the store because of this publish. */
  const uploaded = new Map<string, ManifestFile>();
  const upload = (files: readonly ManifestFile[]): Promise<void> =>
    moveFiles(files, uploaded, async ({ name }) => store.upload(name, await local.read(name)), options.onProgress);
  for (let round = 1; round <= ROUNDS; round++) {
    const published = await readPublished(store);
    const plan = await planUploads(local, published, store, uploaded, clock);
    const previous = keepGenerations(published, local.pointer.generation, keep, clock.now());
    const isCurrent = published?.pointer.root === local.pointer.root;
    // Who asks for fewer generations gets fewer, also where all else stays.
    const drops = options.keep !== undefined && previous.length < (published?.pointer.previous.length ?? 0);
    const writes = !isCurrent || drops;
    const pointer = Uint8Array.from(encodePointer({ ...local.pointer, previous }));
    const summary = (): PublishSummary => ({
      generation: local.pointer.generation,
      replaced: published?.pointer.generation ?? "",
      switched: !isCurrent,
      ...countUploads(
        local.files,
        dryRun ? new Set(plan.missing) : new Set(uploaded.values()),
        writes ? [pointer] : [],
      ),
      kept: (writes ? previous : published.pointer.previous).map(({ generation }) => generation),
      requests: store.requests() - began.requests,
      seconds: (clock.elapsed() - began.elapsed) / 1000,
      dryRun,
    });
    if (dryRun) return summary();
    await upload(plan.missing);
    if (plan.revived.length > 0) {
      onNotice(
        "Some files were there, but no generation needed them: waiting half a minute, in case they are being removed.",
      );
      await clock.sleep(COLLECTOR_ENDS_MS);
      await upload(await findGone(plan.revived, store));
    }
    if (!writes) return summary();
    if (plan.isShortLived && clock.elapsed() - plan.listedAt > SHORT_LIFE_MS) continue;
    if (await store.put(POINTER_FILE, pointer, typeOf(POINTER_FILE), published?.etag)) {
      warnOfNewer(published, local, onNotice);
      return summary();
    }
    onNotice("Another publish finished first; publishing on top of it.");
    await clock.sleep(PAUSE_MS * round * Math.random());
  }
  throw new InputError(`other publishes to ${store.place} finished first each time: publish again`);
}

type UploadCounts = Pick<PublishSummary, "uploadedFiles" | "uploadedBytes" | "reusedFiles" | "reusedBytes">;

function countUploads(
  files: readonly ManifestFile[],
  uploads: ReadonlySet<ManifestFile>,
  pointer: readonly Uint8Array[],
): UploadCounts {
  const uploaded = files.filter((file) => uploads.has(file));
  const reused = files.filter((file) => !uploads.has(file));
  return {
    uploadedFiles: uploaded.length + pointer.length,
    uploadedBytes: sumBytes(uploaded) + pointer.reduce((sum, { length }) => sum + length, 0),
    reusedFiles: reused.length,
    reusedBytes: sumBytes(reused),
  };
}

async function findGone(files: readonly ManifestFile[], store: ObjectStore): Promise<readonly ManifestFile[]> {
  const sizes = new Map((await store.list()).map(({ name, bytes }) => [name, bytes]));
  return files.filter(({ name, bytes }) => sizes.get(name) !== bytes);
}

function warnOfNewer(
  published: Published | undefined,
  { builtAt, commit }: LocalIndex,
  onNotice: (text: string) => void,
): void {
  if (published === undefined || published.commit === commit) return;
  if (!(Date.parse(published.builtAt) > Date.parse(builtAt))) return;
  onNotice(
    `What was replaced is of a newer commit (${published.commit} of ${published.builtAt}, now ${commit} of ${builtAt}); \`treeline rollback\` brings it back.`,
  );
}

/**
 * Compare an index with a store.
 *
 * @param mine Files that this publish uploaded before.
 */
async function planUploads(
  local: LocalIndex,
  published: Published | undefined,
  store: ObjectStore,
  mine: ReadonlyMap<string, unknown>,
  clock: Clock,
) {
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
    /** Those of the missing that are there, and that a collector may be about to remove. */
    revived: [...loose],
    reused,
    /** Whether a file is reused because it is young: such a plan does not hold for long. */
    isShortLived: reused.some((file) => !mine.has(file.name) && isYoung(file)),
    /** When the store was listed, on the clock of `elapsed`. */
    listedAt,
  };
}

/** Files that the store holds as they are: in size, and where both sides tell it in MD5. */
async function findSame(local: LocalIndex, listed: ReadonlyMap<string, ListedObject>): Promise<ManifestFile[]> {
  const sized = local.files.filter(({ name, bytes }) => listed.get(name)?.bytes === bytes);
  const other = new Set<ManifestFile>();
  await inParallel(sized, async (file) => {
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
