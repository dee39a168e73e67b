import { describe, expect, it } from "vitest";
import { StaleGenerationError } from "../../../src/core/errors.ts";
import { createCounters } from "../../../src/core/index/cost.ts";
import type { IndexReader } from "../../../src/core/index/index-reader.ts";
import type { PointerObject, RangeSource } from "../../../src/core/index/range-source.ts";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import { LruCache } from "../../../src/core/index/value-cache.ts";
import { Generations, POINTER_TTL_MS } from "../../../src/worker/storage/generations.ts";
import { inflateRaw } from "../../../src/worker/storage/inflate.ts";
import { servedFiles } from "../served-index.ts";

const POINTER = servedFiles.get(POINTER_FILE) as Uint8Array;

/** A source whose pointer the test changes, and which counts how often it is asked. */
class FakeSource implements RangeSource {
  pointer: PointerObject | undefined;
  down = false;
  readonly asked: (string | undefined)[] = [];

  async readPointer(knownEtag?: string): Promise<PointerObject | "unchanged" | undefined> {
    this.asked.push(knownEtag);
    if (this.down) throw new Error("the network is down");
    return this.pointer !== undefined && this.pointer.etag === knownEtag ? "unchanged" : this.pointer;
  }

  async readRange(file: string): Promise<Uint8Array> {
    throw new StaleGenerationError(file);
  }
}

function open(pointer?: PointerObject) {
  const source = new FakeSource();
  source.pointer = pointer;
  const reported: unknown[] = [];
  const cache = new LruCache(1000);
  const generations = new Generations({ source, inflate: inflateRaw, cache, report: (error) => reported.push(error) });
  const idAt = async (now: number) =>
    (await generations.withReader({ now }, async ({ index }) => index.generation.id))?.value;
  return { source, reported, generations, idAt };
}

const GOOD: PointerObject = { bytes: POINTER, etag: "good" };
const SAME_AGAIN: PointerObject = { bytes: POINTER, etag: "same again" };
const DAMAGED: PointerObject = { bytes: POINTER.slice(0, 40), etag: "damaged" };

