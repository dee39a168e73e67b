import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { IndexReader } from "../../../src/core/index/index-reader.ts";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import type { HttpServices } from "../../../src/http/respond.ts";
import { answerSearch, answerSuggest } from "../../../src/http/search-api.ts";
import type { Found, SearchClient } from "../../../src/web/client/search-client.ts";
import { createStaticClient } from "../../../src/web/client/static-client.ts";
import { createWorkerClient } from "../../../src/web/client/worker-client.ts";
import { HostError } from "../../../src/web/host-error.ts";
import { openStaticIndex } from "../../../src/web/static-index.ts";
import { type BuiltIndex, buildCollections, openFiles } from "../../support/build-index.ts";
import { type StaticHost, serveFiles } from "../../support/static-host.ts";

const BASE = "https://docs.example.org";
const PAGES = {
  ...Object.fromEntries(
    Array.from({ length: 9 }, (_, at) => [
      `page-${at}.md`,
      `---\ntype: ${at % 2 === 0 ? "guide" : "faq"}\ndescription: Page ${at}\n---\n# Page ${at}\n\n## Install part ${at}\n\nInstall the <server> & "co" ${at}.\n`,
    ]),
  ),
  "hostile.md": "# Evil ‮ltr\n\nA `<script>alert(1)</script>` install &lt;mark&gt; step‮.\n",
};
const QUESTIONS = ["install server", "instal", "page 7", "zzz", "ins", "-server install", "script"];

const hosts: StaticHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});

async function serve(files: ReadonlyMap<string, Uint8Array>): Promise<StaticHost> {
  const host = await serveFiles((path) => files.get(path));
  hosts.push(host);
  return host;
}

function build(pages: Readonly<Record<string, string>> = PAGES): Promise<BuiltIndex> {
  return buildCollections([{ name: "docs", baseUrl: BASE, pages }]);
}

/** A client of files, with the engine's sources in place of its bundle. */
function clientOf(url: string): SearchClient {
  return createStaticClient(url, () => openStaticIndex(url));
}

/** A client of the Worker's routes over the same files. */
async function workerClientOf({ files }: BuiltIndex): Promise<SearchClient> {
  const { index } = await openFiles(files, ["public"]);
  const services: HttpServices = {
    withReader: async (run, counters) => ({ value: await run(new IndexReader(index, ["public"], { counters })) }),
    base: "https://search.example.org",
    isShared: true,
    now: 0,
    report: (problem) => expect(problem).toBeUndefined(),
  };
  const send = (url: string): Promise<Response> =>
    (new URL(url).pathname === "/search" ? answerSearch : answerSuggest)(new Request(url), services);
  return createWorkerClient("https://search.example.org", { send });
}

/** An answer's members that the two have in common by their type. */
function pick(found: Found, round = (score: number): unknown => score): object {
  return {
    ...found,
    pages: found.pages.map(({ id, url, title, description, collection, path, meta, facets, score, sections }) => ({
      ...{ id, url, title, description, collection, path, meta, facets, score: round(score) },
      sections: sections.map(({ nodeId, heading, headingPath, excerpt, ...section }) => {
        return { nodeId, url: section.url, heading, headingPath, excerpt, score: round(section.score) };
      }),
    })),
  };
}

