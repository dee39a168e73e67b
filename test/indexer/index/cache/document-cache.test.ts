import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { DocumentCache } from "../../../../indexer/index/cache/document-cache.ts";
import { cacheKey } from "../../../../indexer/index/digests.ts";
import { openCard, PARTS, type PackedDocument } from "../../../../indexer/index/prepared-document.ts";
import { storePages } from "../../../support/stored-pages.ts";
import { makeFolder } from "../../../support/temporary-folder.ts";

const PAGES = Object.fromEntries(
  Array.from({ length: 12 }, (_, n) => [`p${n + 10}.md`, `# Page ${n}\n\nRoute ${n}.\n`]),
);
const STORED = new Map(
  [...storePages(PAGES).values()].map((document, n) => [cacheKey({ hash: `${n}`, path: "", settings: "" }), document]),
);
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

/** Adds documents to the cache of a folder, which then holds what is used. */
function saveIn(dir: string, keys: readonly string[], used: readonly string[] = KEYS): void {
  const cache = DocumentCache.open(dir);
  addTo(cache, keys);
  cache.save(new Set(used));
  cache.close();
}

describe("DocumentCache", () => {
  it("gives later builds what earlier ones kept, out of a folder that git leaves alone", async () => {
    const dir = join(await makeFolder(), "cache");
    const cache = DocumentCache.open(dir);
    expect(titlesIn(cache)).toEqual(KEYS.map(() => undefined));
    addTo(cache);
    addTo(cache);
    expect(cache.unsaved).toBe(12);
    expect(titlesIn(cache)).toEqual(TITLES);
    cache.save(new Set(KEYS));
    expect(cache.unsaved).toBe(0);
    expect([titlesIn(cache), cache.read("gone", "card")]).toEqual([TITLES, undefined]);
    cache.close();
    expect(titlesOf(dir)).toEqual(TITLES);
    expect(readdirSync(dir).sort()).toEqual([".gitignore", "documents.cache"]);
  });

  it("leaves nothing of what was not saved, in no folder", async () => {
    const [dir, temporary] = [await makeFolder(), await makeFolder()];
    vi.stubEnv("TMPDIR", temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const cache of [DocumentCache.open(dir), DocumentCache.open(undefined)]) {
      addTo(cache);
      expect(titlesIn(cache)).toEqual(TITLES);
      expect([filesIn(dir), filesIn(temporary)]).toEqual([[], []]);
      cache.close();
    }
    const unkept = DocumentCache.open(undefined);
    addTo(unkept);
    unkept.save(new Set(KEYS));
    expect(titlesIn(unkept)).toEqual(TITLES);
    unkept.close();
  });

  it("appends what each build adds", async () => {
    const dir = join(await makeFolder(), "cache");
    let before = Buffer.of();
    for (const [at, key] of KEYS.entries()) {
      saveIn(dir, [key], KEYS.slice(0, at + 1));
      const after = readFileSync(join(dir, "documents.cache"));
      expect(after.subarray(0, before.length).equals(before)).toBe(true);
      before = after;
    }
    expect(titlesOf(dir)).toEqual(TITLES);
  });

  it("keeps what two builds add that opened the cache at once", async () => {
    const dir = join(await makeFolder(), "cache");
    saveIn(dir, KEYS.slice(0, 4));
    const both = [DocumentCache.open(dir), DocumentCache.open(dir)];
    for (const [at, cache] of both.entries()) addTo(cache, KEYS.slice(4 + at * 4, 8 + at * 4));
    for (const cache of both) cache.save(new Set(KEYS));
    for (const cache of both) cache.close();
    expect(titlesOf(dir)).toEqual(TITLES);
  });

  it("drops what is no longer in use when that is most of it", async () => {
    const dir = join(await makeFolder(), "cache");
    const cache = DocumentCache.open(dir);
    addTo(cache, KEYS.slice(0, 11));
    cache.save(new Set(KEYS));
    const used = [...KEYS.slice(0, 2), ...KEYS.slice(5, 7), ...KEYS.slice(11)];
    addTo(cache, KEYS.slice(11));
    cache.save(new Set(used));
    const left = TITLES.map((title, at) => (used.includes(KEYS[at] as string) ? title : undefined));
    expect(titlesIn(cache)).toEqual(left);
    cache.close();
    expect(filesIn(dir)).toEqual(["documents.cache"]);
    expect(titlesOf(dir)).toEqual(left);
  });

  it("reads the folders of several builds as one, and writes into none of them", async () => {
    const dirs = await Promise.all([makeFolder(), makeFolder()]);
    for (const [at, dir] of dirs.entries()) {
      saveIn(
        dir,
        KEYS.filter((_, n) => n % 2 === at),
      );
    }
    const before = dirs.map((dir) => readFileSync(join(dir, "documents.cache")));
    const all = DocumentCache.openAll(dirs);
    expect(titlesIn(all)).toEqual(TITLES);
    all.add(cacheKey({ hash: "more", path: "", settings: "" }), STORED.get(KEYS[0] as string) as PackedDocument);
    all.save(new Set());
    all.close();
    expect(dirs.map((dir) => readFileSync(join(dir, "documents.cache")))).toEqual(before);
  });

  it("gives what stands before the place where its file ends too early, and is whole after the next build", async () => {
    const { dir, path, whole } = await writeCache();
    for (let length = 0; length < whole.length; length += 337) {
      writeFileSync(path, whole.subarray(0, length));
      const left = titlesOf(dir);
      const count = left.filter((title) => title !== undefined).length;
      expect(left).toEqual(TITLES.map((title, at) => (at < count ? title : undefined)));
      saveIn(dir, KEYS.slice(count));
      expect(titlesOf(dir)).toEqual(TITLES);
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
    // A damaged part takes its document with it, a damaged header all behind it.
    expect([Math.min(...outcomes), Math.max(...outcomes)]).toEqual([1, KEYS.length]);
  });
});

async function writeCache(): Promise<{ readonly dir: string; readonly path: string; readonly whole: Buffer }> {
  const dir = await makeFolder();
  saveIn(dir, KEYS);
  const path = join(dir, "documents.cache");
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
