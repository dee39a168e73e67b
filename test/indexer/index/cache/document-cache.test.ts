import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { DocumentCache } from "../../../../indexer/index/cache/build-memory.ts";
import type { StoredDocument } from "../../../../indexer/index/cache/segment.ts";
import { cacheKey } from "../../../../indexer/index/digests.ts";
import { storePages } from "../../../support/stored-pages.ts";
import { makeFolder } from "../../../support/temporary-folder.ts";

const MEGABYTE = 1024 * 1024;
const PAGES = Object.fromEntries(
  Array.from({ length: 12 }, (_, n) => [`p${n + 10}.md`, `# Page ${n}\n\nRoute ${n}.\n`]),
);
const STORED = storePages(PAGES);
const KEYS = STORED.map(({ key }) => key);

function segmentsIn(dir: string): string[] {
  return readdirSync(dir).filter((name) => name !== ".gitignore");
}

function titlesIn(cache: DocumentCache, keys: readonly string[] = KEYS): (string | undefined)[] {
  return keys.map((key) => (cache.body(key) === undefined ? undefined : cache.card(key)?.head.title));
}

describe("DocumentCache", () => {
  it("gives later builds what earlier ones kept, out of a folder that git leaves alone", async () => {
    const dir = join(await makeFolder(), "cache");
    const first = DocumentCache.open(dir);
    expect(first.isEmpty).toBe(true);
    for (const document of STORED) first.add(document);
    expect([first.unsaved, first.isEmpty]).toEqual([12, false]);
    expect(titlesIn(first)).toEqual(KEYS.map((_, n) => `Page ${n}`));
    first.save(new Set(KEYS));
    expect(first.unsaved).toBe(0);
    first.close();
    const second = DocumentCache.open(dir);
    expect(titlesIn(second)).toEqual(KEYS.map((_, n) => `Page ${n}`));
    for (const { key, pairs, words } of STORED) expect(second.hashes(key)).toEqual({ pairs, words });
    expect([second.card("gone"), second.body("gone")]).toEqual([undefined, undefined]);
    second.save(new Set(KEYS));
    second.close();
    expect(readdirSync(dir).sort()).toEqual([".gitignore", "000001.segment"]);
  });

  it("leaves no file of what was not saved", async () => {
    const dir = join(await makeFolder(), "cache");
    const cache = DocumentCache.open(dir);
    for (const document of STORED) cache.add(document);
    cache.close();
    expect(segmentsIn(dir)).toEqual([]);
  });

  it("makes one segment of many, and keeps what is in use of all of them", async () => {
    const dir = join(await makeFolder(), "cache");
    const most: number[] = [];
    for (const [at, document] of STORED.entries()) {
      const cache = DocumentCache.open(dir);
      cache.add(document);
      cache.save(new Set(KEYS.slice(0, at + 1)));
      cache.close();
      most.push(segmentsIn(dir).length);
    }
    expect(Math.max(...most)).toBe(8);
    expect(most.slice(8)).toEqual([1, 2, 3, 4]);
    const cache = DocumentCache.open(dir);
    expect(titlesIn(cache)).toEqual(KEYS.map((_, n) => `Page ${n}`));
    cache.close();
  });

  it("drops what is no longer in use when that is most of it", async () => {
    const dir = join(await makeFolder(), "cache");
    const first = DocumentCache.open(dir);
    for (const document of STORED.slice(0, 11)) first.add(document);
    first.save(new Set(KEYS));
    const used = [...KEYS.slice(0, 3), ...KEYS.slice(11)];
    first.add(STORED[11] as StoredDocument);
    first.save(new Set(used));
    expect(KEYS.filter((key) => first.card(key) !== undefined)).toEqual(used);
    first.close();
    expect(segmentsIn(dir)).toHaveLength(1);
    const second = DocumentCache.open(dir);
    expect(KEYS.filter((key) => second.body(key) !== undefined)).toEqual(used);
    second.close();
  });

  it("without a folder keeps a lot in memory and the rest in a temporary file, which it takes away", async () => {
    const dir = await makeFolder();
    vi.stubEnv("TMPDIR", dir);
    onTestFinished(() => void vi.unstubAllEnvs());
    const cache = DocumentCache.open(undefined);
    const [small] = STORED as [StoredDocument];
    cache.add(small);
    for (let n = 0; n < 3; n++) cache.add({ ...small, key: `large ${n}`, body: new Uint8Array(44 * MEGABYTE) });
    expect(readdirSync(dir)).toEqual([]);
    for (const document of STORED.slice(1)) cache.add(document);
    expect(readdirSync(dir)).toHaveLength(1);
    expect(titlesIn(cache)).toEqual(KEYS.map((_, n) => `Page ${n}`));
    for (const { key, pairs, words } of STORED) expect(cache.hashes(key)).toMatchObject({ pairs, words });
    expect(cache.unsaved).toBe(15);
    cache.save(new Set(KEYS));
    cache.close();
    expect(readdirSync(dir)).toEqual([]);
  });

  it("reads the folders of several builds as one, and writes into none of them", async () => {
    const dirs = await Promise.all([makeFolder(), makeFolder()]);
    for (const [at, dir] of dirs.entries()) {
      const cache = DocumentCache.open(dir);
      for (const document of STORED.filter((_, n) => n % 2 === at)) cache.add(document);
      cache.save(new Set(KEYS));
      cache.close();
    }
    const all = DocumentCache.openAll(dirs);
    expect(titlesIn(all)).toEqual(KEYS.map((_, n) => `Page ${n}`));
    all.add({ ...(STORED[0] as StoredDocument), key: "more" });
    all.save(new Set(["more"]));
    all.close();
    for (const dir of dirs) expect(segmentsIn(dir)).toEqual(["000001.segment"]);
  });
});

describe("cacheKey", () => {
  it("differs with the content, the path and the settings", () => {
    const own = { hash: "a", path: "b", settings: "c" };
    const keys = [own, { ...own, hash: "x" }, { ...own, path: "x" }, { ...own, settings: "x" }].map(cacheKey);
    expect(new Set(keys).size).toBe(4);
    expect(cacheKey({ ...own })).toBe(keys[0]);
  });
});