describe("the client of index files", () => {
  it("leaves out pages in other languages and of other versions than the reader's, where some are in it, as a Worker does", async () => {
    const page = (lang: string): string => `---\nlang: ${lang}\n---\n# Lamp ${lang}\n\nThe lamp.\n`;
    const pages = { "en.md": page("en"), "de.md": page("de"), "pt.md": page("pt-BR") };
    const built = await buildCollections([
      { name: "docs", baseUrl: BASE, pages, version: "2" },
      { name: "old", baseUrl: BASE, pages: { "old.md": page("de") }, version: "1" },
      { name: "code", baseUrl: BASE, pages: { "lamp.ts": "/** The lamp. */\nexport const lamp = 1;\n" } },
    ]);
    for (const client of [clientOf((await serve(built.files)).url), await workerClientOf(built)]) {
      const titles = async (prefer: Record<string, string>, filters: Record<string, string[]> = {}) => {
        const found = await client.search("lamp", { prefer, filters, limit: 9 });
        return [found.pages.map(({ path }) => path).sort(), found.preferred];
      };
      const all = ["de.md", "en.md", "lamp.ts", "old.md", "pt.md"];
      expect(await titles({ language: "de" })).toEqual([["de.md", "lamp.ts", "old.md"], { language: "de" }]);
      expect(await titles({ language: "de-AT", version: "2" })).toEqual([
        ["de.md", "lamp.ts"],
        { language: "de", version: "2" },
      ]);
      expect(await titles({ language: "pt" })).toEqual([["lamp.ts", "pt.md"], { language: "pt-br" }]);
      expect(await titles({ language: "fr", version: "9", colour: "red" })).toEqual([all, {}]);
      expect(await titles({ language: "de" }, { language: ["en"] })).toEqual([["en.md"], {}]);
    }
  });

  it("takes no further round for the language of the reader's page", async () => {
    const built = await buildCollections([
      { name: "docs", pages: { "en.md": "---\nlang: en\n---\n# Lamp\n", "de.md": "---\nlang: de\n---\n# Lamp\n" } },
    ]);
    const index = await openStaticIndex((await serve(built.files)).url);
    const other = await openStaticIndex((await serve(built.files)).url);
    const plain = await index.search("lamp");
    const filter = { include: {}, exclude: {}, prefer: { language: "de" } };
    expect((await other.search("lamp", { filter })).cost.waves).toBe(plain.cost.waves);
  });

  it("answers as the client of a Worker does over the same index", async () => {
    const built = await build();
    const page = clientOf((await serve(built.files)).url);
    const worker = await workerClientOf(built);
    for (const query of QUESTIONS) {
      for (const options of [{}, { typing: true, limit: 3 }, { offset: 2, limit: 2 }, { filters: { type: ["faq"] } }]) {
        const expected = await worker.search(query, options);
        const found = await page.search(query, { ...options, withFacets: true });
        // The Worker rounds scores. What else each of them says of a page is no part of an answer.
        expect(pick(expected), `${query} ${JSON.stringify(options)}`).toEqual(
          pick(found, (score) => expect.closeTo(score, 2)),
        );
      }
      expect(await page.suggest(query)).toEqual(await worker.suggest(query));
    }
  });

  it("suggests titles of the collections that are named alone, before it counts them", async () => {
    const api = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`a${at}.md`, `# Install ${at}\n\nText.\n`]));
    const built = await buildCollections([
      { name: "api", baseUrl: BASE, pages: api },
      { name: "docs", baseUrl: BASE, pages: { "guide.md": "# Install it all\n\nText.\n" } },
    ]);
    const options = { limit: 5, collections: ["docs"] };
    for (const client of [clientOf((await serve(built.files)).url), await workerClientOf(built)]) {
      expect((await client.suggest("install", { limit: 5 })).length).toBe(5);
      expect((await client.suggest("install", options)).map(({ title }) => title)).toEqual(["Install it all"]);
    }
  });

  it("answers briefly with the first pages of the whole answer and their best sections, and says that there is more", async () => {
    const client = clientOf((await serve((await build()).files)).url);
    for (const query of QUESTIONS) {
      const whole = await client.search(query, { typing: true });
      const brief = await client.search(query, { typing: true, brief: true });
      expect(whole.isBrief).toBeUndefined();
      expect(brief.pages.map(({ id, title }) => [id, title])).toEqual(
        whole.pages.slice(0, 4).map(({ id, title }) => [id, title]),
      );
      for (const [at, { sections }] of brief.pages.entries()) {
        expect(sections[0]).toEqual(whole.pages[at]?.sections[0]);
        expect(sections).toHaveLength(whole.pages[at]?.sections.length ?? 0);
      }
      const isSame = JSON.stringify(brief.pages) === JSON.stringify(whole.pages);
      expect(brief.isBrief === true, query).toBe(!isSame);
    }
  });

  it("reads a word that is typed letter by letter in few bytes, and ends with the whole answer of a Worker", async () => {
    const words = Array.from({ length: 40 }, (_, at) => `conf${"igurationalists".slice(0, at % 15)}${at}`);
    const section = (page: number, at: number): string =>
      `## Configure ${words[(page + at) % 40]}\n\n${words.map((word, i) => `${word} ${(page * 31 + i * at) % 977} configuration`).join(" ")}\n`;
    const pages = Array.from({ length: 60 }, (_, page) => [
      `${page}.md`,
      `# Page ${page}\n\n${[0, 1, 2, 3].map((at) => section(page, at)).join("\n")}`,
    ]);
    const built = await build(Object.fromEntries(pages));
    const host = await serve(built.files);
    const type = async (brief: boolean): Promise<{ readonly bytes: number; readonly found: Found }> => {
      const client = clientOf(host.url);
      await client.search("page");
      host.reset();
      for (let letters = 3; letters < "configuration".length; letters++) {
        await client.search("configuration".slice(0, letters), { typing: true, brief });
      }
      const found = await client.search("configuration", { typing: true });
      return { bytes: host.requests.reduce((sum, { bytes }) => sum + bytes, 0), found };
    };
    const [briefly, whole] = [await type(true), await type(false)];
    const worker = await (await workerClientOf(built)).search("configuration", { typing: true });
    expect(briefly.found.pages.map(({ id }) => id)).toEqual(worker.pages.map(({ id }) => id));
    expect(briefly.found.pages.map(({ sections }) => sections.map(({ excerpt }) => excerpt))).toEqual(
      worker.pages.map(({ sections }) => sections.map(({ excerpt }) => excerpt)),
    );
    // As they were counted: 11,168, and less than 15,000 where each letter has its whole answer.
    expect(briefly.bytes).toBeLessThanOrEqual(11_300);
    expect(whole.bytes).toBeLessThanOrEqual(15_000);
  });

  it("counts facets behind the first answer, and with those after it", async () => {
    const host = await serve((await build()).files);
    const client = clientOf(host.url);
    const first = await client.search("install");
    expect(first.facetCounts).toEqual({});
    const counts = await first.laterCounts;
    expect(counts?.["type"]).toEqual({ guide: 5, faq: 4, page: 1 });
    const second = await client.search("install");
    expect(second).toMatchObject({ facetCounts: counts });
    expect(second).not.toHaveProperty("laterCounts");
    host.reset();
    await client.search("install");
    expect(host.requests).toEqual([]);
  });

  it("finds pages of a site whose address the index does not have on the host that the index is on", async () => {
    const built = await buildCollections([
      { name: "docs", baseUrl: "/guide/", pages: { "a.md": "# Apples\n\n## Red ones\n" } },
    ]);
    const host = await serve(built.files);
    const client = clientOf(host.url);
    const { origin } = new URL(host.url);
    const [page] = (await client.search("apples red")).pages;
    expect(page?.url).toBe(`${origin}/guide/a`);
    expect(page?.sections.map(({ url }) => url)).toContain(`${origin}/guide/a#red-ones`);
    expect((await client.suggest("appl"))[0]?.url).toBe(`${origin}/guide/a`);
    const nowhere = await buildCollections([{ name: "docs", pages: { "a.md": "# Apples" } }]);
    const [lost] = (await clientOf((await serve(nowhere.files)).url).search("apples")).pages;
    expect([lost?.url, lost?.sections[0]?.url]).toEqual(["", ""]);
  });

  it("gives texts of documents as they are, without characters that nobody sees", async () => {
    const client = clientOf((await serve((await build()).files)).url);
    const { pages } = await client.search("alert");
    expect(pages[0]?.title).toBe("Evil ltr");
    const [section] = pages[0]?.sections ?? [];
    expect(section?.excerpt.map(({ text }) => text).join("")).toContain(
      "`<script>alert(1)</script>` install <mark> step.",
    );
    expect(JSON.stringify(pages)).not.toContain("‮");
  });

  it("waits for an index that does not open no longer than for an answer, and opens it again", async () => {
    const host = await serve((await build()).files);
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    let opened = 0;
    const open = (): ReturnType<typeof openStaticIndex> =>
      opened++ === 0 ? new Promise(() => undefined) : openStaticIndex(host.url);
    const client = createStaticClient(host.url, open, { patience: 20 });
    const tooSlow = expect(client.search("install")).rejects.toMatchObject({ problem: "slow" });
    await vi.advanceTimersByTimeAsync(20);
    await tooSlow;
    // However long this takes: the clock stands.
    expect((await client.search("install")).total).toBe(10);
    expect(opened).toBe(2);
  });

  it("gets ready once, and is asked at once when it is", async () => {
    const host = await serve((await build()).files);
    const client = clientOf(host.url);
    await Promise.all([client.prepare(), client.prepare()]);
    expect(host.requests.map(({ path }) => path)).toEqual([POINTER_FILE]);
    await client.search("install");
    expect(host.requests.filter(({ path }) => path === POINTER_FILE)).toHaveLength(1);
  });

  it("says that there is no index, and finds the one that comes", async () => {
    const files = new Map<string, Uint8Array>();
    const client = clientOf((await serve(files)).url);
    await client.prepare();
    await expect(client.search("install")).rejects.toMatchObject({ name: "ClientError", problem: "no-index" });
    for (const [name, bytes] of (await build()).files) files.set(name, bytes);
    expect((await client.search("install")).total).toBe(10);
  });

  it("goes on with the index that is published while the page is open", async () => {
    const files = new Map((await build({ "a.md": "# Old\n\nApples." })).files);
    const client = clientOf((await serve(files)).url);
    expect((await client.search("apples")).pages[0]?.title).toBe("Old");
    files.clear();
    for (const [name, bytes] of (await build({ "b.md": "# New\n\nPears." })).files) files.set(name, bytes);
    expect((await client.search("pears")).pages[0]?.title).toBe("New");
  });

  it("tells an engine that does not load, a host that is away, damage and a bad question apart", async () => {
    const { files } = await build();
    const failures = [
      new TypeError("Failed to fetch dynamically imported module"),
      new HostError("unreachable", "engine.js cannot be loaded"),
    ];
    for (const failure of failures) {
      const lost = createStaticClient("https://docs.example.org/", () => Promise.reject(failure));
      await expect(lost.search("a")).rejects.toMatchObject({ problem: "unreachable", message: failure.message });
    }
    const host = await serve(files);
    const client = clientOf(host.url);
    await expect(client.search("install", { filters: { nothing: ["x"] } })).rejects.toMatchObject({
      problem: "bad-query",
    });
    await expect(client.search("x".repeat(10_000))).rejects.toMatchObject({ problem: "bad-query" });
    await host.close();
    hosts.splice(0);
    await expect(clientOf(host.url).search("install")).rejects.toMatchObject({ problem: "unreachable" });
    const packs = [...files].map(([name, bytes]): [string, Uint8Array] => [
      name,
      name.endsWith(".pack") ? bytes.map((byte) => byte ^ 0x55) : bytes,
    ]);
    await expect(clientOf((await serve(new Map(packs))).url).search("install")).rejects.toMatchObject({
      problem: "failed",
    });
  });

  it("ends with the reason of its signal", async () => {
    const client = clientOf((await serve((await build()).files)).url);
    const reason = new Error("typed over");
    const controller = new AbortController();
    const asked = client.search("install", { signal: controller.signal });
    controller.abort(reason);
    await expect(asked).rejects.toBe(reason);
    await expect(client.search("install", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect((await client.search("install")).total).toBe(10);
  });
});
