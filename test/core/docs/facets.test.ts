import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keyOf } from "../../../src/core/bytes/key.ts";
import { checkFilter, countFacets, facetsOf, selectDocuments } from "../../../src/core/docs/facets.ts";
import { type FacetFilter, isEmptyFilter, NO_FILTER } from "../../../src/core/docs/model.ts";
import { encodeNumbers } from "../../../src/core/format/postings.ts";
import type { IndexReader } from "../../../src/core/index/index-reader.ts";
import { readWithResident } from "../../../src/core/index/resident.ts";
import { openTables } from "../../support/open-tables.ts";

const KEYS = ["type", "tags", "constructor"];
const VALUES = ["a", "b", "c", "10", "2"];

/** Facets of each document, by its number. */
type Facets = readonly Readonly<Record<string, readonly string[]>>[];

const anyFacets: fc.Arbitrary<Facets> = fc.array(
  fc
    .uniqueArray(
      fc.tuple(fc.constantFrom(...KEYS), fc.uniqueArray(fc.constantFrom(...VALUES), { minLength: 1, maxLength: 3 })),
      {
        selector: ([key]) => key,
        maxLength: 3,
      },
    )
    .map((entries) => Object.fromEntries(entries)),
  { minLength: 1, maxLength: 12 },
);

function valuesOf(facets: Facets, document: number, key: string): readonly string[] {
  const own = facets[document] ?? {};
  return Object.hasOwn(own, key) ? (own[key] ?? []) : [];
}

async function open(facets: Facets): Promise<IndexReader> {
  const numbers = new Map<string, number[]>();
  for (const [document, own] of facets.entries()) {
    for (const [key, values] of Object.entries(own)) {
      for (const value of values)
        numbers.set(`${key}\u0000${value}`, [...(numbers.get(`${key}\u0000${value}`) ?? []), document]);
    }
  }
  const entries = [...numbers]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, list]) => ({ key: keyOf(key), value: encodeNumbers(list) }));
  const { reader } = await openTables({ facets: entries }, { slots: facets.length, documents: facets.length });
  await readWithResident(reader, ["facets"]);
  return reader;
}

const anyChoice = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...KEYS), fc.uniqueArray(fc.constantFrom(...VALUES), { maxLength: 3 })), {
    selector: ([key]) => key,
    maxLength: 2,
  })
  .map((entries) => Object.fromEntries(entries));

describe("selectDocuments", () => {
  it("selects what a plain look at each document selects", async () => {
    await fc.assert(
      fc.asyncProperty(anyFacets, anyChoice, anyChoice, async (facets, include, exclude) => {
        const reader = await open(facets);
        const filter: FacetFilter = { include, exclude };
        const selected = selectDocuments(reader, 0, filter);
        for (const document of facets.keys()) {
          const has = (key: string, values: readonly string[]): boolean =>
            values.some((value) => valuesOf(facets, document, key).includes(value));
          const isIn =
            Object.entries(include).every(([key, values]) => has(key, values)) &&
            !Object.entries(exclude).some(([key, values]) => has(key, values));
          expect((selected?.[document] ?? 1) === 1).toBe(isIn);
        }
      }),
    );
  });

  it("gives nothing to select from for the empty filter", async () => {
    expect(selectDocuments(await open([{ type: ["a"] }]), 0, NO_FILTER)).toBeUndefined();
    expect(isEmptyFilter(NO_FILTER)).toBe(true);
    expect(isEmptyFilter({ include: {}, exclude: { type: [] } })).toBe(false);
  });
});

describe("countFacets", () => {
  it("counts what a plain count gives, and leaves out what nobody has", async () => {
    await fc.assert(
      fc.asyncProperty(anyFacets, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), async (facets, members) => {
        const set = Uint8Array.from(members, Number);
        const counts = countFacets(await open(facets), new Map([[0, set]]));
        const expected: Record<string, Record<string, number>> = {};
        for (const [document, own] of facets.entries()) {
          if (members[document] !== true) continue;
          for (const [key, values] of Object.entries(own)) {
            const ofKey = Object.hasOwn(expected, key) ? (expected[key] ?? {}) : {};
            for (const value of values) ofKey[value] = (ofKey[value] ?? 0) + 1;
            expected[key] = ofKey;
          }
        }
        expect(counts).toEqual(expected);
      }),
    );
  });

  it("puts keys by name and values by count, most first", async () => {
    const reader = await open([{ type: ["b", "a"], tags: ["c"] }, { type: ["b"] }, { type: ["c"] }]);
    const counts = countFacets(reader);
    expect(Object.keys(counts)).toEqual(["tags", "type"]);
    expect(Object.entries(counts["type"] ?? {})).toEqual([
      ["b", 2],
      ["a", 1],
      ["c", 1],
    ]);
  });
});

describe("facetsOf", () => {
  it("reads a document's facets off the lists", async () => {
    await fc.assert(
      fc.asyncProperty(anyFacets, async (facets) => {
        const reader = await open(facets);
        for (const [document, own] of facets.entries()) {
          const sorted = Object.fromEntries(Object.entries(own).map(([key, values]) => [key, [...values].sort()]));
          expect(facetsOf(reader, 0, document)).toEqual(sorted);
        }
      }),
    );
  });
});

describe("checkFilter", () => {
  it("takes keys and values that some document has, and refuses all others with the nearest", async () => {
    const reader = await open([{ type: ["guide", "reference"] }, { tags: ["web"] }]);
    checkFilter(reader, NO_FILTER);
    checkFilter(reader, { include: { type: ["guide"] }, exclude: { tags: ["web"] } });
    const nearest = (include: Record<string, string[]>): readonly string[] => {
      try {
        checkFilter(reader, { include, exclude: {} });
      } catch (error) {
        return (error as { nearest: readonly string[] }).nearest;
      }
      throw new Error("the filter was taken");
    };
    expect(nearest({ typ: [] })).toEqual(["type"]);
    expect(nearest({ constructor: ["x"] })).toEqual(["tags", "type"]);
    expect(nearest({ type: ["guides"] })).toEqual(["guide"]);
    expect(nearest({ type: ["web"] })).toEqual(["guide", "reference"]);
  });
});
