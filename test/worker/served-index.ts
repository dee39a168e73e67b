/** Puts the index of the fixture's pages into the bucket of the Worker under test. */
import { env } from "cloudflare:workers";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import served from "../fixtures/served-index.json" with { type: "json" };

/** Bytes of the index files, by name. */
export const servedFiles: ReadonlyMap<string, Uint8Array> = new Map(
  Object.entries(served).map(([name, base64]) => [name, Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0))]),
);

/** Publish the fixture's index: all files, the pointer last. */
export async function publishServedIndex(): Promise<void> {
  for (const [name, bytes] of servedFiles) if (name !== POINTER_FILE) await env.INDEX.put(name, bytes);
  await env.INDEX.put(POINTER_FILE, servedFiles.get(POINTER_FILE) as Uint8Array);
}

/** Empty the bucket. */
export async function unpublish(): Promise<void> {
  for (const { key } of (await env.INDEX.list()).objects) await env.INDEX.delete(key);
}
