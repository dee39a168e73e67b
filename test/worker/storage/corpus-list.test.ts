import { describe, expect, it } from "vitest";
import { MAX_CORPORA } from "../../../src/core/text/names.ts";
import { isCorpusName } from "../../../src/surface/access/corpus-name.ts";
import {
  CorpusList,
  LISTING_TTL_MS,
  type ListedBucket,
  MAX_PAGES,
  RELIST_MS,
} from "../../../src/surface/corpus-list.ts";

/** A bucket of names, which counts what it is asked. */
class FakeBucket implements ListedBucket {
  names: string[] = [];
  /** Prefixes of a page of its listing. */
  pageSize = 3;
  isDown = false;
  /** Objects that cannot be looked at. */
  readonly damaged = new Set<string>();
  lists = 0;
  readonly heads: string[] = [];

  async list({ cursor = "0" }: { readonly cursor?: string }): ReturnType<ListedBucket["list"]> {
    this.lists++;
    if (this.isDown) throw new Error("the bucket is down");
    const prefixes = [
      ...new Set(this.names.filter((name) => name.includes("/")).map((name) => `${name.split("/")[0]}/`)),
    ];
    const from = Number(cursor);
    const end = from + this.pageSize;
    const truncated = end < prefixes.length;
    return { delimitedPrefixes: prefixes.slice(from, end), truncated, ...(truncated && { cursor: String(end) }) };
  }

  async head(name: string): ReturnType<ListedBucket["head"]> {
    this.heads.push(name);
    if (this.damaged.has(name)) throw new Error(`${name} does not answer`);
    return this.names.includes(name) ? { uploaded: new Date(0) } : null;
  }
}

function open(names: string[]) {
  const bucket = new FakeBucket();
  bucket.names = names;
  const reported: unknown[] = [];
  const report = (error: unknown): void => void reported.push(error);
  const list = new CorpusList({ bucket: () => bucket, isName: isCorpusName });
  return {
    bucket,
    list,
    reported,
    has: (name: string, now: number) => list.has(name, now, report),
    names: (now: number) => list.names(now, report),
    published: async (now: number) => {
      const found = await list.published(["", ...(await list.names(now, report))], now, report);
      return found.map(({ name }) => name);
    },
    pick: (names: readonly string[], now: number) => list.pick(names, now, report),
  };
}

const pointers = (...names: string[]): string[] => names.map((name) => `${name}/treeline.pointer`);

