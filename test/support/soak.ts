/**
 * Many calls of all kinds, one after another, as one isolate of the Worker would answer them: same memory, same tools.
 * Every now and then the pointer names another generation, as after a publish.
 */

import { makeRandom } from "../../bench/random.ts";
import { openSource } from "../../indexer/base/index-source.ts";
import { decodePointer, encodePointer, generationOf } from "../../src/core/format/generation.ts";
import { createCounters } from "../../src/core/index/cost.ts";
import type { IndexReader } from "../../src/core/index/index-reader.ts";
import type { RangeSource } from "../../src/core/index/range-source.ts";
import { keepApart, LruCache } from "../../src/core/index/value-cache.ts";
import { suggest } from "../../src/core/search/suggest.ts";
import { callTool, type ToolServices } from "../../src/mcp/call.ts";
import { offeredTools } from "../../src/mcp/profiles.ts";
import { createSigningKeys } from "../../src/surface/access/signing-keys.ts";
import { Generations, MAX_KEPT_BYTES, POINTER_TTL_MS } from "../../src/worker/storage/generations.ts";
import { inflateRaw } from "../../src/worker/storage/inflate.ts";
import { usedBytes } from "./collect-garbage.ts";
import { drawCalls, type MixedCall, readVocabulary } from "./mixed-calls.ts";

/** How many calls go to one generation before the next is published. */
const CALLS_A_GENERATION = 800;
/** How often memory is looked at. */
const LOOKS = 40;

/** What a soak showed. */
export interface SoakReport {
  readonly calls: number;
  /** Calls that were refused in words, as those for what is not there. */
  readonly refused: number;
  readonly generations: number;
  /** Bytes in use before the first call, without the index. */
  readonly before: number;
  /** Bytes in use over the run, evenly spaced. */
  readonly used: readonly number[];
  /** Most bytes that the cache counted. */
  readonly counted: number;
}

/** @param cacheBytes Budget of the cache, as in the Worker. @throws {Error} when a call fails other than in words. */
export async function soak(dir: string, calls: number, seed: number, cacheBytes: number): Promise<SoakReport> {
  const random = makeRandom(seed);
  const cache = new LruCache(cacheBytes);
  const kept = new LruCache(MAX_KEPT_BYTES);
  const publishing = await republishing(dir);
  const fail = (error: unknown): never => {
    throw new Error(`the operator would see: ${JSON.stringify(error)}`, { cause: error });
  };
  const generations = new Generations({
    source: publishing.source,
    inflate: inflateRaw,
    cache: keepApart(cache, kept),
    report: fail,
  });
  let now = 0;
  const services: ToolServices = {
    withReader: (run, counters) => generations.withReader({ now }, run, counters),
    signingKeys: createSigningKeys("soak"),
    now: 0,
    report: fail,
  };
  const vocabulary = await generations.withReader({ now }, (reader) => readVocabulary(reader, random));
  if (vocabulary === undefined) throw new Error(`no index in ${dir}`);
  const drawn = drawCalls(vocabulary.value, random);
  // What it takes without an index: code, its first calls, the words to draw from.
  const before = (await usedBytes()) - cache.bytes - kept.bytes;
  const used: number[] = [];
  let refused = 0;
  let counted = 0;
  for (let done = 0; done < calls; done++) {
    if (done % CALLS_A_GENERATION === CALLS_A_GENERATION - 1) {
      publishing.publish();
      now += POINTER_TTL_MS;
    }
    if (await answer(drawn.next().value, services)) refused++;
    counted = Math.max(counted, cache.bytes + kept.bytes);
    if ((done + 1) % Math.ceil(calls / LOOKS) === 0) used.push(await usedBytes());
  }
  return { calls, refused, generations: publishing.published(), before, used, counted };
}

/** Whether the call was refused. */
async function answer({ tool, args }: MixedCall, services: ToolServices): Promise<boolean> {
  if (tool !== "suggest") return (await callTool(offeredTools(), tool, args, services)).isError === true;
  const run = (reader: IndexReader) => suggest(reader, { query: String(args["query"]), limit: 8, collections: [] });
  await services.withReader(run, createCounters());
  return false;
}

/** The index of a folder under another name each time that it is published. */
async function republishing(
  dir: string,
): Promise<{ readonly source: RangeSource; readonly publish: () => void; readonly published: () => number }> {
  const disk = openSource(dir);
  const found = await disk.readPointer();
  if (found === undefined || found === "unchanged") throw new Error(`no index in ${dir}`);
  const pointer = decodePointer(found.bytes);
  let published = 1;
  const source: RangeSource = {
    readRange: disk.readRange,
    async readPointer(knownEtag) {
      const etag = `${published}`;
      if (etag === knownEtag) return "unchanged";
      const root = `${String(published).padStart(12, "0")}${pointer.root.slice(12)}`;
      return { etag, bytes: encodePointer({ ...pointer, generation: generationOf(root), root }) };
    },
  };
  return { source, publish: () => void published++, published: () => published };
}
