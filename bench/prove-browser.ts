/**
 * Prove in a real browser that a page finds in static files what the core finds in Node, from any host, in few bytes.
 *
 *   npm run prove:browser -- DIR [COUNT]
 *
 * Builds an index of DIR, bundles the engine, serves both as static hosts do (byte ranges; whole files only; a wrong
 * type; another origin) and asks COUNT (60) searches in Chromium, each answer compared with the core's in Node. Hosts
 * that cannot serve an index must be refused for the right reason. Counts requests and bytes: first searches, further
 * ones, a word typed letter by letter. Ends with 1 when anything differs or a bar is missed. Installs Chromium by apt
 * where there is none.
 */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildCorpus } from "../indexer/build/build.ts";
import { inflateRaw } from "../indexer/codec.ts";
import { createDiskSource } from "../indexer/disk-source.ts";
import { bundleEngine } from "../indexer/engine/bundle-engine.ts";
import { percentileOf } from "../indexer/eval/metrics.ts";
import { IndexReader } from "../src/core/index/index-reader.ts";
import { openIndex } from "../src/core/index/open-index.ts";
import { LruCache } from "../src/core/index/value-cache.ts";
import { makeSearchRequest } from "../src/core/search/request.ts";
import { search } from "../src/core/search/search.ts";
import { MAX_WHOLE_FILE_BYTES } from "../src/element/fetch-source.ts";
import { type HostHabits, type StaticHost, serveFiles } from "../test/support/static-host.ts";
import { type Answer, type Cost, type Plan, type Report, runInPage } from "./browser-page.ts";
import { openPage } from "./chromium.ts";
import { drawSearches } from "./draw-queries.ts";

const MAX_WAIT_MS = 240_000;
const WORD = "configuration";
/** Between two keys of somebody who types fast. */
const KEY_MS = 150;
const MOST_TYPED_BYTES = 30_000;
const COLD_SEARCHES = 10;
const LIMIT = 6;
/** Round trips of a first and of a further search of up to five words, typed without a slip. */
const MOST_WAVES = { cold: 3, warm: 2 } as const;

const [dir, countText = "60"] = process.argv.slice(2);
if (dir === undefined) {
  console.error("usage: npm run prove:browser -- DIR [COUNT]");
  process.exit(2);
}

const PAGE = `<!doctype html><title>Proof</title><script type="module">
import * as engine from "./engine.js";
(${runInPage})(engine, location.href);
</script>`;

const scratch = await mkdtemp(join(tmpdir(), "treeline-browser-"));
const closing: (() => unknown)[] = [() => rm(scratch, { recursive: true, force: true })];
try {
  process.exitCode = (await prove(dir)) ? 0 : 1;
} finally {
  for (const close of closing.reverse()) await close();
}

