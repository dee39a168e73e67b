/**
 * A Worker in workerd as it is deployed: bundled, and without what `wrangler dev` puts around it. Its inspector and its proxy
 * keep about 30 kB of each request, so memory is measured here.
 */
import { execFileSync } from "node:child_process";
import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import { projectRoot, quietEnvironment } from "../test/support/environment.ts";

/** What an isolate of a deployed Worker has. Left to itself V8 grows for minutes before it sweeps. */
const V8_FLAGS = "--max-old-space-size=128";
const STATE_VERSION = "v3";

/** A Worker that answers. */
export interface PlainWorker {
  readonly url: string;
  /** Ids of its processes. */
  readonly processes: readonly number[];
  /** Bytes that these hold in memory. */
  readonly residentBytes: () => number;
  readonly stop: () => Promise<void>;
}

/** What it is made of. */
export interface PlainWorkerOptions {
  /** Folder of what `bundleWorker` wrote, and the name of its first file. */
  readonly bundle: string;
  readonly entry: string;
  /** Folder with the state of its bucket, as `wrangler dev --persist-to` takes it. */
  readonly state: string;
  /** Bindings as Miniflare takes them. */
  readonly bindings: object;
}

interface MiniflareModule {
  readonly Miniflare: new (options: unknown) => { readonly ready: Promise<URL>; dispose(): Promise<void> };
  readonly convertV4MiniflareOptions: (options: object) => unknown;
}

const wrangler = dirname(createRequire(import.meta.url).resolve("wrangler/package.json"));

/** Bundle the Worker of a configuration as it is deployed into a folder, and name it. */
export function bundleWorker(config: string, bundle: string): string {
  execFileSync(process.execPath, [join(projectRoot, "indexer", "engine", "bundle-pages.ts")], { stdio: "pipe" });
  const words = ["deploy", "--dry-run", "--outdir", bundle, "--config", config];
  execFileSync(process.execPath, [join(wrangler, "bin", "wrangler.js"), ...words], {
    env: quietEnvironment(),
    stdio: "pipe",
  });
  return bundle;
}

/** Start a Worker on a free port of this machine. */
export async function startPlainWorker({ bundle, entry, state, bindings }: PlainWorkerOptions): Promise<PlainWorker> {
  process.env["MINIFLARE_WORKERD_V8_FLAGS"] = V8_FLAGS;
  const { Miniflare, convertV4MiniflareOptions } = createRequire(join(wrangler, "package.json"))(
    "miniflare",
  ) as MiniflareModule;
  const before = new Set(listWorkerds().map(({ id }) => id));
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      name: entry.replace(/\.js$/, ""),
      modules: (await readdir(bundle))
        .filter((name) => name.endsWith(".js"))
        .map((name) => ({ type: "ESModule", path: join(bundle, name) })),
      modulesRoot: bundle,
      compatibilityDate: "2026-10-20",
      compatibilityFlags: ["nodejs_compat"],
      resourcePersistencePath: join(state, STATE_VERSION),
      host: "127.0.0.1",
      port: 0,
      cf: false,
      ...bindings,
    }),
  );
  const url = (await runtime.ready).origin;
  const own = listWorkerds().filter(({ id, parent }) => parent === process.pid && !before.has(id));
  const processes = own.map(({ id }) => id);
  return {
    url,
    processes,
    residentBytes: () =>
      listWorkerds()
        .filter(({ id }) => processes.includes(id))
        .reduce((sum, { bytes }) => sum + bytes, 0),
    stop: () => runtime.dispose(),
  };
}

function listWorkerds(): { readonly id: number; readonly parent: number; readonly bytes: number }[] {
  const lines = execFileSync("ps", ["-Ao", "pid=,ppid=,rss=,comm="], { encoding: "utf8" }).trim().split("\n");
  return lines.flatMap((line) => {
    const [id, parent, kilobytes, program] = line.trim().split(/\s+/);
    return program === "workerd" ? [{ id: Number(id), parent: Number(parent), bytes: Number(kilobytes) * 1024 }] : [];
  });
}
