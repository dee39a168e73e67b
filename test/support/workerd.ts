/**
 * The Worker in workerd, out of its sources and with a bucket in memory. Limits of rate are those that a test sets, sessions and
 * insights are there.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { assetsFolder } from "../../indexer/base/installation.ts";
import { writeAssets } from "../../indexer/engine/bundle-pages.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { projectRoot } from "./environment.ts";
import { startRuntime } from "./miniflare.ts";

/** As `wrangler.toml` has it. */
const ASSETS = {
  directory: assetsFolder,
  binding: "ASSETS",
  assetConfig: { html_handling: "none" },
  routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
};

/** A Worker that answers. */
export interface RunningWorker {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Publish the index in a folder as a corpus; `""` is the one at the root. */
  readonly publish: (corpus: string, indexDir: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Start the Worker on a free port. @param bindings Settings beside the secret. @param bucket Its bucket, as Miniflare takes it. */
export async function startWorker(
  bindings: Readonly<Record<string, unknown>> = {},
  bucket: object | string = "treeline-index",
): Promise<RunningWorker> {
  await writeAssets();
  const runtime = startRuntime("treeline", await bundleWorker(), {
    assets: ASSETS,
    r2Buckets: { INDEX: bucket },
    durableObjects: {
      SESSIONS: { className: "TreelineSession", useSQLite: true },
      INSIGHTS: { className: "QueryInsights", useSQLite: true },
    },
    bindings: { TREELINE_SECRET: "a secret for tests", LOG_LEVEL: "error", TIME_LIMITS: "off", ...bindings },
  });
  const url = (await runtime.ready).origin;
  return {
    url,
    async publish(corpus, indexDir) {
      const objects = await runtime.getR2Bucket("INDEX");
      const prefix = corpus === "" ? "" : `${corpus}/`;
      // The pointer goes last, as in a publish.
      const names = (await readdir(indexDir)).sort((a, b) => Number(a === POINTER_FILE) - Number(b === POINTER_FILE));
      for (const name of names) await objects.put(`${prefix}${name}`, await readFile(join(indexDir, name)));
    },
    stop: () => runtime.dispose(),
  };
}

async function bundleWorker(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(projectRoot, "src", "worker", "worker.ts")],
    bundle: true,
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    format: "esm",
    target: "es2022",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}
