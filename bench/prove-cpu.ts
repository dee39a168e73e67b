/**
 * CPU that a search costs in the Workers runtime, beside SQLite's FTS5 over the same pages.
 *
 *   npm run prove:cpu -- DIR INDEX [COUNT] [STARTS]
 *
 * INDEX is what `treeline build` made of DIR. COUNT (40) different searches are drawn with a seed from words of the pages and
 * from their headings. Both servers are asked each of them, one after the other in turn: once, then REPEATS times. What is counted
 * is the CPU time of all threads of workerd (the Worker bundled as it is deployed, with the local stand-in for R2), and of a
 * process that answers from FTS5 (`fts-server.ts`), by the scheduler's own clock (Linux, /proc/PID/task/TID/schedstat), which does not
 * depend on what else the machine does. The mean of an address where there is nothing is taken off each. Beside it the same
 * search as a call of the tool.
 *
 * Then the first search of an isolate, in STARTS (8) new processes of workerd, each of which has answered an address where there is
 * nothing, against the same searches in the warm one. What the stand-in for R2 takes of it, which is no CPU of a deployed Worker, a
 * Worker shows that reads as often and does nothing else.
 *
 * Ends with 1 where the mean search costs more than MOST_SHARE of FTS5's, or the median first one more than MOST_FIRST warm ones.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { percentileOf } from "../indexer/cli/commands/eval.ts";
import { openLocalBucket } from "../indexer/cli/dev/local-bucket.ts";
import { projectRoot } from "../test/support/environment.ts";
import { makeCall } from "../test/support/load-calls.ts";
import { drawSearches } from "./draw-queries.ts";
import { bundleWorker, type PlainWorker, startPlainWorker } from "./plain-workerd.ts";
import { cpuMs } from "./process-cpu.ts";

const REPEATS = 5;
const WARM_UP = 60;
const MOST_SHARE = 0.4;
const MOST_FIRST = 4;

/** A Worker that reads: `/?reads=22`. */
const READING_WORKER = `export default {
  async fetch(request, { INDEX }) {
    const count = Number(new URL(request.url).searchParams.get("reads") ?? 0);
    const [{ key, size }] = (await INDEX.list({ limit: 1000 })).objects.sort((a, b) => b.size - a.size);
    const read = async (at) => (await INDEX.get(key, { range: { offset: (at * 65536) % size, length: 4096 } })).arrayBuffer();
    for (let at = 0; at < count; at += 6) await Promise.all([0, 1, 2, 3, 4, 5].map((next) => read(at + next)));
    return new Response("read", { status: count === 0 ? 404 : 200 });
  },
};`;

/** A server whose CPU is counted. */
interface Measured {
  readonly url: string;
  readonly processes: readonly number[];
}

const [dir, index, countText = "40", startsText = "8"] = process.argv.slice(2);
if (dir === undefined || index === undefined) {
  console.error("usage: npm run prove:cpu -- DIR INDEX [COUNT] [STARTS]");
  process.exit(2);
}
const queries = [...new Set(drawSearches(dir, Number(countText)))];
const work = await mkdtemp(join(tmpdir(), "treeline-cpu-"));
const bucket = openLocalBucket(join(work, "state"));
await bucket.seed(resolve(index));
await bucket.close();
const bundle = bundleWorker(join(projectRoot, "wrangler.toml"), join(work, "bundle"));
const peer = fork(join(import.meta.dirname, "fts-server.ts"), [resolve(dir)]);
try {
  const [{ port }] = (await once(peer, "message")) as [{ port: number }];
  const fts: Measured = { url: `http://127.0.0.1:${port}`, processes: [peer.pid as number] };
  const worker = await start();
  const { warm, share } = await compare(worker, fts);
  await worker.stop();
  const first = await measureFirst(Number(startsText), warm);
  if (share > MOST_SHARE || first > MOST_FIRST) process.exitCode = 1;
} finally {
  peer.disconnect();
  await rm(work, { recursive: true });
}

function start(): Promise<PlainWorker> {
  return startPlainWorker({
    bundle,
    entry: "worker.js",
    state: join(work, "state"),
    bindings: {
      bindings: { LOG_LEVEL: "error", TREELINE_SECRET: "cpu" },
      r2Buckets: { INDEX: "treeline-index" },
      durableObjects: { INSIGHTS: { className: "QueryInsights", useSQLite: true } },
    },
  });
}

