/**
 * CPU of each tool beside that of a search, and what each call is charged, on the same indexes in one interleaved run.
 *
 *   npm run prove:cost -- INDEX [INDEX …]
 *
 * Each tool is called with arguments drawn from the index, and with the dearest that are known, over MCP in the Workers
 * runtime: twice to warm it and then ROUNDS times in turn, so that what else the machine does hits all alike. What is counted
 * is the CPU of the runtime, see \`process-cpu.ts\`. A call's figure is the median of its rounds; a ratio is that of the dearest
 * call of a tool to the median search. Fails where one is above its bar.
 */
import { readdirSync } from "node:fs";
import { openDiskIndex } from "../indexer/base/index-source.ts";
import { percentileOf } from "../indexer/cli/commands/eval.ts";
import type { IndexReader } from "../src/core/index/index-reader.ts";
import { readVocabulary } from "../test/support/mixed-calls.ts";
import { startWorker } from "../test/support/workerd.ts";
import { cpuMs, readProc } from "./process-cpu.ts";
import { makeRandom, shuffle } from "./random.ts";

const ROUNDS = 7;
/** A budget that all tools take, and from which on each round has one of its own. */
const LEAST_TOKENS = 2_990;
const SAMPLES = 8;
/** Times the median search. */
const BARS: Readonly<Record<string, number>> = {
  get_tree: 3,
  search_nodes: 3,
  rename: 3,
  grep_documents: 3,
  analyze_impact: 3,
};
const MOST = 5;

type Arguments = Readonly<Record<string, unknown>>;
interface Answer {
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}
type Ask = (tool: string, args: Arguments) => Promise<Answer>;
type Calls = Readonly<Record<string, readonly Arguments[]>>;

const dirs = process.argv.slice(2);
if (dirs.length === 0) {
  console.error("usage: npm run prove:cost -- INDEX [INDEX …]");
  process.exit(2);
}
for (const dir of dirs) await measure(dir);

async function measure(dir: string): Promise<void> {
  const reader = await openDiskIndex(dir);
  const worker = await startWorker({ RATE_LIMITS: "off", LOG_LEVEL: "off" });
  try {
    await worker.publish("", dir);
    let id = 0;
    const ask: Ask = async (tool, args) => {
      const body = JSON.stringify({
        jsonrpc: "2.0",
        id: ++id,
        method: "tools/call",
        params: { name: tool, arguments: args },
      });
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      const response = await fetch(`${worker.url}/mcp`, { method: "POST", headers, body });
      const { result, error } = (await response.json()) as { readonly result?: Answer; readonly error?: unknown };
      if (result === undefined) throw new Error(`${tool} ${JSON.stringify(args)}: ${JSON.stringify(error)}`);
      return result;
    };
    const calls = await drawCalls(reader, ask);
    const times = await timeCalls(calls, ask, findRuntimes());
    print(dir, calls, times);
  } finally {
    await worker.stop();
  }
}

/** Medians of the CPU that a call takes in the Workers runtime, in milliseconds. */
interface Times {
  /** Asked again on the same generation. */
  readonly again: number;
  /** Asked for the first time, by an isolate that read the same index before. */
  readonly first: number;
}

/** What calls take, by call. */
async function timeCalls(calls: Calls, ask: Ask, processes: readonly number[]): Promise<ReadonlyMap<string, Times>> {
  const again = new Map<string, number[]>();
  const first = new Map<string, number[]>();
  const list = Object.entries(calls).flatMap(([tool, given]) => given.map((args) => ({ tool, args })));
  const time = async (tool: string, args: Arguments): Promise<number> => {
    const before = cpuMs(processes);
    await ask(tool, args);
    return cpuMs(processes) - before;
  };
  for (let round = -2; round < ROUNDS; round++) {
    for (const { tool, args } of list) {
      const name = nameOf(tool, args);
      if (round === -2) {
        const { isError, content } = await ask(tool, args);
        if (isError === true) console.log(`refused: ${name}: ${content[0]?.text.slice(0, 80)}`);
      } else {
        // Another budget is another call.
        const fresh = await time(tool, { ...args, max_tokens: LEAST_TOKENS + round });
        const known = await time(tool, args);
        if (round < 0) continue;
        first.set(name, [...(first.get(name) ?? []), fresh]);
        again.set(name, [...(again.get(name) ?? []), known]);
      }
    }
  }
  const medianOf = (values: readonly number[] = []): number => percentileOf(values, 0.5);
  return new Map(
    list
      .map(({ tool, args }) => nameOf(tool, args))
      .map((name) => [name, { again: medianOf(again.get(name)), first: medianOf(first.get(name)) }]),
  );
}

