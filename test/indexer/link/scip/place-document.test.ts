/** Documents of SCIP indexes against the text of their files. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PreciseDocument } from "../../../../indexer/languages/base/language.ts";
import { placeDocument, type ScipDocument } from "../../../../indexer/link/scip/place-scip.ts";
import { defines, names, scipDocument } from "../../../support/scip-index.ts";

const TEXT = 'const größe = "📚"; save(größe);\nfunction save() {}\n';
/** Columns of `größe` where it is defined and used, and of `save` where it is used, in each unit. */
const COLUMNS = { 1: [6, 13, 29, 36, 24, 28], 2: [6, 11, 25, 30, 20, 24], 3: [6, 11, 24, 29, 19, 23] } as const;

function sizes(encoding: number, columns: readonly number[]): ScipDocument {
  const [a, b, c, d, e, f] = columns as [number, number, number, number, number, number];
  const occurrences = [
    defines("p `größe`.", 0, a, b),
    names("p `größe`.", 0, c, d),
    names("p save().", 0, e, f),
    defines("p save().", 1, 9, 13),
  ];
  return scipDocument("a.ts", { encoding, occurrences });
}

const place = (document: ScipDocument, text = TEXT) => placeDocument(document, "code:a.ts", text, "0");

function references(document: ScipDocument): string[] {
  const placed = place(document) as PreciseDocument;
  return placed.references.map(({ symbol, at }) => `${symbol} ${at.line}:${at.column}`);
}

describe("placeDocument", () => {
  it("takes a name that is bound where it names something for the key of a short form", () => {
    const text = "take(({ open }) => open());\n";
    const occurrences = [
      names("p take().", 0, 0, 4),
      defines("local 1", 0, 8, 12),
      names("p Store#open().", 0, 8, 12),
      names("local 1", 0, 19, 23),
    ];
    const { references } = place(scipDocument("a.ts", { occurrences }), text) as PreciseDocument;
    expect(references.map(({ symbol, short }) => `${symbol} ${short}`)).toEqual([
      "p take(). undefined",
      "p Store#open(). key",
      "local 1 0 undefined",
    ]);
  });

  it("takes columns in bytes, in units of UTF-16 and in code points", () => {
    for (const encoding of [1, 2, 3] as const) {
      expect(references(sizes(encoding, COLUMNS[encoding]))).toEqual(["p `größe`. 1:26", "p save(). 1:21"]);
    }
  });

  it("counts no byte order mark of the text", () => {
    for (const encoding of [0, 1, 2, 3] as const) {
      const document = sizes(encoding, COLUMNS[encoding === 0 ? 1 : encoding]);
      expect(place({ ...document, text: TEXT }, `\ufeff${TEXT}`)).toEqual(place(document));
    }
  });

  it("finds out the unit where the indexer does not say it", () => {
    for (const encoding of [1, 2, 3] as const) {
      expect(references(sizes(0, COLUMNS[encoding]))).toEqual(["p `größe`. 1:26", "p save(). 1:21"]);
    }
  });

  it("leaves out documents in a unit that it does not know", () => {
    expect(place(sizes(7, COLUMNS[2]))).toEqual({ reason: "columns are in the unknown unit 7", line: 0 });
  });

  it("leaves out documents whose definitions are not at their places", () => {
    const text = `// A line that was not there when it was indexed.\n${TEXT}`;
    expect(place(sizes(2, COLUMNS[2]), text)).toEqual({
      reason: '"größe" is not where it should be defined',
      line: 1,
    });
    const renamed = place(sizes(2, COLUMNS[2]), TEXT.replace("function save", "function keep"));
    expect(renamed).toEqual({ reason: '"save" is not where it should be defined', line: 2 });
  });

  it("leaves out documents with places outside of the text, and those that were indexed with another text", () => {
    const outside = (...range: readonly number[]) =>
      place(scipDocument("a.ts", { occurrences: [names("s", ...range)] }));
    expect(outside(5, 0, 1)).toEqual({ reason: "a place is not in the text", line: 0 });
    expect(outside(1, 0, 100)).toEqual({ reason: "a place is not in the text", line: 2 });
    expect(outside(1, 5, 0, 3)).toMatchObject({ reason: "a place is not in the text" });
    expect(outside(1, 2)).toMatchObject({ reason: "a place is not in the text" });
    expect(place(scipDocument("a.ts", { text: "other" }))).toMatchObject({
      reason: "the text that was indexed is another",
    });
    expect(place(scipDocument("a.ts", { text: TEXT }))).toMatchObject({ id: "code:a.ts" });
  });

  it("takes a name in quotes or behind a mark, made-up names, and a second name at a place", () => {
    const text = "class A { #hid = 1; 'b' = 2; constructor() {} size }\n";
    const occurrences = [
      defines("p A#hid.", 0, 10, 14),
      defines("p A#b.", 0, 20, 23),
      defines("p A#`<constructor>`().", 0, 29, 40),
      defines("p A#getSize().", 0, 46, 50),
      defines("p A#size.", 0, 46, 50),
    ];
    expect(place(scipDocument("a.ts", { occurrences }), text)).toMatchObject({ definitions: { length: 5 } });
  });

  it("tells local symbols of one document from those of others", () => {
    const document = scipDocument("a.ts", { occurrences: [defines("local 1", 1, 9, 13), names("local 1", 0, 20, 24)] });
    const one = placeDocument(document, "code:a.ts", TEXT, "0 code:a.ts") as PreciseDocument;
    const other = placeDocument(document, "code:b.ts", TEXT, "0 code:b.ts") as PreciseDocument;
    expect(one.definitions[0]?.symbol).toBe(one.references[0]?.symbol);
    expect(one.definitions[0]?.symbol).not.toBe(other.definitions[0]?.symbol);
  });

  it("places any occurrences or says why not", () => {
    const number = fc.oneof(fc.nat(60), fc.nat(2 ** 31), fc.constant(2 ** 64));
    const occurrence = fc.record({
      range: fc.array(number, { maxLength: 5 }),
      symbol: fc.constantFrom("p save().", "local 1", ""),
      roles: fc.nat(255),
    });
    fc.assert(
      fc.property(fc.array(occurrence, { maxLength: 3 }), fc.nat(5), (occurrences, encoding) => {
        const placed = place(scipDocument("a.ts", { occurrences, encoding }));
        if (!("id" in placed)) expect(placed.reason).not.toBe("");
        else for (const { at } of placed.references) expect(at.line).toBeLessThanOrEqual(TEXT.split("\n").length);
      }),
    );
  });
});
