/** A bucket that speaks S3, on this machine: the local R2 of `wrangler dev`, which checks signatures and conditions. */
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
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
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly stop: () => Promise<void>;
}

/** Starts an empty bucket. */
export async function startBucket(): Promise<LocalBucket> {
  const dir = await mkdtemp(join(tmpdir(), "treeline-bucket-"));
  const credentials = { accessKeyId: "local-id", secretAccessKey: "local-secret" };
  const config = {
    name: "bucket",
    main: "worker.js",
    compatibility_date: "2026-10-20",
    r2_buckets: [{ binding: "BUCKET", bucket_name: BUCKET, local_dev: { experimental_s3_credentials: credentials } }],
  };
  await writeFile(join(dir, "wrangler.json"), JSON.stringify(config));
  await writeFile(join(dir, "worker.js"), `export default { fetch: () => new Response("ready") };`);
  const port = await claimPort(0);
  const child = spawn(
    process.execPath,
    [
      ...[join(projectRoot, "node_modules", "wrangler", "bin", "wrangler.js"), "dev"],
      ...["--config", join(dir, "wrangler.json"), "--persist-to", join(dir, "state")],
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
    const isReady = await fetch(origin).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) return { address: `${origin}/cdn-cgi/local/r2/s3/${BUCKET}`, credentials, stop };
    await sleep(POLL_MS);
  }
  await stop();
  throw new Error(`the bucket did not start:\n${output}`);
}
