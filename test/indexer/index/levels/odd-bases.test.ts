/** Builds on bases that no runner expects: each gives the whole index, and says in its summary what became of the base. */
import { execFileSync } from "node:child_process";
import { cp, rename, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { textOfKey } from "../../../../src/core/bytes/key.ts";
import { applyPatch } from "../../../../src/core/format/table.ts";
import { entriesOf, IndexReader } from "../../../../src/core/index/index-reader.ts";
import { makeSearchRequest } from "../../../../src/core/search/answer.ts";
import { answer, foundOf, open, scan } from "../../../support/all-answers.ts";
import { makeCorpus, type SmallCorpus } from "../../../support/small-corpus.ts";

const page = (n: number): string =>
  `# Page ${n}\n\nA route leads to handler ${n}, see [the next](p${(n + 1) % 60}.md).\n\n## Part\n\nThe cache keeps it.\n`;
const PAGES = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`guide/p${n}.md`, page(n)]));
const EDIT = { "guide/p3.md": `${page(3)}\nA zebra too.\n` };

/** What the index finds must be what one of the same pages finds that was built at once. */
async function expectWhole(corpus: SmallCorpus, index: string): Promise<void> {
  await corpus.build("scratch");
  const openIndex = (name: string) => open(join(corpus.dir, "indexes", name), "all");
  const [own, scratch] = [await openIndex(index), await openIndex("scratch")];
  expect(await scan(own)).toEqual(await scan(scratch));
  for (const query of ["zebra", "handler", '"handler 7"', "cache keeps"]) {
    const request = makeSearchRequest(query, { correct: false, limit: 100 });
    expect(foundOf(await answer(own, request))).toEqual(foundOf(await answer(scratch, request)));
  }
}

describe("a base", () => {
  it("that was built in the future is built on", async () => {
    const corpus = await makeCorpus(PAGES);
    await corpus.build("one", { clock: () => Date.UTC(2040, 0) });
    await corpus.edit(EDIT);
    const built = await corpus.buildOn("one", "two", { clock: () => Date.UTC(2001, 0) });
    expect(built).toMatchObject({ notice: "", changed: 1 });
    expect(built.levels.map(({ documents }) => documents)).toEqual([59, 1]);
    await expectWhole(corpus, "two");
  });

  it("of another machine is built on, and gives the same bytes as here", async () => {
    const [here, there] = [await makeCorpus(PAGES), await makeCorpus(PAGES)];
    await there.build("one");
    await cp(join(there.dir, "indexes"), join(here.dir, "indexes"), { recursive: true });
    for (const corpus of [here, there]) {
      await corpus.edit(EDIT);
      expect(await corpus.buildOn("one", "two")).toMatchObject({ notice: "", changed: 1, added: 0, deleted: 0 });
    }
    const packs = async (corpus: SmallCorpus) =>
      [...(await corpus.files("two")).keys()].filter((name) => !name.endsWith(".pointer"));
    expect(await packs(here)).toEqual(await packs(there));
  });

  it("of commits that are no more is built on", async () => {
    const corpus = await makeCorpus(PAGES);
    const git = (...args: string[]): void => {
      const author = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
      execFileSync("git", [...author, ...args], { cwd: join(corpus.dir, "docs"), stdio: "ignore" });
    };
    const commit = (message: string): void => {
      git("init");
      git("add", ".");
      git("commit", `--message=${message}`);
    };
    commit("First");
    const { commit: before } = await corpus.build("one");
    await rm(join(corpus.dir, "docs", ".git"), { recursive: true });
    await corpus.edit(EDIT);
    commit("Another");
    const built = await corpus.buildOn("one", "two");
    expect(built).toMatchObject({ notice: "", changed: 1 });
    expect(built.commit).not.toBe(before);
    await expectWhole(corpus, "two");
  });

  it("of which half a file is there is not taken over, whatever file it is", { timeout: 300_000 }, async () => {
    const corpus = await makeCorpus(PAGES);
    await corpus.build("one");
    await corpus.edit(EDIT);
    await corpus.buildOn("one", "two");
    await corpus.edit({ "guide/p9.md": `${page(9)}\nA quagga too.\n` });
    for (const [name, { length }] of await corpus.files("two")) {
      if (!/\.(?:pack|level)$/.test(name)) continue;
      const half = join(corpus.dir, "indexes", "half");
      await rm(half, { recursive: true, force: true });
      await cp(join(corpus.dir, "indexes", "two"), half, { recursive: true });
      await truncate(join(half, name), Math.floor(length / 2));
      const { notice, levels } = await corpus.buildOn("half", `on-${name}`);
      // The newest level is written again: its files are of no use.
      if (notice !== "") expect(levels).toHaveLength(1);
      await expectWhole(corpus, `on-${name}`);
    }
  });

  it("all of whose pages have other names is written anew as one level, and its text is left", async () => {
    const corpus = await makeCorpus(PAGES);
    await corpus.build("one");
    await rename(join(corpus.dir, "docs", "guide"), join(corpus.dir, "docs", "manual"));
    const built = await corpus.buildOn("one", "two");
    expect(built).toMatchObject({ notice: "", added: 60, deleted: 60, changed: 0 });
    expect(built.levels.map(({ documents }) => documents)).toEqual([60]);
    await expectWhole(corpus, "two");
  });
});

