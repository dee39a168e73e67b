import { describe, expect, it } from "vitest";
import { type ByteKey, keyOf, keyOfNumber } from "../../../src/core/bytes/key.ts";
import { ByteWriter } from "../../../src/core/bytes/writer.ts";
import { collectionOf, countUnits } from "../../../src/core/format/locator.ts";
import { encodeNumbers } from "../../../src/core/format/postings.ts";
import { TITLE_SLOTS } from "../../../src/core/index/decode-tables.ts";
import { type ResidentTable, readWithResident, residentTable } from "../../../src/core/index/resident.ts";
import { buildPages, type Pages } from "../../support/build-index.ts";
import { refusalOf } from "../../support/format-cases.ts";
import { openTables } from "../../support/open-tables.ts";

const ALL: readonly ResidentTable[] = ["locator", "titles", "facets"];

/** More pages than one value of the locator holds. */
const MANY: Pages = Object.fromEntries(
  Array.from({ length: 150 }, (_, n) => [
    `${n % 3 === 0 ? "guides" : "reference"}/page-${String(n).padStart(3, "0")}.md`,
    `---\ntags: [t${n % 4}]\n---\n# Page ${n}\n\nText of page ${n}.\n`,
  ]),
);

function titlesOf(...names: readonly (readonly [path: string, title: string])[]): Uint8Array {
  const writer = new ByteWriter();
  writer.writeVarint(names.length);
  for (const [path, title] of names) {
    writer.writeString(path);
    writer.writeString(title);
  }
  return writer.finish();
}

describe("readWithResident", () => {
  it("reads resident tables in the wave of whatever else is asked", async () => {
    const { reader, source } = await (await buildPages(MANY)).open();
    const read = { shard: 0, table: "terms" as const, keys: [keyOf("page")] };
    const { tables } = await readWithResident(reader, ALL, [read]);
    expect(tables).toHaveLength(1);
    expect(tables[0]).toHaveLength(1);
    expect(source.rounds).toBe(1);
    expect(reader.cost.waves).toBe(2);
  });

  it("reads none of them again, in this request or a later one", async () => {
    const { reader, source, next } = await (await buildPages(MANY)).open();
    await readWithResident(reader, ["locator"]);
    source.reset();
    await readWithResident(reader, ["locator"]);
    const later = next();
    await readWithResident(later, ["locator"]);
    expect(source.reads).toEqual([]);
    expect(residentTable(later, 0, "locator")).toBe(residentTable(reader, 0, "locator"));
    await readWithResident(later, ALL);
    expect(source.rounds).toBe(1);
  });

  it("gives every document its name, place and facets", async () => {
    const built = await buildPages(MANY);
    const { reader } = await built.open();
    await readWithResident(reader, ALL);
    const titles = residentTable(reader, 0, "titles");
    const locator = residentTable(reader, 0, "locator");
    const facets = residentTable(reader, 0, "facets");
    expect(titles.slots).toBe(150);
    for (const { number, path, title, lengths, unitCodes, facets: own } of built.documents.values()) {
      expect(titles.at(number)).toEqual({ path, title });
      expect(collectionOf(locator, number)).toBe(0);
      expect(locator.titles[number]).toBe(lengths.title);
      expect(countUnits(locator, number)).toBe(unitCodes.length);
      for (const [key, values] of facets) {
        for (const [value, numbers] of values)
          expect(numbers.includes(number)).toBe(own[key]?.includes(value) ?? false);
      }
    }
    expect([...(facets.get("tags")?.keys() ?? [])]).toEqual(["t0", "t1", "t2", "t3"]);
  });

  it("says which table was not asked for", async () => {
    const { reader } = await (await buildPages({ "a.md": "# A" })).open();
    expect(() => residentTable(reader, 0, "titles")).toThrow("table titles of shard 0 was not asked for");
  });
});

