import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { DocumentCache } from "../../../../indexer/index/cache/document-cache.ts";
import { openCard, PARTS, type PackedDocument } from "../../../../indexer/index/cache/packed-document.ts";
import { cacheKey } from "../../../../indexer/index/digests.ts";
import { storePages } from "../../../support/stored-pages.ts";
import { makeFolder } from "../../../support/temporary-folder.ts";

const MEGABYTE = 1024 * 1024;
const PAGES = Object.fromEntries(
  Array.from({ length: 12 }, (_, n) => [`p${n + 10}.md`, `# Page ${n}\n\nRoute ${n}.\n`]),
);
const STORED = storePages(PAGES);
const KEYS = [...STORED.keys()];
const TITLES = KEYS.map((_, n) => `Page ${n}`);
const PLACE = { number: 0, collection: 0 };

function filesIn(dir: string): string[] {
  return readdirSync(dir).filter((name) => name !== ".gitignore");
}

function addTo(cache: DocumentCache, keys: readonly string[] = KEYS): void {
  for (const key of keys) cache.add(key, STORED.get(key) as PackedDocument);
}

/** Titles of the documents of which everything is there. */
function titlesIn(cache: DocumentCache): (string | undefined)[] {
  return KEYS.map((key) => {
    const parts = PARTS.map((part) => cache.read(key, part));
    if (parts.includes(undefined)) return undefined;
    expect(parts.map((bytes) => Buffer.from(bytes as Uint8Array))).toEqual(
      PARTS.map((part) => Buffer.from((STORED.get(key) as PackedDocument)[part])),
    );
    return openCard(parts[0] as Uint8Array, PLACE).title;
  });
}

/** Titles in the cache of a folder. */
function titlesOf(dir: string): (string | undefined)[] {
  const cache = DocumentCache.open(dir);
  const titles = titlesIn(cache);
  cache.close();
  return titles;
}

