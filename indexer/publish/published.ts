/**
 * What is published at a place: the pointer, and the files of the generations that it names.
 */
import { FormatError, InputError } from "../../src/core/errors.ts";
import {
  type BuildTime,
  decodeManifest,
  decodePointer,
  type GenerationFiles,
  type ManifestFile,
  type Pointer,
  readBuildTime,
  readReplacedAt,
} from "../../src/core/format/generation.ts";
import { decodeRoot } from "../../src/core/format/root.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { inflateRaw } from "../base/codec.ts";
import { holdsItsName } from "../index/pack-writer.ts";
import { MAX_POINTER_BYTES, type ObjectStore } from "./object-store.ts";

/** There is no index at a place. */
export class NothingPublished extends InputError {
  /** @param consequence What follows from it, as the end of the sentence. */
  constructor(place: string, consequence?: string) {
    super(`nothing is published in ${place}${consequence === undefined ? "" : `, ${consequence}`}`);
  }
}

/** What a place holds in the place of a pointer cannot be read. */
export class UnreadablePointer extends InputError {}

/** The state of a place. */
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
    const { commit, builtAt, indexBytes, textBytes } = await decodeRoot(pointer.rootBytes, inflateRaw);
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
  { manifest }: GenerationFiles,
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
