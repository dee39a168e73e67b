/** A bucket that speaks S3, on this machine: the local R2 of workerd, which checks signatures and conditions. */
import { startRuntime } from "./miniflare.ts";
import { startWorker } from "./workerd.ts";

const BUCKET = "test-bucket";

/** A running bucket. */
export interface LocalBucket {
  /** What `--bucket` takes. */
  readonly address: string;
  /** Of the Worker before it: serves the objects by name, or is Treeline's own. */
  readonly origin: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly stop: () => Promise<void>;
}

/** Serves objects as a web host does: whole or by range, with tags. */
const HOST_WORKER = `
export default {
  async fetch(request, { BUCKET }) {
    const name = decodeURIComponent(new URL(request.url).pathname.slice(1));
    const headers = new Headers();
    const range = request.headers.has("range") ? request.headers : undefined;
    const object = await BUCKET.get(name, { onlyIf: request.headers, range });
    if (object === null) return new Response(null, { status: 404 });
    headers.set("etag", object.httpEtag);
    headers.set("last-modified", object.uploaded.toUTCString());
    headers.set("cache-control", "no-store");
    if (!("body" in object)) return new Response(null, { status: 304, headers });
    if (range === undefined) return new Response(object.body, { headers });
    const { offset, length } = object.range;
    headers.set("content-range", \`bytes \${offset}-\${offset + length - 1}/\${object.size}\`);
    return new Response(object.body, { status: 206, headers });
  },
};`;

const CREDENTIALS = { accessKeyId: "local-id", secretAccessKey: "local-secret" };

/** What stands before a bucket: a Worker that serves its objects, or Treeline's own. */
export type BucketFront = "host" | "treeline";

/** Starts an empty bucket. */
export async function startBucket(front: BucketFront = "host"): Promise<LocalBucket> {
  const bucket = { id: BUCKET, s3Credentials: CREDENTIALS };
  const { url: origin, stop } = await (front === "host" ? startHost(bucket) : startWorker({}, bucket));
  return { address: `${origin}/cdn-cgi/local/r2/s3/${BUCKET}`, origin, credentials: CREDENTIALS, stop };
}

async function startHost(bucket: object): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const runtime = startRuntime("bucket", HOST_WORKER, { r2Buckets: { BUCKET: bucket } });
  return { url: (await runtime.ready).origin, stop: () => runtime.dispose() };
}
