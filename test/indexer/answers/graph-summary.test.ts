/** The graph summary as callers get it: everything, one collection, past caches, out of a damaged index. */
import { describe, expect, it } from "vitest";
import { inflateRaw } from "../../../indexer/base/codec.ts";
import { readInsights } from "../../../src/core/code/insights.ts";
import { createCounters } from "../../../src/core/index/cost.ts";
import { IndexReader } from "../../../src/core/index/index-reader.ts";
import { openIndex } from "../../../src/core/index/open-index.ts";
import { POINTER_FILE, type RangeSource } from "../../../src/core/index/range-source.ts";
import { LruCache } from "../../../src/core/index/value-cache.ts";
import { callTool, type ToolServices } from "../../../src/mcp/call.ts";
import { listedTools, offeredTools } from "../../../src/mcp/profiles.ts";
import { createSigningKeys } from "../../../src/surface/access/signing-keys.ts";
import { Generations } from "../../../src/worker/storage/generations.ts";

import { openFiles, type Pages } from "../../support/build-index.ts";
import { GRAPH_CONFIG, GRAPH_PROJECT } from "../../support/graph-project.ts";
import { createMemorySource } from "../../support/memory-source.ts";
import { makeCorpus, type SmallCorpus } from "../../support/small-corpus.ts";

interface Summary {
  readonly summary: string;
  readonly metrics: Readonly<Record<string, unknown>>;
  readonly insights: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>> & { readonly warnings: readonly string[] };
  readonly generation: Readonly<Record<string, unknown>>;
}

/** A server over index files that a test may exchange and damage, as a Worker keeps it. */
function serve(files: Map<string, Uint8Array>, source: RangeSource = createMemorySource(files)) {
  const reported: unknown[] = [];
  const report = (error: unknown): void => void reported.push(error);
  const generations = new Generations({ source, inflate: inflateRaw, cache: new LruCache(1e7), report });
  const services: ToolServices = {
    withReader: (run, counters) => generations.withReader({ now: 0 }, run, counters),
    openPublished: (counters) => generations.openPublished({ now: 0 }, counters),
    signingKeys: createSigningKeys("test"),
    now: 0,
    report,
  };
  const call = (given: Readonly<Record<string, unknown>>, tool = "get_graph_summary") =>
    callTool(offeredTools(), tool, given, services);
  const ask = async (given: Readonly<Record<string, unknown>> = {}): Promise<Summary> =>
    (await call({ max_tokens: 6000, ...given, format: "json" })).structuredContent as unknown as Summary;
  return { ask, call, reported };
}

async function buildProject(pages: Pages = GRAPH_PROJECT, config: object = GRAPH_CONFIG): Promise<SmallCorpus> {
  const corpus = await makeCorpus(pages, config);
  await corpus.build("one");
  return corpus;
}

/** Flip a bit of each chunk of the table, and with it all of its entries. */
async function damageInsights(files: ReadonlyMap<string, Uint8Array>): Promise<Map<string, Uint8Array>> {
  const { reader } = await openFiles(files, "all");
  const damaged = new Map([...files].map(([name, bytes]) => [name, bytes.slice()]));
  for (const { index: shard, root } of reader.shards) {
    for (const entry of root.tables.insights.entries) {
      const { file, offset, length } = reader.rangeOf(shard, entry);
      const bytes = damaged.get(file) as Uint8Array;
      bytes[offset + length - 1] = (bytes[offset + length - 1] as number) ^ 1;
      bytes[offset] = (bytes[offset] as number) ^ 1;
    }
  }
  return damaged;
}

const NOTHING_ASIDE = { aside: {}, asideDependencyCount: 0 };

