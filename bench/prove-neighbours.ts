/**
 * Prove that one caller who asks for much holds up nobody else.
 *
 *   npm run prove:neighbours -- FOLDER [SECONDS] [SEED]
 *
 * Ordinary calls of all kinds, eight a second, for SECONDS (300): once alone, once beside one hostile call a second, the
 * dearest that are known, each with a budget of its own so that no answer is at hand. Isolates have a heap of 128 MB, as
 * deployed ones have, and nothing is limited by address. Ends with 1 when an ordinary call fails, when their 99th percentile
 * is more than twice that of the run alone, or when memory still grows.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { openLocalBucket } from "../indexer/cli/dev/local-bucket.ts";
import { buildCorpus } from "../indexer/index/build.ts";
import { projectRoot } from "../test/support/environment.ts";
import { type LoadRequest, sendAtRate } from "../test/support/load.ts";
import { drawLoadCalls, makeCall } from "../test/support/load-calls.ts";
import { bundleWorker, startPlainWorker } from "./plain-workerd.ts";

const ORDINARY_RATE = 8;
const HOSTILE_RATE = 1;
const WARM_SECONDS = 30;
const SAMPLE_MS = 500;
const MOST_SLOWER = 2;
const MOST_GROWTH = 0.05;
/** What is asked for much: each of them in turn. */
const HOSTILE: readonly (readonly [tool: string, args: object])[] = [
  ["get_tree", {}],
  ["grep_documents", { pattern: "(x+x+)+y", regex: true }],
  ["search_nodes", { query: "*e*", include: ["calls", "called_by"], limit: 200 }],
  ["grep_documents", { pattern: ".", regex: true, limit: 200 }],
  ["search_documents", { query: "many words of all kinds ".repeat(80), limit: 50, include_content: true }],
  ["find_similar", { content: "what may be the same as something else ".repeat(400), threshold: 0.01 }],
];
/** Budgets of answers go round, so that a kept answer is rarely the one that is asked for. */
const LEAST_TOKENS = 1_000;
const BUDGETS = 4_000;

const [folder, secondsText = "300", seedText = "1"] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: npm run prove:neighbours -- FOLDER [SECONDS] [SEED]");
  process.exit(2);
}
const seconds = Number(secondsText);
const dir = await mkdtemp(join(tmpdir(), "treeline-neighbours-"));
const [index, state] = [join(dir, "index"), join(dir, "state")];
await buildCorpus({ dir: resolve(folder), outDir: index });
const bucket = openLocalBucket(state);
await bucket.seed(index);
await bucket.close();
const server = await startPlainWorker({
  bundle: bundleWorker(join(projectRoot, "wrangler.toml"), join(dir, "bundle")),
  entry: "worker.js",
  state,
  bindings: {
    bindings: { LOG_LEVEL: "error", TREELINE_SECRET: "neighbours", RATE_LIMITS: "off" },
    r2Buckets: { INDEX: "treeline-index" },
    durableObjects: { INSIGHTS: { className: "QueryInsights", useSQLite: true } },
  },
});
try {
  const calls = await drawLoadCalls(index, Number(seedText));
  let sent = 0;
  const hostile = (): LoadRequest => {
    const [tool, args] = HOSTILE[++sent % HOSTILE.length] as (typeof HOSTILE)[number];
    return { path: "/mcp", body: makeCall(sent, tool, { ...args, max_tokens: LEAST_TOKENS + (sent % BUDGETS) }) };
  };
  const ordinary = { rate: ORDINARY_RATE, seconds };
  await sendAtRate(server.url, calls.mcp, { rate: ORDINARY_RATE, seconds: WARM_SECONDS });
  for (const _ of HOSTILE) await sendAtRate(server.url, hostile, { rate: HOSTILE_RATE, seconds: 1 });
  const alone = await sendAtRate(server.url, calls.mcp, ordinary);
  const memory: number[] = [];
  const timer = setInterval(() => memory.push(server.residentBytes()), SAMPLE_MS);
  const [beside, foe] = await Promise.all([
    sendAtRate(server.url, calls.mcp, ordinary),
    sendAtRate(server.url, hostile, { rate: HOSTILE_RATE, seconds }),
  ]);
  clearInterval(timer);
  for (const [name, { requests, p50, p95, p99, errorCount }] of Object.entries({ alone, beside, hostile: foe })) {
    console.log(
      `${name}: ${requests} calls, p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, ${errorCount} failed`,
    );
  }
  const mean = (list: readonly number[]): number => list.reduce((sum, bytes) => sum + bytes, 0) / list.length;
  const middle = mean(memory.slice(memory.length / 4, memory.length / 2));
  const last = mean(memory.slice(-memory.length / 4));
  console.log(`memory: second quarter ${(middle / 1e6).toFixed(0)} MB, last quarter ${(last / 1e6).toFixed(0)} MB`);
  const faults = [
    ...(alone.errorCount + beside.errorCount > 0
      ? [`ordinary calls failed: ${[...alone.errors, ...beside.errors].join("; ")}`]
      : []),
    ...(beside.p99 > MOST_SLOWER * alone.p99
      ? [`p99 is ${(beside.p99 / alone.p99).toFixed(1)} times that of the run alone`]
      : []),
    ...(last > middle * (1 + MOST_GROWTH) ? ["memory still grows"] : []),
  ];
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  await server.stop();
  await rm(dir, { recursive: true, force: true });
}
