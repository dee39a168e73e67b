import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutList, INSIGHT_ORDERS, MERGES } from "../../../src/core/code/insights.ts";
import type { CutList, Hub, ImportCycle } from "../../../src/core/format/insights.ts";

const LIMIT = 4;
const anyId = fc.integer({ min: 0, max: 10_000 }).map((n) => `code:${n % 3 === 0 ? "é" : "z"}${n}.ts`);
const anyHub: fc.Arbitrary<Hub> = fc.record({
  id: anyId,
  fanIn: fc.nat({ max: 3 }),
  fanOut: fc.nat({ max: 3 }),
  rank: fc.nat({ max: 2 }),
});
const anyCycle: fc.Arbitrary<ImportCycle> = fc
  .record({ id: anyId, size: fc.integer({ min: 2, max: 4 }), typeOnly: fc.boolean() })
  .map(({ id, size, typeOnly }) => ({ path: [id, "x", id], size, typeOnly }));

/** Entries of a few groups, no id twice. */
function anyGroups<T>(item: fc.Arbitrary<T>, idOf: (item: T) => string): fc.Arbitrary<T[][]> {
  return fc
    .uniqueArray(item, { selector: idOf, maxLength: 20 })
    .chain((items) =>
      fc
        .array(fc.nat({ max: 2 }), { minLength: items.length, maxLength: items.length })
        .map((groups) => [0, 1, 2].map((group) => items.filter((_, at) => groups[at] === group))),
    );
}

describe("insights of several groups", () => {
  it("are the first entries of all of them together, in one order", () => {
    fc.assert(
      fc.property(
        anyGroups(anyHub, ({ id }) => id),
        (groups) => {
          const cut = (items: readonly Hub[]): CutList<Hub> => cutList(items, LIMIT, INSIGHT_ORDERS.hubs);
          expect(MERGES.topHubs(groups.map(cut))).toEqual(cut(groups.flat()));
        },
      ),
    );
    fc.assert(
      fc.property(
        anyGroups(anyCycle, ({ path }) => path[0] ?? ""),
        (groups) => {
          const cut = (items: readonly ImportCycle[]) => ({
            ...cutList(items, LIMIT, INSIGHT_ORDERS.cycles),
            typeOnlyTotal: items.filter(({ typeOnly }) => typeOnly).length,
          });
          expect(MERGES.circularDependencies(groups.map(cut))).toEqual(cut(groups.flat()));
        },
      ),
    );
    fc.assert(
      fc.property(
        anyGroups(anyId, (id) => id),
        (groups) => {
          const cut = (items: readonly string[]) => cutList(items, LIMIT, INSIGHT_ORDERS.ids);
          expect(MERGES.orphanFiles(groups.map(cut))).toEqual(cut(groups.flat()));
        },
      ),
    );
  });

  it("add up counts, kinds of files with the most first", () => {
    const thresholds = [1, 2, 3];
    const one = {
      ...{ fileCount: 3, dependencyCount: 2, fileTypeBreakdown: { ts: 2, css: 1 }, thresholds },
      ...{ aside: { test: 2 }, asideDependencyCount: 5 },
    };
    const two = {
      ...{ fileCount: 4, dependencyCount: 0, fileTypeBreakdown: { css: 3, py: 1 }, thresholds },
      ...{ aside: { example: 4, test: 1 }, asideDependencyCount: 6 },
    };
    const merged = MERGES.fileMetrics([one, two]);
    expect(merged).toEqual({
      fileCount: 7,
      dependencyCount: 2,
      fileTypeBreakdown: { css: 4, ts: 2, py: 1 },
      aside: { example: 4, test: 3 },
      asideDependencyCount: 11,
      thresholds: [1, 2, 3],
    });
    expect(Object.keys(merged.fileTypeBreakdown)).toEqual(["css", "ts", "py"]);
    expect(
      MERGES.pageMetrics([
        { pageCount: 1, linkCount: 2 },
        { pageCount: 3, linkCount: 4 },
      ]),
    ).toEqual({
      pageCount: 4,
      linkCount: 6,
    });
  });

  it("say of nothing that there is nothing", () => {
    expect(MERGES.fileMetrics([])).toMatchObject({ fileCount: 0, dependencyCount: 0, fileTypeBreakdown: {} });
    expect(MERGES.unlinkedPages([])).toEqual({ limit: 0, total: 0, items: [] });
  });
});
