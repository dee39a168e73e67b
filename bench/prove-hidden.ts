/**
 * Prove that what a caller may not see changes nothing of what they get.
 *
 *   npm run prove:hidden -- SHOWN HIDDEN [REQUESTS] [SEED]
 *
 * Two Workers in the Workers runtime: one over the folder SHOWN, one over the same beside a private collection of HIDDEN. REQUESTS (3,000)
 * of nobody in particular, drawn from the words, ids and texts of both folders, go to both in the same order, over MCP and HTTP.
 * Status, headers and bodies must be the same but for what docs/access.md names: the generation, and the time and the duration of
 * the build. Answers that differ in figures of cost and size alone are counted apart. Ends with 1 where anything else differs.
 */
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openDiskIndex } from "../indexer/base/index-source.ts";
import { buildCorpus } from "../indexer/index/build.ts";
import { drawCalls, type MixedCall, readVocabulary } from "../test/support/mixed-calls.ts";
import { startWorker } from "../test/support/workerd.ts";
import { makeRandom } from "./random.ts";

const MOST_SHOWN = 5;
/** Requests of each kind in a row of so many. */
const ROUTES_EVERY = 3;
const OTHER_TOOLS: readonly MixedCall[] = [
  "get_graph_summary,diagnostics,logs,list_categories,index_status,describe_package,get_dependencies,get_tree"
    .split(",")
    .map((tool) => ({ tool, args: {} })),
  ["find_symbol", "search_nodes", "completion"].map((tool) => ({ tool, args: { query: "*", prefix: "a" } })),
].flat();
const ROUTES = [
  "/",
  "/status",
  "/summary",
  "/llms.txt",
  "/llms-full.txt",
  "/corpora",
  "/explorer/diagnostics",
  "/explorer/graph",
];

const [shown, hidden, countText = "3000", seedText = "1"] = process.argv.slice(2);
if (shown === undefined || hidden === undefined) {
  console.error("usage: npm run prove:hidden -- SHOWN HIDDEN [REQUESTS] [SEED]");
  process.exit(2);
}
const dir = await mkdtemp(join(tmpdir(), "treeline-hidden-"));
try {
  process.exitCode = (await compare(Number(countText), Number(seedText))) ? 0 : 1;
} finally {
  await rm(dir, { recursive: true, force: true });
}

async function compare(count: number, seed: number): Promise<boolean> {
  const collections = [
    { name: "docs", kind: "docs", root: "shown" },
    { name: "code", kind: "code", root: "shown" },
  ];
  const plain = await build("plain", collections);
  const beside = await build("beside", [
    ...collections,
    { name: "board", kind: "docs", root: "hidden", access: "board" },
    { name: "engine", kind: "code", root: "hidden", access: "money" },
  ]);
  const workers = await Promise.all([plain, beside].map(() => startWorker({ RATE_LIMITS: "off", LOG_LEVEL: "off" })));
  try {
    await Promise.all(workers.map((worker, at) => worker.publish("", at === 0 ? plain : beside)));
    const random = makeRandom(seed);
    // Half of the questions are about what only one of them has.
    const known = await openDiskIndex(plain);
    const secret = await openDiskIndex(beside);
    const draws = [
      drawCalls(await readVocabulary(known, random), random),
      drawCalls(await readVocabulary(secret, random), random),
    ] as const;
    let [different, inCost] = [0, 0];
    for (let at = 0; at < count; at++) {
      const request = makeRequest(at, draws[at % 2 === 0 ? 0 : 1].next().value);
      const answers = await Promise.all(workers.map(({ url }) => ask(url, request)));
      const [a, b] = answers.map((answer) => neutral(answer, [known.generation.id, secret.generation.id]));
      if (a === b) continue;
      if (withoutCost(a ?? "") === withoutCost(b ?? "")) {
        inCost++;
        continue;
      }
      if (different++ < MOST_SHOWN) describe(request, withoutCost(a ?? ""), withoutCost(b ?? ""));
    }
    console.log(
      `${count} requests, ${different} answered otherwise, ${inCost} with other figures of cost or size alone`,
    );
    return different === 0;
  } finally {
    for (const worker of workers) await worker.stop();
  }
}

