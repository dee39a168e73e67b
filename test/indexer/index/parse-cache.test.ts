/** Builds with a parse cache: the same bytes as without one, whatever became of it; and what of it they use. */

import { cp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deserialize } from "node:v8";
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
  /** Build with the cache; pages that each of its segments holds then. */
  readonly build: (index: string) => Promise<number[]>;
}

async function makeCached(): Promise<Cached> {
  const corpus = await makeCorpus(PAGES);
  const cacheDir = join(corpus.dir, "cache");
  const build: Cached["build"] = async (index) => {
    await corpus.build(index, { cacheDir });
    const files = await segmentsOf(cacheDir);
    return Promise.all(files.map(async (name) => countDocuments(await readFile(join(cacheDir, name)))));
  };
  return { corpus, cacheDir, build };
}

/** Documents that the list at the end of a file of the cache names. */
function countDocuments(file: Buffer): number {
  const trailer = file.length - 16;
  const list = file.subarray(trailer - file.readUInt32LE(trailer), trailer);
  return (deserialize(list) as Map<string, unknown>).size;
}

async function segmentsOf(cacheDir: string): Promise<string[]> {
  return (await readdir(cacheDir)).filter((name) => name.endsWith(".segment")).sort();
}

describe("a build with a parse cache", () => {
  it("parses what changed alone, and gives the bytes of a build without one", async () => {
    const { corpus, build } = await makeCached();
    expect(await build("one")).toEqual([30]);
    expect(await build("again")).toEqual([30]);
    await corpus.edit({ "p3.md": "# Other\n", "new.md": "# New\n", "p4.md": undefined });
    // Pages whose times changed and whose content did not are read and not parsed.
    await utimes(join(corpus.dir, "docs", "p5.md"), new Date(0), new Date(1e12));
    expect(await build("two")).toEqual([30, 2]);
    expect(await build("three")).toEqual([30, 2]);
    await corpus.build("plain");
    for (const index of ["two", "three"]) expect(await corpus.files(index)).toEqual(await corpus.files("plain"));
    expect(await corpus.files("again")).toEqual(await corpus.files("one"));
  });

  it("parses all pages of a collection again whose settings changed", async () => {
    const { corpus, build } = await makeCached();
    await build("one");
    const collections = [{ name: "docs", language: "german" }];
    await corpus.edit({ "treeline.config.json": JSON.stringify({ collections }) });
    expect(await build("two")).toEqual([30, 30]);
    await corpus.edit({ "treeline.config.json": JSON.stringify({ collections, ranking: { title_weight: 5 } }) });
    expect(await build("three")).toEqual([30, 30]);
    await corpus.build("plain");
    expect(await corpus.files("three")).toEqual(await corpus.files("plain"));
  });

  it("gives the same bytes whatever byte of the cache is damaged, on a base too", { timeout: 120_000 }, async () => {
    const { corpus, cacheDir, build } = await makeCached();
    await build("one");
    await corpus.edit({ "p3.md": "# Other\n\nA word of its own, a route.\n" });
    await corpus.build("plain");
    await corpus.buildOn("one", "plain-on-base");
    const [segment = ""] = await segmentsOf(cacheDir);
    const before = new Map<string, Buffer>();
    for (const name of [segment, "files.json"]) before.set(name, await readFile(join(cacheDir, name)));
    const warm = join(corpus.dir, "warm-cache");
    await rm(cacheDir, { recursive: true });
    await build("warm");
    await cp(cacheDir, warm, { recursive: true });
    for (const [name, whole] of before) {
      for (let n = 0; n < 12; n++) {
        const at = Math.floor((whole.length * (n + 0.5)) / 12);
        const bytes = Buffer.from(whole);
        bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
        for (const [index, wanted, base] of [
          ["damaged", "plain", undefined],
          ["damaged-on-base", "plain-on-base", join(corpus.dir, "indexes", "one")],
        ] as const) {
          await rm(cacheDir, { recursive: true, force: true });
          await cp(warm, cacheDir, { recursive: true });
          await writeFile(join(cacheDir, name), bytes);
          await corpus.build(index, { cacheDir, ...(base !== undefined && { base }) });
          expect([name, at, await corpus.files(index)]).toEqual([name, at, await corpus.files(wanted)]);
        }
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
