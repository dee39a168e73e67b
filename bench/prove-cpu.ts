/**
 * CPU that a search costs in the Workers runtime.
 *
 *   npm run prove:cpu -- DIR [COUNT]
 *
 * Serves DIR by `treeline dev` and asks COUNT (200) different searches, drawn with a seed from words of its pages and
 * from its headings, one after the other. What is counted is the CPU time of all threads of all workerd processes, by
 * the scheduler's own clock (Linux, /proc/PID/task/TID/schedstat), which does not depend on what else the machine does.
 * Each search is asked once to fill the isolate's memory and then REPEATS times; from its mean that of an address where
 * there is nothing is taken off. Beside it the same search as a call of the tool.
 */
import { percentileOf } from "../indexer/cli/commands/eval.ts";
import { removeServed, startDev } from "../test/support/dev-server.ts";
import { drawSearches } from "./draw-queries.ts";
import { cpuMs, readProc } from "./process-cpu.ts";

const REPEATS = 5;
const WARM_UP = 60;
const MOST_MS = 10;

const [dir, countText = "200"] = process.argv.slice(2);
if (dir === undefined) {
  console.error("usage: npm run prove:cpu -- DIR [COUNT]");
  process.exit(2);
}
const queries = drawSearches(dir, Number(countText));
const server = await startDev(dir, "--port", "0", "--no-watch");
try {
  const processes = server.startedProcesses().filter((id) => readProc(`/proc/${id}/comm`).trim() === "workerd");
  const empty = async (): Promise<void> => void (await (await fetch(`${server.url}/nothing-here`)).text());
  for (let round = 0; round < WARM_UP; round++) {
    await empty();
    await search(queries[round % queries.length] as string);
    await callTool(queries[round % queries.length] as string);
  }
  const base = await meanCpu(processes, empty, REPEATS * 20);
  const searches: number[] = [];
  const calls: number[] = [];
  for (const query of queries) {
    await search(query);
    searches.push((await meanCpu(processes, () => search(query), REPEATS)) - base);
    calls.push((await meanCpu(processes, () => callTool(query), REPEATS)) - base);
  }
  console.log(`an empty route: ${base.toFixed(2)} ms`);
  const worst = report("/search", searches);
  report("search_documents", calls);
  if (worst > MOST_MS) process.exitCode = 1;
} finally {
  await server.end("SIGTERM");
  await removeServed(dir);
}

/** Prints median, 95th percentile and worst, in milliseconds; gives back the 95th percentile. */
function report(name: string, values: readonly number[]): number {
  const at = (share: number): number => percentileOf(values, share);
  console.log(
    `${name}: median ${at(0.5).toFixed(2)} ms, p95 ${at(0.95).toFixed(2)} ms, worst ${at(1).toFixed(2)} ms above it (${values.length} queries)`,
  );
  return at(0.95);
}

async function meanCpu(processes: readonly number[], run: () => Promise<void>, repeats: number): Promise<number> {
  const before = cpuMs(processes);
  for (let round = 0; round < repeats; round++) await run();
  return (cpuMs(processes) - before) / repeats;
}

async function search(query: string): Promise<void> {
  const response = await fetch(`${server.url}/search?q=${encodeURIComponent(query)}`);
  if (!response.ok) throw new Error(`${query}: ${response.status} ${await response.text()}`);
  await response.text();
}

async function callTool(query: string): Promise<void> {
  const response = await fetch(`${server.url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "search_documents", arguments: { query } },
    }),
  });
  if (!response.ok) throw new Error(`${query}: ${response.status} ${await response.text()}`);
  await response.text();
}