describe("get_graph_summary", () => {
  it("says of files and pages what section by section was promised, under every promised name", async () => {
    const corpus = await buildProject();
    const { ask } = serve(await corpus.files("one"));
    const answer = await ask();
    expect(answer).toMatchObject({
      metrics: {
        fileCount: 11,
        dependencyCount: 9,
        fileTypeBreakdown: { ts: 7, py: 2, css: 1, json: 1 },
        ...NOTHING_ASIDE,
      },
      insights: {
        circularDependencies: [
          ["app:src/a.ts", "app:src/b.ts", "app:src/a.ts"],
          ["app:src/shape.ts", "app:src/types.ts", "app:src/shape.ts"],
        ],
        cycleDetails: [
          { size: 2, typeOnly: false },
          { size: 2, typeOnly: true },
        ],
        orphanFiles: ["app:src/alone.ts"],
        noImporters: ["app:src/alone.ts", "app:src/dead.ts", "app:src/main.ts", "tools:run.py"],
        possiblyUnused: ["app:src/alone.ts", "app:src/dead.ts", "tools:run.py"],
        entryPoints: ["app:src/main.ts"],
        unlinkedPages: ["docs:lone.md"],
        brokenLinks: [{ id: "docs:index.md", href: "gone.md" }],
        pages: { pageCount: 3, linkCount: 2 },
        omitted: {},
      },
      metadata: { scanDurationMs: 0, cacheUsed: false, cacheReason: "read", commit: "none", warnings: [] },
    });
    expect((answer.insights["topHubs"] as readonly unknown[])[0]).toEqual({
      id: "app:src/a.ts",
      connectionCount: 4,
      fanIn: 3,
      fanOut: 1,
    });
    expect(answer.summary).toBe(
      "11 source files with 9 connections: a simple graph. Top hub: app:src/a.ts (4 connections). 2 import cycles, 1 of them of types alone. 3 pages with 2 links between them. Most linked: docs:guide.md (2 connections). 1 page that no other links to, 1 broken link.",
    );
  });

  it("plays the call that other servers offer, with its names", async () => {
    const corpus = await buildProject();
    const { call } = serve(await corpus.files("one"));
    for (const forceRefresh of [false, true]) {
      const { structuredContent, isError } = await call(
        { forceRefresh, format: "json" },
        "constellation_get_graph_summary",
      );
      expect(isError).toBeUndefined();
      expect(structuredContent).toMatchObject({
        metadata: { cacheUsed: false, cacheReason: forceRefresh ? "forced" : "read" },
      });
    }
  });

  it("is of one collection where one is named, and names the nearest where there is none such", async () => {
    const corpus = await buildProject();
    const { ask, call } = serve(await corpus.files("one"));
    expect(await ask({ collection: "tools" })).toMatchObject({
      metrics: { fileCount: 2, dependencyCount: 1 },
      insights: { circularDependencies: [], pages: { pageCount: 0, linkCount: 0 } },
    });
    expect(await ask({ collection: "docs" })).toMatchObject({
      metrics: { fileCount: 0, dependencyCount: 0, fileTypeBreakdown: {}, ...NOTHING_ASIDE },
      insights: { pages: { pageCount: 3, linkCount: 2 } },
    });
    const { content, isError } = await call({ collection: "tool" });
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining("Did you mean: tools?")]);
  });

  it("tells callers nothing of groups that they do not see, and adds up those that they see", async () => {
    const corpus = await buildProject();
    const files = await corpus.files("one");
    const read = async (groups: readonly string[] | "all", collection?: string) => {
      const { reader } = await openFiles(files, groups);
      return (await readInsights(reader, collection)).values;
    };
    const [all, open, team] = [await read("all"), await read(["public"]), await read(["team"])];
    expect([all, open, team].map(({ fileMetrics }) => fileMetrics.fileCount)).toEqual([13, 11, 2]);
    expect(all.circularDependencies.items.map(({ path }) => path[0])).toEqual([
      "app:src/a.ts",
      "team:other.ts",
      "app:src/shape.ts",
    ]);
    expect(open.circularDependencies.total + team.circularDependencies.total).toBe(all.circularDependencies.total);
    // The only collection of its group is all of it.
    expect(await read("all", "team")).toEqual(team);
  });

  it("answers for pages alone, where agents are listed no tool for symbols, and for code alone", async () => {
    const docs = await buildProject({ "docs/index.md": "# A\n\n[b](b.md)\n", "docs/b.md": "# B\n" }, {});
    const files = await docs.files("one");
    expect(await serve(files).ask()).toMatchObject({
      summary: expect.stringMatching(/^2 pages with 1 link between them\./),
      metrics: { fileCount: 0, dependencyCount: 0, fileTypeBreakdown: {}, ...NOTHING_ASIDE },
      insights: { topHubs: [], linkHubs: [{ id: "docs:docs/b.md", connectionCount: 1 }, {}] },
    });
    const listedFor = async (index: ReadonlyMap<string, Uint8Array>): Promise<string[]> =>
      listedTools(undefined, (await openFiles(index, "all")).reader).map(({ name }) => name);
    expect(await listedFor(files)).toEqual(["search", "grep", "read", "map"]);
    const code = await buildProject({ "main.ts": "export const one = 1;\n" }, {});
    const codeFiles = await code.files("one");
    expect(await serve(codeFiles).ask()).toMatchObject({
      summary: "1 source file with 0 connections: a simple graph. No import cycles.",
      insights: { orphanFiles: ["code:main.ts"], possiblyUnused: [], pages: { pageCount: 0 } },
    });
    expect(await listedFor(codeFiles)).toEqual(["search", "grep", "read", "inspect", "map"]);
  });

  it("needs one round of reads, none where another call left the insights in memory", async () => {
    const corpus = await buildProject();
    const { call, ask } = serve(await corpus.files("one"));
    const costOf = async () => (await call({}))._meta?.["treeline/cost"];
    expect(await costOf()).toMatchObject({ waves: 2 });
    expect(await costOf()).toMatchObject({ waves: 0, reads: 0 });
    expect(await ask()).toMatchObject({ metadata: { cacheUsed: true, cacheReason: "memory" } });
  });

  it("sees what was published a moment ago where it is forced to, and how long that build took", async () => {
    const corpus = await buildProject();
    const files = new Map(await corpus.files("one"));
    const { ask } = serve(files);
    expect(await ask()).toMatchObject({ metrics: { fileCount: 11 } });
    await corpus.edit({ "app/src/new.ts": 'import "./a";\n' });
    let ms = 0;
    await corpus.build("two", { clock: () => (ms += 750) });
    for (const [name, bytes] of await corpus.files("two")) files.set(name, bytes);
    expect(await ask()).toMatchObject({ metrics: { fileCount: 11 }, metadata: { cacheReason: "memory" } });
    expect(await ask({ force_refresh: true })).toMatchObject({
      summary: expect.stringContaining("built in 750 ms"),
      metrics: { fileCount: 12 },
      metadata: { cacheReason: "forced", cacheUsed: false, scanDurationMs: 750 },
    });
    expect(await ask()).toMatchObject({ metrics: { fileCount: 12 } });
  });

  it("answers from the older index where the pointer is damaged meanwhile, and reports it", async () => {
    const corpus = await buildProject();
    const files = new Map(await corpus.files("one"));
    const { ask, reported } = serve(files);
    await ask();
    files.set(POINTER_FILE, new Uint8Array(20));
    expect(await ask({ force_refresh: true })).toMatchObject({
      metrics: { fileCount: 11 },
      metadata: { cacheReason: "forced" },
    });
    expect(reported).toHaveLength(1);
  });

  it("says of a damaged table that the index is damaged, while other tools work", async () => {
    const corpus = await buildProject();
    const { call } = serve(await damageInsights(await corpus.files("one")));
    const { content, isError } = await call({});
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining("The published index is damaged")]);
    const found = await call({ query: "dead" }, "find_symbol");
    expect([found.isError, found.content[0]?.text]).toEqual([undefined, expect.stringContaining("Found 1")]);
  });

  it("asks the index that answers where nothing newer can be opened", async () => {
    const corpus = await buildProject();
    const files = await corpus.files("one");
    const index = await openIndex(
      files.get(POINTER_FILE) as Uint8Array,
      createMemorySource(files),
      inflateRaw,
      new LruCache(1e7),
    );
    const services: ToolServices = {
      withReader: async <T>(run: (reader: IndexReader) => Promise<T>, counters = createCounters()) => ({
        value: await run(new IndexReader(index, ["team"], { counters })),
      }),
      signingKeys: createSigningKeys("test"),
      now: 0,
      report: () => undefined,
    };
    const { structuredContent } = await callTool(
      offeredTools(),
      "get_graph_summary",
      { force_refresh: true, format: "json" },
      services,
    );
    expect(structuredContent).toMatchObject({ metrics: { fileCount: 2 }, metadata: { cacheReason: "forced" } });
  });
});
