/**
 * Prove that a server under load answers everything and keeps its memory.
 *
 *   npm run prove:load -- FOLDER [SECONDS] [SEED]
 *
 * All on this machine: workerd, and this program beside it. First the highest rate that an echo tool reaches: the endpoint
 * with a tool that reads nothing (`echo-worker.ts`). Then `/mcp` with tools of all kinds and `/search`, each for SECONDS (60)
 * at 70 % of that rate. What cannot go as fast as an echo is measured at 70 % of the highest rate of its own, and says so.
 * Isolates have a heap of 128 MB, as deployed ones have. Ends with 1 when a request fails, or when the memory of workerd still grows in the second half of a run.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { openLocalBucket } from "../indexer/cli/dev/local-bucket.ts";
import { buildCorpus } from "../indexer/index/build.ts";
import { projectRoot } from "../test/support/environment.ts";
import { type LoadReport, type LoadRequest, sendAsFastAsAnswered, sendAtRate } from "../test/support/load.ts";
import { drawLoadCalls, makeCall } from "../test/support/load-calls.ts";
import { bundleWorker, startPlainWorker } from "./plain-workerd.ts";

const SHARE = 0.7;
/** Connections that ask as fast as they are answered. */
const CONNECTIONS = 32;
const RATE_SECONDS = 8;
const WARM_SECONDS = 5;
const SAMPLE_MS = 500;
/** What the second and the last quarter of a run may differ by: heaps grow until they are swept. */
const MOST_GROWTH = 0.1;

/** Share of a rate that a run must reach for its latencies to be those of answers: this machine may be busy otherwise. */
const LEAST_KEPT = 0.95;

const [folder, secondsText = "60", seedText = "1"] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: npm run prove:load -- FOLDER [SECONDS] [SEED]");
  process.exit(2);
}
const seconds = Number(secondsText);
const highest = async (url: string, next: () => LoadRequest): Promise<number> => {
  await sendAsFastAsAnswered(url, next, { connections: CONNECTIONS, seconds: WARM_SECONDS });
  const report = await sendAsFastAsAnswered(url, next, { connections: CONNECTIONS, seconds: RATE_SECONDS });
  if (report.errorCount > 0) throw new Error(`${report.errorCount} errors: ${report.errors.join("; ")}`);
  return report.rate;
};

const dir = await mkdtemp(join(tmpdir(), "treeline-load-"));
const [index, state] = [join(dir, "index"), join(dir, "state")];
await buildCorpus({ dir: resolve(folder), outDir: index });
const bucket = openLocalBucket(state);
await bucket.seed(index);
await bucket.close();
const echo = await measureEcho();
console.log(`echo: ${echo.toFixed(0)} calls a second at most; 70 % are ${(echo * SHARE).toFixed(0)}`);
const server = await startPlainWorker({
  bundle: bundleWorker(join(projectRoot, "wrangler.toml"), join(dir, "bundle")),
  entry: "worker.js",
  state,
  bindings: {
    bindings: { LOG_LEVEL: "error", TREELINE_SECRET: "load" },
    r2Buckets: { INDEX: "treeline-index" },
    durableObjects: { INSIGHTS: { className: "QueryInsights", useSQLite: true } },
  },
});
try {
  const calls = await drawLoadCalls(index, Number(seedText));
  await prove("/mcp", calls.mcp);
  await prove("/search", calls.search);
} finally {
  await server.stop();
  await rm(dir, { recursive: true, force: true });
}

/** The rate of the echo tool. */
async function measureEcho(): Promise<number> {
  const bundle = bundleWorker(join(import.meta.dirname, "echo-worker.toml"), join(dir, "echo"));
  const worker = await startPlainWorker({ bundle, entry: "echo-worker.js", state, bindings: {} });
  let id = 0;
  try {
    return await highest(worker.url, () => ({ path: "/mcp", body: makeCall(++id, "echo", { text: `echo ${id}` }) }));
  } finally {
    await worker.stop();
  }
}

/** Runs at the rate that is due, and says what came of it. */
async function prove(name: string, next: () => LoadRequest): Promise<void> {
  const own = await highest(server.url, next);
  const rate = Math.min(echo, own) * SHARE;
  if (own * SHARE < echo * SHARE) {
    console.log(
      `${name} reaches ${own.toFixed(0)} a second at most, less than an echo: 70 % of that are ${rate.toFixed(0)}`,
    );
  }
  const memory: number[] = [];
  const timer = setInterval(() => memory.push(server.residentBytes()), SAMPLE_MS);
  const report = await sendAtRate(server.url, next, { rate, seconds });
  clearInterval(timer);
  const isFlat = describeRun(name, report, memory);
  if (report.errorCount > 0) console.error(`${name}: ${report.errorCount} errors: ${report.errors.join("; ")}`);
  if (!isFlat) console.error(`${name}: memory still grows`);
  if (report.rate < rate * LEAST_KEPT) {
    console.error(
      `${name}: ${rate.toFixed(0)} a second could not be held to the end: its latencies are those of a queue`,
    );
  }
  if (report.errorCount > 0 || !isFlat) process.exitCode = 1;
}

/** Prints a run. True where memory was flat. */
function describeRun(name: string, report: LoadReport, memory: readonly number[]): boolean {
  const MB = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
  const mean = (list: readonly number[]): number =>
    list.reduce((sum, bytes) => sum + bytes, 0) / Math.max(1, list.length);
  const second = mean(memory.slice(memory.length / 4, memory.length / 2));
  const last = mean(memory.slice(-memory.length / 4));
  const { requests, rate, p50, p95, p99, refused, errorCount } = report;
  console.log(
    `${name}: ${requests} requests at ${rate.toFixed(0)} a second, p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, ` +
      `p99 ${p99.toFixed(1)} ms, ${errorCount} errors, ${refused} refused in words`,
  );
  console.log(`${name}: resident memory of workerd, second quarter ${MB(second)}, last quarter ${MB(last)}`);
  return last <= second * (1 + MOST_GROWTH);
}
