/**
 * Time of `get_graph_summary` over MCP: answers from memory against those that read the index anew.
 *
 *     npm run bench:graph-summary -- INDEX [CALLS]
 */
import { performance } from "node:perf_hooks";
import { startServer } from "./world/ask-server.ts";

const [index, calls = "15"] = process.argv.slice(2);
if (index === undefined) throw new Error("npm run bench:graph-summary -- INDEX [CALLS]");

const server = await startServer(index, { answers: 0, charged: 0, overBudget: [], refused: [] });
const times = { cached: [] as number[], fresh: [] as number[] };
await server.ask("get_graph_summary", {});
// In turn, so that whatever else the machine does meets both alike.
for (let at = 0; at < Number(calls); at++) {
  for (const kind of ["cached", "fresh"] as const) {
    const start = performance.now();
    const { isError, text } = await server.ask("get_graph_summary", kind === "fresh" ? { force_refresh: true } : {});
    times[kind].push(performance.now() - start);
    if (isError) throw new Error(text);
  }
}
await server.close();
const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0;
for (const [kind, list] of Object.entries(times)) {
  process.stdout.write(`${kind}: median ${median(list).toFixed(1)} ms, slowest ${Math.max(...list).toFixed(1)} ms\n`);
}
