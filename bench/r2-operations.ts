/**
 * What answering costs in operations on the bucket: per 1,000 calls of all kinds, with caches and without.
 *
 *   npm run bench:operations -- INDEX [COUNT] [SEED]
 *
 * COUNT (1,000) calls are drawn from the index with SEED (1) and answered by the Worker's own tools and reader. Each read of the
 * bucket is one operation of class B; answering needs none of class A. Four states:
 *
 * - nothing kept: each call in an isolate that has nothing, with no cache between it and the bucket. The most there can be.
 * - new isolates: each call in an isolate that has nothing, behind the cache of files that all isolates of a place share.
 *   It begins empty; a file comes once out of the bucket.
 * - one isolate: all calls in one isolate without that cache, so what fits into its memory is read once.
 * - one isolate behind the cache: as most calls are answered where there is traffic.
 *
 * The pointer is read in each isolate at its first call and every 15 seconds of calls; a minute of calls is what
 * CALLS_A_MINUTE says. It passes the cache.
 */
import { openSource } from "../indexer/base/index-source.ts";
import { createCounters } from "../src/core/index/cost.ts";
import type { RangeSource } from "../src/core/index/range-source.ts";
import { LruCache } from "../src/core/index/value-cache.ts";
import { suggest } from "../src/core/search/suggest.ts";
import { callTool, type ToolServices } from "../src/mcp/call.ts";
import { offeredTools } from "../src/mcp/profiles.ts";
import { createSigningKeys } from "../src/surface/access/signing-keys.ts";
import type { Sessions } from "../src/surface/session/session-state.ts";
import { createMemorySessions } from "../src/worker/session/session-store.ts";
import { Generations, MAX_CACHE_BYTES } from "../src/worker/storage/generations.ts";
import { inflateRaw } from "../src/worker/storage/inflate.ts";
import { drawCalls, type MixedCall, readVocabulary } from "../test/support/mixed-calls.ts";
import { makeRandom } from "./random.ts";
import { makeTable } from "./tables.ts";

const CALLS_A_MINUTE = 60;
const PER = 1000;

/** A bucket that counts what is asked of it. */
interface CountedBucket {
  readonly source: RangeSource;
  readonly reads: () => number;
}

const [dir, countText = "1000", seedText = "1"] = process.argv.slice(2);
if (dir === undefined) {
  console.error("usage: npm run bench:operations -- INDEX [COUNT] [SEED]");
  process.exit(2);
}
const disk = openSource(dir);
const tools = offeredTools();
const random = makeRandom(Number(seedText));
const vocabulary = await openIsolate(disk).withReader({ now: 0 }, (reader) => readVocabulary(reader, random));
if (vocabulary === undefined) throw new Error(`no index in ${dir}`);
const drawn = drawCalls(vocabulary.value, random);
const calls = Array.from({ length: Number(countText) }, () => drawn.next().value);

const states = new Map<string, ReadonlyMap<string, readonly number[]>>([
  ["nothing kept", await measure(false, false)],
  ["new isolates", await measure(false, true)],
  ["one isolate", await measure(true, false)],
  ["one isolate behind the cache", await measure(true, true)],
]);
const kinds = ["all", ...new Set(calls.map(({ tool }) => tool).sort())];
console.log(`${calls.length} calls; operations of class B per ${PER} calls\n`);
console.log(
  makeTable(
    ["tool", "calls", ...states.keys()],
    kinds.map((kind) => {
      const columns = [...states.values()].map((state) => state.get(kind) ?? []);
      return [kind, String(columns[0]?.length ?? 0), ...columns.map(showMean)];
    }),
  ),
);
console.log(`\nwithin a session: ${await countObjectRequests()} requests to its object per call`);

/** Operations of each call, by tool and all together. */
async function measure(isKept: boolean, isCached: boolean): Promise<ReadonlyMap<string, readonly number[]>> {
  const bucket = countReads(isCached);
  const counts = new Map<string, number[]>([["all", []]]);
  let isolate = openIsolate(bucket.source);
  let now = 0;
  for (const call of calls) {
    if (!isKept) isolate = openIsolate(bucket.source);
    const before = bucket.reads();
    await answer(call, isolate, now);
    now += 60_000 / CALLS_A_MINUTE;
    const own = counts.get(call.tool) ?? [];
    counts.set(call.tool, own);
    for (const list of [own, counts.get("all")]) list?.push(bucket.reads() - before);
  }
  return counts;
}

/** With a cache, which keeps whole files, a file is read once; ranges of it come out of the cache. */
function countReads(isCached: boolean): CountedBucket {
  let reads = 0;
  const cached = new Set<string>();
  return {
    reads: () => reads,
    source: {
      readPointer(knownEtag) {
        reads++;
        return disk.readPointer(knownEtag);
      },
      readRange(file, offset, length) {
        if (!cached.has(file)) reads++;
        if (isCached) cached.add(file);
        return disk.readRange(file, offset, length);
      },
    },
  };
}

function openIsolate(source: RangeSource): Generations {
  return new Generations({ source, inflate: inflateRaw, cache: new LruCache(MAX_CACHE_BYTES) });
}

function servicesOf(isolate: Generations, now: number, sessions?: Sessions): ToolServices {
  const fail = (problem: unknown): never => {
    throw new Error(`the operator would see: ${JSON.stringify(problem)}`);
  };
  return {
    withReader: (run, counters, pin) => isolate.withReader({ now, ...(pin && { pin }) }, run, counters),
    pinCurrent: (counters) => isolate.pinCurrent({ now }, counters),
    signingKeys: createSigningKeys("operations"),
    now,
    report: fail,
    ...(sessions && { sessions }),
  };
}

async function answer({ tool, args }: MixedCall, isolate: Generations, now: number): Promise<void> {
  const services = servicesOf(isolate, now);
  if (tool !== "suggest") {
    await callTool(tools, tool, args, services);
    return;
  }
  const request = { query: String(args["query"]), limit: 8, collections: [] };
  await services.withReader((reader) => suggest(reader, request), createCounters());
}

/** Requests that a call within a session sends to the session's Durable Object: each of its methods is one. */
async function countObjectRequests(): Promise<number> {
  const kept = createMemorySessions(() => import("node:sqlite"));
  let requests = 0;
  const counted: Sessions = {
    open: (...given) => kept.open(...given),
    read(...given) {
      requests++;
      return kept.read(...given);
    },
    record(...given) {
      requests++;
      return kept.record(...given);
    },
  };
  const services = servicesOf(openIsolate(disk), 0, counted);
  const opened = await callTool(tools, "open_session", { format: "json" }, services);
  const { session } = opened.structuredContent as { session: string };
  const ofTools = calls.filter(({ tool }) => tool !== "suggest").slice(0, 100);
  for (const { tool, args } of ofTools) await callTool(tools, tool, { ...args, session }, services);
  return requests / ofTools.length;
}

function showMean(list: readonly number[]): string {
  const sum = list.reduce((total, count) => total + count, 0);
  return list.length === 0 ? "" : Math.round((sum / list.length) * PER).toLocaleString("en");
}
