import { describe, expect, it } from "vitest";
import { FormatError } from "../../../src/core/errors.ts";
import { IndexReader } from "../../../src/core/index/index-reader.ts";
import type { RangeSource } from "../../../src/core/index/range-source.ts";
import { LruCache } from "../../../src/core/index/value-cache.ts";
import { search } from "../../../src/core/search/search.ts";
import { buildPages } from "../../support/build-index.ts";
import { buildMarked, proveDamage } from "../../support/damage.ts";
import { buildMarkedOnBase } from "../../support/marked-on-base.ts";
import { ask } from "../../support/small-corpora.ts";

describe("an index with any fault", () => {
  it("answers as the whole index or ends with a typed error, whatever is asked", { timeout: 120_000 }, async () => {
    const reports = await proveDamage(
      Number(process.env["DAMAGE_SEED"] ?? 1),
      { bitsOfSmall: 1, stepOfSmall: 23, packBytes: 60, headerBytes: 1, packCuts: 4, swaps: 30 },
      2,
    );
    // Every kind was tried, and every kind is noticed by somebody.
    expect(reports.size).toBe(12);
    for (const [kind, { FormatError: refused, StaleGenerationError: stale }] of reports) {
      if (kind !== "bytes behind the end") expect([kind, refused + stale > 0]).toEqual([kind, true]);
    }
  });

  it("that was built on a base answers so too", { timeout: 120_000 }, async () => {
    const reports = await proveDamage(
      Number(process.env["DAMAGE_SEED"] ?? 1),
      { bitsOfSmall: 1, stepOfSmall: 29, packBytes: 60, headerBytes: 1, packCuts: 4, swaps: 30 },
      2,
      buildMarkedOnBase,
    );
    expect(reports.size).toBe(12);
    for (const [kind, { FormatError: refused, StaleGenerationError: stale }] of reports) {
      if (kind !== "bytes behind the end") expect([kind, refused + stale > 0]).toEqual([kind, true]);
    }
  });

  it("can have two levels in each of two access groups", async () => {
    const { index } = await (await buildMarkedOnBase("lark")).open("all");
    expect(index.root.shards.map(({ group, newer }) => [group, newer])).toEqual([
      ["public", undefined],
      ["public", true],
      ["team", undefined],
      ["team", true],
    ]);
    for (const { tables, deleted, newer } of index.root.shards) {
      expect(deleted.length).toBe(newer === true ? 0 : 2);
      expect(tables.links.entries.length).toBeGreaterThan(0);
    }
  });

  it("is one of tables with directories of both levels, in two access groups", async () => {
    const { index } = await (await buildMarked("lark")).open("all");
    const heights = index.root.shards.flatMap(({ tables }) => Object.values(tables).map(({ height }) => height));
    expect(new Set(heights)).toEqual(new Set([0, 1]));
    expect(index.root.shards.map(({ group }) => group)).toEqual(["public", "team"]);
    for (const { tables } of index.root.shards)
      for (const [table, { entries }] of Object.entries(tables))
        expect([table, entries.length > 0]).toEqual([table, true]);
  });
});

describe("a bad copy in a cache on the way", () => {
  const spoil = (bytes: Uint8Array): Uint8Array => bytes.map((byte, at) => (at === 9 ? byte ^ 1 : byte));

  async function openWith(make: (source: RangeSource) => RangeSource): Promise<() => IndexReader> {
    const { index } = await (await buildPages({ "a.md": "# One\n\nA word.\n", "b.md": "# Two\n\nOthers.\n" })).open();
    const spoiled = { ...index, source: make(index.source) };
    return () => new IndexReader({ ...spoiled, cache: new LruCache(1e6) });
  }

  it("is passed over: what is damaged is read once more, where the file is kept", async () => {
    for (const damage of ["changed", "cut"] as const) {
      const reader = (
        await openWith((source) => ({
          ...source,
          async readRange(file, offset, length) {
            const bytes = await source.readRange(file, offset, length);
            if (damage === "changed") return spoil(bytes);
            throw new FormatError(file, { code: "truncated", need: length, have: 1 });
          },
          readFresh: (file, offset, length) => source.readRange(file, offset, length),
        }))
      )();
      const { hits, cost } = await search(reader, ask("word"));
      expect(hits.map(({ id }) => id)).toEqual(["docs:a.md"]);
      // Each of the two waves was read twice.
      expect(cost.waves).toBe(4);
    }
  });

  it("is an error where the file itself is damaged, of that query alone", async () => {
    let isDamaged = true;
    let fresh = 0;
    const open = await openWith((source) => {
      const read: RangeSource["readRange"] = async (file, offset, length) => {
        const bytes = await source.readRange(file, offset, length);
        return isDamaged ? spoil(bytes) : bytes;
      };
      const readFresh: RangeSource["readRange"] = (...range) => {
        fresh++;
        return read(...range);
      };
      return { ...source, readRange: read, readFresh };
    });
    const reader = open();
    await expect(search(reader, ask("word"))).rejects.toBeInstanceOf(FormatError);
    expect(fresh).toBe(1);
    isDamaged = false;
    expect((await search(new IndexReader(reader.index), ask("word"))).hits).toHaveLength(1);
  });
});
