/** Miniflare, which comes with wrangler: workerd with buckets and objects in memory. It answers after a second, where `wrangler dev` takes eight. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { findWrangler } from "../../indexer/cli/deploy/run-wrangler.ts";
import { projectRoot } from "./environment.ts";

/** A running runtime, as far as it is used. */
export interface Runtime {
  readonly ready: Promise<URL>;
  getR2Bucket(name: string): Promise<{ put(name: string, bytes: Uint8Array): Promise<unknown> }>;
  dispose(): Promise<void>;
}

interface MiniflareModule {
  readonly Miniflare: new (options: unknown) => Runtime;
  readonly convertV4MiniflareOptions: (options: object) => unknown;
}

const COMPATIBILITY_DATE = "2026-10-20";

/** Starts a Worker on a free port of this machine. @param script Text of its module. @param bindings What it finds, as Miniflare takes it. */
export function startRuntime(name: string, script: string, bindings: object = {}): Runtime {
  const { Miniflare, convertV4MiniflareOptions } = createRequire(
    join(findWrangler(projectRoot).folder, "package.json"),
  )("miniflare") as MiniflareModule;
  return new Miniflare(
    convertV4MiniflareOptions({
      name,
      modules: [{ type: "ESModule", path: "worker.js", contents: script }],
      compatibilityDate: COMPATIBILITY_DATE,
      compatibilityFlags: ["nodejs_compat"],
      host: "127.0.0.1",
      port: 0,
      cf: false,
      ...bindings,
    }),
  );
}
