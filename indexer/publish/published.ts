/**
 * What is published at a place: reading it, which generations stay when another one becomes current, and going back to one.
 */
import { concatBytes } from "../../src/core/bytes/writer.ts";
import { FormatError, InputError } from "../../src/core/errors.ts";
import {
  type BuildTime,
  decodeManifest,
  decodePointer,
  encodePointer,
  type ManifestFile,
  type Pointer,
  type PreviousGeneration,
  readBuildTime,
  readReplacedAt,
} from "../../src/core/format/generation.ts";
import { isEmbedded, readRootHeader } from "../../src/core/format/root.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { nearestNames, quoteName } from "../../src/core/text/nearest.ts";
import { inflateRaw } from "../base/codec.ts";
import { holdsItsName } from "../index/write-table.ts";
import { type Clock, MAX_POINTER_BYTES, machineClock, type ObjectStore, typeOf } from "./object-store.ts";

/** There is no index at a place. */
export class NothingPublished extends InputError {
  /** @param consequence What follows from it, as the end of the sentence. */
  constructor(place: string, consequence?: string) {
    super(`nothing is published in ${place}${consequence === undefined ? "" : `, ${consequence}`}`);
  }
}

/** What a place holds in the place of a pointer cannot be read. */
export class UnreadablePointer extends InputError {}

export interface Published {
  readonly pointer: Pointer;
  /** Tag of the pointer object. */
  readonly etag: string;
  /** When generations of `previous` were replaced, in milliseconds since 1970, where that is known. */
  readonly replacedAt: ReadonlyMap<string, number>;
  /** Of the current generation, as its root says. */
  readonly commit: string;
  readonly builtAt: string;
  /** When it was built and how long that took, where it says. */
  readonly built: BuildTime | undefined;
  /** Bytes of its files, as its root counts them: those of the index, and those of the text in it. */
  readonly indexBytes: number;
  readonly textBytes: number;
}

/**
 * What is published at a place; undefined where nothing is.
 *
 * @throws {UnreadablePointer} where the pointer cannot be read: it is not written over, since it knows what must stay.
 */
export async function readPublished(store: ObjectStore): Promise<Published | undefined> {
  const object = await store.get(POINTER_FILE, MAX_POINTER_BYTES);
  if (object === undefined) return undefined;
  try {
    const pointer = decodePointer(object.bytes);
    const { commit, builtAt, indexBytes, textBytes } = await readRootHeader(pointer.rootBytes, inflateRaw);
    const [replacedAt, built] = [readReplacedAt(object.bytes), readBuildTime(object.bytes)];
    return { pointer, etag: object.etag, replacedAt, commit, builtAt, built, indexBytes, textBytes };
  } catch (error) {
    if (error instanceof FormatError) throw describeDamage(error, store.place);
    throw error;
  }
}

/**
 * Files of a generation at a place, its manifest among them; undefined where the manifest is gone, is not what its name says, or
 * cannot be read.
 */
