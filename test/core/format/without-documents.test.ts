import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keyOf } from "../../../src/core/bytes/key.ts";
import { withoutDocuments } from "../../../src/core/format/delta.ts";
import { decodePair, encodePair, keyOfPair } from "../../../src/core/format/pairs.ts";
import {
  decodeNumbers,
  decodePostings,
  encodeNumbers,
  encodeUnits,
  type FieldFrequencies,
  HEAVY_DOCUMENTS,
  PostingBuilder,
  type PostingList,
  STOP_DOCUMENTS,
  type UnitPosting,
  visitUnits,
} from "../../../src/core/format/postings.ts";
import { decodeSuggestions, encodeSuggestions, type SuggestionEntry } from "../../../src/core/format/word-tables.ts";
import { anyBytesNear, decodeOrRefuse, expectTruncationsRefused } from "../../support/format-cases.ts";
import { runs } from "../../support/runs.ts";

type IsRemoved = (document: number) => boolean;
type Remove = (bytes: Uint8Array, isRemoved: IsRemoved, stated?: FieldFrequencies) => Uint8Array | undefined;

const removeFromPostings: Remove = (...rest) => withoutDocuments("terms", keyOf("rout"), ...rest);
const removeFromPair: Remove = (...rest) => withoutDocuments("terms", keyOfPair("rout", "handl"), ...rest);
const removeFromNumbers: Remove = (...rest) => withoutDocuments("facets", keyOf("type"), ...rest);
const removeFromSuggestions = (key: string, ...rest: Parameters<Remove>): Uint8Array | undefined =>
  withoutDocuments("suggestions", keyOf(key), ...rest);

interface Posting {
  readonly document: number;
  readonly units: readonly UnitPosting[];
}

const anyTextUnit = fc.record({
  unit: fc.oneof(fc.integer({ min: 2, max: 8 }), fc.integer({ min: 2, max: 2000 })),
  frequency: fc.integer({ min: 1, max: 20 }),
  heading: fc.boolean(),
  code: fc.boolean(),
});
const anyUnits: fc.Arbitrary<UnitPosting[]> = fc
  .tuple(fc.boolean(), fc.boolean(), fc.uniqueArray(anyTextUnit, { selector: ({ unit }) => unit, maxLength: 3 }))
  .map(([title, description, text]) => [
    ...(title ? [{ unit: 0, frequency: 1, heading: false, code: true }] : []),
    ...(description || (!title && text.length === 0) ? [{ unit: 1, frequency: 1, heading: false, code: false }] : []),
    ...text.sort((a, b) => a.unit - b.unit),
  ]);
const anyNumbers = (maxLength: number, minLength = 1): fc.Arbitrary<number[]> =>
  fc
    .uniqueArray(fc.oneof(fc.nat({ max: 60 }), fc.nat({ max: 2 ** 24 - 1 })), { minLength, maxLength })
    .map((numbers) => numbers.sort((a, b) => a - b));
const anyPostings = (maxLength: number): fc.Arbitrary<Posting[]> =>
  anyNumbers(maxLength).chain((numbers) =>
    fc.tuple(...numbers.map((document) => anyUnits.map((units) => ({ document, units })))),
  );
/** Takes none, some or all documents away. */
const anyRemoval: fc.Arbitrary<IsRemoved> = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1, max: 4 }))
  .map(
    ([rest, of]) =>
      (document) =>
        document % of === rest % (of + 1),
  );

/** Long lists: units of a few documents, repeated over many numbers. */
const anyLongList: fc.Arbitrary<Posting[]> = fc
  .tuple(fc.array(anyUnits, { minLength: 1, maxLength: 5 }), fc.integer({ min: 2000, max: 2600 }))
  .map(([units, count]) =>
    Array.from({ length: count }, (_, at) => ({
      document: at * 2 + (at % 3 === 0 ? 1 : 0),
      units: units[at % units.length] as UnitPosting[],
    })),
  );

function encode(postings: readonly Posting[], isStop: boolean): Uint8Array {
  const builder = new PostingBuilder();
  for (const { document, units } of postings) builder.add(document, encodeUnits(units));
  return builder.finish(isStop, (document) => -document);
}