/** Asks both all queries; what each took the Worker, and the mean as a share of the peer's. */
async function compare(
  worker: PlainWorker,
  fts: Measured,
): Promise<{ readonly warm: ReadonlyMap<string, number>; readonly share: number }> {
  const bases = new Map<Measured, number>();
  for (const server of [worker, fts]) {
    await meanCpu(server, () => askNothing(server), WARM_UP);
    bases.set(server, await meanCpu(server, () => askNothing(server), WARM_UP));
  }
  const above = async (server: Measured, run: () => Promise<unknown>, repeats: number): Promise<number> =>
    (await meanCpu(server, run, repeats)) - (bases.get(server) as number);
  // Compilers of both come to rest with other searches than those that are counted.
  for (const query of drawSearches(dir as string, queries.length + WARM_UP).slice(-WARM_UP)) {
    if (queries.includes(query)) continue;
    for (const server of [worker, fts]) await search(server, query);
  }
  const newToIt: number[] = [];
  const peerFirst: number[] = [];
  for (const query of queries) {
    newToIt.push(await above(worker, () => search(worker, query), 1));
    peerFirst.push(await above(fts, () => search(fts, query), 1));
  }
  const warm = new Map<string, number>();
  const peer: number[] = [];
  const ranked: number[] = [];
  for (const query of queries) {
    warm.set(query, await above(worker, () => search(worker, query), REPEATS));
    peer.push(await above(fts, () => search(fts, query), REPEATS));
    ranked.push(await above(fts, () => search(fts, query, "&order=rank"), REPEATS));
  }
  const calls: number[] = [];
  for (const query of queries) {
    await callTool(worker, query);
    calls.push(await above(worker, () => callTool(worker, query), REPEATS));
  }
  console.log(`an empty route: ${bases.get(worker)?.toFixed(2)} ms; of FTS5's server ${bases.get(fts)?.toFixed(2)} ms`);
  const own = report("/search", [...warm.values()]);
  const share = own / report("FTS5", peer);
  const ofRank = own / report("FTS5, ORDER BY rank", ranked);
  report("/search, query new to the isolate", newToIt);
  report("FTS5, query new to it", peerFirst);
  report("search_documents", calls);
  console.log(`/search takes ${share.toFixed(2)} of FTS5, ${ofRank.toFixed(2)} of it with ORDER BY rank (means)`);
  return { warm, share };
}

/** Prints what so many reads take in new processes and in a warm one. */
async function measureReads(reads: number): Promise<void> {
  const folder = join(work, "reading");
  await mkdir(folder);
  await writeFile(join(folder, "reading.js"), READING_WORKER);
  const first: number[] = [];
  const again: number[] = [];
  for (let run = 0; run < 3; run++) {
    const worker = await startPlainWorker({
      bundle: folder,
      entry: "reading.js",
      state: join(work, "state"),
      bindings: { r2Buckets: { INDEX: "treeline-index" } },
    });
    const ask = async (count: number): Promise<void> =>
      void (await (await fetch(`${worker.url}/?reads=${count}`)).text());
    for (let round = 0; round < 3; round++) await ask(0);
    const base = await meanCpu(worker, () => ask(0), 3);
    first.push((await meanCpu(worker, () => ask(reads), 1)) - base);
    await meanCpu(worker, () => ask(reads), WARM_UP);
    again.push((await meanCpu(worker, () => ask(reads), REPEATS)) - (await meanCpu(worker, () => ask(0), REPEATS)));
    await worker.stop();
  }
  report(`${reads} reads alone, of a new process`, first);
  report(`${reads} reads alone, warm`, again);
}

/** How many times as much as a warm one the first search of an isolate takes, the median of some. */
async function measureFirst(starts: number, warm: ReadonlyMap<string, number>): Promise<number> {
  const first: number[] = [];
  const ratios: number[] = [];
  let reads = 0;
  for (const query of queries.filter((_, at) => at % Math.max(1, Math.floor(queries.length / starts)) === 0)) {
    const worker = await start();
    for (let round = 0; round < 3; round++) await askNothing(worker);
    const base = await meanCpu(worker, () => askNothing(worker), 3);
    const ask = async (): Promise<void> => {
      reads += await search(worker, query);
    };
    const used = (await meanCpu(worker, ask, 1)) - base;
    await worker.stop();
    first.push(used);
    ratios.push(used / (warm.get(query) as number));
  }
  report("first search of an isolate", first);
  await measureReads(Math.round(reads / first.length));
  const times = percentileOf(first, 0.5) / percentileOf([...warm.values()], 0.5);
  console.log(
    `the median first search takes ${times.toFixed(1)} times the median warm one (query by query: median ${percentileOf(ratios, 0.5).toFixed(1)})`,
  );
  return times;
}

/** Prints mean, median, 95th percentile and worst, in milliseconds; gives back the mean. */
function report(name: string, values: readonly number[]): number {
  const at = (share: number): string => percentileOf(values, share).toFixed(2);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  console.log(
    `${name}: mean ${mean.toFixed(2)}, median ${at(0.5)}, p95 ${at(0.95)}, worst ${at(1)} ms above it (${values.length})`,
  );
  return mean;
}

async function meanCpu({ processes }: Measured, run: () => Promise<unknown>, repeats: number): Promise<number> {
  const before = cpuMs(processes);
  for (let round = 0; round < repeats; round++) await run();
  return (cpuMs(processes) - before) / repeats;
}

async function askNothing({ url }: Measured): Promise<void> {
  await (await fetch(`${url}/nothing-here`)).text();
}

/** Gives back how many reads the search took; 0 where none are counted. */
async function search({ url }: Measured, query: string, more = ""): Promise<number> {
  const response = await fetch(`${url}/search?q=${encodeURIComponent(query)}${more}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`${query}: ${response.status} ${text}`);
  return (JSON.parse(text) as { readonly cost?: { readonly reads: number } }).cost?.reads ?? 0;
}

async function callTool({ url }: Measured, query: string): Promise<void> {
  const body = JSON.stringify(makeCall(1, "search_documents", { query }));
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const response = await fetch(`${url}/mcp`, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`${query}: ${response.status} ${await response.text()}`);
  await response.text();
}
