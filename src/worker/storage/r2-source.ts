/**
 * Index files out of R2: ranges through the cached internal entrypoint, the pointer from the bucket itself.
 *
 * An open index keeps its source for as long as it lives, across requests; so the source holds no object of one
 * request, only functions that find the platform's bindings when they are called.
 */
import { FormatError, StaleGenerationError } from "../../core/errors.ts";
import { POINTER_FILE, type PointerObject, type RangeSource } from "../../core/index/range-source.ts";
import type { Patience } from "../../surface/patience.ts";
import { getObject } from "./index-files.ts";

/** Host of the internal entrypoint's addresses. It only has to be one: no request leaves the Worker. */
const INTERNAL_ORIGIN = "https://index-files.internal";

/** What serves index files by address, as the entrypoint `IndexFiles` does. */
export interface FileServer {
  fetch(request: Request): Promise<Response>;
}

/** The bindings that reading needs, found anew for each read. */
export interface R2Bindings {
  readonly files: () => FileServer;
  readonly bucket: () => R2Bucket;
  /** How long each read is waited for. */
  readonly patience: Patience;
}

/** A range source over R2. @param prefix What names of a corpus' objects begin with, `v2/`; none of the root's. */
export function createR2Source({ files, bucket, patience }: R2Bindings, prefix = ""): RangeSource {
  return {
    readRange: (file, offset, length) => patience(file, () => readRange(files(), `${prefix}${file}`, offset, length)),
    readFresh: (file, offset, length) => patience(file, () => readFresh(bucket(), `${prefix}${file}`, offset, length)),
    readPointer: (knownEtag) =>
      patience("the pointer", () => readObject(bucket(), `${prefix}${POINTER_FILE}`, knownEtag)),
  };
}

async function readRange(files: FileServer, file: string, offset: number, length: number): Promise<Uint8Array> {
  if (length === 0) return new Uint8Array(0);
  const request = new Request(`${INTERNAL_ORIGIN}/${file.split("/").map(encodeURIComponent).join("/")}`, {
    headers: { Range: `bytes=${offset}-${offset + length - 1}` },
  });
  const response = await files.fetch(request);
  switch (response.status) {
    case 206:
      return exactly(file, new Uint8Array(await response.arrayBuffer()), length);
    case 200:
      // A cache may answer a range with the whole file.
      return exactly(file, new Uint8Array(await response.arrayBuffer()).subarray(offset, offset + length), length);
    case 404:
      throw new StaleGenerationError(file);
    case 416:
      return exactly(file, new Uint8Array(0), length);
    default:
      throw new Error(`reading ${file} was answered with status ${response.status}`);
  }
}

/** From the bucket itself: the entrypoint stands behind a cache, and the cache may hold a bad copy. */
async function readFresh(bucket: R2Bucket, file: string, offset: number, length: number): Promise<Uint8Array> {
  if (length === 0) return new Uint8Array(0);
  const object = await getObject(bucket, file, { offset, length });
  if (object === null) throw new StaleGenerationError(file);
  if ("tooShort" in object) return exactly(file, new Uint8Array(0), length);
  return exactly(file, new Uint8Array(await object.arrayBuffer()), length);
}

function exactly(file: string, bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length === length) return bytes;
  throw new FormatError(`index file ${file}`, { code: "truncated", need: length, have: bytes.length });
}

/** A mutable object of the bucket, `"unchanged"` where it still has the known tag, undefined where it is not there. */
export async function readObject(
  bucket: R2Bucket,
  name: string,
  knownEtag?: string,
): Promise<(PointerObject & { readonly modifiedAt: string }) | "unchanged" | undefined> {
  const object = await bucket.get(name, knownEtag === undefined ? {} : { onlyIf: { etagDoesNotMatch: knownEtag } });
  if (object === null) return undefined;
  // Without a body the condition failed: the object still has the known tag.
  if (!("body" in object)) return "unchanged";
  const bytes = new Uint8Array(await object.arrayBuffer());
  return { bytes, etag: object.etag, modifiedAt: object.uploaded.toISOString() };
}
