/**
 * The local R2 that a Worker on this machine reads, filled as a publish fills the real one. A running Worker sees new objects at once.
 *
 * Started as a process, which fills it again and again: Miniflare takes longer to start than to do it. The process ends with the
 * one that started it.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import { ACCESS_FILE } from "../../../src/surface/access/access-file.ts";
import { inParallel, MUTABLE_OBJECTS } from "../../publish/object-store.ts";
import { findWrangler } from "../deploy/run-wrangler.ts";

/** Name of the bucket in `wrangler.toml`. */
const BUCKET_NAME = "treeline-index";
/** Where `wrangler dev --persist-to` keeps the state of the storage, below its folder. */
const STATE_VERSION = "v3";
const PUTS_AT_ONCE = 32;
/** The date only has to be one that the runtime knows. */
const COMPATIBILITY_DATE = "2026-10-20";

interface SeedSummary {
  readonly uploaded: number;
  readonly uploadedBytes: number;
  readonly kept: number;
  readonly removed: number;
}

/** A local bucket that can be filled. */
interface LocalBucket {
  /**
   * Brings the bucket to the state of an index folder. Objects of the index before stay: a Worker may still read them.
   *
   * @param keys Text of `access.json`; the bucket has none where it is absent.
   */
  readonly seed: (indexDir: string, keys?: string) => Promise<SeedSummary>;
  readonly close: () => Promise<unknown>;
}

/** Opens the bucket in the folder that is given to `wrangler dev --persist-to`. */
export function openLocalBucket(stateDir: string): LocalBucket {
  const { Miniflare, convertV4MiniflareOptions } = loadMiniflare();
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      name: "treeline-seed",
      modules: true,
      script: LIST_NAMES,
      compatibilityDate: COMPATIBILITY_DATE,
      r2Buckets: { BUCKET: BUCKET_NAME },
      resourcePersistencePath: join(stateDir, STATE_VERSION),
      cf: false,
    }),
  );
  let known: Set<string> | undefined;
  let before: readonly string[] = [];
  return {
    async seed(indexDir, keys) {
      const bucket = await runtime.getR2Bucket("BUCKET");
      known ??= new Set((await (await runtime.dispatchFetch("http://seed.internal/")).json()) as string[]);
      const there = known;
      const files = (await readdir(indexDir)).filter((name) => !name.startsWith(".") && !MUTABLE_OBJECTS.has(name));
      const missing = files.filter((name) => !there.has(name));
      let uploadedBytes = 0;
      const put = async (name: string): Promise<void> => {
        const bytes = await readFile(join(indexDir, name));
        await bucket.put(name, bytes);
        uploadedBytes += bytes.length;
        there.add(name);
      };
      await inParallel(missing, put, PUTS_AT_ONCE);
      if (keys !== undefined) await bucket.put(ACCESS_FILE, keys);
      await put(POINTER_FILE);
      const wanted = new Set([...files, ...before, POINTER_FILE, ...(keys === undefined ? [] : [ACCESS_FILE])]);
      const old = [...there].filter((name) => !wanted.has(name));
      if (old.length > 0) await bucket.delete(old);
      for (const name of old) there.delete(name);
      before = files;
      return { uploaded: missing.length + 1, uploadedBytes, kept: files.length - missing.length, removed: old.length };
    },
    close: () => runtime.dispose(),
  };
}

/** The same in a process of its own. */
export function startLocalBucket(stateDir: string): LocalBucket {
  const child = fork(fileURLToPath(import.meta.url), [stateDir], { detached: true });
  const ended = once(child, "exit");
  return {
    async seed(indexDir, keys) {
      child.send({ indexDir, keys });
      const [answer] = (await Promise.race([once(child, "message"), ended.then(() => [{ failed: "it ended" }])])) as [
        SeedSummary | { readonly failed: string },
      ];
      if ("failed" in answer) throw new Error(`the local R2 cannot be filled: ${answer.failed}`);
      return answer;
    },
    close: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** Names of all objects: from outside, each name of a listing would be a call of its own. */
const LIST_NAMES = `
export default {
  async fetch(request, { BUCKET }) {
    const names = [];
    let cursor;
    do {
      const page = await BUCKET.list({ cursor });
      for (const { key } of page.objects) names.push(key);
      cursor = page.cursor;
    } while (cursor !== undefined);
    return Response.json(names);
  },
};
`;

/** What seeding uses of R2 and of Miniflare. */
interface MiniflareModule {
  readonly Miniflare: new (
    options: unknown,
  ) => {
    getR2Bucket(binding: string): Promise<{
      put(name: string, value: Uint8Array | string): Promise<unknown>;
      delete(names: readonly string[]): Promise<unknown>;
    }>;
    dispatchFetch(url: string): Promise<{ json(): Promise<unknown> }>;
    dispose(): Promise<void>;
  };
  readonly convertV4MiniflareOptions: (options: object) => unknown;
}

/** Wrangler brings the Miniflare that fits it; another one could keep its state in another layout. */
function loadMiniflare(): MiniflareModule {
  const fromWrangler = createRequire(join(findWrangler().folder, "package.json"));
  return fromWrangler("miniflare") as MiniflareModule;
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  const bucket = openLocalBucket(process.argv[2] as string);
  process.on("message", async ({ indexDir, keys }: { readonly indexDir: string; readonly keys?: string }) => {
    const answer = await bucket.seed(indexDir, keys).catch((error: unknown) => ({ failed: String(error) }));
    process.send?.(answer);
  });
  process.on("disconnect", () => void bucket.close().finally(() => process.exit()));
}
