import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/postings.json" with { type: "json" };
import {
  decodeFrequency,
  decodeNumbers,
  decodePostings,
  encodeFrequency,
  encodeNumbers,
  HEAVY_DOCUMENTS,
  HEAVY_FROM_BYTES,
  MAX_DOCUMENTS,
  type PostingList,
  STOP_DOCUMENTS,
  type UnitPosting,
  visitUnits,
} from "../../../src/core/format/postings.ts";
import {
  anyBytesNear,
  bytesOfHex,
  decodeOrRefuse,
  expectTruncationsRefused,
  hexOf,
  refusalOf,
} from "../../support/format-cases.ts";
import {
  encodePostingRows,
  joinHex,
  type PostingRows,
  spreadPostings,
  toUnits,
  type UnitRow,
} from "../../support/format-vectors.ts";
import { encodeUnits, PostingBuilder } from "../../support/postings.ts";
import { runs } from "../../support/runs.ts";

interface Posting {
  readonly document: number;
  readonly units: readonly UnitPosting[];
}

const MAX_DOCUMENT = MAX_DOCUMENTS - 1;

const anyTextUnit = fc.record({
  unit: fc.oneof(fc.integer({ min: 2, max: 12 }), fc.integer({ min: 2, max: 100_000 })),
  frequency: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 40 })),
  heading: fc.boolean(),
  code: fc.boolean(),
});
const anyTitleUnit = fc
  .record({ frequency: fc.integer({ min: 0, max: 20 }), path: fc.boolean() })
  .map(({ frequency, path }) => ({ unit: 0, frequency, heading: path || frequency === 0, code: frequency > 0 }));
const anyDescriptionUnit = fc
  .integer({ min: 1, max: 20 })
  .map((frequency) => ({ unit: 1, frequency, heading: false, code: false }));

const anyUnits: fc.Arbitrary<UnitPosting[]> = fc
  .tuple(
    fc.option(anyTitleUnit, { nil: undefined }),
    fc.option(anyDescriptionUnit, { nil: undefined }),
    fc.uniqueArray(anyTextUnit, { selector: ({ unit }) => unit, maxLength: 6 }),
  )
  .map(([title, description, texts]) => [title, description, ...texts.sort((a, b) => a.unit - b.unit)])
  .map((units) => units.filter((unit) => unit !== undefined))
  .filter((units) => units.length > 0);

const anyPostings: fc.Arbitrary<Posting[]> = fc
  .uniqueArray(
    fc.record({
      document: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: MAX_DOCUMENT })),
      units: anyUnits,
    }),
    { selector: ({ document }) => document, maxLength: 40 },
  )
  .map((postings) => postings.sort((a, b) => a.document - b.document));

/** A frequent word: so many documents that the light form is too large. */
const frequentWord: fc.Arbitrary<Posting[]> = fc
  .record({
    count: fc.integer({ min: 700, max: 1400 }),
    units: fc.array(anyUnits, { minLength: 3, maxLength: 12 }),
    gap: fc.integer({ min: 1, max: 9 }),
  })
  .map(({ count, units, gap }) =>
    Array.from({ length: count }, (_, n) => ({
      document: n * gap,
      units: [
        ...(units[(n * n) % units.length] as UnitPosting[]),
        { unit: 200_000, frequency: 1 + (n % 5), heading: false, code: false },
      ],
    })),
  );

function encode(
  postings: readonly Posting[],
  stopWord = false,
  rank: (document: number, frequency: number) => number = rankByNumber,
): Uint8Array {
  const builder = new PostingBuilder();
  for (const { document, units } of postings) builder.add(document, encodeUnits(units));
  return builder.finish(stopWord, rank);
}

function rankByNumber(document: number): number {
  return document;
}

function rankByFrequency(_: number, frequency: number): number {
  return frequency;
}

/** What a list says of each document, in order. */
function rowsOf(list: PostingList) {
  return Array.from(list.documents, (document, index) => {
    const units: UnitPosting[] = [];
    visitUnits(list, index, (unit, frequency, heading, code) => units.push({ unit, frequency, heading, code }));
    return {
      document,
      body: list.body[index],
      code: list.code[index],
      title: list.title[index],
      path: list.path[index],
      description: list.description[index],
      units,
    };
  });
}

/** The same, straight from the occurrences. */
function readPlainly({ document, units }: Posting) {
  const scored = (frequency: number): number => decodeFrequency(encodeFrequency(Math.max(1, frequency)));
  const sum = (chosen: readonly UnitPosting[]): number =>
    chosen.reduce((total, { frequency }) => total + scored(frequency), 0);
  const title = units.find(({ unit }) => unit === 0);
  return {
    document,
    body: sum(units.filter(({ unit }) => unit >= 2)),
    code: sum(units.filter(({ unit, code }) => unit >= 2 && code)),
    title: title?.code === true ? scored(title.frequency) : 0,
    path: title?.heading === true ? 1 : 0,
    description: sum(units.filter(({ unit }) => unit === 1)),
    units: units.map((unit) => ({ ...unit, frequency: scored(unit.frequency) })),
  };
}

