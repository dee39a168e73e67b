/** A bucket that speaks S3, on this machine: the local R2 of `wrangler dev`, which checks signatures and conditions. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { claimPort } from "../../indexer/dev/worker-process.ts";
import { projectRoot, quietEnvironment } from "./environment.ts";

const BUCKET = "test-bucket";
const START_TIMEOUT_MS = 90_000;
const POLL_MS = 200;

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
    if (name === "health") return new Response("ready");
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
  const dir = await mkdtemp(join(tmpdir(), "treeline-bucket-"));
  const credentials = CREDENTIALS;
  const config = front === "host" ? await writeHost(dir) : await writeTreeline(dir);
  const port = await claimPort(0);
  const child = spawn(
    process.execPath,
    [
      ...[join(projectRoot, "node_modules", "wrangler", "bin", "wrangler.js"), "dev"],
      ...["--config", config, "--persist-to", join(dir, "state")],
      ...["--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0"],
      "--show-interactive-dev-session=false",
    ],
    { cwd: dir, env: quietEnvironment(), detached: true, stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async (): Promise<void> => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
    await ended;
    await rm(dir, { recursive: true, force: true });
  };
  const origin = `http://127.0.0.1:${port}`;
  for (let waited = 0; waited < START_TIMEOUT_MS && child.exitCode === null; waited += POLL_MS) {
    const isReady = await fetch(`${origin}/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) return { address: `${origin}/cdn-cgi/local/r2/s3/${BUCKET}`, origin, credentials, stop };
    await sleep(POLL_MS);
  }
  await stop();
  throw new Error(`the bucket did not start:\n${output}`);
}

async function writeHost(dir: string): Promise<string> {
  const config = {
    name: "bucket",
    main: "worker.js",
    compatibility_date: "2026-10-20",
    r2_buckets: [{ binding: "BUCKET", bucket_name: BUCKET, local_dev: { experimental_s3_credentials: CREDENTIALS } }],
  };
  await writeFile(join(dir, "worker.js"), HOST_WORKER);
  await writeFile(join(dir, "wrangler.json"), JSON.stringify(config));
  return join(dir, "wrangler.json");
}

/** The project's own settings, but for the bucket, which gets an S3 address, and limits, which a test would meet. */
async function writeTreeline(dir: string): Promise<string> {
  const text = await readFile(join(projectRoot, "wrangler.toml"), "utf8");
  const { accessKeyId, secretAccessKey } = CREDENTIALS;
  const s3 = `local_dev = { experimental_s3_credentials = { accessKeyId = "${accessKeyId}", secretAccessKey = "${secretAccessKey}" } }`;
  const changed = text
    .replace(/^main = "(.+)"$/m, (_, path: string) => `main = "${join(projectRoot, path)}"`)
    .replace(/^bucket_name = .+$/m, `bucket_name = "${BUCKET}"\n${s3}`)
    .replaceAll(/limit = \d+/g, "limit = 1000000");
  await writeFile(join(dir, "wrangler.toml"), changed);
  return join(dir, "wrangler.toml");
}
