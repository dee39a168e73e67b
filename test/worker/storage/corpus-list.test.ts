import { describe, expect, it } from "vitest";
import { isCorpusName } from "../../../src/access/corpus-name.ts";
import { MAX_CORPORA } from "../../../src/core/corpus-order.ts";
import { CorpusList, LISTING_TTL_MS, type ListedBucket, RELIST_MS } from "../../../src/storage/corpus-list.ts";

/** A bucket of names, which counts what it is asked; a page of its listing holds three names. */
class FakeBucket implements ListedBucket {
  names: string[] = [];
  isDown = false;
  lists = 0;
  readonly heads: string[] = [];

  async list({ cursor = "0" }: { readonly cursor?: string }): ReturnType<ListedBucket["list"]> {
    this.lists++;
    if (this.isDown) throw new Error("the bucket is down");
    const prefixes = [
      ...new Set(this.names.filter((name) => name.includes("/")).map((name) => `${name.split("/")[0]}/`)),
    ];
    const from = Number(cursor);
    const truncated = from + 3 < prefixes.length;
    const delimitedPrefixes = prefixes.slice(from, from + 3);
    return { delimitedPrefixes, truncated, ...(truncated && { cursor: String(from + 3) }) };
  }

  async head(name: string): ReturnType<ListedBucket["head"]> {
    this.heads.push(name);
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

  it("costs one listing for all names that are known, for as long as an isolate lives", async () => {
    const { has, bucket } = open(pointers("v1", "v2"));
    for (let n = 0; n < 50; n++) expect(await has(n % 2 === 0 ? "v1" : "v2", n * 3_600_000)).toBe(true);
    expect([bucket.lists, bucket.heads]).toEqual([1, []]);
  });

  it("is read again for unknown names every few seconds and no more often, whatever their number", async () => {
    const { has, bucket } = open(pointers("v1"));
    for (let n = 0; n < 1000; n++) expect(await has(`made-up-${n}`, n)).toBe(false);
    expect(bucket.lists).toBe(1);
    bucket.names.push(...pointers("v2"));
    expect(await has("v2", RELIST_MS - 1)).toBe(false);
    expect(await has("v2", RELIST_MS)).toBe(true);
    expect([bucket.lists, bucket.heads]).toEqual([2, []]);
  });

  it("is asked once by all who come while it is read again", async () => {
    const { has, bucket } = open(pointers("v1"));
    await has("v1", 0);
    await Promise.all(Array.from({ length: 20 }, (_, n) => has(`x${n}`, RELIST_MS)));
    expect(bucket.lists).toBe(2);
  });

  it("has no corpus whose pointer was gone, until the bucket is listed again and its prefix is there", async () => {
    const { has, list, bucket } = open(pointers("v1", "v2"));
    await has("v1", 0);
    list.noteAbsent("v2");
    expect([await has("v2", RELIST_MS - 1), list.isAbsent("v2"), list.known]).toEqual([false, true, ["v1"]]);
    expect(bucket.lists).toBe(1);
    expect([await has("v2", RELIST_MS), list.isAbsent("v2")]).toEqual([true, false]);
    list.noteAbsent("v2");
    bucket.names = pointers("v1");
    expect(await has("v2", 2 * RELIST_MS)).toBe(false);
    expect([await has("v1", 2 * RELIST_MS), bucket.lists]).toEqual([true, 3]);
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
    const { list, names, bucket } = open([...pointers("v1", "v2"), "backups/2026.zip", "treeline.pointer"]);
    const at = async (now: number) => (await list.published(["", ...(await names(now))], now)).map(({ name }) => name);
    expect(await at(0)).toEqual(["", "v1", "v2"]);
    expect(await at(LISTING_TTL_MS - 1)).toEqual(["", "v1", "v2"]);
    expect(bucket.heads).toEqual(["treeline.pointer", "backups/treeline.pointer", ...pointers("v1", "v2")]);
    bucket.names = pointers("v3");
    expect(await at(LISTING_TTL_MS)).toEqual(["v3"]);
  });

  it("is bounded, however many prefixes a bucket has", async () => {
    const { bucket, names } = open([]);
    bucket.names = pointers(...Array.from({ length: 3 * MAX_CORPORA }, (_, n) => `c${n}`));
    expect((await names(0)).length).toBeLessThanOrEqual(MAX_CORPORA);
    expect(bucket.lists).toBeLessThanOrEqual(20);
  });
});