describe("DocumentCache", () => {
  it("gives later builds what earlier ones kept, out of a folder that git leaves alone", async () => {
    const dir = join(await makeFolder(), "cache");
    const cache = DocumentCache.open(dir);
    expect(cache.isEmpty).toBe(true);
    addTo(cache);
    addTo(cache);
    expect([cache.unsaved, cache.isEmpty]).toEqual([12, false]);
    expect(titlesIn(cache)).toEqual(TITLES);
    cache.save(new Set(KEYS));
    expect(cache.unsaved).toBe(0);
    expect([titlesIn(cache), cache.read("gone", "card")]).toEqual([TITLES, undefined]);
    cache.close();
    const second = DocumentCache.open(dir);
    expect(titlesIn(second)).toEqual(TITLES);
    second.save(new Set(KEYS));
    second.close();
    expect(readdirSync(dir).sort()).toEqual([".gitignore", "000001.segment"]);
  });

  it("leaves no file of what was not saved, and takes away what others left", async () => {
    const dir = await makeFolder({ "000001.segment": "of another version", "000002.segment.999999999.partial": "" });
    const cache = DocumentCache.open(dir);
    addTo(cache);
    expect(filesIn(dir)).toEqual([`000001.segment.${process.pid}.partial`]);
    cache.close();
    expect(filesIn(dir)).toEqual([]);
  });

  it("makes one file of many, and keeps what is in use of all of them", async () => {
    const dir = join(await makeFolder(), "cache");
    const most: number[] = [];
    for (const [at, key] of KEYS.entries()) {
      const cache = DocumentCache.open(dir);
      addTo(cache, [key]);
      cache.save(new Set(KEYS.slice(0, at + 1)));
      cache.close();
      most.push(filesIn(dir).length);
    }
    expect(Math.max(...most)).toBe(8);
    expect(most.slice(8)).toEqual([1, 2, 3, 4]);
    expect(titlesOf(dir)).toEqual(TITLES);
  });

  it("drops what is no longer in use when that is most of it", async () => {
    const dir = join(await makeFolder(), "cache");
    const cache = DocumentCache.open(dir);
    addTo(cache, KEYS.slice(0, 11));
    cache.save(new Set(KEYS));
    const used = [...KEYS.slice(0, 3), ...KEYS.slice(11)];
    addTo(cache, KEYS.slice(11));
    cache.save(new Set(used));
    const left = TITLES.map((title, at) => (used.includes(KEYS[at] as string) ? title : undefined));
    expect(titlesIn(cache)).toEqual(left);
    cache.close();
    expect(filesIn(dir)).toHaveLength(1);
    expect(titlesOf(dir)).toEqual(left);
  });

  it("without a folder keeps a lot in memory and the rest in a temporary file, which it takes away", async () => {
    const dir = await makeFolder();
    vi.stubEnv("TMPDIR", dir);
    onTestFinished(() => void vi.unstubAllEnvs());
    const cache = DocumentCache.open(undefined);
    addTo(cache, KEYS.slice(0, 1));
    const small = STORED.get(KEYS[0] as string) as PackedDocument;
    for (let n = 0; n < 3; n++) cache.add(`large ${n}`, { ...small, body: new Uint8Array(44 * MEGABYTE) });
    expect(readdirSync(dir)).toEqual([]);
    addTo(cache, KEYS.slice(1));
    expect(readdirSync(dir)).toHaveLength(1);
    expect(titlesIn(cache)).toEqual(TITLES);
    expect(cache.unsaved).toBe(15);
    cache.save(new Set(KEYS));
    cache.close();
    expect(readdirSync(dir)).toEqual([]);
  });

  it("reads the folders of several builds as one, and writes into none of them", async () => {
    const dirs = await Promise.all([makeFolder(), makeFolder()]);
    for (const [at, dir] of dirs.entries()) {
      const cache = DocumentCache.open(dir);
      addTo(
        cache,
        KEYS.filter((_, n) => n % 2 === at),
      );
      cache.save(new Set(KEYS));
      cache.close();
    }
    const all = DocumentCache.openAll(dirs);
    expect(titlesIn(all)).toEqual(TITLES);
    all.add("more", STORED.get(KEYS[0] as string) as PackedDocument);
    all.save(new Set(["more"]));
    all.close();
    for (const dir of dirs) expect(filesIn(dir)).toEqual(["000001.segment"]);
  });

  it("is empty when anything is missing at the end of its file", async () => {
    const { dir, path, whole } = await writeCache();
    for (let length = 0; length < whole.length; length += 37) {
      writeFileSync(path, whole.subarray(0, length));
      const cache = DocumentCache.open(dir);
      expect(cache.isEmpty).toBe(true);
      cache.close();
    }
  });

  it("gives what it held or nothing, whatever byte changed", async () => {
    const { dir, path, whole } = await writeCache();
    const outcomes = new Set<number>();
    for (let at = 0; at < whole.length; at += 23) {
      const bytes = Buffer.from(whole);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      writeFileSync(path, bytes);
      const titles = titlesOf(dir);
      for (const [n, title] of titles.entries()) expect([TITLES[n], undefined]).toContain(title);
      outcomes.add(titles.filter((title) => title === undefined).length);
    }
    expect([...outcomes].sort()).toEqual([1, KEYS.length]);
  });
});

async function writeCache(): Promise<{ readonly dir: string; readonly path: string; readonly whole: Buffer }> {
  const dir = await makeFolder();
  const cache = DocumentCache.open(dir);
  addTo(cache);
  cache.save(new Set(KEYS));
  cache.close();
  const path = join(dir, "000001.segment");
  return { dir, path, whole: readFileSync(path) };
}

describe("cacheKey", () => {
  it("differs with the content, the path and the settings", () => {
    const own = { hash: "a", path: "b", settings: "c" };
    const keys = [own, { ...own, hash: "x" }, { ...own, path: "x" }, { ...own, settings: "x" }].map(cacheKey);
    expect(new Set(keys).size).toBe(4);
    expect(cacheKey({ ...own })).toBe(keys[0]);
  });
});
