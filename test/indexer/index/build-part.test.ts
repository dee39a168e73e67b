import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildPart, joinParts, type Part } from "../../../indexer/index/split-build.ts";
import { InputError } from "../../../src/core/errors.ts";
import { search } from "../../../src/core/search/search.ts";
import type { Pages } from "../../support/build-index.ts";
import { ask } from "../../support/small-corpora.ts";
import { makeCorpus, type SmallCorpus } from "../../support/small-corpus.ts";

const PAGES: Pages = Object.fromEntries(
  Array.from({ length: 30 }, (_, n) => [
    `${["a", "b/c", "ä"][n % 3]}/p${n}.md`,
    `---\ntags: [t${n % 3}]\n---\n# Page ${n}\n\nA route to [the next](p${n + 3}.md) and [no](gone.md).\n\n${"more words ".repeat(n)}\n`,
  ]),
);

function folderOf({ dir }: SmallCorpus, name: string): string {
  return join(dir, "parts", name);
}

async function build(corpus: SmallCorpus, part: Part, name = `${part.index}-${part.of}`): Promise<string> {
  await buildPart({ dir: join(corpus.dir, "docs"), outDir: folderOf(corpus, name) }, part);
  return folderOf(corpus, name);
}

function buildAll(corpus: SmallCorpus, of: number): Promise<string[]> {
  return Promise.all(Array.from({ length: of }, (_, at) => build(corpus, { index: at + 1, of })));
}

function joinInto(corpus: SmallCorpus, index: string, folders: readonly string[], more: object = {}) {
  return joinParts({ dir: join(corpus.dir, "docs"), outDir: join(corpus.dir, "indexes", index), ...more }, folders);
}

async function refusalOf(corpus: SmallCorpus, folders: readonly string[]): Promise<string> {
  const error = await joinInto(corpus, "refused", folders).catch((refused: unknown) => refused);
  if (!(error instanceof InputError)) throw new Error("was not refused", { cause: error });
  return error.message;
}

describe("parts of a build", () => {
  it("together give the index of one build, byte for byte, without parsing a page again", async () => {
    const corpus = await makeCorpus(PAGES);
    const alone = await corpus.build("alone");
    for (const of of [1, 2, 5]) {
      const folders = await buildAll(corpus, of);
      const parsed: number[] = [];
      const summary = await joinInto(corpus, `joined-${of}`, [...folders].reverse(), {
        progress: (done: number) => parsed.push(done),
      });
      expect(summary).toEqual(alone);
      expect(parsed).toEqual([]);
      expect(await corpus.files(`joined-${of}`)).toEqual(await corpus.files("alone"));
    }
  });

  it("share the pages out: each is in one part, and the counts add up", async () => {
    const corpus = await makeCorpus(PAGES);
    const counts = [];
    for (let index = 1; index <= 3; index++) {
      const outDir = folderOf(corpus, `n${index}`);
      counts.push(await buildPart({ dir: join(corpus.dir, "docs"), outDir }, { index, of: 3 }));
    }
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(30);
    for (const count of counts) expect(count).toBeGreaterThan(2);
  });

  it("are joined on a base as one build is", async () => {
    const corpus = await makeCorpus(PAGES);
    await corpus.build("base");
    await corpus.edit({ "a/p0.md": "---\ntags: [t0]\n---\n# Zebra\n\nStripes.\n" });
    const base = join(corpus.dir, "indexes", "base");
    const summary = await joinInto(corpus, "joined", await buildAll(corpus, 2), { base });
    expect(summary).toMatchObject({ notice: "", changed: 1 });
    await corpus.buildOn("base", "alone");
    expect(await corpus.files("joined")).toEqual(await corpus.files("alone"));
  });

  it("do not hold what changed since: that is parsed when they are joined", async () => {
    const corpus = await makeCorpus(PAGES);
    const folders = await buildAll(corpus, 2);
    await corpus.edit({ "a/p0.md": "# Zebra\n\nStripes.\n", "a/p3.md": undefined, "new.md": "# New zebra\n" });
    await joinInto(corpus, "joined", folders);
    await corpus.build("alone");
    expect(await corpus.files("joined")).toEqual(await corpus.files("alone"));
    const { reader } = await corpus.open("joined");
    expect((await search(reader, ask("zebra"))).hits.map(({ path }) => path).sort()).toEqual(["a/p0.md", "new.md"]);
  });

  it("that are damaged are parsed again", async () => {
    const corpus = await makeCorpus(PAGES);
    const folders = await buildAll(corpus, 2);
    const segment = join(folders[0] as string, "documents.cache");
    const whole = await readFile(segment);
    await corpus.build("alone");
    for (const at of [10, Math.floor(whole.length / 2), whole.length - 30]) {
      const bytes = Buffer.from(whole);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      await writeFile(segment, bytes);
      await joinInto(corpus, "joined", folders);
      expect(await corpus.files("joined")).toEqual(await corpus.files("alone"));
    }
  });

  it("are refused when one is missing, there twice, or of another number of parts", async () => {
    const corpus = await makeCorpus(PAGES);
    const [one = "", two = "", three = ""] = await buildAll(corpus, 3);
    expect(await refusalOf(corpus, [one, three])).toBe("part 2 of 3 is missing");
    expect(await refusalOf(corpus, [two])).toBe("part 1, 3 of 3 is missing");
    const twin = await build(corpus, { index: 2, of: 3 }, "twin");
    expect(await refusalOf(corpus, [one, two, three, twin])).toBe(`"${two}" and "${twin}" are both part 2 of 3`);
    const other = await build(corpus, { index: 2, of: 2 }, "other");
    expect(await refusalOf(corpus, [one, other, three])).toBe(`"${other}" is one of 2 parts, "${one}" one of 3`);
  });

  it("are refused where a file has the place of their folder", async () => {
    const corpus = await makeCorpus(PAGES);
    const file = join(corpus.dir, "taken");
    await writeFile(file, "");
    const request = { dir: corpus.dir, outDir: file };
    await expect(buildPart(request, { index: 1, of: 2 })).rejects.toThrow("taken is a file");
  });

  it("are refused when they are none, interrupted, or of another configuration", async () => {
    const corpus = await makeCorpus(PAGES);
    const [one = "", two = ""] = await buildAll(corpus, 2);
    const none = folderOf(corpus, "none");
    expect(await refusalOf(corpus, [one, none])).toBe(`"${none}" is not a part of a build: it has no part.json`);
    for (const text of ["", "{}", "[]", "null", '{"index":"1","of":2,"made":"x","documents":1}']) {
      const record = await readFile(join(two, "part.json"), "utf8");
      await writeFile(join(two, "part.json"), text);
      expect(await refusalOf(corpus, [one, two])).toMatch(/is not a part of a build/);
      await writeFile(join(two, "part.json"), record);
    }
    await rm(join(two, "part.json"));
    expect(await refusalOf(corpus, [one, two])).toMatch(/is not a part of a build/);
    const config = { collections: [{ name: "docs", baseUrl: "https://example.org/" }] };
    await corpus.edit({ "treeline.config.json": JSON.stringify(config) });
    expect(await refusalOf(corpus, [one, await build(corpus, { index: 2, of: 2 })])).toMatch(
      /was built with another configuration or another version of Treeline$/,
    );
  });
});
