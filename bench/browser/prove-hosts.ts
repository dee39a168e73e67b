/**
 * Index files on hosts of all kinds, searched by the engine in a browser: byte ranges, whole files only, a wrong type, another
 * origin. Hosts that cannot serve an index must be refused for the right reason, the others give the answers of the core in
 * Node, but for the last digits of scores. Counts rounds and bytes: first searches, further ones, a word typed letter by letter.
 */
import type { Browser } from "playwright-core";
import { inflateRaw } from "../../indexer/base/codec.ts";
import { openSource } from "../../indexer/base/index-source.ts";
import { percentileOf } from "../../indexer/cli/commands/eval.ts";
import { bundleEngine } from "../../indexer/engine/bundle-pages.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { openIndex } from "../../src/core/index/open-index.ts";
import { LruCache } from "../../src/core/index/value-cache.ts";
import { makeSearchRequest } from "../../src/core/search/answer.ts";
import { search } from "../../src/core/search/search.ts";
import { type HostHabits, type StaticHost, serveFiles } from "../../test/support/static-host.ts";
import { drawSearches } from "../draw-queries.ts";
import { type Answer, askInPage, type Cost, type Plan, type Report } from "./ask-hosts.ts";
import { isSameAnswer } from "./is-same-answer.ts";

/** A host without ranges gives a page files up to this size. */
const MAX_WHOLE_FILE_BYTES = 2 * 1024 * 1024;
const WORD = "configuration";
/** Between two keys of somebody who types fast. */
const KEY_MS = 150;
const MOST_TYPED_BYTES = 30_000;
const COLD_SEARCHES = 10;
const LIMIT = 6;
/** Round trips of a first and of a further search of up to five words, typed without a slip. */
const MOST_WAVES = { cold: 3, warm: 2 } as const;
const PAGE = `<!doctype html><link rel="icon" href="data:,"><title>Proof</title>`;

/** What is served and asked. */
export interface HostedCorpus {
  /** Folder of the pages, which questions are drawn from. */
  readonly folder: string;
  /** Folder of the index, and its files. */
  readonly outDir: string;
  readonly index: ReadonlyMap<string, Uint8Array>;
  /** Number of questions. */
  readonly count: number;
}

/** Ask every host, print what came of it. True where all is as it should be. */
export async function proveHosts(browser: Browser, corpus: HostedCorpus): Promise<boolean> {
  const closing: (() => Promise<void>)[] = [];
  try {
    return await askHosts(browser, corpus, async (files, habits) => {
      const host = await serveFiles((path) => files.get(path), habits);
      closing.push(() => host.close());
      return host;
    });
  } finally {
    for (const close of closing) await close();
  }
}

async function askHosts(
  browser: Browser,
  { folder, outDir, index, count }: HostedCorpus,
  serve: (files: ReadonlyMap<string, Uint8Array>, habits: HostHabits) => Promise<StaticHost>,
): Promise<boolean> {
  const queries = drawSearches(folder, count);
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
  });
  const page = await browser.newPage();
  await page.goto(`${own.url}page.html`);
  const report: Report = await page.evaluate(
    `import("./engine.js").then((engine) => (${askInPage})(engine, location.href, ${JSON.stringify(plan)}))`,
  );
  await page.close();

  const expected = await askCore(outDir, queries);
  let isGood = true;
  const names: [string, string | undefined][] = [
    ["own origin", undefined],
    ...Object.entries(hosts).map(([name, host]): [string, string | undefined] => [name, host.expected]),
  ];
  for (const [name, problem] of names) {
    const got = report.hosts[name] ?? "no answer";
    const differing = typeof got === "string" ? [] : queries.filter((_, at) => !isSameAnswer(got[at], expected[at]));
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

/** The answers of the core in Node to the same searches, one after the other. */
async function askCore(outDir: string, queries: readonly string[]): Promise<Answer[]> {
  const source = openSource(outDir);
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
