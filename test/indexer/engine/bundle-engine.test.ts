import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { experimental_readRawConfig } from "wrangler";
import { bundleEngine, STAND_INS } from "../../../indexer/engine/bundle-pages.ts";
import { IndexReader } from "../../../src/core/index/index-reader.ts";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import { makeSearchRequest } from "../../../src/core/search/answer.ts";
import { search } from "../../../src/core/search/search.ts";
import { suggest } from "../../../src/core/search/suggest.ts";
import { buildCollections, openFiles } from "../../support/build-index.ts";
import { runs } from "../../support/runs.ts";
import { serveFiles } from "../../support/static-host.ts";

const ENGINE_FILE = "engine.js";
/** Gzip bytes of what a page loads for its first search, with the English stemmer. */
const MAX_ENGINE_BYTES = 41_800;
/** And of all that it may load on demand but the languages. */
const MAX_ON_DEMAND_BYTES = 20_300;

const COLLECTIONS = [
  {
    name: "docs",
    pages: {
      "a.md": "---\ntype: guide\n---\n# Install\n\nInstall the server.\n\n## Cache\n\nThe cache of the server is fast.",
      "b.md": "---\ntype: faq\n---\n# Questions\n\nWhere is the cache? Read `getUserName`.",
    },
  },
  { name: "de", language: "german" as const, pages: { "c.md": "# Häuser\n\nDie Häuser der Stadt sind alt." } },
];
const QUERIES = [
  "install server",
  "cache",
  "servre",
  '"the cache"',
  "-install cache",
  "type:faq cache",
  "Haus",
  "getUserName",
  "ca",
];

let files: Awaited<ReturnType<typeof bundleEngine>> = [];
let dir = "";

beforeAll(async () => {
  files = await bundleEngine();
  dir = await mkdtemp(join(tmpdir(), "treeline-engine-"));
  for (const { name, bytes } of files) await writeFile(join(dir, name), bytes);
  await writeFile(join(dir, "package.json"), '{ "type": "module" }');
});

afterAll(() => rm(dir, { recursive: true, force: true }));

it("stand-ins for the Worker are those that wrangler bundles it with", () => {
  const config = fileURLToPath(new URL("../../../wrangler.toml", import.meta.url));
  expect(experimental_readRawConfig({ config }).rawConfig).toMatchObject({ alias: STAND_INS });
});

