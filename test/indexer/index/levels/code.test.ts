/** Code beside a base: its tables are those of the newest build, whatever the base holds. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NO_CATEGORIES } from "../../../../indexer/config/topic-files.ts";
import { type BuildMemory, DocumentCache } from "../../../../indexer/index/cache/document-cache.ts";
import { chooseLevels } from "../../../../indexer/index/levels/choose-levels.ts";
import { allShards, findCorpus, prepareCorpus } from "../../../../indexer/index/read-corpus.ts";
import { writeGeneration } from "../../../../indexer/index/write-generation.ts";
import type { GroupCode } from "../../../../indexer/link/code/link-code.ts";
import { graphPackages } from "../../../../indexer/link/code/packages.ts";
import { loadConfig } from "../../../../indexer/sources/load-config.ts";
import { keyOfNumber } from "../../../../src/core/bytes/key.ts";
import { findSymbols } from "../../../../src/core/code/find-symbols.ts";
import { readPackages } from "../../../../src/core/code/packages.ts";
import { openReach } from "../../../../src/core/code/reach.ts";
import { findImpact } from "../../../../src/core/code/walks.ts";
import { decodeEdges } from "../../../../src/core/format/edge-tables.ts";
import { entriesOf } from "../../../../src/core/index/index-reader.ts";
import { codeShards } from "../../../../src/core/index/shards.ts";
import { openFiles } from "../../../support/build-index.ts";
import { makeUpCode } from "../../../support/made-up-code.ts";
import { scanForSymbols } from "../../../support/scan-code.ts";
import { makeFolder, readFolder, writeFiles } from "../../../support/temporary-folder.ts";

const SIZE = { files: 8, symbolsPerFile: 6, edgesPerFile: 5, mentions: 4 };
const PAGES = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`p${n}.md`, `# Page ${n}\n\nText ${n}.\n`]));

/** Build the pages of a folder with this code, on another index where `base` names one. */
async function build(dir: string, index: string, code: GroupCode | undefined, base?: string) {
  const memory: BuildMemory = { cache: DocumentCache.open(undefined) };
  try {
    const docs = join(dir, "docs");
    const config = await loadConfig(docs);
    const context = { cache: memory.cache, progress: () => undefined, threads: 0 };
    const words = { glossary: [], categories: NO_CATEGORIES };
    const prepared = await prepareCorpus(docs, words, await findCorpus(docs, config), context);
    const read = prepared.describe(prepared.documents);
    const description = { ...read.description, ...(code !== undefined && { code: new Map([["public", code]]) }) };
    const corpus = { ...read, description };
    const outDir = join(dir, index);
    const files = new Map<string, Uint8Array>();
    const sink = async (name: string, bytes: Uint8Array): Promise<void> => {
      files.set(name, bytes);
    };
    const chosen =
      base === undefined
        ? { shards: allShards(corpus, config), log: description.log, base: undefined, notice: "" }
        : await chooseLevels(corpus, config, "settings", join(dir, base), memory, { outDir, sink });
    const { base: used } = chosen;
    const { collections, log } = description;
    await writeGeneration(
      {
        commit: "none",
        builtAt: "",
        ranking: {},
        settings: "settings",
        collections,
        facetKeys: [],
        log,
        ...(used !== undefined && { known: used.files }),
        shards: chosen.shards,
      },
      sink,
    );
    await writeFiles(outDir, Object.fromEntries(files));
    return { notice: chosen.notice, isOnBase: used !== undefined };
  } finally {
    memory.cache.close();
  }
}

async function expectCode(dir: string, index: string, code: GroupCode): Promise<void> {
  const { reader } = await openFiles(await readFolder(join(dir, index)), "all");
  expect(codeShards(reader)).toHaveLength(1);
  const { total, symbols } = await findSymbols(reader, { query: "*", offset: 0, limit: 1000 });
  expect(total).toBe(symbols.length);
  expect(symbols.map(({ id }) => id)).toEqual(scanForSymbols(code, { query: "*" }));
}

/** Tiers of all edges that readers of an index see. */
async function tiersOf(dir: string, index: string): Promise<string[]> {
  const { reader } = await openFiles(await readFolder(join(dir, index)), "all");
  const shard = codeShards(reader)[0]?.index ?? 0;
  const { tables } = await reader.read([{ shard, table: "edges", keys: "all" }]);
  const lists = new Map(entriesOf(tables[0] ?? []));
  const edges = Array.from({ length: SIZE.files }, (_, file) => lists.get(keyOfNumber(file))).flatMap((bytes, file) =>
    bytes === undefined ? [] : decodeEdges(file, bytes),
  );
  return [...new Set(edges.map(({ tier }) => tier))].sort();
}

