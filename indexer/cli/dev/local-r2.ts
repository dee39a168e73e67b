/**
 * Fill the local R2 that `wrangler dev` reads, as a publish would fill the real one: only what is missing, the pointer last.
 *
 * The objects are put by a small Worker inside Miniflare, many a request: the same code that serves R2 in
 * `wrangler dev`, several times faster than one proxied call an object. A running Worker sees them at once.
 */
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import { ACCESS_FILE } from "../../../src/surface/access/access-file.ts";
import { MUTABLE_OBJECTS } from "../../publish/object-store.ts";
import { findWrangler } from "../deploy/run-wrangler.ts";

/** Name of the bucket in `wrangler.toml`. */
const BUCKET_NAME = "treeline-index";
/** Where `wrangler dev --persist-to` keeps the state of the storage, below its folder. */
const STATE_VERSION = "v3";
/** Objects and bytes of one request to the seed Worker. */
const MAX_BATCH_OBJECTS = 200;
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
/** The date only has to be one that the runtime knows. */
const COMPATIBILITY_DATE = "2026-10-20";

/** Lists, puts and deletes objects. A put's body is: count, then per object length of name, name, length, bytes. */
const SEED_WORKER = `
export default {
  async fetch(request, { BUCKET }) {
    if (request.method === "GET") {
      const names = [];
      let cursor;
      do {
        const page = await BUCKET.list({ cursor });
        for (const object of page.objects) names.push(object.key);
        cursor = page.truncated ? page.cursor : undefined;
      } while (cursor !== undefined);
      return Response.json(names);
    }
    if (request.method === "DELETE") {
      const names = await request.json();
      for (let at = 0; at < names.length; at += 1000) await BUCKET.delete(names.slice(at, at + 1000));
      return new Response(null, { status: 204 });
    }
    const body = await request.arrayBuffer();
    const view = new DataView(body);
    let at = 0;
    const take = (length) => new Uint8Array(body, (at += length) - length, length);
    const number = () => view.getUint32((at += 4) - 4);
    const objects = Array.from({ length: number() }, () => [new TextDecoder().decode(take(number())), take(number())]);
    await Promise.all(objects.map(([name, bytes]) => BUCKET.put(name, bytes)));
    return new Response(null, { status: 204 });
  },
};
`;

/** What seeding did. */
export interface SeedSummary {
  readonly uploaded: number;
  readonly uploadedBytes: number;
  /** Objects that were there already. */
  readonly kept: number;
  readonly removed: number;
  /** Names of the index files of this seeding: to be passed as `alsoKeep` to the next. */
  readonly names: readonly string[];
}

/**
 * Bring the local bucket to the state of an index folder.
 *
 * @param stateDir The folder given to `wrangler dev --persist-to`.
 * @param alsoKeep Objects to keep although the folder no longer has them: a Worker may still read them.
 * @param keys Text of `access.json`; the bucket has none where it is absent.
 */
export async function seedBucket(
  indexDir: string,
  stateDir: string,
  alsoKeep: readonly string[] = [],
  keys?: string,
): Promise<SeedSummary> {
  const files = (await readdir(indexDir)).filter((name) => !name.startsWith(".") && !MUTABLE_OBJECTS.has(name));
  const seeder = await startSeeder(stateDir);
  try {
    const there = new Set(await seeder.list());
    const missing = files.filter((name) => !there.has(name));
    let uploadedBytes = 0;
    for await (const batch of readBatches(indexDir, missing)) uploadedBytes += await seeder.put(batch);
    if (keys !== undefined) await seeder.put([[ACCESS_FILE, Buffer.from(keys)]]);
    const pointer: NamedBytes = [POINTER_FILE, await readFile(join(indexDir, POINTER_FILE))];
    uploadedBytes += await seeder.put([pointer]);
    const wanted = new Set([...files, ...alsoKeep, POINTER_FILE, ...(keys === undefined ? [] : [ACCESS_FILE])]);
    const old = [...there].filter((name) => !wanted.has(name));
    if (old.length > 0) await seeder.remove(old);
    return {
      uploaded: missing.length + 1,
      uploadedBytes,
      kept: files.length - missing.length,
      removed: old.length,
      names: files,
    };
  } finally {
    await seeder.stop();
  }
}

/** Bring the keys of the local bucket to another text of `access.json`; undefined leaves none. */
export async function seedKeys(stateDir: string, keys: string | undefined): Promise<void> {
  const seeder = await startSeeder(stateDir);
  try {
    if (keys === undefined) await seeder.remove([ACCESS_FILE]);
    else await seeder.put([[ACCESS_FILE, Buffer.from(keys)]]);
  } finally {
    await seeder.stop();
  }
}

type NamedBytes = readonly [name: string, bytes: Uint8Array];

interface Seeder {
  readonly list: () => Promise<string[]>;
  readonly put: (batch: readonly NamedBytes[]) => Promise<number>;
  readonly remove: (names: readonly string[]) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** The part of Miniflare that seeding uses. */
interface MiniflareModule {
  readonly Miniflare: new (
    options: unknown,
  ) => {
    dispatchFetch(url: string, init?: { method: string; body?: Uint8Array | string }): Promise<Response>;
    dispose(): Promise<void>;
  };
  readonly convertV4MiniflareOptions: (options: object) => unknown;
}

async function startSeeder(stateDir: string): Promise<Seeder> {
  const { Miniflare, convertV4MiniflareOptions } = loadMiniflare();
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      name: "treeline-seed",
      modules: true,
      script: SEED_WORKER,
      compatibilityDate: COMPATIBILITY_DATE,
      r2Buckets: { BUCKET: BUCKET_NAME },
      resourcePersistencePath: join(stateDir, STATE_VERSION),
      cf: false,
    }),
  );
  const ask = async (init?: { method: string; body?: Uint8Array | string }): Promise<Response> => {
    const response = await runtime.dispatchFetch("http://seed.internal/", init);
    if (!response.ok) throw new Error(`seeding the local R2 failed: ${response.status} ${await response.text()}`);
    return response;
  };
  return {
    list: async () => (await (await ask()).json()) as string[],
    put: async (batch) => {
      const body = encodeBatch(batch);
      await ask({ method: "PUT", body });
      return batch.reduce((sum, [, bytes]) => sum + bytes.length, 0);
    },
    remove: async (names) => {
      await ask({ method: "DELETE", body: JSON.stringify(names) });
    },
    stop: () => runtime.dispose(),
  };
}

/** Wrangler brings the Miniflare that fits it; another one could keep its state in another layout. */
function loadMiniflare(): MiniflareModule {
  const fromWrangler = createRequire(join(findWrangler().folder, "package.json"));
  return fromWrangler("miniflare") as MiniflareModule;
}

async function* readBatches(dir: string, names: readonly string[]): AsyncGenerator<readonly NamedBytes[]> {
  let batch: NamedBytes[] = [];
  let size = 0;
  for (const name of names) {
    const bytes = await readFile(join(dir, name));
    if (batch.length > 0 && (batch.length === MAX_BATCH_OBJECTS || size + bytes.length > MAX_BATCH_BYTES)) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push([name, bytes]);
    size += bytes.length;
  }
  if (batch.length > 0) yield batch;
}

function encodeBatch(batch: readonly NamedBytes[]): Uint8Array {
  const parts: Uint8Array[] = [encodeNumber(batch.length)];
  for (const [name, bytes] of batch) {
    const encoded = new TextEncoder().encode(name);
    parts.push(encodeNumber(encoded.length), encoded, encodeNumber(bytes.length), bytes);
  }
  return Buffer.concat(parts);
}

function encodeNumber(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