async function prove(folder: string): Promise<boolean> {
  const outDir = join(scratch, "index");
  await buildCorpus({ dir: folder, outDir });
  const index = new Map<string, Uint8Array>();
  for (const name of await readdir(outDir)) index.set(name, await readFile(join(outDir, name)));
  const queries = drawSearches(folder, Number(countText));
  const largest = Math.max(...[...index.values()].map(({ length }) => length));

  const other = await serve(index, { cors: true, cacheControl: "no-store" });
  const hosts: Record<string, { host: StaticHost; expected: string | undefined }> = {
    "another origin": { host: other, expected: undefined },
    "whole files only": {
      host: await serve(index, { cors: true, ranges: false }),
      expected: largest > MAX_WHOLE_FILE_BYTES ? "no-ranges" : undefined,
    },
    "a wrong type": { host: await serve(index, { cors: true, type: "text/html" }), expected: undefined },
    "no other origins": { host: await serve(index, {}), expected: "unreachable" },
    "parts of compressed files": {
      host: await serve(index, { cors: true, compress: "slice" }),
      expected: "encoded",
    },
    "a page for missing files": {
      host: await serve(new Map(), { cors: true, fallback: "<!doctype html><title>Site</title>" }),
      expected: "page-instead-of-file",
    },
  };
  let posted: (report: Report) => void;
  const reported = new Promise<Report>((resolve) => {
    posted = resolve;
  });
  const plan: Plan = {
    queries,
    limit: LIMIT,
    word: WORD,
    keyMs: KEY_MS,
    coldSearches: COLD_SEARCHES,
    hosts: Object.fromEntries(Object.entries(hosts).map(([name, { host }]) => [name, host.url])),
  };
  const pages = new Map<string, Uint8Array>([
    ["page.html", Buffer.from(PAGE)],
    ["plan.json", Buffer.from(JSON.stringify(plan))],
    ...(await bundleEngine()).map(({ name, bytes }): [string, Uint8Array] => [name, bytes]),
    ...[...index].map(([name, bytes]): [string, Uint8Array] => [`index/${name}`, bytes]),
  ]);
  const types: Readonly<Record<string, string>> = {
    html: "text/html",
    js: "text/javascript",
    json: "application/json",
  };
  const own = await serve(pages, {
    cacheControl: "no-store",
    type: (path) => types[path.split(".").at(-1) ?? ""] ?? "application/octet-stream",
    receive: (_, body) => posted(JSON.parse(body) as Report),
  });
  closing.push(openPage(`${own.url}page.html`));
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error("the page did not answer")), MAX_WAIT_MS).unref();
  });
  const report = await Promise.race([reported, late]);
  if (report.error !== undefined) throw new Error(report.error);
  console.log(report.agent);

  const expected = await askCore(outDir, queries);
  let isGood = true;
  const names: [string, string | undefined][] = [
    ["own origin", undefined],
    ...Object.entries(hosts).map(([name, host]): [string, string | undefined] => [name, host.expected]),
  ];
  for (const [name, problem] of names) {
    const got = report.hosts[name] ?? "no answer";
    const differing = typeof got === "string" ? [] : queries.filter((_, at) => !isSame(got[at], expected[at]));
    const isRight = typeof got === "string" ? got === problem : problem === undefined && differing.length === 0;
    isGood &&= isRight;
    const said = typeof got === "string" ? `refused: ${got}` : `${got.length} answers, ${differing.length} differ`;
    console.log(`${isRight ? "ok " : "BAD"} ${name}: ${said}${differing.length > 0 ? `, first: ${differing[0]}` : ""}`);
  }
  const further = report.hosts["own origin"] as readonly Answer[];
  isGood = describe("first searches", report.cold, MOST_WAVES.cold) && isGood;
  isGood = describe("further searches", further.slice(COLD_SEARCHES), MOST_WAVES.warm) && isGood;
  const { bytes, answers } = report.typed;
  const isShort = bytes <= MOST_TYPED_BYTES;
  console.log(`${isShort ? "ok " : "BAD"} "${WORD}" typed letter by letter: ${answers} answers, ${bytes} bytes`);
  return isGood && isShort;
}

/** Serve files until the proof is over. */
async function serve(files: ReadonlyMap<string, Uint8Array>, habits: HostHabits): Promise<StaticHost> {
  const host = await serveFiles((path) => files.get(path), habits);
  closing.push(() => host.close());
  return host;
}

/** The answers of the core in Node to the same searches, one after the other. */
async function askCore(outDir: string, queries: readonly string[]): Promise<Answer[]> {
  const source = createDiskSource(outDir);
  const pointer = await source.readPointer();
  if (pointer === undefined || pointer === "unchanged") throw new Error("no pointer was built");
  const index = await openIndex(pointer.bytes, source, inflateRaw, new LruCache(64 * 1024 * 1024), pointer.modifiedAt);
  const answers: Answer[] = [];
  for (const query of queries) {
    answers.push(
      await search(
        new IndexReader(index, ["public"], { residency: "shown" }),
        makeSearchRequest(query, { limit: LIMIT }),
      ),
    );
  }
  return answers;
}

/** Equal in all but what reading cost. */
function isSame(got: Answer | undefined, expected: Answer | undefined): boolean {
  return JSON.stringify({ ...got, cost: 0 }) === JSON.stringify({ ...expected, cost: 0 });
}

function describe(name: string, answers: readonly Answer[], mostWaves: number): boolean {
  // A slip costs two round trips more, operators rounds of text.
  const plain = answers.filter(
    ({ corrections, interpretation }) => corrections.length === 0 && interpretation === undefined,
  );
  const of = (member: keyof Cost, share: number): number =>
    percentileOf(
      plain.map(({ cost }) => cost[member]),
      share,
    );
  const isGood = of("waves", 0.5) <= mostWaves;
  console.log(
    `${isGood ? "ok " : "BAD"} ${name} (${plain.length}): median ${of("bytes", 0.5)} bytes, ${of("waves", 0.5)} waves, ${of("reads", 0.5)} reads; worst ${of("bytes", 1)} bytes, ${of("waves", 1)} waves`,
  );
  return isGood;
}
