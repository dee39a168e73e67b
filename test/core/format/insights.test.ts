import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/insights.json" with { type: "json" };
import {
  decodeInsight,
  encodeInsight,
  INSIGHT_NAMES,
  type InsightName,
  type InsightValues,
  keyOfInsight,
} from "../../../src/core/format/insights.ts";
import { testStructure } from "../../support/test-structure.ts";

const anyCount = fc.nat({ max: 9000 });
const anyId = fc.string({ unit: "grapheme", maxLength: 12 });

function anyList<T>(item: fc.Arbitrary<T>) {
  return fc
    .record({ items: fc.array(item, { maxLength: 4 }), more: fc.nat({ max: 5 }), room: fc.nat({ max: 5 }) })
    .map(({ items, more, room }) =>
      more > 0
        ? { limit: items.length, total: items.length + more, items }
        : { limit: items.length + room, total: items.length, items },
    );
}

const anyHubs = anyList(fc.record({ id: anyId, fanIn: anyCount, fanOut: anyCount, rank: fc.nat({ max: 255 }) }));
const anyCycle = fc
  .record({ ids: fc.array(anyId, { minLength: 2, maxLength: 5 }), more: anyCount, typeOnly: fc.boolean() })
  .map(({ ids, more, typeOnly }) => ({ path: [...ids, ids[0] ?? ""], size: ids.length + more, typeOnly }));
const anyIds = anyList(anyId);

const ANY: { readonly [Name in InsightName]: fc.Arbitrary<InsightValues[Name]> } = {
  fileMetrics: fc.record({
    fileCount: anyCount,
    dependencyCount: anyCount,
    fileTypeBreakdown: fc.dictionary(fc.constantFrom("ts", "css", "(none)", "__proto__"), anyCount),
    aside: fc.dictionary(fc.constantFrom("test", "example"), anyCount),
    asideDependencyCount: anyCount,
    thresholds: fc.array(anyCount, { minLength: 3, maxLength: 3 }),
  }),
  topHubs: anyHubs,
  circularDependencies: fc
    .tuple(anyList(anyCycle), anyCount)
    .map(([list, typeOnlyTotal]) => ({ ...list, typeOnlyTotal })),
  orphanFiles: anyIds,
  noImporters: anyIds,
  possiblyUnused: anyIds,
  entryPoints: anyIds,
  pageMetrics: fc.record({ pageCount: anyCount, linkCount: anyCount }),
  linkHubs: anyHubs,
  unlinkedPages: anyIds,
  brokenLinks: anyList(fc.record({ id: anyId, href: anyId })),
};

describe.each(INSIGHT_NAMES)("values of the insight %s", (name) => {
  testStructure<InsightValues[InsightName]>({
    vectors: vectors.vectors.filter((vector) => vector.name === name),
    refused: vectors.refused.filter((vector) => vector.name === name),
    any: ANY[name],
    encode: (value) => encodeInsight(name, value),
    decode: (bytes) => decodeInsight(name, bytes),
  });
});

describe("keys of insights", () => {
  it("tell collections and names apart", () => {
    const keys = ["", "a", "ab"].flatMap((collection) => INSIGHT_NAMES.map((name) => keyOfInsight(collection, name)));
    expect(new Set(keys).size).toBe(keys.length);
  });
});