function countPlainly(postings: readonly Posting[]) {
  const rows = postings.map(readPlainly);
  const count = (field: "body" | "title" | "path" | "description"): number =>
    rows.filter((row) => row[field] > 0).length;
  return {
    documents: rows.length,
    body: count("body"),
    title: count("title"),
    path: count("path"),
    description: count("description"),
    units: rows.reduce((sum, { units }) => sum + units.filter(({ unit }) => unit >= 2).length, 0),
  };
}

describe("postings", () => {
  it.each(vectors.vectors)("hold the vector: $name", ({ stop, documents, form, frequencies, hex }) => {
    const rows = documents as unknown as PostingRows;
    const bytes = encodePostingRows(rows, stop);
    expect(hexOf(bytes)).toBe(joinHex(hex));
    const list = decodePostings(bytes);
    expect(list.form).toBe(form);
    expect(list.frequencies).toEqual(frequencies);
    if (form === "light") expect(rowsOf(list)).toEqual(spreadPostings(rows).map(readPlainly));
  });

  it.each(vectors.units)("hold the units of the vector $hex", ({ units, hex }) => {
    expect(hexOf(encodeUnits(toUnits(units as unknown as UnitRow[])))).toBe(hex);
  });

  it.each(vectors.refused)("refuse $hex", async ({ hex, code }) => {
    expect((await refusalOf(() => decodePostings(bytesOfHex(hex)))).detail.code).toBe(code);
  });

  it("come back as what a plain reading of the occurrences gives", () => {
    fc.assert(
      fc.property(anyPostings, (postings) => {
        const list = decodePostings(encode(postings));
        expect(list.form).toBe("light");
        expect(rowsOf(list)).toEqual(postings.map(readPlainly));
        expect(list.frequencies).toEqual(countPlainly(postings));
      }),
    );
  });

  it("decode or refuse any bytes, and what they decode can be visited", async () => {
    const valid = fc.tuple(anyPostings, fc.boolean()).map(([postings, stop]) => encode(postings, stop));
    await fc.assert(
      fc.asyncProperty(anyBytesNear(valid), async (bytes) => {
        const list = await decodeOrRefuse(() => decodePostings(bytes));
        if (list === undefined) return;
        const documents = rowsOf(list).map(({ document }) => document);
        for (const [at, document] of documents.entries()) {
          if (at > 0) expect(document).toBeGreaterThan(documents[at - 1] as number);
        }
      }),
      { numRuns: runs(1000) },
    );
  });

  it("decode or refuse any bytes near a heavy list", async () => {
    const heavy = encode(
      Array.from({ length: 2100 }, (_, n) => ({
        document: n,
        units: [{ unit: 2, frequency: 1, heading: false, code: false }],
      })),
    );
    expect(decodePostings(heavy).form).toBe("heavy");
    await fc.assert(
      fc.asyncProperty(anyBytesNear(fc.constant(heavy)), async (bytes) => {
        const list = await decodeOrRefuse(() => decodePostings(bytes));
        if (list !== undefined) rowsOf(list);
      }),
      { numRuns: runs(60) },
    );
  });

  it("refuse every truncation instead of returning fewer documents", async () => {
    for (const { hex } of vectors.vectors) {
      const bytes = bytesOfHex(joinHex(hex));
      if (bytes.length < 1000) await expectTruncationsRefused(bytes, (prefix) => decodePostings(prefix));
      else
        for (let length = 0; length < bytes.length; length += 97)
          await refusalOf(() => decodePostings(bytes.slice(0, length)));
    }
  });

  it("refuse document numbers beyond the limit instead of wrapping around to small ones", async () => {
    const last = "ffffff07";
    const codeOf = async (hex: string): Promise<string> =>
      (await refusalOf(() => decodePostings(bytesOfHex(hex)))).detail.code;
    expect(rowsOf(decodePostings(bytesOfHex(`0001${last}82`))).map(({ document }) => document)).toEqual([MAX_DOCUMENT]);
    expect(await codeOf("00018080800882")).toBe("out-of-range");
    expect(await codeOf(`0002${last}820082`)).toBe("out-of-range");
    // 2^32, which 32 bits would hold as 0.
    expect(await codeOf("0001808080801082")).toBe("out-of-range");
    expect(await codeOf(`010202000000 02${last}000000`.replace(" ", ""))).toBe("out-of-range");
  });

  it("refuse units beyond what a document can have", async () => {
    expect((await refusalOf(() => decodePostings(bytesOfHex("00010083ffffffff7f")))).detail.code).toBe("out-of-range");
  });

  it("refuse counts of documents that their bytes cannot hold, before they make room for them", async () => {
    for (const hex of [
      "00ffffffff7f",
      "01ffffffff7f0000000000",
      "020000000000ffffffff7f",
      "02000000000000ffffffff7f",
    ]) {
      expect((await refusalOf(() => decodePostings(bytesOfHex(hex)))).detail.code).toBe("truncated");
    }
  });

  it("refuse best documents that are not in a heavy list", async () => {
    // Two documents, 0 and 1; then one best document, number 5.
    const hex = "01020200000002" + "0000" + "00" + "01" + "05" + "82";
    const error = await refusalOf(() => decodePostings(bytesOfHex(hex)));
    expect(error.detail).toEqual({ code: "malformed", reason: "best document 5 is not in the list" });
  });

  it("are light up to 4,096 bytes and heavy from there on", () => {
    const postings = (count: number): Posting[] =>
      Array.from({ length: count }, (_, document) => ({
        document,
        units: [{ unit: 2, frequency: 1, heading: false, code: false }],
      }));
    expect(decodePostings(encode(postings(HEAVY_FROM_BYTES / 2))).form).toBe("light");
    expect(decodePostings(encode(postings(HEAVY_FROM_BYTES / 2 + 1))).form).toBe("heavy");
  });

  it("in the heavy form keep every document, all counts, and the best documents whole", () => {
    fc.assert(
      fc.property(frequentWord, fc.constantFrom(rankByNumber, rankByFrequency), (postings, rank) => {
        const bytes = encode(postings, false, rank);
        const list = decodePostings(bytes);
        expect(list.form).toBe("heavy");
        expect(list.frequencies).toEqual(countPlainly(postings));
        const plain = postings.map(readPlainly);
        const best = new Set(
          [...plain]
            .sort((a, b) => rank(b.document, b.body) - rank(a.document, a.body) || a.document - b.document)
            .slice(0, HEAVY_DOCUMENTS)
            .map(({ document }) => document),
        );
        const rows = rowsOf(list);
        expect(rows.map(({ document }) => document)).toEqual(plain.map(({ document }) => document));
        for (const [at, row] of rows.entries()) {
          const expected = plain[at] as (typeof plain)[number];
          if (best.has(row.document)) {
            expect(row).toEqual(expected);
            continue;
          }
          const named = expected.title > 0 || expected.path > 0 ? 1 : 0;
          const body = decodeFrequency(expected.body > 0 ? encodeFrequency(Math.round(expected.body)) : 0);
          expect(row).toMatchObject({ units: [], body, title: named, path: named, description: 0, code: 0 });
        }
      }),
      { numRuns: runs(12) },
    );
  });

  it("of a stop word keep all counts and the best documents only", () => {
    fc.assert(
      fc.property(frequentWord, (postings) => {
        const list = decodePostings(encode(postings, true, rankByFrequency));
        expect(list.form).toBe("stop");
        expect(list.frequencies).toEqual(countPlainly(postings));
        const best = postings
          .map(readPlainly)
          .sort((a, b) => b.body - a.body || a.document - b.document)
          .slice(0, STOP_DOCUMENTS)
          .sort((a, b) => a.document - b.document);
        expect(rowsOf(list)).toEqual(best);
      }),
      { numRuns: runs(12) },
    );
  });

  it("are refused when documents do not ascend", () => {
    const builder = new PostingBuilder();
    const units = encodeUnits([{ unit: 2, frequency: 1, heading: false, code: false }]);
    builder.add(5, units);
    expect(() => builder.add(5, units)).toThrow(RangeError);
    expect(() => builder.add(3, units)).toThrow(RangeError);
  });
});

