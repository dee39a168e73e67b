/**
 * What a deployment would upload: `wrangler deploy --dry-run` for each environment of the Worker's configuration, held against a
 * bound, so that no dependency comes in unseen.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { runWith } from "../../indexer/deploy/run-wrangler.ts";
import { readWorkerConfig } from "../../indexer/deploy/worker-config.ts";
import { findWrangler } from "../../indexer/find-wrangler.ts";
import { projectRoot } from "./environment.ts";

/** Environments of `wrangler.toml`; undefined is its top level. */
const ENVIRONMENTS = [undefined, "staging"];
/** Bytes, compressed. The Worker is 552 kB and may grow a little: the whole of zod, which came in unseen once, was 64 kB. */
const MAX_BUNDLE_BYTES = 570_000;

/** The largest bundle, in compressed bytes, and what is wrong, a line each. */
export async function measureBundles(): Promise<{ readonly bytes: number; readonly problems: readonly string[] }> {
  const problems: string[] = [];
  let bytes = 0;
  const wrangler = findWrangler(projectRoot);
  const out = await mkdtemp(join(tmpdir(), "treeline-bundle-"));
  try {
    for (const environment of ENVIRONMENTS) {
      const wish = { folder: projectRoot, config: undefined, environment, name: undefined, variables: {} };
      const { file, worker, warnings } = readWorkerConfig(wrangler, wish);
      problems.push(...warnings);
      const words = ["deploy", "--dry-run", "--config", file, `--env=${environment ?? ""}`, "--outdir", out];
      const result = await runWith(wrangler, projectRoot, {})({ words });
      if (!result.ok) {
        problems.push(`${worker}: ${result.all}`);
        continue;
      }
      const size = gzipSync(await readFile(join(out, "worker.js"))).length;
      if (size > MAX_BUNDLE_BYTES) problems.push(`${worker} has ${size} bytes, and ${MAX_BUNDLE_BYTES} are allowed`);
      bytes = Math.max(bytes, size);
    }
  } finally {
    await rm(out, { recursive: true, force: true });
  }
  return { bytes, problems };
}
