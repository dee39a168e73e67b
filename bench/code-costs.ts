/**
 * What the code tables weigh and what reading them costs, on made-up code: `node bench/code-costs.ts [files]`.
 *
 * Warm: the pointer and the upper directories are in memory, chunks are not.
 */

import { codeTables } from "../indexer/index/code-tables.ts";
import { callTree } from "../src/core/code/call-tree.ts";
import { completeSymbols } from "../src/core/code/complete-symbols.ts";
import { incomingEdges, mentionsOf, outgoingEdges } from "../src/core/code/edges.ts";
import { findSymbols } from "../src/core/code/find-symbols.ts";
import { loadFile, loadFileWithEdges } from "../src/core/code/load-files.ts";
import { resolveSymbol } from "../src/core/code/resolve-symbol.ts";
import { makeSymbolId } from "../src/core/format/code-model.ts";
import { encodeDirectory } from "../src/core/format/table.ts";
import type { Cost } from "../src/core/index/cost.ts";
import { IndexReader } from "../src/core/index/index-reader.ts";
import { LruCache } from "../src/core/index/value-cache.ts";
import { makeUpCode } from "../test/support/made-up-code.ts";
import { openCode } from "../test/support/open-code.ts";
import { makeRandom } from "./random.ts";

const CACHE_BYTES = 64 * 1024 * 1024;
const RUNS = 50;

const files = Number(process.argv[2] ?? 10_000);
const code = makeUpCode(1, { files, symbolsPerFile: 15, edgesPerFile: 60, mentions: 2 * files });
const symbols = code.files.flatMap((file) => file.symbols.map((symbol) => ({ file, symbol })));
const edges = code.edges.reduce((sum, list) => sum + list.length, 0);
console.log(`${files} files, ${symbols.length} symbols, ${edges} edges`);

const open = await openCode(code);
for (const [name] of codeTables(code)) {
  const directory = open.directories[name];
  const root = encodeDirectory(directory).length;
  console.log(`${name}: directory of height ${directory.height}, ${root} bytes in the root`);
}
console.log(`all tables: ${open.bytes} bytes, ${(open.bytes / symbols.length).toFixed(1)} a symbol`);

const random = makeRandom(2);
const draw = () => symbols[Math.floor(random() * symbols.length)] as (typeof symbols)[number];
const page = { offset: 0, limit: 15 };

/** Upper directories and the list of files: small, and asked for by every call. */
const warm = new LruCache(CACHE_BYTES);
const first = new IndexReader({ ...open.reader.index, cache: warm });
for (const [table] of codeTables(code)) {
  const { height, entries } = open.directories[table];
  if (height > 0) await first.read([{ shard: 0, table, keys: entries.map(({ prefix }) => prefix) }]);
}
await loadFile(first, draw().file.id);
const isKept = (key: string): boolean => key.includes("/directory:") || key.endsWith("/files/0");

/** What a call costs that finds nothing else in memory: median, 95th percentile, most. */
async function measure(what: string, call: (reader: IndexReader) => Promise<unknown>): Promise<void> {
  const costs: Cost[] = [];
  for (let run = 0; run < RUNS; run++) {
    const own = new LruCache(CACHE_BYTES);
    const get = (key: string): unknown => own.get(key) ?? (isKept(key) ? warm.get(key) : undefined);
    const cache = { get, set: own.set.bind(own) };
    const reader = new IndexReader({ ...open.reader.index, cache });
    await call(reader);
    costs.push(reader.cost);
  }
  const at = (share: number, unit: keyof Cost): number =>
    costs.map((cost) => cost[unit]).sort((a, b) => a - b)[Math.floor(share * (costs.length - 1))] ?? 0;
  const row = (share: number): string =>
    `${at(share, "waves")} waves, ${at(share, "reads")} reads, ${(at(share, "bytes") / 1000).toFixed(1)} kB`;
  console.log(`${what}: ${row(0.5)}; p95 ${row(0.95)}; most ${row(1)}`);
}

const wordsOf = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])|_/g, " ").toLowerCase();

await measure("find a name", (reader) => findSymbols(reader, { query: draw().symbol.name, ...page }));
await measure("find a name, one kind and language", (reader) => {
  const { symbol, file } = draw();
  return findSymbols(reader, { query: symbol.name, kinds: [symbol.kind], languages: [file.language], ...page });
});
await measure("find two words", (reader) => findSymbols(reader, { query: wordsOf(draw().symbol.name), ...page }));
await measure("find Container.member", (reader) => findSymbols(reader, { query: draw().symbol.path, ...page }));
await measure("find constructor", (reader) => findSymbols(reader, { query: "constructor", ...page }));
await measure("find create*", (reader) => findSymbols(reader, { query: "create*", ...page }));
await measure("find *Store*", (reader) => findSymbols(reader, { query: "*Store*", ...page }));
await measure("find *ore*", (reader) => findSymbols(reader, { query: "*ore*", ...page }));
await measure("find a name, five shown", (reader) =>
  findSymbols(reader, { query: draw().symbol.name, offset: 0, limit: 5 }),
);
await measure("load a file", (reader) => loadFile(reader, draw().file.id));
await measure("resolve a name", (reader) => resolveSymbol(reader, draw().symbol.name));
await measure("resolve path#name", (reader) => {
  const { file, symbol } = draw();
  return resolveSymbol(reader, `${file.id}#${symbol.path}`);
});
const idOf = ({ file, symbol }: ReturnType<typeof draw>): string => makeSymbolId(file, symbol);
await measure("incoming edges", (reader) =>
  incomingEdges(reader, [{ id: idOf(draw()) }], {}, { offset: 0, limit: 50 }),
);
await measure("incoming edges, six shown", (reader) =>
  incomingEdges(reader, [{ id: idOf(draw()) }], {}, { offset: 0, limit: 6 }),
);
await measure("outgoing edges", async (reader) => {
  const file = await loadFileWithEdges(reader, draw().file.id);
  return file && outgoingEdges(reader, file, {}, { offset: 0, limit: 15 });
});
await measure("complete a prefix", (reader) =>
  completeSymbols(reader, { prefix: draw().symbol.name.slice(0, 4), limit: 20 }),
);
await measure("mentions of a symbol", (reader) => mentionsOf(reader, idOf(draw())));
await measure("callers, two levels", async (reader) => {
  const [symbol] = (await resolveSymbol(reader, idOf(draw()))).symbols;
  return symbol && callTree(reader, symbol, { direction: "callers", depth: 2 });
});

let isFirst = 0;
let inFive = 0;
let asked = 0;
const reader = new IndexReader({ ...open.reader.index, cache: warm });
for (let run = 0; run < 4 * RUNS; run++) {
  const { symbol } = draw();
  const exact = await findSymbols(reader, { query: symbol.name, offset: 0, limit: 1 });
  if (exact.symbols[0]?.record.name === symbol.name) isFirst++;
  const words = wordsOf(symbol.name).split(" ").reverse().join(" ");
  const found = await findSymbols(reader, { query: words, offset: 0, limit: 5 });
  if (found.symbols.some(({ record }) => record.name === symbol.name)) inFive++;
  asked++;
}
console.log(
  `the exact name first: ${(isFirst / asked).toFixed(3)}; its words, reversed, in the first five: ${(inFive / asked).toFixed(3)}`,
);
