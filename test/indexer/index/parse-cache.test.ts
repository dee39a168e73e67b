/** Builds with a parse cache: the same bytes as without one, whatever became of it; and what of it they use. */

import { readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Pages } from "../../support/build-index.ts";
import { makeCorpus, type SmallCorpus } from "../../support/small-corpus.ts";

const PAGES: Pages = Object.fromEntries(
  Array.from({ length: 30 }, (_, n) => [
    `p${n}.md`,
    `# Page ${n}\n\nA route.\n\n## Part ${n}\n\n${"word ".repeat(n)}\n`,
  ]),
);

interface Cached {
  readonly corpus: SmallCorpus;
  readonly cacheDir: string;
  /** Builds with the cache; the number of documents in it then. */
  readonly build: (index: string) => Promise<number>;
}

async function makeCached(): Promise<Cached> {
  const corpus = await makeCorpus(PAGES);
  const cacheDir = join(corpus.dir, "cache");
  const build: Cached["build"] = async (index) => {
    await corpus.build(index, { cacheDir });
    const lists = await readFile(join(cacheDir, "documents.cache"), "latin1");
    return lists.match(/"[\w+/]{27}=",/g)?.length ?? 0;
  };
  return { corpus, cacheDir, build };
}

describe("a build with a parse cache", () => {
  it("parses what changed alone, and gives the bytes of a build without one", async () => {
    const { corpus, build } = await makeCached();
    expect(await build("one")).toBe(30);
    expect(await build("again")).toBe(30);
    await corpus.edit({ "p3.md": "# Other\n", "new.md": "# New\n", "p4.md": undefined });
    // Pages whose times changed and whose content did not are read and not parsed.
    await utimes(join(corpus.dir, "docs", "p5.md"), new Date(0), new Date(1e12));
    expect(await build("two")).toBe(32);
    expect(await build("three")).toBe(32);
    await corpus.build("plain");
    for (const index of ["two", "three"]) expect(await corpus.files(index)).toEqual(await corpus.files("plain"));
    expect(await corpus.files("again")).toEqual(await corpus.files("one"));
  });

  it("parses all pages of a collection again whose settings changed", async () => {
    const { corpus, build } = await makeCached();
    await build("one");
    const collections = [{ name: "docs", language: "german" }];
    await corpus.edit({ "treeline.config.json": JSON.stringify({ collections }) });
    expect(await build("two")).toBe(60);
    await corpus.edit({ "treeline.config.json": JSON.stringify({ collections, ranking: { title_weight: 5 } }) });
    expect(await build("three")).toBe(60);
    await corpus.build("plain");
    expect(await corpus.files("three")).toEqual(await corpus.files("plain"));
  });

  it("gives the same bytes whatever byte of the cache is damaged, on a base too", { timeout: 120_000 }, async () => {
    const { corpus, cacheDir, build } = await makeCached();
    await build("one");
    await corpus.edit({ "p3.md": "# Other\n\nA word of its own, a route.\n" });
    await corpus.build("plain");
    await corpus.buildOn("one", "plain-on-base");
    const file = join(cacheDir, "documents.cache");
    const whole = await readFile(file);
    for (let n = 0; n < 24; n++) {
      const at = Math.floor((whole.length * (n + 0.5)) / 24);
      const bytes = Buffer.from(whole);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      for (const [index, wanted, base] of [
        ["damaged", "plain", undefined],
        ["damaged-on-base", "plain-on-base", join(corpus.dir, "indexes", "one")],
      ] as const) {
        await writeFile(file, bytes);
        await corpus.build(index, { cacheDir, ...(base !== undefined && { base }) });
        expect([at, await corpus.files(index)]).toEqual([at, await corpus.files(wanted)]);
      }
    }
  });

  it("builds all the same where the cache cannot be written", async () => {
    const { corpus } = await makeCached();
    await writeFile(join(corpus.dir, "blocked"), "a file");
    await corpus.build("blocked", { cacheDir: join(corpus.dir, "blocked") });
    expect(await readFile(join(corpus.dir, "blocked"), "utf8")).toBe("a file");
    await corpus.build("plain");
    expect(await corpus.files("blocked")).toEqual(await corpus.files("plain"));
  });
});