async function build(name: string, collections: readonly object[]): Promise<string> {
  const folder = join(dir, name);
  await cp(resolve(shown as string), join(folder, "shown"), { recursive: true });
  await cp(resolve(hidden as string), join(folder, "hidden"), { recursive: true });
  await writeFile(join(folder, "treeline.config.json"), JSON.stringify({ collections }));
  const outDir = join(dir, `${name}-index`);
  await buildCorpus({ dir: folder, outDir, clock: Date.now });
  return outDir;
}

type Asked = { readonly path: string; readonly body?: string };

function makeRequest(at: number, call: MixedCall): Asked {
  const words = String(call.args["query"] ?? call.args["pattern"] ?? call.args["doc_id"] ?? "a");
  if (at % ROUTES_EVERY !== 0) return toCall(at, call);
  const routes = [
    ...ROUTES,
    `/search?q=${encodeURIComponent(words)}`,
    `/search?q=${encodeURIComponent(words)}&explain=true&limit=20`,
    `/suggest?q=${encodeURIComponent(words.slice(0, 4))}`,
    `/documents/${encodeURIComponent(words)}`,
    `/tree/${encodeURIComponent(words)}?format=json`,
    `/explorer/search?q=${encodeURIComponent(words)}`,
  ];
  const turn = Math.floor(at / ROUTES_EVERY);
  // Now and then a tool that is asked without anything drawn.
  if (turn % ROUTES_EVERY === 0) return toCall(at, OTHER_TOOLS[turn % OTHER_TOOLS.length] as MixedCall);
  return { path: routes[turn % routes.length] as string };
}

function toCall(id: number, { tool, args }: MixedCall): Asked {
  const params = { name: tool, arguments: args };
  return { path: "/mcp", body: JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params }) };
}

async function ask(url: string, { path, body }: Asked): Promise<string> {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const response = await fetch(`${url}${path}`, body === undefined ? {} : { method: "POST", headers, body });
  const listed = [...response.headers].filter(([name]) => !["date", "content-length", "etag"].includes(name));
  const text = `${response.status}\n${JSON.stringify(listed)}\n${await response.text()}`;
  return text.replaceAll(new URL(url).host, "HOST");
}

/** The answer without what may differ. */
function neutral(answer: string, generations: readonly string[]): string {
  const same = generations.reduce((text, id) => text.replaceAll(id, "GENERATION"), answer);
  return same
    .replace(/\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?Z| \d\d:\d\d UTC)/g, "TIME")
    .replace(/built in [\d.]+ m?s|"scanDurationMs":\d+|scanDurationMs\\*":\d+/g, "DURATION")
    .replace(
      /ageSeconds\\*":\d+|(?<=ursor\\*"(?:: ?\\*"| \\*"))[\w-]{30,}|(?<=cursor \\*")[\w-]{30,}|built (?:just now|\d+ min ago)|[0-9a-f]{16,}\b/g,
      "AGE",
    );
}

/** Without `Server-Timing`, `cost`, `treeline/cost` and sizes of index files. */
function withoutCost(answer: string): string {
  return answer
    .replace(/waves;desc=[^\]]*/g, "COST")
    .replace(/"(?:treeline\/)?cost":\{[^}]*\}/g, "COST")
    .replace(/indexBytes\\*":\d+|index [\d.]+ [kM]B of text/g, "SIZE");
}

function describe({ path, body = "" }: Asked, a: string, b: string): void {
  const from = [...a].findIndex((letter, at) => letter !== b[at]);
  console.log(`${path} ${body.slice(0, 200)}`);
  for (const text of [a, b]) console.log(`  … ${JSON.stringify(text.slice(Math.max(0, from - 80), from + 160))}`);
}
