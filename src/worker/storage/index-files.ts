/**
 * Index files in R2: the internal entrypoint that serves them to the rest of the Worker, so that a cache can stand before it, and the range
 * source that reads through it.
 *
 * Index files are immutable and named by their hash. With caching enabled for this entrypoint alone (`exports` in `wrangler.toml`), a file
 * that was read once in a region is never read from the bucket again: the platform caches whole files, slices ranges out of them and lets
 * simultaneous misses wait for one. The pointer changes, so it is read from the bucket itself.
 *
 * An open index keeps its source across requests. So the source holds no object of one request, only functions that find the platform's
 * bindings when they are called.
 */
import { WorkerEntrypoint } from "cloudflare:workers";
import { FormatError, StaleGenerationError } from "../../core/errors.ts";
import { POINTER_FILE, type PointerObject, type RangeSource } from "../../core/index/range-source.ts";
import type { createPatience } from "../../surface/patience.ts";

/**
 * Names of index files: hash and kind, behind the prefix of a corpus where it has one. Nothing else in the bucket is
 * reachable.
 */
const FILE_NAME = /^(?:[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?\/)?[0-9a-f]{32,64}\.[a-z]{2,12}$/;
const FOR_EVER = "public, max-age=31536000, immutable";

interface IndexFilesBindings {
  readonly INDEX: R2Bucket;
}

/** Serves index files by name, whole or by range. */
export class IndexFiles extends WorkerEntrypoint<IndexFilesBindings> {
  override async fetch(request: Request): Promise<Response> {
    const file = new URL(request.url).pathname.slice(1);
    if (request.method !== "GET" && request.method !== "HEAD") return refuse(405, { Allow: "GET, HEAD" });
    if (!FILE_NAME.test(file)) return refuse(404);
    const bucket = this.env.INDEX;
    const range = parseRange(request.headers.get("Range"));
    const object = await getObject(bucket, file, range);
    if (object !== null && "tooShort" in object) {
      return refuse(416, { "Content-Range": `bytes */${object.tooShort}` });
    }
    if (object === null) return refuse(404);
    const headers = new Headers({
      "Accept-Ranges": "bytes",
      "Cache-Control": FOR_EVER,
      "Content-Type": "application/octet-stream",
      ETag: object.httpEtag,
    });
    if (range === undefined) return new Response(object.body, { headers });
    const length = Math.min(range.length, object.size - range.offset);
    headers.set("Content-Range", `bytes ${range.offset}-${range.offset + length - 1}/${object.size}`);
    return new Response(object.body, { status: 206, headers });
  }
}

interface ByteSpan {
  readonly offset: number;
  readonly length: number;
}

/** The one form of `Range` that index readers send; any other is answered with the whole file, as HTTP allows. */
function parseRange(header: string | null): ByteSpan | undefined {
  const found = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(header ?? "");
  if (found === null) return undefined;
  const first = Number(found[1]);
  const last = Number(found[2]);
  return last < first ? undefined : { offset: first, length: last - first + 1 };
}

/** An object, null where there is none, or its size where the range starts behind its end. */
async function getObject(
  bucket: R2Bucket,
  file: string,
  range: ByteSpan | undefined,
): Promise<R2ObjectBody | { readonly tooShort: number } | null> {
  if (range === undefined) return bucket.get(file);
  try {
    return await bucket.get(file, { range });
  } catch (error) {
    // R2 refuses a range that starts behind the end; which words it uses differs between R2 and its local copy.
    const head = await bucket.head(file);
    if (head === null) return null;
    if (range.offset >= head.size) return { tooShort: head.size };
    throw error;
  }
}

function refuse(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, { status, headers: { "Cache-Control": "no-store", ...headers } });
}

/** Host of the internal entrypoint's addresses. It only has to be one: no request leaves the Worker. */
const INTERNAL_ORIGIN = "https://index-files.internal";

/** What serves index files by address, as the entrypoint `IndexFiles` does. */
export interface FileServer {
  fetch(request: Request): Promise<Response>;
}

/** The bindings that reading needs, found anew for each read. */
interface R2Bindings {
  readonly files: () => FileServer;
  readonly bucket: () => R2Bucket;
  /** How long each read is waited for. */
  readonly patience: ReturnType<typeof createPatience>;
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