export async function readFiles(
  store: ObjectStore,
  { manifest }: Pick<Pointer, "manifest">,
): Promise<readonly ManifestFile[] | undefined> {
  const object = await store.get(manifest);
  // A manifest has no checksum but its name.
  if (object === undefined || !holdsItsName(manifest, object.bytes)) return undefined;
  try {
    return [...decodeManifest(object.bytes).files, { name: manifest, bytes: object.bytes.length }];
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

function describeDamage({ detail, message }: FormatError, place: string): UnreadablePointer {
  if (detail.code === "unsupported-version" && detail.got > detail.supported) {
    return new UnreadablePointer(
      `the index in ${place} was published by a newer Treeline (format ${detail.got}, this one knows ${detail.supported}): update Treeline; nothing was changed`,
    );
  }
  return new UnreadablePointer(
    `what ${place} holds under the name ${POINTER_FILE} cannot be read (${message}); nothing was changed. Remove that object and publish again: all other files stay`,
  );
}

/** How long a generation stays after it was replaced, whatever else holds: readers may still be at it. */
export const STAYS_MS = 3_600_000;
/** Generations that are kept beside the current one unless somebody says otherwise. */
export const KEPT_GENERATIONS = 5;
/** Most that may be asked for. */
const MAX_KEEP = 99;
/** The pointer is what every reader begins with, so its list ends somewhere. */
const MAX_GENERATIONS = 100;

/** What `readKeep` takes, for messages. */
export const KEEP_WORDS = `a whole number from 0 to ${MAX_KEEP}`;

/** How many generations to keep, as a person wrote it; undefined for what is no such number. */
export function readKeep(text: string): number | undefined {
  const keep = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return keep <= MAX_KEEP ? keep : undefined;
}

/**
 * The previous generations of the next pointer, what was current last first.
 *
 * @param next The generation that becomes current.
 * @param keep How many to keep; those that were replaced less than an hour ago stay in any case.
 * @param now Milliseconds since 1970.
 */
export function keepGenerations(
  published: Published | undefined,
  next: string,
  keep: number,
  now: number,
): readonly PreviousGeneration[] {
  if (published === undefined) return [];
  const { pointer, replacedAt, commit, builtAt } = published;
  const { generation, root, manifest } = pointer;
  const current = { generation, root, manifest, commit, builtAt, replacedAt: new Date(now).toISOString() };
  const earlier = pointer.previous.map((one): PreviousGeneration => {
    const time = replacedAt.get(one.generation);
    return { ...one, ...(time !== undefined && { replacedAt: new Date(time).toISOString() }) };
  });
  return [current, ...earlier]
    .filter((one) => one.generation !== next)
    .filter(({ generation: id }, at) => {
      const since = id === generation ? now : replacedAt.get(id);
      return at < keep || (since !== undefined && now - since < STAYS_MS);
    })
    .slice(0, MAX_GENERATIONS);
}

/**
 * Go back to another generation.
 *
 * @param to Id of a generation, or how it begins; the one that was current before when absent.
 * @param dryRun Find out whether it can be, and write nothing.
 * @returns The generation, the one that was current before, and those that stay beside it, the latest first.
 * @throws {InputError} where there is nothing to go back to, or it is not whole.
 */
export async function rollBack(
  store: ObjectStore,
  {
    to,
    dryRun = false,
    clock = machineClock,
  }: { readonly to?: string; readonly dryRun?: boolean; readonly clock?: Clock } = {},
) {
  const published = await readPublished(store);
  if (published === undefined) throw new NothingPublished(store.place);
  const target = chooseGeneration(published, to);
  const { generation, root, manifest } = target;
  const log = await checkWhole(store, target);
  const read = async (name: string): Promise<Uint8Array> => {
    const bytes = (await store.get(name))?.bytes;
    if (bytes === undefined || !holdsItsName(name, bytes)) throw notWhole(generation, [name]);
    return bytes;
  };
  const file = await read(root);
  const small = (await readRootHeader(file, inflateRaw)).levels.filter(isEmbedded);
  const rootBytes = concatBytes([file, ...(await Promise.all(small.map(({ name }) => read(name))))]);
  // Nothing is dropped: who goes back looks for what was good.
  const previous = keepGenerations(published, generation, Number.POSITIVE_INFINITY, clock.now());
  const bytes = Uint8Array.from(encodePointer({ generation, root, manifest, log, previous, rootBytes }));
  if (!dryRun && !(await store.put(POINTER_FILE, bytes, typeOf(POINTER_FILE), published.etag))) {
    throw new InputError(
      "somebody else published meanwhile, and nothing was changed: look at what is current now, and go back again if need be",
    );
  }
  return {
    generation,
    commit: target.commit,
    builtAt: target.builtAt,
    replaced: published.pointer.generation,
    kept: previous.map((one) => one.generation),
    dryRun,
  };
}

function chooseGeneration({ pointer }: Published, to: string | undefined): PreviousGeneration {
  const { previous, generation } = pointer;
  const [last] = previous;
  if (last === undefined) throw new InputError(`no generation is kept beside ${generation}, so there is no way back`);
  if (to === undefined) return last;
  const meant = to === "" ? [] : previous.filter((one) => one.generation.startsWith(to));
  const [only] = meant;
  if (only !== undefined && meant.length === 1) return only;
  if (to === generation) throw new InputError(`${generation} is the current generation already`);
  const names = previous.map((one) => one.generation);
  throw new InputError(
    `${only === undefined ? "no kept generation is called" : "several kept generations begin with"} ${quoteName(to)}; there are ${names.join(", ")}`,
    nearestNames(to, names),
  );
}

/** The name of a generation's log, when all its files are there with their sizes. */
async function checkWhole(store: ObjectStore, target: PreviousGeneration): Promise<string> {
  const files = await readFiles(store, target);
  const log = files?.find(({ name }) => name.endsWith(".log"))?.name;
  if (files === undefined || log === undefined) throw notWhole(target.generation, [target.manifest]);
  const sizes = new Map((await store.list()).map(({ name, bytes }) => [name, bytes]));
  const gone = files.filter(({ name, bytes }) => sizes.get(name) !== bytes).map(({ name }) => name);
  if (gone.length > 0) throw notWhole(target.generation, gone);
  return log;
}

function notWhole(generation: string, names: readonly string[]): InputError {
  const more = names.length > 1 ? ` and ${names.length - 1} more` : "";
  return new InputError(
    `generation ${generation} is no longer complete (${names[0]}${more} is missing or damaged), and nothing was changed: go back to another one, or publish its commit again`,
  );
}
