import { beforeAll, describe, expect, it } from "vitest";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { openIndex } from "../../src/core/index/open-index.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { LruCache } from "../../src/core/index/value-cache.ts";
import { countPages, findPages } from "../../src/core/search/find-pages.ts";
import { readPages } from "../../src/core/search/read-pages.ts";
import { cleanText } from "../../src/surface/render/text.ts";
import { createWorkerSource, makePagefind, type Pagefind } from "../../src/web/pagefind/make-pagefind.ts";
import type { PagefindSearchOptions, PageSource, ResultData } from "../../src/web/pagefind/one-index.ts";
import { inflateRaw } from "../../src/worker/storage/inflate.ts";
import { createMemorySource } from "../support/memory-source.ts";
import { get } from "./ask.ts";
import { publishServedIndex, servedFiles } from "./served-index.ts";

const ORIGIN = "http://localhost:8787";
const place = { folder: `${ORIGIN}/pagefind/`, origin: ORIGIN, language: () => "en" };

/** The index read by the core itself, as in a page. */
async function openCore(): Promise<PageSource> {
  const source = createMemorySource(servedFiles);
  const index = await openIndex(servedFiles.get(POINTER_FILE) as Uint8Array, source, inflateRaw, new LruCache(1e7));
  const next = (): IndexReader => new IndexReader(index);
  const clean = (text: string): string => cleanText(text).text;
  return {
    prepare: async () => undefined,
    check: async () => undefined,
    count: (request) => countPages(next(), request),
    preload: async () => undefined,
    find: (request) => findPages(next(), request),
    read: ({ generation, terms }, keys) => readPages(next(), { generation, terms, keys, clean }),
  };
}

const ofWorker = makePagefind((folder) => createWorkerSource(folder, (url) => get(url.slice(ORIGIN.length))), place);

async function all(pagefind: Pagefind, term: string | null, options: PagefindSearchOptions): Promise<unknown> {
  const { results, timings: _, ...answer } = await pagefind.search(term, options);
  const data: ResultData[] = await Promise.all(results.map((result) => result.data()));
  return { ...answer, results: results.map(({ id, score }, at) => ({ id, score, data: data[at] })) };
}

describe("pagefind.js of a Worker", () => {
  beforeAll(publishServedIndex);

  it("finds what that of index files finds", async () => {
    const source = await openCore();
    const ofFiles = makePagefind(() => source, place);
    expect(await ofWorker.filters()).toEqual(await ofFiles.filters());
    for (const [term, options] of [
      ["install linux", {}],
      ["instal", { filters: { not: { tags: "x" } } }],
      [null, { sort: { order: "desc" } }],
      ['"apt install"', {}],
    ] as const) {
      expect(await all(ofWorker, term, options)).toEqual(await all(ofFiles, term, options));
    }
  });

  it("refuses what is no question, with one that works", async () => {
    const response = await get('/pagefind/pages?ask={"find":{"qeury":"a"}}');
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      ...{ error: expect.stringContaining("ask.find.added"), nearest: [] },
      ...{ example: '/pagefind/pages?ask={"count":{"added":{},"language":""}}', problem: "bad-input" },
    });
  });

  it("gives no pages of a generation that has gone", async () => {
    const ask = JSON.stringify({ read: { generation: "gone", keys: ["0.0"], terms: [] } });
    const response = await get(`/pagefind/pages?ask=${encodeURIComponent(ask)}`);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("published anew")]);
  });

  it("refuses filters that are nested without end", async () => {
    const deep = Array.from({ length: 60 }).reduce<object>((inner) => ({ any: [inner] }), { a: "b" });
    await expect(ofWorker.search("install", { filters: deep })).rejects.toThrow(/nested more than 20 levels/);
  });
});
