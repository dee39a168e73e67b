/** When a build is one on its base, and why it is none else: every reason for a full build says itself. */
import { cp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { decodeManifest, decodePointer, encodePointer } from "../../../../src/core/format/generation.ts";
import { FORMAT_VERSION } from "../../../../src/core/format/root.ts";
import { POINTER_FILE } from "../../../../src/core/index/range-source.ts";
import { search } from "../../../../src/core/search/search.ts";
import type { Pages } from "../../../support/build-index.ts";
import { ask } from "../../../support/small-corpora.ts";
import { makeCorpus, type SmallCorpus } from "../../../support/small-corpus.ts";

const page = (n: number): string =>
  `---\ntags: [t${n % 3}]\n---\n# Page ${n}\n\nA route leads to handler ${n}.\n\n## Part\n\nThe cache keeps it.\n`;
const PAGES: Pages = Object.fromEntries(
  Array.from({ length: 40 }, (_, n) => [`p${String(n).padStart(2, "0")}.md`, page(n)]),
);
const EDIT = { "p03.md": "---\ntags: [t0]\n---\n# Changed\n\nA zebra leads to handlers.\n" };

async function pathsFor(corpus: SmallCorpus, index: string, query: string): Promise<string[]> {
  const { reader } = await corpus.open(index);
  return (await search(reader, ask(query, { limit: 100 }))).hits.map(({ path }) => path);
}

/** The index must be the one that a build without a base gives. */
async function expectFromScratch(corpus: SmallCorpus, index: string): Promise<void> {
  await corpus.build("scratch");
  expect(await corpus.files(index)).toEqual(await corpus.files("scratch"));
}

describe("a build on a base", () => {
  it("takes over what did not change: the base's packs keep their names, and what is new is small", async () => {
    const corpus = await makeCorpus(PAGES);
    const first = await corpus.build("one");
    await corpus.edit(EDIT);
    const second = await corpus.buildOn("one", "two");
    expect(second).toMatchObject({ notice: "", base: first.generation, changed: 1, added: 0, deleted: 0 });
    const [before, now] = [await corpus.files("one"), await corpus.files("two")];
    const stays = (files: ReadonlyMap<string, Uint8Array>) =>
      [...files.keys()].filter((name) => name.endsWith(".pack") || name.endsWith(".level"));
    expect(stays(now)).toEqual(expect.arrayContaining(stays(before)));
    // Text, tables and their directories.
    expect(stays(now)).toHaveLength(stays(before).length + 3);
    const fresh = [...now].filter(([name]) => !before.has(name) || name === POINTER_FILE);
    expect(second.newBytes).toBe(fresh.reduce((sum, [, { length }]) => sum + length, 0));
    expect(second.reusedBytes).toBe(stays(before).reduce((sum, name) => sum + (before.get(name)?.length ?? 0), 0));
    expect(await pathsFor(corpus, "two", "zebra")).toEqual(["p03.md"]);
    expect((await pathsFor(corpus, "two", "title:page")).includes("p03.md")).toBe(false);
  });

  it("lists all files of the generation, and its folder holds each as the list says", async () => {
    const corpus = await makeCorpus(PAGES);
    await corpus.build("one");
    await corpus.edit(EDIT);
    await corpus.buildOn("one", "two");
    // Over itself, too: what the base's own generation had beside its packs is gone.
    await corpus.buildOn("one", "one");
    expect(await corpus.files("one")).toEqual(await corpus.files("two"));
    const files = await corpus.files("two");
    const pointer = decodePointer(files.get(POINTER_FILE) ?? new Uint8Array());
    const listed = decodeManifest(files.get(pointer.manifest) ?? new Uint8Array()).files;
    const held = [...files].filter(([name]) => ![POINTER_FILE, pointer.manifest].includes(name));
    expect(held.map(([name, { length }]) => ({ name, bytes: length }))).toEqual(listed);
  });

  it("writes nothing new where nothing changed", async () => {
    const corpus = await makeCorpus(PAGES);
    const first = await corpus.build("one");
    expect(await corpus.buildOn("one", "one")).toMatchObject({
      notice: "",
      base: first.generation,
      generation: first.generation,
      newBytes: 0,
      added: 0,
      changed: 0,
      deleted: 0,
    });
    expect(await corpus.buildOn("one", "elsewhere")).toMatchObject({ newBytes: 0 });
    expect(await corpus.files("elsewhere")).toEqual(await corpus.files("one"));
  });

  it("gives the same bytes on the same base, with a cache or without", async () => {
    const corpus = await makeCorpus(PAGES);
    await corpus.build("one");
    await corpus.edit(EDIT);
    await corpus.buildOn("one", "two", { cacheDir: join(corpus.dir, "cache") });
    await corpus.edit({ "p05.md": undefined, "new/page.md": "# New\n\nA yak.\n" });
    const third = await corpus.buildOn("two", "three", { cacheDir: join(corpus.dir, "cache") });
    expect(third).toMatchObject({ notice: "", changed: 0, added: 1, deleted: 1 });
    await corpus.buildOn("two", "again");
    expect(await corpus.files("three")).toEqual(await corpus.files("again"));
    await corpus.edit({ ...EDIT, "p05.md": PAGES["p05.md"], "new/page.md": undefined });
    await corpus.buildOn("three", "back");
    expect(await pathsFor(corpus, "back", "zebra")).toEqual(["p03.md"]);
    expect(await pathsFor(corpus, "back", "yak")).toEqual([]);
    expect(await pathsFor(corpus, "back", '"handler 5"')).toEqual(["p05.md"]);
  });

  it("keeps few levels, and writes all as one where much changed; text stays where it is", async () => {
    const corpus = await makeCorpus(PAGES);
    await corpus.build("at-0");
    const levels: number[][] = [];
    for (let n = 1; n <= 12; n++) {
      await corpus.edit({ [`p${String(n).padStart(2, "0")}.md`]: `# Other ${n}\n\n---\n\nA zebra.\n` });
      expect((await corpus.buildOn(`at-${n - 1}`, `at-${n}`)).notice).toBe("");
      const { reader } = await corpus.open(`at-${n}`);
      levels.push(reader.shards.map(({ root }) => root.documents));
      expect(reader.shards.reduce((sum, { root }) => sum + root.documents, 0)).toBe(40);
      expect(await pathsFor(corpus, `at-${n}`, "zebra")).toHaveLength(n);
    }
    expect(Math.max(...levels.map(({ length }) => length))).toBe(3);
    expect(levels.slice(0, 6)).toEqual([[39, 1], [38, 1, 1], [37, 3], [36, 3, 1], [35, 5], [40]]);
    const packs = async (index: string) =>
      new Set((await corpus.open(index)).index.root.shards.flatMap((shard) => shard.packs));
    const [before, after] = [await packs("at-5"), await packs("at-6")];
    expect([...after].filter((pack) => before.has(pack)).length).toBeGreaterThan(1);
  });

  it("counts a renamed page as one that is gone and one that is new", async () => {
    const corpus = await makeCorpus(PAGES);
    await corpus.build("one");
    await corpus.edit({ "p07.md": undefined, "a/moved.md": page(7) });
    expect(await corpus.buildOn("one", "two")).toMatchObject({ notice: "", changed: 0, added: 1, deleted: 1 });
    expect(await pathsFor(corpus, "two", '"handler 7"')).toEqual(["a/moved.md"]);
  });

  it("reads a base at an address", async () => {
    const corpus = await makeCorpus(PAGES);
    await corpus.build("one");
    const files = await corpus.files("one");
    const server = createServer((request, response) => {
      const bytes = files.get((request.url ?? "").slice(1).split("?")[0] ?? "");
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
      if (bytes === undefined) {
        response.writeHead(404).end();
      } else if (from === undefined) {
        response.writeHead(200, { etag: '"1"' }).end(bytes);
      } else {
        const part = bytes.subarray(Number(from), Number(to) + 1);
        const range = `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`;
        response.writeHead(206, { "content-range": range, etag: '"1"' }).end(part);
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await corpus.edit(EDIT);
    expect(await corpus.build("two", { base })).toMatchObject({ notice: "", changed: 1 });
    await corpus.buildOn("one", "other");
    expect(await corpus.files("two")).toEqual(await corpus.files("other"));
  });
});

describe("an everyday edit", () => {
  /** Build on a base after an edit: it must be used, little is new, and queries find what they find in a full build. */
  async function expectSmall(
    before: Pages,
    after: Readonly<Record<string, string | undefined>>,
    queries: readonly string[],
  ): Promise<void> {
    const corpus = await makeCorpus(before);
    await corpus.build("one");
    await corpus.edit(after);
    const { notice, newBytes } = await corpus.buildOn("one", "two");
    expect(notice).toBe("");
    const { newBytes: all } = await corpus.build("scratch");
    expect(newBytes).toBeLessThan(all / 2);
    const facetsOf = async (index: string) => (await corpus.open(index)).reader.facetKeys;
    expect(await facetsOf("two")).toEqual(await facetsOf("scratch"));
    for (const query of queries) {
      const found = await pathsFor(corpus, "two", query);
      expect([query, [...found].sort()]).toEqual([query, (await pathsFor(corpus, "scratch", query)).sort()]);
      expect([query, found.length]).not.toEqual([query, 0]);
    }
  }

  const MORE = Object.fromEntries(
    Array.from({ length: 120 }, (_, n) => [
      `more/m${n}.md`,
      `# More ${n}\n\n${"Words that differ from page to page, for instance "}number${n} and another${n * 7}.\n`,
    ]),
  );
  const LARGE: Pages = { ...PAGES, ...MORE };

  it("explains an acronym, once more, or no longer", async () => {
    const explained = { "p01.md": `${page(1)}\nSingle Sign-On (SSO) is there.\n` };
    const other = { "p02.md": `${page(2)}\nMuch single sign-on here.\n`, "p04.md": `${page(4)}\nSSO and no more.\n` };
    const again = { "p03.md": `${page(3)}\nAgain single sign-on (SSO).\n` };
    await expectSmall({ ...LARGE, ...other }, explained, ["SSO", "single sign-on"]);
    await expectSmall({ ...LARGE, ...other, ...explained }, again, ["SSO", "single sign-on"]);
    await expectSmall({ ...LARGE, ...other, ...explained }, { "p01.md": page(1) }, ["SSO", "single sign-on"]);
  });

  it("brings a word with the stem of a stop word", async () => {
    // The stem of `wells` is `well`, which is a stop word wherever it stands alone.
    const before = { ...LARGE, "p00.md": `${page(0)}\nAs well as that.\n` };
    const queries = ["well", "wells", '"as well as"', '"of water"'];
    await expectSmall(before, { "p01.md": `${page(1)}\nWells of water, \`well\`.\n` }, queries);
  });

  it.each([
    ["draft: false", "draft:false"],
    ["tags: [alpha, beta]", "tags:beta"],
    ["sidebar_label: Quux", "sidebar_label:Quux"],
  ])("says %s in the frontmatter of a page", async (line, query) => {
    await expectSmall(LARGE, { "p01.md": page(1).replace(/tags: .*/, line) }, [query, "tags:t1", "handler tags:t2"]);
  });

  it("takes ten pages away, and with them a key", async () => {
    const gone = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`p0${n}.md`, undefined]));
    const labelled = { "p05.md": page(5).replace("tags:", "label: X\ntags:") };
    await expectSmall({ ...LARGE, ...labelled }, gone, ["tags:t1", "handler", "label:X handler"]);
  });

  it("makes a key usable that the base was written without, which it stays then", async () => {
    const numbered = Object.fromEntries(
      Array.from({ length: 210 }, (_, n) => [
        `n${n}.md`,
        `---\nnumber: n${n === 209 ? 100 : n % 100}\n---\n# N${n}\n\nText.\n`,
      ]),
    );
    const corpus = await makeCorpus(numbered);
    await corpus.build("one");
    await corpus.edit({ "n209.md": undefined });
    const { notice, facetKeysLeftOut } = await corpus.buildOn("one", "two");
    expect(notice).toBe("");
    expect(facetKeysLeftOut).toEqual([{ key: "number", values: 100, documents: 209, reason: "base" }]);
    expect((await corpus.open("two")).reader.facetKeys).not.toContain("number");
    await corpus.build("scratch");
    expect((await corpus.open("scratch")).reader.facetKeys).toContain("number");
  });
});

describe("a build from scratch in place of one on a base", () => {
  /** Build, change something, build on it: the notice, and an index as if no base had been named. */
  async function noticeOf(
    before: Pages,
    after: Readonly<Record<string, string | undefined>>,
    config?: object,
  ): Promise<string> {
    const corpus = await makeCorpus(before, config);
    await corpus.build("one");
    await corpus.edit(after);
    const { notice, base } = await corpus.buildOn("one", "two");
    if (notice !== "") {
      expect(base).toBe("");
      await expectFromScratch(corpus, "two");
    }
    return notice;
  }

  it("says that there is none", async () => {
    const corpus = await makeCorpus(PAGES);
    const { notice } = await corpus.buildOn("nowhere", "two");
    expect(notice).toMatch(/^there is no index at ".*nowhere" to build on$/);
    await expectFromScratch(corpus, "two");
  });

  it("says that settings are others", async () => {
    const reason = "the base was built with other settings or by another version of Treeline";
    const config = { collections: [{ name: "docs", baseUrl: "https://example.org/" }] };
    expect(await noticeOf(PAGES, { "treeline.config.json": JSON.stringify(config) })).toBe(reason);
    const glossary = JSON.stringify({ terms: [{ term: "route", synonyms: ["path"] }] });
    const named = { glossary: "glossary.json" };
    expect(
      await noticeOf(
        { ...PAGES, "glossary.json": glossary.replace("path", "way") },
        { "glossary.json": glossary },
        named,
      ),
    ).toBe(reason);
  });

  it("does not mind other ranking, which no table holds", async () => {
    const ranking = { ranking: { title_weight: 7 } };
    expect(await noticeOf(PAGES, { "treeline.config.json": JSON.stringify(ranking) })).toBe("");
  });

  it("says that a base of another version cannot be used", async () => {
    const corpus = await makeCorpus(PAGES);
    await corpus.build("one");
    const path = join(corpus.dir, "indexes", "one", POINTER_FILE);
    const pointer = (await corpus.files("one")).get(POINTER_FILE) ?? new Uint8Array();
    const newer = pointer.slice();
    newer[4] = FORMAT_VERSION + 1;
    const { rootBytes, ...rest } = decodePointer(pointer);
    const newerRoot = rootBytes.slice();
    newerRoot[4] = FORMAT_VERSION + 1;
    for (const bytes of [newer, encodePointer({ ...rest, rootBytes: newerRoot })]) {
      await writeFile(path, bytes);
      const { notice } = await corpus.buildOn("one", "two");
      expect(notice).toMatch(/^the base cannot be used: .*format version 2 is not known/);
      await expectFromScratch(corpus, "two");
    }
  });

  it("says that the base is damaged, wherever it is, or is not used where a build cannot notice", {
    timeout: 120_000,
  }, async () => {
    const corpus = await makeCorpus(PAGES);
    await corpus.build("one");
    await corpus.edit(EDIT);
    await corpus.buildOn("one", "whole");
    const whole = await corpus.files("whole");
    await corpus.build("scratch");
    const scratch = await corpus.files("scratch");
    const outcomes = { refused: 0, same: 0 };
    for (const [name, bytes] of await corpus.files("one")) {
      const places = name.endsWith(".pack") ? 12 : 4;
      for (let n = 0; n < places; n++) {
        const at = Math.floor((bytes.length * (n + 0.5)) / places);
        const spoiled = bytes.slice();
        spoiled[at] = (spoiled[at] as number) ^ 16;
        const bad = join(corpus.dir, "indexes", "bad");
        await rm(bad, { recursive: true, force: true });
        await cp(join(corpus.dir, "indexes", "one"), bad, { recursive: true });
        await writeFile(join(bad, name), spoiled);
        await rm(join(corpus.dir, "indexes", "two"), { recursive: true, force: true });
        const summary = await corpus.buildOn("bad", "two");
        if (summary.notice === "") {
          expect(await corpus.files("two")).toEqual(whole);
          outcomes.same++;
        } else {
          expect(summary.notice).toMatch(/^the base cannot be used: /);
          expect(await corpus.files("two")).toEqual(scratch);
          outcomes.refused++;
        }
      }
    }
    expect(outcomes.refused).toBeGreaterThan(5);
    expect(outcomes.same).toBeGreaterThan(0);
  });

  it("says that a pack or a level of the base is gone", async () => {
    const corpus = await makeCorpus(PAGES);
    await corpus.build("one");
    await corpus.edit(EDIT);
    for (const name of (await corpus.files("one")).keys()) {
      if (!/\.(?:pack|level)$/.test(name)) continue;
      const bad = join(corpus.dir, "indexes", "bad");
      await cp(join(corpus.dir, "indexes", "one"), bad, { recursive: true });
      await rm(join(bad, name));
      expect((await corpus.buildOn("bad", "two")).notice).toContain(name);
      await expectFromScratch(corpus, "two");
    }
  });
});