describe("code beside a base", () => {
  it("is read out of the newest shard of the group, and the base's stays where pages alone are as they were", async () => {
    const dir = await makeFolder();
    await writeFiles(join(dir, "docs"), PAGES);
    const [first, second] = [makeUpCode(1, SIZE), makeUpCode(2, SIZE)];
    expect(await build(dir, "one", first)).toEqual({ notice: "", isOnBase: false });
    await expectCode(dir, "one", first);
    expect(await build(dir, "same", first, "one")).toEqual({ notice: "", isOnBase: true });
    await expectCode(dir, "same", first);
    await writeFiles(join(dir, "docs"), { "p3.md": "# Changed\n\nOther text.\n" });
    expect(await build(dir, "two", second, "one")).toEqual({ notice: "", isOnBase: true });
    await expectCode(dir, "two", second);
    // What is built on that again is built on the base.
    await writeFiles(join(dir, "docs"), { "p4.md": "# Changed too\n\nOther text.\n" });
    expect(await build(dir, "three", first, "two")).toEqual({ notice: "", isOnBase: true });
    await expectCode(dir, "three", first);
  });

  it("is written anew where edges alone are others, as other manifests make them", async () => {
    const dir = await makeFolder();
    await writeFiles(join(dir, "docs"), PAGES);
    const code = makeUpCode(1, SIZE);
    const surer = {
      ...code,
      edges: code.edges.map((list) => list.map((edge) => ({ ...edge, tier: "precise" as const }))),
    };
    await build(dir, "one", code);
    expect(await build(dir, "two", surer, "one")).toEqual({ notice: "", isOnBase: true });
    expect(await tiersOf(dir, "two")).toEqual(["precise"]);
    expect((await tiersOf(dir, "one")).length).toBeGreaterThan(1);
    expect(await readFolder(join(dir, "one"))).not.toEqual(await readFolder(join(dir, "two")));
    await build(dir, "same", code, "one");
    expect(await readFolder(join(dir, "same"))).toEqual(await readFolder(join(dir, "one")));
  });

  it("is written anew where packages alone are others, as other manifests name them", async () => {
    const dir = await makeFolder();
    await writeFiles(join(dir, "docs"), PAGES);
    const code = makeUpCode(1, SIZE);
    const files = code.files.map((file) => ({ ...file, package: `new-${file.package}` }));
    const renamed = { ...code, files, packages: graphPackages(files, code.edges, () => false) };
    await build(dir, "one", code);
    expect(await build(dir, "two", renamed, "one")).toEqual({ notice: "", isOnBase: true });
    const { reader } = await openFiles(await readFolder(join(dir, "two")), "all");
    expect((await readPackages(reader)).map(({ name }) => name)).toEqual(renamed.packages.map(({ name }) => name));
  });

  it("gives the walks and packages of a build from scratch", async () => {
    const dir = await makeFolder();
    await writeFiles(join(dir, "docs"), PAGES);
    const [first, second] = [makeUpCode(1, SIZE), makeUpCode(2, SIZE)];
    await build(dir, "one", first);
    await writeFiles(join(dir, "docs"), { "p3.md": "# Changed\n\nOther text.\n" });
    await build(dir, "two", second, "one");
    await build(dir, "scratch", second);
    const answers = async (index: string): Promise<unknown> => {
      const { reader } = await openFiles(await readFolder(join(dir, index)), "all");
      const reach = await openReach(reader, codeShards(reader)[0]?.index ?? 0);
      const walks = second.files.map((_, file) => findImpact(reach, [{ file, symbol: -1 }], 5));
      const packages = (await readPackages(reader)).map(({ shard: _, ...facts }) => facts);
      return [walks, packages];
    };
    expect(await answers("two")).toEqual(await answers("scratch"));
  });

  it("keeps the packs of tables that did not change", async () => {
    const dir = await makeFolder();
    await writeFiles(join(dir, "docs"), PAGES);
    const code = makeUpCode(1, SIZE);
    await build(dir, "one", code);
    await writeFiles(join(dir, "docs"), { "p3.md": "# Changed\n\nOther text.\n" });
    await build(dir, "two", code, "one");
    const packs = async (index: string) =>
      [...(await readFolder(join(dir, index))).keys()].filter((name) => name.endsWith(".pack"));
    const [before, now] = [await packs("one"), await packs("two")];
    // Text and tables of the page that changed.
    expect(now.filter((name) => !before.includes(name))).toHaveLength(2);
  });

  it("is gone where no source file is left, and comes back", async () => {
    const dir = await makeFolder();
    await writeFiles(join(dir, "docs"), PAGES);
    const code = makeUpCode(1, SIZE);
    await build(dir, "one", code);
    for (const [index, base] of [
      ["two", "one"],
      ["three", "two"],
    ] as const) {
      await writeFiles(join(dir, "docs"), { "p3.md": `# Changed\n\nText of ${index}.\n` });
      expect(await build(dir, index, undefined, base)).toEqual({ notice: "", isOnBase: true });
      const { reader } = await openFiles(await readFolder(join(dir, index)), "all");
      expect(codeShards(reader)).toEqual([]);
    }
    expect(await build(dir, "four", code, "three")).toEqual({ notice: "", isOnBase: true });
    await expectCode(dir, "four", code);
  });
});