describe("the engine's bundle", () => {
  it("stays within its bytes", () => {
    expect(files[0]?.name).toBe(ENGINE_FILE);
    expect(sizeOf((name) => name === ENGINE_FILE)).toBeLessThanOrEqual(MAX_ENGINE_BYTES);
    expect(sizeOf((name) => name !== ENGINE_FILE && name !== "analyzers.js")).toBeLessThanOrEqual(MAX_ON_DEMAND_BYTES);
  });

  it("holds nothing of Node, of the Worker, or of what a page never asks", () => {
    for (const { name, bytes, sources } of files) {
      expect(sources.length).toBeGreaterThan(0);
      for (const source of sources) {
        expect(source).toMatch(/^(?:src\/(?:core|web|surface)\/|.*node_modules\/(?:porter2|snowball-stemmers)\/)/);
        expect(source).not.toMatch(/grep|similar/);
      }
      const text = new TextDecoder().decode(bytes);
      const foreign = /(?:\}\s*from|\bimport)\s*"(?!\.\/)|import\("(?!\.\/)|\brequire\(|"node:|\bprocess\.|\bBuffer\b/g;
      expect([...text.matchAll(foreign)].map(([found]) => found)).toEqual([]);
      expect(name).toMatch(/^[a-z-]+\.js$/);
    }
  });

  it("loads stemmers of other languages, suggestions and corrections from files of their own", () => {
    const holders = (part: string): string[] =>
      files.filter(({ sources }) => sources.some((source) => source.includes(part))).map(({ name }) => name);
    expect(holders("snowball-stemmers")).toEqual(["analyzers.js"]);
    expect(holders("search/suggest.ts")).toEqual(["suggest-in-page.js"]);
    expect(holders("docs/facets.ts")).toEqual(["rarer-functions.js"]);
    expect(holders("search/correct.ts")).toEqual(["rarer-functions.js"]);
    expect(holders("search/phrases.ts")).toEqual(["rarer-functions.js"]);
    expect(holders("porter2")).toEqual([ENGINE_FILE]);
  });

  it("answers as the core it was bundled from, whatever it has to load", async () => {
    const { openStaticIndex } = load<EngineModule>(ENGINE_FILE);
    const { files: index } = await buildCollections(COLLECTIONS);
    const host = await serveFiles((path) => index.get(path));
    try {
      const page = await openStaticIndex(host.url);
      const { index: open } = await openFiles(index, ["public"]);
      for (const query of QUERIES) {
        const changes = { limit: 6, explain: true, withFacetCounts: true, asYouType: query === "ca" };
        const expected = await search(
          new IndexReader(open, ["public"], { residency: "shown" }),
          makeSearchRequest(query, changes),
        );
        expect({ ...(await page.search(query, changes)), cost: 0 }).toEqual({ ...expected, cost: 0 });
        expect(expected.hits.length, query).toBeGreaterThan(0);
      }
      expect((await page.suggest("inst")).suggestions.map(({ text }) => text)).toEqual(["Install"]);
      index.delete(POINTER_FILE);
      await expect(openStaticIndex(host.url)).rejects.toMatchObject({ problem: "no-index" });
    } finally {
      await host.close();
    }
  });

  it("suggests what the core suggests", async () => {
    const { openStaticIndex } = load<EngineModule>(ENGINE_FILE);
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "é"), minLength: 1, maxLength: 3 });
    const title = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(title, { minLength: 1, maxLength: 12 }), title, async (titles, query) => {
        const pages = Object.fromEntries(titles.map((text, at) => [`${at}.md`, `# ${text}\n`]));
        const { files: own } = await buildCollections([{ name: "docs", pages }]);
        const { index } = await openFiles(own, ["public"]);
        const expected = await suggest(new IndexReader(index), { query, limit: 8, collections: [] });
        const page = await openStaticIndex(FOLDER, { send: sendFrom(own) });
        expect((await page.suggest(query)).suggestions).toEqual(expected.suggestions);
      }),
      { numRuns: runs(60) },
    );
    const { files: own } = await buildCollections(COLLECTIONS);
    const page = await openStaticIndex(FOLDER, { send: sendFrom(own) });
    expect((await page.suggest("qu")).suggestions).toHaveLength(1);
  });

  it("writes parts that import the engine alone, so that none is waited for a round longer", () => {
    for (const { name, bytes } of files) {
      const text = new TextDecoder().decode(bytes);
      const imported = [...text.matchAll(/(?:\}\s*from|\bimport)\s*"([^"]+)"/g)].map(([, path]) => path);
      expect(new Set(imported), name).toEqual(new Set(name === ENGINE_FILE ? [] : ["./engine.js"]));
      if (name !== ENGINE_FILE) continue;
      const onDemand = [...text.matchAll(/import\("\.\/([^"]+)"\)/g)].map(([, part]) => part);
      expect(onDemand.sort()).toEqual(files.slice(1).map((part) => part.name));
      expect(text).toMatch(/[\w$]+ as HostError,[\w$]+ as openStaticIndex,[\w$]+ as searchAsTyped\};\n$/);
    }
  });

  it("has the same bytes whenever it is built", async () => {
    const again = await bundleEngine();
    expect(again.map(({ name }) => name)).toEqual(files.map(({ name }) => name));
    for (const [at, { bytes }] of again.entries())
      expect(Buffer.from(bytes).equals(files[at]?.bytes ?? bytes)).toBe(true);
  });
});

/** Where a page's index is said to be that is read from memory. */
const FOLDER = "https://docs.example.org/";

/** Requests for files of `FOLDER`, answered whole or in part. */
function sendFrom(index: ReadonlyMap<string, Uint8Array>): (url: string, init: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const file = index.get(url.slice(FOLDER.length));
    if (file === undefined) return new Response(null, { status: 404 });
    const range = /^bytes=(\d+)-(\d+)$/.exec(new Headers(init.headers).get("range") ?? "");
    if (range === null) return new Response(file.slice());
    return new Response(file.slice(Number(range[1]), Number(range[2]) + 1), { status: 206 });
  };
}

type EngineModule = Pick<typeof import("../../../src/web/static-index.ts"), "openStaticIndex">;

/** A file of the bundle as Node loads it: the runner's own `import` does not resolve what a module names when it runs. */
function load<T>(file: string): T {
  return createRequire(import.meta.url)(join(dir, file)) as T;
}

/** Gzip bytes of the files with such names. */
function sizeOf(isMeant: (name: string) => boolean): number {
  return files
    .filter(({ name }) => isMeant(name))
    .reduce((sum, { bytes }) => sum + gzipSync(bytes, { level: 9 }).length, 0);
}
