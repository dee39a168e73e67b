import { afterEach, describe, expect, it } from "vitest";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { makeSearchRequest } from "../../src/core/search/answer.ts";
import { search } from "../../src/core/search/search.ts";
import { suggest } from "../../src/core/search/suggest.ts";
import { HostError } from "../../src/web/host-error.ts";
import { openStaticIndex } from "../../src/web/static-index.ts";
import { type BuiltIndex, buildCollections, buildPages, openFiles } from "../support/build-index.ts";
import { type HostHabits, type StaticHost, serveFiles } from "../support/static-host.ts";

/** Pages of many different words, so that the terms take many chunks. */
const PAGES = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => [
    `guide/page-${at}.md`,
    `---\ndescription: Page ${at}\n---\n# Page ${at}\n\n## Install part ${at}\n\nInstall the server with care ${at}.\n\n` +
      `## Route ${at % 7}\n\nA route leads to the cache.\n\n${makeWords(at, 60)}.\n`,
  ]),
);
const QUERIES = [
  "install server",
  "route",
  "cache",
  "instal",
  "servr",
  "page 7",
  '"leads to the cache"',
  "-cache route",
  "zzz",
];

describe("an index on a static host", () => {
  const hosts: StaticHost[] = [];

  async function serve(files: ReadonlyMap<string, Uint8Array>, habits: HostHabits = {}): Promise<StaticHost> {
    const host = await serveFiles((path) => files.get(path), habits);
    hosts.push(host);
    return host;
  }

  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.close();
  });

  it("answers as the core does that reads the same files as sparingly", async () => {
    const built = await buildPages(PAGES);
    const page = await openStaticIndex((await serve(built.files)).url);
    const { index } = await openFiles(built.files, ["public"]);
    for (const query of QUERIES) {
      for (const asYouType of [false, true]) {
        const { cost: _, ...answer } = await page.search(query, {
          asYouType,
          withFacetCounts: asYouType,
          explain: true,
        });
        const request = makeSearchRequest(query, { limit: 6, asYouType, withFacetCounts: asYouType, explain: true });
        const { cost: __, ...expected } = await search(
          new IndexReader(index, ["public"], { residency: "shown" }),
          request,
        );
        expect(answer).toEqual(expected);
      }
      const { suggestions } = await page.suggest(query);
      const asked = { query, limit: 8, collections: [] };
      expect(suggestions).toEqual((await suggest(new IndexReader(index), asked)).suggestions);
    }
  });

  it("takes three round trips for a first search, two for a further one, none for one that it knows", async () => {
    const host = await serve((await buildPages(PAGES)).files);
    const page = await openStaticIndex(host.url);
    expect(host.requests.map(({ path }) => path)).toEqual([POINTER_FILE]);
    const first = await page.search("install server");
    expect(first.cost.waves).toBe(3);
    expect(first.cost.reads).toBe(host.requests.length);
    expect(first.cost.bytes).toBe(host.requests.reduce((sum, { bytes }) => sum + bytes, 0));
    const further: number[] = [];
    for (let at = 20; at < 40; at++) further.push((await page.search(makeWords(at, 1))).cost.waves);
    expect(Math.max(...further)).toBe(2);
    host.reset();
    expect((await page.search("install server")).cost.waves).toBe(0);
    expect(host.requests).toEqual([]);
  });

  it("moves on to the generation that is published meanwhile, reading the pointer once more", async () => {
    const files = new Map((await buildPages({ "a.md": "# Old\n\nApples." })).files);
    const host = await serve(files);
    const page = await openStaticIndex(host.url);
    const { id } = page.generation;
    publish(files, await buildPages({ "b.md": "# New\n\nApples and pears." }));
    host.reset();
    expect((await page.search("apples")).hits.map(({ title }) => title)).toEqual(["New"]);
    expect(host.requests.filter(({ path }) => path === POINTER_FILE)).toHaveLength(1);
    expect(page.generation.id).not.toBe(id);
  });

  it("moves on, too, where the host answers for files that are gone with a page", async () => {
    for (const ranges of [true, false]) {
      const files = new Map((await buildPages({ "a.md": "# Old\n\nApples." })).files);
      const host = await serve(files, { fallback: "<!doctype html><title>Not here</title>", ranges });
      const page = await openStaticIndex(host.url);
      publish(files, await buildPages({ "b.md": "# New\n\nApples and pears." }));
      expect((await page.search("pears")).hits.map(({ title }) => title)).toEqual(["New"]);
    }
  });

  it("names the file that is missing although the pointer names it, and the page that stands in for it", async () => {
    const files = new Map((await buildPages({ "a.md": "# Apples" })).files);
    for (const [habits, problem] of [
      [{}, "missing-file"],
      [{ fallback: "<!doctype html>".padEnd(20_000) }, "page-instead-of-file"],
      [{ fallback: "<!doctype html>".padEnd(20_000), ranges: false }, "page-instead-of-file"],
    ] as const) {
      const host = await serve(new Map(files), habits);
      const bare = await serve(new Map([[POINTER_FILE, files.get(POINTER_FILE) as Uint8Array]]), habits);
      await (await openStaticIndex(host.url)).search("apples");
      const page = await openStaticIndex(bare.url);
      bare.reset();
      await expect(page.search("apples")).rejects.toMatchObject({ problem });
      expect(bare.requests.filter(({ path }) => path === POINTER_FILE)).toHaveLength(1);
    }
  });

  it("says what is wrong where there is no index that it can read", async () => {
    const { files } = await buildPages({ "a.md": "# Apples" });
    const pointer = files.get(POINTER_FILE) as Uint8Array;
    const newer = pointer.slice();
    newer[4] = 2;
    const withPointer = (bytes: Uint8Array): Map<string, Uint8Array> => new Map([...files, [POINTER_FILE, bytes]]);
    const cases: readonly (readonly [Map<string, Uint8Array>, HostHabits, string, string])[] = [
      [new Map(), {}, "no-index", "there is no index at http://"],
      [new Map(), { fallback: "<html><body>Welcome" }, "page-instead-of-file", "is a web page"],
      [withPointer(newer), {}, "newer-format", "is of format 2, this reader knows formats up to 1"],
      [withPointer(Buffer.from("some other file")), {}, "not-an-index", "is no pointer"],
      [withPointer(new Uint8Array(2)), {}, "not-an-index", "is no pointer"],
      [withPointer(Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0)), {}, "encoded", "is compressed once more"],
    ];
    for (const [served, habits, problem, words] of cases) {
      const error = await openStaticIndex((await serve(served, habits)).url).catch((failure: unknown) => failure);
      expect(error).toBeInstanceOf(HostError);
      expect(error).toMatchObject({ problem, message: expect.stringContaining(words) });
    }
    const damaged = pointer.slice();
    damaged[40] = (damaged[40] as number) ^ 1;
    await expect(openStaticIndex((await serve(withPointer(damaged))).url)).rejects.toThrow("checksum");
  });

  it("never offers what only some groups may see", async () => {
    const { files } = await buildCollections([
      { name: "open", pages: { "a.md": "# Apples\n\nApples for all." } },
      {
        name: "closed",
        access: "staff",
        pages: { "b.md": "---\ntype: secret\n---\n# Apples inside\n\nApples for us." },
      },
    ]);
    const page = await openStaticIndex((await serve(files)).url);
    for (const query of ["apples", "inside", "type:secret apples", "closed"]) {
      const answer = await page.search(query, { withFacetCounts: true });
      expect(answer.hits.every(({ collection }) => collection === "open")).toBe(true);
      expect(JSON.stringify(answer)).not.toContain("inside.md");
      expect(JSON.stringify(answer.facetCounts)).not.toContain("secret");
    }
    expect((await page.suggest("apples")).suggestions.map(({ text }) => text)).toEqual(["Apples"]);
    expect(page.generation.documents).toBe(1);
  });

  it("ends a query that is aborted at once, and answers the next out of what it had asked for", async () => {
    let openGate = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      openGate = resolve;
    });
    const { files } = await buildPages(PAGES);
    const host = await serve(files, { before: async (path) => void (path === POINTER_FILE || (await gate)) });
    const page = await openStaticIndex(host.url);
    const abort = new AbortController();
    const first = page.search("install", { signal: abort.signal });
    abort.abort(new Error("typed on"));
    await expect(first).rejects.toThrow("typed on");
    await expect(page.search("install", { signal: abort.signal })).rejects.toThrow("typed on");
    const next = page.search("install");
    openGate();
    expect((await next).hits).toHaveLength(6);
    const asked = host.requests.map(({ path, range }) => `${path} ${range}`);
    expect(asked.filter((one) => one.startsWith(POINTER_FILE))).toHaveLength(1);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it("keeps no more than its budget", async () => {
    const host = await serve((await buildPages(PAGES)).files);
    const page = await openStaticIndex(host.url, { cacheBytes: 0 });
    await page.search("install");
    host.reset();
    await page.search("install");
    expect(host.requests.length).toBeGreaterThan(1);
  });
});

/** As a site is published: the files of the old index are gone. */
function publish(files: Map<string, Uint8Array>, { files: next }: BuiltIndex): void {
  files.clear();
  for (const [name, bytes] of next) files.set(name, bytes);
}

function makeWords(seed: number, count: number): string {
  const letters = "abcdefghijklmnopqrstuvwxyz";
  return Array.from({ length: count }, (_, at) => {
    let rest = (seed * 60 + at) * 7919;
    let word = "";
    for (let letter = 0; letter < 6; letter++) {
      word += letters[rest % 26];
      rest = Math.floor(rest / 26) + 31 * letter;
    }
    return word;
  }).join(" ");
}