describe("values that a newer level changes", () => {
  it("are written as what changed of them", async () => {
    const corpus = await makeCorpus(PAGES);
    await corpus.build("one");
    await corpus.edit({ "guide/p3.md": `${page(3)}\n## Further\n\nA zebra.\n`, "guide/p60.md": page(60) });
    await corpus.buildOn("one", "two");
    const { index } = await corpus.open("two");
    const { shards } = index.root;
    const sizes = async (levels: typeof shards): Promise<Map<string, number>> => {
      const reader = new IndexReader({ ...index, root: { ...index.root, shards: levels } }, "all");
      const { tables } = await reader.read([{ shard: 0, table: "categories", keys: "all" }]);
      return new Map([...entriesOf(tables[0] ?? [])].map(([key, value]) => [textOfKey(key), value.length]));
    };
    const [whole, patch] = [await sizes(shards.slice(0, 1)), await sizes(shards.slice(1))];
    expect(whole.get("mguide")).toBeGreaterThan(800);
    expect(patch.get("mguide")).toBeGreaterThan(0);
    expect(patch.get("mguide")).toBeLessThan(150);
    await expectWhole(corpus, "two");
  });

  it("are read one by one where they stand in many chunks of the oldest level, and in one of the newer one", async () => {
    const links = Array.from({ length: 60 }, (_, n) => `See [page ${n} of the long guide](p${n}.md).`).join("\n\n");
    const corpus = await makeCorpus(
      Object.fromEntries(Object.entries(PAGES).map(([path, text]) => [path, text + links])),
    );
    await corpus.build("one");
    await corpus.edit({ "guide/p3.md": "# Alone\n", "guide/p40.md": "# Alone, too\n" });
    await corpus.buildOn("one", "two");
    const { reader } = await corpus.open("two");
    expect(reader.index.root.shards[0]?.tables.links.entries.length).toBeGreaterThan(2);
    const { tables } = await reader.read([{ shard: 0, table: "links", keys: "all" }]);
    const all = [...entriesOf(tables[0] ?? [])];
    expect(all.length).toBe(60);
    for (const [key, value] of all) expect(await reader.lookUp(0, "links", [key])).toEqual([value]);
  });

  it("are refused where a patch takes what is not there, or ends early", () => {
    const before = Uint8Array.of(1, 2, 3, 4, 5);
    const make = (...patch: number[]): number[] => [...applyPatch(before, Uint8Array.from(patch), "links")];
    // Two from the second on, a new one, and the last one.
    expect(make(5, 2, 2, 9, 3, 2)).toEqual([2, 3, 9, 5]);
    expect(make()).toEqual([]);
    expect(() => make(13, 0)).toThrow("a piece of what is not there");
    expect(() => make(3, 1)).toThrow("a piece of what is not there");
    expect(() => make(6, 1)).toThrow();
    expect(() => make(5)).toThrow();
  });
});