describe("Generations", () => {
  it("has nothing to read from until an index is published, and sees it at once then", async () => {
    const { source, idAt } = open();
    expect(await idAt(0)).toBeUndefined();
    source.pointer = GOOD;
    expect(await idAt(1)).toMatch(/^[0-9a-f]{12}$/);
  });

  it("looks at the pointer again after 15 seconds and not before, by its tag", async () => {
    const { source, idAt } = open(GOOD);
    await idAt(0);
    await idAt(POINTER_TTL_MS - 1);
    expect(source.asked).toEqual([undefined]);
    await idAt(POINTER_TTL_MS);
    await idAt(POINTER_TTL_MS + 1);
    expect(source.asked).toEqual([undefined, "good"]);
    expect(POINTER_TTL_MS).toBe(15_000);
  });

  it("asks by the new tag after a switch, so that the new pointer is read once", async () => {
    const { source, generations, idAt } = open(GOOD);
    await idAt(0);
    source.pointer = SAME_AGAIN;
    await idAt(POINTER_TTL_MS);
    const counters = createCounters();
    await generations.withReader({ now: 2 * POINTER_TTL_MS }, async () => undefined, counters);
    expect(source.asked).toEqual([undefined, "good", "same again"]);
    expect(counters.bytes).toBe(0);
  });

  it("counts the read of the pointer in the cost of the request that opened the index", async () => {
    const { generations } = open(GOOD);
    const costAt = async (now: number) => (await generations.withReader({ now }, async ({ cost }) => cost))?.value;
    expect(await costAt(0)).toMatchObject({ waves: 1, reads: 1, bytes: 0 });
    expect(await costAt(1)).toMatchObject({ waves: 0, reads: 0 });
  });

  it("counts every look at the pointer, in the one request that waits for it", async () => {
    const { source, generations } = open(GOOD);
    const costAt = async (now: number) => {
      const counters = createCounters();
      await generations.withReader({ now }, async () => undefined, counters);
      return counters;
    };
    await costAt(0);
    expect(await costAt(POINTER_TTL_MS)).toMatchObject({ waves: 1, reads: 1, bytes: 0 });
    expect(await costAt(POINTER_TTL_MS + 1)).toMatchObject({ waves: 0, reads: 0 });
    source.down = true;
    expect(await costAt(2 * POINTER_TTL_MS)).toMatchObject({ waves: 1, reads: 1, bytes: 0 });
  });

  it("adds up what both tries cost when a generation was replaced, and what was spent before an error", async () => {
    const { source, generations } = open(GOOD);
    const counters = createCounters();
    let tries = 0;
    const work = async (reader: IndexReader): Promise<void> => {
      reader.countPostings(10);
      if (tries++ > 0) return;
      source.pointer = SAME_AGAIN;
      throw new StaleGenerationError("x.pack");
    };
    await generations.withReader({ now: 0 }, work, counters);
    expect(counters).toMatchObject({ waves: 2, reads: 2, bytes: 0, postingsDecoded: 20 });
    const failed = createCounters();
    const fail = async (reader: IndexReader): Promise<void> => {
      reader.countPostings(5);
      throw new Error("failed");
    };
    await expect(generations.withReader({ now: 0 }, fail, failed)).rejects.toThrow("failed");
    expect(failed.postingsDecoded).toBe(5);
  });

  it("keeps answering when the pointer is gone, unreachable or damaged, and reports it", async () => {
    const { source, reported, idAt } = open(GOOD);
    const id = await idAt(0);
    source.pointer = undefined;
    expect(await idAt(POINTER_TTL_MS)).toBe(id);
    source.down = true;
    expect(await idAt(2 * POINTER_TTL_MS)).toBe(id);
    source.down = false;
    source.pointer = DAMAGED;
    expect(await idAt(3 * POINTER_TTL_MS)).toBe(id);
    expect(reported).toHaveLength(3);
    // The same damage is not read and reported again and again.
    expect(await idAt(4 * POINTER_TTL_MS)).toBe(id);
    expect(reported).toHaveLength(3);
    source.pointer = SAME_AGAIN;
    expect(await idAt(5 * POINTER_TTL_MS)).toBe(id);
    expect(source.asked.at(-1)).toBe("damaged");
  });

  it("throws when the only index there is is damaged", async () => {
    const { idAt } = open(DAMAGED);
    await expect(idAt(0)).rejects.toThrow("pointer");
  });

  it("opens what is published now whatever it knows, and goes on with that", async () => {
    const { source, generations } = open();
    expect(await generations.openPublished({ now: 0 })).toBeUndefined();
    source.pointer = GOOD;
    const counters = createCounters();
    const first = await generations.openPublished({ now: 0 }, counters);
    expect(counters).toMatchObject({ waves: 1, reads: 1, bytes: 0 });
    const again = await generations.openPublished({ now: 1 });
    expect(again?.index.root).not.toBe(first?.index.root);
    expect(source.asked).toEqual([undefined, undefined, undefined]);
    source.pointer = DAMAGED;
    await expect(generations.openPublished({ now: 2 })).rejects.toThrow("pointer");
  });

  it("reads the pointer again and repeats the work once when a file is gone", async () => {
    const { source, generations } = open(GOOD);
    const seen: unknown[] = [];
    const done = await generations.withReader({ now: 0 }, async ({ index }) => {
      seen.push(index);
      if (seen.length > 1) return "done";
      source.pointer = SAME_AGAIN;
      throw new StaleGenerationError("x.pack");
    });
    expect(done).toEqual({ value: "done" });
    expect(seen[0]).not.toBe(seen[1]);
  });

  it("repeats nothing when the pointer is still the same, and nothing a second time", async () => {
    const { source, generations } = open(GOOD);
    let runs = 0;
    const fail = async (): Promise<never> => {
      runs++;
      throw new StaleGenerationError("x.pack");
    };
    await expect(generations.withReader({ now: 0 }, fail)).rejects.toBeInstanceOf(StaleGenerationError);
    expect(runs).toBe(1);
    source.pointer = SAME_AGAIN;
    await expect(generations.withReader({ now: 0 }, fail)).rejects.toBeInstanceOf(StaleGenerationError);
    expect(runs).toBe(3);
  });
});