function print(dir: string, calls: Calls, times: ReadonlyMap<string, Times>): void {
  const of = (tool: string, kind: keyof Times): { readonly ms: number; readonly args: Arguments }[] =>
    (calls[tool] ?? [])
      .map((args) => ({ args, ms: times.get(nameOf(tool, args))?.[kind] ?? 0 }))
      .sort((a, b) => b.ms - a.ms);
  const medianOf = (tool: string, kind: keyof Times): number =>
    percentileOf(
      of(tool, kind).map(({ ms }) => ms),
      0.5,
    );
  const search = medianOf("search_documents", "first");
  console.log(`\n${dir}: the median search takes ${search.toFixed(1)} ms`);
  for (const tool of Object.keys(calls)) {
    const bar = BARS[tool] ?? MOST;
    const figures = (["again", "first"] as const).map((kind) => {
      const [dearest] = of(tool, kind);
      const ratio = (dearest?.ms ?? 0) / search;
      const args = JSON.stringify(dearest?.args ?? {}).slice(0, 70);
      return {
        ratio,
        text: `${kind}: median ${(medianOf(tool, kind) / search).toFixed(1)}, dearest ${ratio.toFixed(1)} ${args}`,
      };
    });
    const [again, first] = figures;
    const isOver = (again?.ratio ?? 0) > bar;
    if (isOver) process.exitCode = 1;
    const verdict = isOver ? "FAILED" : (first?.ratio ?? 0) > bar ? "first over" : "ok";
    console.log(`${verdict} ${tool} (bar ${bar}; ${figures.map(({ text }) => text).join("; ")})`);
  }
}

function nameOf(tool: string, args: Arguments): string {
  return `${tool} ${JSON.stringify(args).slice(0, 90)}`;
}

/** Processes of the Workers runtime that this one started. */
function findRuntimes(): number[] {
  return readdirSync("/proc")
    .filter((id) => /^\d+$/.test(id) && readProc(`/proc/${id}/comm`).trim() === "workerd")
    .map(Number)
    .filter((id) => / (\d+) /.exec(readProc(`/proc/${id}/stat`).replace(/^.*\) \S/, ""))?.[1] === String(process.pid));
}

/** Calls of each tool: what is drawn from an index, and the dearest that are known. */
async function drawCalls(reader: IndexReader, ask: Ask): Promise<Calls> {
  const random = makeRandom(1);
  const { words, documents, sections, texts } = await readVocabulary(reader, random);
  const some = <T>(values: readonly T[], count = SAMPLES): T[] => shuffle(values, random).slice(0, count);
  const found = await ask("search_nodes", { query: "*", limit: 200, format: "json", max_tokens: 6000 });
  const nodes = (found.structuredContent?.["symbols"] ?? []) as readonly {
    readonly id: string;
    readonly name: string;
  }[];
  const symbols = nodes.slice(0, SAMPLES).map(({ id }) => id);
  const folders = [...new Set(documents.map((id) => id.slice(id.indexOf(":") + 1).split("/")[0] ?? ""))];
  const several = (count: number): string => some(words, count).join(" ");
  return {
    search_documents: [1, 1, 2, 2, 3, 3, 4, 5].map((count) => ({ query: several(count) })),
    get_tree: [
      {},
      ...reader.collections.map(({ name }) => ({ collection: name })),
      ...some(folders, 3).map((path) => ({ path })),
      ...some(documents, 4).map((doc_id) => ({ doc_id })),
    ],
    get_node_content: some(sections).map((node_id) => ({ node_ids: [node_id] })),
    navigate_tree: some(sections, 4).map((node_id) => ({ node_id })),
    grep_documents: [
      { pattern: ".", regex: true },
      { pattern: "return" },
      { pattern: "(x+x+)+y", regex: true },
      { pattern: "[a-z]+\\(.*\\)$", regex: true },
      { pattern: "the" },
      ...some(words, 4).map((pattern) => ({ pattern })),
    ],
    list_documents: [{}, { limit: 100 }, { query: words[0] }],
    find_similar: some(texts, 4).map((content) => ({ content: content.slice(0, 3000) })),
    find_symbol: [{ query: "*" }, { query: "get" }, ...some(nodes, 4).map(({ name }) => ({ query: name }))],
    read: some(documents, 4).map((file) => ({ file })),
    inspect: symbols.map((symbol) => ({ symbol })),
    references: symbols.map((symbol) => ({ symbol })),
    call_hierarchy: symbols.flatMap((symbol) => [{ symbol }, { symbol, depth: 3 }]),
    completion: [{ prefix: "get" }, { prefix: "a" }],
    rename: symbols.map((symbol) => ({ symbol, new_name: "renamedByProof" })),
    get_graph_summary: [{}, { force_refresh: true }],
    search_nodes: [
      { query: "*" },
      { query: "*", include: ["calls", "called_by"] },
      { query: "*e*" },
      ...some(nodes, 4).map(({ name }) => ({ query: name })),
    ],
    get_dependencies: some(documents, 3).map((target) => ({ target })),
    analyze_impact: symbols.map((target) => ({ target, depth: 10 })),
    find_path: [{ from: symbols[0], to: symbols[1] }],
    list_categories: [{}],
    concept_search: [{ concept: words[1] }],
    diagnostics: [{}],
    logs: [{ level: "info" }],
    index_status: [{}],
  };
}