describe("document numbers", () => {
  const anyNumbers = fc
    .uniqueArray(fc.oneof(fc.nat({ max: 100 }), fc.integer({ min: 0, max: MAX_DOCUMENT })), { maxLength: 60 })
    .map((numbers) => numbers.sort((a, b) => a - b));

  it.each(vectors.numbers)("are $hex for $numbers", ({ numbers, hex }) => {
    expect(hexOf(encodeNumbers(numbers))).toBe(hex);
    expect(Array.from(decodeNumbers(bytesOfHex(hex), "numbers"))).toEqual(numbers);
  });

  it("come back as they were written", () => {
    fc.assert(
      fc.property(anyNumbers, (numbers) => {
        expect(Array.from(decodeNumbers(encodeNumbers(numbers), "numbers"))).toEqual(numbers);
      }),
    );
  });

  it("ascend in whatever decodes, and all else is refused", async () => {
    await fc.assert(
      fc.asyncProperty(anyBytesNear(anyNumbers.map(encodeNumbers)), async (bytes) => {
        const numbers = await decodeOrRefuse(() => decodeNumbers(bytes, "numbers"));
        for (const [at, number] of (numbers ?? []).entries()) {
          if (at > 0) expect(number).toBeGreaterThan((numbers as Uint32Array)[at - 1] as number);
        }
      }),
      { numRuns: runs(500) },
    );
    await expectTruncationsRefused(encodeNumbers([3, 200, 40_000]), (bytes) => decodeNumbers(bytes, "numbers"));
    expect((await refusalOf(() => decodeNumbers(bytesOfHex("ffffffff7f00"), "numbers"))).detail.code).toBe("truncated");
    expect((await refusalOf(() => decodeNumbers(bytesOfHex("02ffffff0700"), "numbers"))).detail.code).toBe(
      "out-of-range",
    );
  });
});
