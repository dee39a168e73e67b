/** Corpora with a name in the bucket of the Worker under test: indexes of fixtures under a prefix. */
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import grouped from "../fixtures/grouped-index.json" with { type: "json" };
import handbook from "../fixtures/handbook-index.json" with { type: "json" };

/** Files of an index by name, in base64. */
type IndexFiles = Readonly<Record<string, string>>;

/** Indexes of fixtures: pages about lamps, and the collections of several access groups. */
export const FIXTURES: Readonly<Record<"handbook" | "grouped", IndexFiles>> = { handbook, grouped };

/** Publishes the index of a fixture as a corpus, its pointer last. */
export async function publishCorpus(corpus: string, files: IndexFiles): Promise<void> {
  const put = (name: string): Promise<unknown> =>
    env.INDEX.put(
      `${corpus}/${name}`,
      Uint8Array.from(atob(files[name] ?? ""), (unit) => unit.charCodeAt(0)),
    );
  for (const name of Object.keys(files)) if (name !== POINTER_FILE) await put(name);
  await put(POINTER_FILE);
}

/** Removes all objects of a corpus. */
export async function removeCorpus(corpus: string): Promise<void> {
  for (const { key } of (await env.INDEX.list({ prefix: `${corpus}/` })).objects) await env.INDEX.delete(key);
}

/** Requests to the bucket, as they are made until mocks are restored: method, and the name where there is one. */
export function watchBucket(): { readonly take: () => readonly string[] } {
  const prototype = Object.getPrototypeOf(env.INDEX) as R2Bucket;
  const asked: string[] = [];
  for (const method of ["get", "head", "list", "put", "delete"] as const) {
    const original = prototype[method] as (...given: unknown[]) => unknown;
    vi.spyOn(prototype, method).mockImplementation(function (this: R2Bucket, ...given: unknown[]) {
      asked.push(typeof given[0] === "string" ? `${method} ${given[0]}` : method);
      return original.apply(this, given);
    } as never);
  }
  return { take: () => asked.splice(0) };
}

let clock = 0;

/** Lets time pass. It never goes back, also not between tests: what an isolate knows is as old as it was. */
export function wait(ms: number): void {
  clock = Math.max(clock, Date.now()) + ms;
  vi.useFakeTimers({ now: clock, toFake: ["Date"] });
}
