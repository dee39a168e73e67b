/**
 * What a deployment would upload: `wrangler deploy --dry-run` for each environment of the Worker's configuration, whose size `bench/house.json`
 * bounds, so that no dependency comes in unseen.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readWorkerConfig } from "../../indexer/cli/commands/deploy.ts";
import { findWrangler, runWith } from "../../indexer/cli/deploy/run-wrangler.ts";
import { writeAssets } from "../../indexer/engine/bundle-pages.ts";
import { projectRoot } from "./environment.ts";

/** Environments of `wrangler.toml`; undefined is its top level. */
const ENVIRONMENTS = [undefined, "staging"];

/** The largest bundle, in compressed bytes, and what is wrong, a line each. */
export async function measureBundles(): Promise<{ readonly bytes: number; readonly problems: readonly string[] }> {
  const problems: string[] = [];
  let bytes = 0;
  await writeAssets();
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
      bytes = Math.max(bytes, gzipSync(await readFile(join(out, "worker.js"))).length);
    }
  } finally {
    await rm(out, { recursive: true, force: true });
  }
  return { bytes, problems };
}