describe("a list of corpora", () => {
  it("holds the prefixes that are names, by the numbers in them, over all pages of the listing", async () => {
    const odd = pointers("V3", ".git", "mcp", "access.json", "a b", "-x");
    const { names, bucket } = open([...pointers("v10", "v9", "v1", "next"), "treeline.pointer", ...odd]);
    expect(await names(0)).toEqual(["next", "v1", "v9", "v10"]);
    expect(bucket.lists).toBe(4);
  });

  it("costs one listing for all names that are known, and a look at each, for as long as its pointer is read", async () => {
    const { has, list, bucket } = open(pointers("v1", "v2"));
    for (let n = 0; n < 50; n++) {
      const name = n % 2 === 0 ? "v1" : "v2";
      expect(await has(name, n * 20_000)).toBe(true);
      list.noteSeen(name, n * 20_000);
    }
    expect([bucket.lists, bucket.heads]).toEqual([1, pointers("v1", "v2")]);
  });

  it("looks again after a minute at a pointer that nobody reads, and has no corpus whose pointer is gone then", async () => {
    const { has, bucket } = open(pointers("v1"));
    await has("v1", 0);
    bucket.names = ["v1/left.over"];
    expect(await has("v1", LISTING_TTL_MS - 1)).toBe(true);
    expect([await has("v1", LISTING_TTL_MS), bucket.lists]).toEqual([false, 1]);
    expect(bucket.heads).toEqual(pointers("v1", "v1"));
  });

  it("tells nobody of a prefix whose pointer was not seen", async () => {
    const { has, list, pick, bucket } = open([...pointers("customer-a"), "customer-b/2026.zip", "backups/x"]);
    expect(await has("customer-b", 0)).toBe(false);
    expect(list.known).toEqual([]);
    expect(list.listed).toEqual(["backups", "customer-a"]);
    expect(await pick(list.listed, 0)).toEqual(["customer-a"]);
    expect([list.known, list.listed]).toEqual([["customer-a"], ["customer-a"]]);
    // Hints cost no second look, however old the first is.
    expect(await pick(["backups", "customer-a"], 10 * LISTING_TTL_MS)).toEqual(["customer-a"]);
    expect([bucket.lists, bucket.heads.length]).toEqual([1, 3]);
  });

  it("is asked by each of many first requests for one name, and listed, no more than once", async () => {
    const { has, bucket } = open(pointers("v1", "v2"));
    const found = await Promise.all(Array.from({ length: 20 }, (_, n) => has(n % 2 === 0 ? "v2" : "made-up", n)));
    expect(found).toEqual(Array.from({ length: 20 }, (_, n) => n % 2 === 0));
    expect(bucket.lists).toBeLessThanOrEqual(20);
    expect(bucket.heads.length).toBeLessThanOrEqual(20);
    expect(await has("made-up", 20)).toBe(false);
    expect(bucket.lists).toBeLessThanOrEqual(20);
  });

  it("is read again for unknown names every few seconds and no more often, whatever their number", async () => {
    const { has, bucket } = open(pointers("v1"));
    for (let n = 0; n < 1000; n++) expect(await has(`made-up-${n}`, n)).toBe(false);
    expect(bucket.lists).toBe(1);
    bucket.names.push(...pointers("v2"));
    expect(await has("v2", RELIST_MS - 1)).toBe(false);
    expect(await has("v2", RELIST_MS)).toBe(true);
    expect([bucket.lists, bucket.heads]).toEqual([2, pointers("v2")]);
  });

  it("is asked once by all who come while it is read again", async () => {
    const { has, bucket } = open(pointers("v1"));
    await has("v1", 0);
    await Promise.all(Array.from({ length: 20 }, (_, n) => has(`x${n}`, RELIST_MS)));
    expect(bucket.lists).toBe(2);
  });

  it("has no corpus whose pointer was gone until a look finds one, whoever has the bucket listed meanwhile", async () => {
    const { has, list, bucket } = open([...pointers("v1", "v2"), "v2/left.over"]);
    expect([await has("v1", 0), await has("v2", 0)]).toEqual([true, true]);
    bucket.names = [...pointers("v1"), "v2/left.over"];
    list.noteAbsent("v2", 0);
    expect([await has("v2", RELIST_MS - 1), list.isAbsent("v2"), list.known]).toEqual([false, true, ["v1"]]);
    expect(bucket.heads).toEqual(pointers("v1", "v2"));
    for (const now of [RELIST_MS, 2 * RELIST_MS, 3 * RELIST_MS]) {
      expect([await has("made-up", now), list.isAbsent("v2"), await has("v2", now)]).toEqual([false, true, false]);
    }
    expect([bucket.lists, bucket.heads]).toEqual([4, pointers("v1", "v2", "v2", "v2", "v2")]);
    bucket.names.push(...pointers("v2"));
    expect(await has("v2", 4 * RELIST_MS - 1)).toBe(false);
    expect(await has("v2", 4 * RELIST_MS)).toBe(true);
  });

  it("stays as it was while the bucket cannot be listed, and says so", async () => {
    const { has, reported, bucket } = open(pointers("v1"));
    await has("v1", 0);
    bucket.isDown = true;
    expect(await has("v2", RELIST_MS)).toBe(false);
    expect(await has("v1", RELIST_MS)).toBe(true);
    expect(reported).toHaveLength(1);
  });

  it("is an error where the bucket could never be listed, tried anew after a second", async () => {
    const { has, bucket } = open(pointers("v1"));
    bucket.isDown = true;
    for (let n = 0; n < 10; n++) await expect(has("v1", n)).rejects.toThrow("down");
    expect(bucket.lists).toBe(1);
    bucket.isDown = false;
    expect(await has("v1", 1000)).toBe(true);
  });

  it("names those that have a pointer, looking at each once a minute at most", async () => {
    const { published, bucket } = open([...pointers("v1", "v2"), "backups/2026.zip", "treeline.pointer"]);
    expect(await published(0)).toEqual(["", "v1", "v2"]);
    expect(await published(LISTING_TTL_MS - 1)).toEqual(["", "v1", "v2"]);
    expect(bucket.heads).toEqual(["treeline.pointer", "backups/treeline.pointer", ...pointers("v1", "v2")]);
    bucket.names = pointers("v3");
    expect(await published(LISTING_TTL_MS)).toEqual(["v3"]);
  });

  it("looks at each known pointer once for all who ask for the corpora together", async () => {
    const names = Array.from({ length: 40 }, (_, n) => `c${n}`);
    const { published, bucket } = open([...pointers(...names), "treeline.pointer"]);
    await published(0);
    for (const [round, now] of [0, LISTING_TTL_MS, 2 * LISTING_TTL_MS].entries()) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => published(now)));
      for (const answer of answers) expect(answer).toEqual(["", ...names]);
      expect([bucket.lists, bucket.heads.length]).toEqual([(round + 1) * 14, (round + 1) * 41]);
    }
  });

  it("keeps what it knew of a pointer that cannot be looked at, and says so", async () => {
    const { published, has, reported, bucket } = open([...pointers("v1", "v2"), "treeline.pointer"]);
    expect(await published(0)).toEqual(["", "v1", "v2"]);
    bucket.damaged.add("v2/treeline.pointer");
    expect(await published(LISTING_TTL_MS)).toEqual(["", "v1", "v2"]);
    expect(await has("v2", LISTING_TTL_MS)).toBe(true);
    expect(reported.map(String)).toEqual(["Error: v2/treeline.pointer does not answer"]);
  });

  it("is an error where a pointer cannot be looked at and never was", async () => {
    const { published, has, bucket } = open(pointers("v1", "v2"));
    bucket.damaged.add("v2/treeline.pointer");
    await expect(published(0)).rejects.toThrow("does not answer");
    await expect(has("v2", 0)).rejects.toThrow("does not answer");
    expect(await has("v1", 0)).toBe(true);
    bucket.damaged.clear();
    expect(await has("v2", 1)).toBe(true);
  });

  it("holds so many prefixes and no more, and says that there are others", async () => {
    const { bucket, names, reported } = open([]);
    bucket.pageSize = 1000;
    bucket.names = pointers(...Array.from({ length: MAX_CORPORA }, (_, n) => `c${n}`));
    expect([(await names(0)).length, reported]).toEqual([MAX_CORPORA, []]);
    bucket.names.push(...pointers("one-more"));
    expect((await names(LISTING_TTL_MS)).length).toBe(MAX_CORPORA);
    expect(reported.map(String)).toEqual([expect.stringContaining("more than 500 prefixes")]);
  });

  it("asks for so many pages and no more, and says that there are others", async () => {
    const { bucket, names, reported } = open([]);
    bucket.names = pointers(...Array.from({ length: 100 }, (_, n) => `c${n}`));
    expect((await names(0)).length).toBe(3 * MAX_PAGES);
    expect([bucket.lists, reported.length]).toEqual([MAX_PAGES, 1]);
  });
});