describe("resident tables", () => {
  const slots = (count: number) => ({ slots: count });

  it("leave slots empty between documents that are far apart", async () => {
    const far = [
      { key: keyOfNumber(0), value: titlesOf(["a.md", "A"]) },
      { key: keyOfNumber(2), value: titlesOf(["", ""], ["c.md", "C"]) },
    ];
    const { reader } = await openTables({ titles: far }, slots(130));
    await readWithResident(reader, ["titles"]);
    const titles = residentTable(reader, 0, "titles");
    expect(titles.slots).toBe(130);
    expect([...titles.entries()]).toEqual([
      [0, { path: "a.md", title: "A" }],
      [129, { path: "c.md", title: "C" }],
    ]);
    expect([1, 64, 128, 130, 1000].map((number) => titles.at(number))).toEqual(Array(5).fill(undefined));
  });

  it("are empty in an empty shard", async () => {
    const { reader } = await openTables({});
    await readWithResident(reader, ALL);
    expect(residentTable(reader, 0, "locator").slots).toBe(0);
    expect([...residentTable(reader, 0, "titles").entries()]).toEqual([]);
    expect([...residentTable(reader, 0, "facets")]).toEqual([]);
  });

  it("refuse numbers beyond the slots of their shard, before they make room for them", async () => {
    for (const number of [3, 1 << 20, 2 ** 32 - 1]) {
      const entries = [{ key: keyOfNumber(number), value: titlesOf(["a.md", "A"]) }];
      const { reader } = await openTables({ titles: entries }, slots(130));
      expect((await refusalOf(() => readWithResident(reader, ["titles"]))).detail.code).toBe("out-of-range");
    }
    const long = [{ key: keyOfNumber(2), value: titlesOf(["a.md", "A"], ["b.md", "B"], ["c.md", "C"]) }];
    const { reader } = await openTables({ titles: long }, slots(130));
    expect((await refusalOf(() => readWithResident(reader, ["titles"]))).detail.code).toBe("out-of-range");
  });

  it("refuse keys that are no numbers, and values that overlap", async () => {
    for (const key of ["", "abc", "abcde"]) {
      const { reader } = await openTables({ titles: [{ key: keyOf(key), value: titlesOf(["a.md", "A"]) }] }, slots(1));
      expect((await refusalOf(() => readWithResident(reader, ["titles"]))).message).toContain("a key is not a number");
    }
  });

  it("refuse more slots in a value than it may have", async () => {
    const names = Array.from({ length: TITLE_SLOTS + 1 }, (_, n): [string, string] => [`${n}.md`, "A"]);
    const { reader } = await openTables({ titles: [{ key: keyOfNumber(0), value: titlesOf(...names) }] }, slots(200));
    expect((await refusalOf(() => readWithResident(reader, ["titles"]))).detail.code).toBe("out-of-range");
  });

  it("give no name out of a value that is cut short or goes on", async () => {
    const whole = titlesOf(["a.md", "A"], ["b.md", "B"]);
    const values = [...whole.keys()].slice(1).map((length) => whole.subarray(0, length));
    for (const value of [...values, Uint8Array.of(...whole, 0)]) {
      const { reader } = await openTables({ titles: [{ key: keyOfNumber(0), value }] }, slots(130));
      await readWithResident(reader, ["titles"]);
      const refusal = await refusalOf(async () => residentTable(reader, 0, "titles").at(0));
      expect(["truncated", "trailing-bytes"]).toContain(refusal.detail.code);
    }
  });

  it("refuse facets without a value in their key, and numbers that do not ascend", async () => {
    const facets = async (key: string, value: Uint8Array): Promise<string> => {
      const { reader } = await openTables({ facets: [{ key: key as ByteKey, value }] }, slots(10));
      return (await refusalOf(() => readWithResident(reader, ["facets"]))).message;
    };
    expect(await facets("type", encodeNumbers([0]))).toContain('no value in key "type"');
    expect(await facets("type\u0000page", Uint8Array.of(2, 1))).toContain("needs 2 bytes");
  });
});