/** What a list says of each document, in words that compare. */
function rowsOf(list: PostingList): unknown[] {
  return Array.from(list.documents, (document, at) => {
    const units: unknown[] = [];
    visitUnits(list, at, (...unit) => units.push(unit));
    return [document, list.body[at], list.code[at], list.title[at], list.path[at], list.description[at], units];
  });
}

function rowsWithout(list: PostingList, isRemoved: IsRemoved): unknown[] {
  return rowsOf(list).filter((_, at) => !isRemoved(list.documents[at] as number));
}

/** The value of the documents that are left, as a build of them alone would make it. */
function frequenciesWithout(postings: readonly Posting[], isRemoved: IsRemoved): FieldFrequencies {
  const left = postings.filter(({ document }) => !isRemoved(document));
  if (left.length === 0) return { documents: 0, body: 0, title: 0, path: 0, description: 0, units: 0 };
  return decodePostings(encode(left, false)).frequencies;
}

describe("a value without some of its documents", () => {
  it("of a light list is that of the others alone", () => {
    fc.assert(
      fc.property(anyPostings(30), anyRemoval, (postings, isRemoved) => {
        const value = encode(postings, false);
        const left = postings.filter(({ document }) => !isRemoved(document));
        const kept = removeFromPostings(value, isRemoved);
        expect(kept).toEqual(left.length === 0 ? undefined : encode(left, false));
        if (left.length === postings.length) expect(kept).toBe(value);
      }),
    );
  });

  it("of a heavy list says the same of each of the others, and states what it is told", () => {
    fc.assert(
      fc.property(anyLongList, anyRemoval, (postings, isRemoved) => {
        const list = decodePostings(encode(postings, false));
        fc.pre(list.form === "heavy");
        const frequencies = frequenciesWithout(postings, isRemoved);
        const kept = removeFromPostings(encode(postings, false), isRemoved, frequencies);
        if (frequencies.documents === 0) {
          expect(kept).toBeUndefined();
          return;
        }
        const left = decodePostings(kept as Uint8Array);
        expect([left.form, left.frequencies]).toEqual(["heavy", frequencies]);
        expect(rowsOf(left)).toEqual(rowsWithout(list, isRemoved));
        const detailed = Array.from(left.unitsAt).filter((at) => at >= 0).length;
        expect(detailed).toBeLessThanOrEqual(HEAVY_DOCUMENTS);
      }),
      { numRuns: runs(15) },
    );
  });

  it("of a heavy list counts its documents itself where nothing is stated, and keeps the other counts", () => {
    const postings = Array.from(
      { length: 2200 },
      (_, document): Posting => ({
        document,
        units: [{ unit: 2, frequency: 1, heading: false, code: false }],
      }),
    );
    const kept = removeFromPostings(encode(postings, false), (document) => document % 2 === 0) as Uint8Array;
    expect(decodePostings(kept).frequencies).toMatchObject({ documents: 1100, body: 2200, units: 2200 });
    const wrong = { documents: 7, body: 6, title: 5, path: 4, description: 3, units: 2 };
    const stated = removeFromPostings(encode(postings, false), (document) => document % 2 === 0, wrong) as Uint8Array;
    expect(decodePostings(stated).frequencies).toEqual({ ...wrong, documents: 1100 });
  });

  it("of a stop word keeps the others of its best documents, and states what it is told", () => {
    fc.assert(
      fc.property(fc.oneof(anyPostings(20), anyLongList), anyRemoval, (postings, isRemoved) => {
        const value = encode(postings, true);
        const frequencies = frequenciesWithout(postings, isRemoved);
        const kept = removeFromPostings(value, isRemoved, frequencies);
        if (frequencies.documents === 0) {
          expect(kept).toBeUndefined();
          return;
        }
        const left = decodePostings(kept as Uint8Array);
        expect([left.form, left.frequencies]).toEqual(["stop", frequencies]);
        expect(left.documents.length).toBeLessThanOrEqual(STOP_DOCUMENTS);
        expect(rowsOf(left)).toEqual(rowsWithout(decodePostings(value), isRemoved));
      }),
      { numRuns: runs(30) },
    );
  });

  it("of a pair is that of the others alone", () => {
    fc.assert(
      fc.property(anyNumbers(30), anyRemoval, (documents, isRemoved) => {
        const frequencies = documents.map((document) => 1 + (document % 40));
        const value = encodePair(documents, frequencies);
        const kept = removeFromPair(value, isRemoved);
        const left = documents.map((document, at) => [document, frequencies[at] as number] as const);
        const others = left.filter(([document]) => !isRemoved(document));
        if (others.length === 0) {
          expect(kept).toBeUndefined();
          return;
        }
        expect(kept).toEqual(
          encodePair(
            others.map(([document]) => document),
            others.map(([, frequency]) => frequency),
          ),
        );
        expect(decodePair(kept as Uint8Array).documents).toHaveLength(others.length);
        if (others.length === documents.length) expect(kept).toBe(value);
      }),
    );
  });

  it("of a facet or a gram lists the others, and one that lists nothing stays", () => {
    fc.assert(
      fc.property(anyNumbers(40), anyRemoval, (numbers, isRemoved) => {
        const left = numbers.filter((number) => !isRemoved(number));
        const kept = removeFromNumbers(encodeNumbers(numbers), isRemoved);
        expect(kept && Array.from(decodeNumbers(kept, "test"))).toEqual(left.length === 0 ? undefined : left);
      }),
    );
    const common = encodeNumbers([]);
    expect(removeFromNumbers(common, () => true)).toBe(common);
  });

  it("of suggestions keeps texts with a place that is left", () => {
    const place = fc.record({
      collection: fc.nat({ max: 2 }),
      count: fc.integer({ min: 1, max: 3 }),
      document: fc.nat({ max: 20 }),
      ordinal: fc.nat({ max: 3 }),
      anchor: fc.constantFrom("", "x"),
    });
    const entry: fc.Arbitrary<SuggestionEntry> = fc.record({
      text: fc.constantFrom("Routes", "Route handlers", "About route handlers"),
      kind: fc.constantFrom("heading", "symbol" as const),
      places: fc.array(place, { minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 5 }), anyRemoval, (entries, isRemoved) => {
        const key = "route handlers";
        const value = encodeSuggestions(key, entries);
        const wanted = decodeSuggestions(key, value).flatMap(({ places, ...rest }) => {
          const left = places.filter(({ document }) => !isRemoved(document));
          return left.length > 0 ? [{ ...rest, places: left }] : [];
        });
        const kept = removeFromSuggestions(key, value, isRemoved);
        expect(kept && decodeSuggestions(key, kept)).toEqual(wanted.length === 0 ? undefined : wanted);
      }),
    );
  });

  it("is refused or readable, whatever the bytes", async () => {
    const valid = anyPostings(8).map((postings) => encode(postings, false));
    const removals: readonly ((bytes: Uint8Array, isRemoved: IsRemoved) => Uint8Array | undefined)[] = [
      removeFromPostings,
      removeFromPair,
      removeFromNumbers,
      (bytes, isRemoved) => removeFromSuggestions("route", bytes, isRemoved),
    ];
    await fc.assert(
      fc.asyncProperty(anyBytesNear(valid), anyRemoval, async (bytes, isRemoved) => {
        for (const remove of removals) await decodeOrRefuse(() => remove(bytes, isRemoved));
        const kept = await decodeOrRefuse(() => removeFromPostings(bytes, isRemoved));
        if (kept !== undefined) await decodeOrRefuse(() => decodePostings(kept));
      }),
    );
  });

  it("is refused when the value is cut short", async () => {
    const units = [{ unit: 2, frequency: 3, heading: true, code: false }];
    const postings = [1, 5, 9].map((document): Posting => ({ document, units }));
    const isRemoved: IsRemoved = (document) => document === 5;
    await expectTruncationsRefused(encode(postings, false), (bytes) => removeFromPostings(bytes, isRemoved));
    await expectTruncationsRefused(encode(postings, true), (bytes) => removeFromPostings(bytes, isRemoved));
    await expectTruncationsRefused(encodePair([1, 5, 9], [1, 2, 3]), (bytes) => removeFromPair(bytes, isRemoved));
    await expectTruncationsRefused(encodeNumbers([1, 5, 9]), (bytes) => removeFromNumbers(bytes, isRemoved));
  });
});
