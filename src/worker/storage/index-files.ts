/**
 * The internal entrypoint that serves index files to the rest of the Worker, so that a cache can stand before it.
 *
 * Index files are immutable and named by their hash. With caching enabled for this entrypoint alone (`exports` in
 * `wrangler.toml`) a read that was answered once in a region never reaches the bucket again: the platform keeps whole
 * files, slices ranges out of them and lets simultaneous misses wait for one. The pointer is not served here; it
 * changes, and is read from the bucket itself.
 */
import { WorkerEntrypoint } from "cloudflare:workers";

/**
 * Names of index files: hash and kind, behind the prefix of a corpus where it has one. Nothing else in the bucket is
 * reachable.
 */
const FILE_NAME = /^(?:[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?\/)?[0-9a-f]{32,64}\.[a-z]{2,12}$/;
const FOR_EVER = "public, max-age=31536000, immutable";

/** What this entrypoint needs of its surroundings. */
export interface IndexFilesBindings {
  readonly INDEX: R2Bucket;
}

/** Serves index files by name, whole or by range. */
export class IndexFiles extends WorkerEntrypoint<IndexFilesBindings> {
  override async fetch(request: Request): Promise<Response> {
    const file = new URL(request.url).pathname.slice(1);
    if (request.method !== "GET" && request.method !== "HEAD") return refuse(405, { Allow: "GET, HEAD" });
    if (!FILE_NAME.test(file)) return refuse(404);
    const bucket = this.env.INDEX;
    const range = readRange(request.headers.get("Range"));
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
function readRange(header: string | null): ByteSpan | undefined {
  const found = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(header ?? "");
  if (found === null) return undefined;
  const first = Number(found[1]);
  const last = Number(found[2]);
  return last < first ? undefined : { offset: first, length: last - first + 1 };
}

/** An object, null where there is none, or its size where the range starts behind its end. */
export async function getObject(
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
