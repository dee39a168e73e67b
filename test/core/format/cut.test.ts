import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../../../schemas/index-format/vectors/cut.json" with { type: "json" };
import { hashKey } from "../../../src/core/bytes/checksum.ts";
import { keyOf } from "../../../src/core/bytes/key.ts";
import type { TableEntry } from "../../../src/core/format/chunk.ts";
import { cutEntries } from "../../../src/core/format/table.ts";
import { runs } from "../../support/runs.ts";

const TARGET = 512;
const OVERHEAD = 3;

/** Tables as they are: some hundred keys, most values small, some above the target. */
const anyTable: fc.Arbitrary<TableEntry[]> = fc
  .uniqueArray(
    fc.record({
      key: fc.string({ unit: fc.constantFrom(..."abcdefgh"), minLength: 1, maxLength: 9 }),
      bytes: fc.oneof(
        { weight: 12, arbitrary: fc.integer({ min: 0, max: 60 }) },
        { weight: 2, arbitrary: fc.integer({ min: 60, max: TARGET }) },
        { weight: 1, arbitrary: fc.integer({ min: TARGET + 1, max: 3 * TARGET }) },
      ),
    }),
    { selector: ({ key }) => key, minLength: 0, maxLength: 300, size: "max" },
  )
  .map((rows) => toTable(rows));

function toTable(rows: readonly { readonly key: string; readonly bytes: number }[]): TableEntry[] {
  return rows
    .map(({ key, bytes }) => ({ key: keyOf(key), value: new Uint8Array(bytes) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

function weigh(entries: readonly TableEntry[]): number {
  return entries.reduce((sum, { key, value }) => sum + key.length + value.length + OVERHEAD, 0);
}

/** Chunks of one list that the other does not have, by their content. */
function countDifferent(before: readonly TableEntry[][], after: readonly TableEntry[][]): number {
  const nameOf = (chunk: readonly TableEntry[]): string =>
    chunk.map(({ key, value }) => `${key}:${value.length}`).join(" ");
  const known = new Set(before.map(nameOf));
  return after.filter((chunk) => !known.has(nameOf(chunk))).length;
}

describe("cutEntries", () => {
  it.each(vectors.vectors)("cuts the vector: $name", ({ target, entries, chunks }) => {
    const table = entries.map(([key = "", bytes = 0]) => ({
      key: keyOf(String(key)),
      value: new Uint8Array(Number(bytes)),
    }));
    expect([...cutEntries(table, target)].map((chunk) => chunk.length)).toEqual(chunks);
  });

  it("keeps every entry, once and in order", () => {
    fc.assert(
      fc.property(anyTable, (entries) => {
        const chunks = [...cutEntries(entries, TARGET)];
        expect(chunks.flat()).toEqual(entries);
        expect(chunks.every((chunk) => chunk.length > 0)).toBe(true);
      }),
    );
  });

  it("lets what is above the target stand alone, and no other chunk grow beyond twice the target and one entry", () => {
    fc.assert(
      fc.property(anyTable, (entries) => {
        for (const chunk of cutEntries(entries, TARGET)) {
          const large = chunk.filter(({ value }) => value.length > TARGET);
          if (large.length > 0) expect(chunk).toEqual(large.slice(0, 1));
          else if (chunk.length > 1) expect(weigh(chunk.slice(0, -1))).toBeLessThanOrEqual(2 * TARGET);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  it("holds that bound where entries are as large as they can be without standing alone", () => {
    for (const bytes of [0.3, 0.45, 0.5, 0.6, 0.75, 0.9, 1]) {
      for (let round = 0; round < 40; round++) {
        const rows = Array.from({ length: 60 }, (_, n) => ({
          key: `${round}/${n}`,
          bytes: Math.floor(bytes * TARGET),
        }));
        for (const chunk of cutEntries(toTable(rows), TARGET)) {
          expect(weigh(chunk.slice(0, -1))).toBeLessThanOrEqual(2 * TARGET);
        }
      }
    }
  });

  it("splits a run from one and a half times the target on", () => {
    // Entries of 16 bytes with keys that cut nowhere by themselves.
    const weak = Array.from({ length: 200 }, (_, n) => `key${String(n).padStart(4, "0")}`)
      .filter((key) => hashKey(keyOf(key)) / 2 ** 32 > 0.1)
      .map((key) => ({ key, bytes: 16 - OVERHEAD - key.length }));
    const half = (TARGET * 1.5) / 16;
    expect([...cutEntries(toTable(weak.slice(0, half)), TARGET)]).toHaveLength(1);
    expect([...cutEntries(toTable(weak.slice(0, half + 1)), TARGET)]).toHaveLength(2);
  });

  it("gives chunks near the target on average", () => {
    const rows = Array.from({ length: 20_000 }, (_, n) => ({
      key: `term${n}`,
      bytes: 4 + (hashKey(keyOf(`${n}`)) % 60),
    }));
    const entries = toTable(rows);
    const chunks = [...cutEntries(entries, TARGET)];
    const mean = weigh(entries) / chunks.length;
    expect(mean).toBeGreaterThan(0.6 * TARGET);
    expect(mean).toBeLessThan(1.2 * TARGET);
  });

  it("does not depend on what stands elsewhere in the table", () => {
    // Far from an edit the chunks are the same, so two halves cut apart agree with the whole but near their border.
    const rows = Array.from({ length: 4000 }, (_, n) => ({ key: `t${String(n).padStart(5, "0")}`, bytes: n % 50 }));
    const entries = toTable(rows);
    const halves = [...cutEntries(entries.slice(0, 2000), TARGET), ...cutEntries(entries.slice(2000), TARGET)];
    expect(countDifferent([...cutEntries(entries, TARGET)], halves)).toBeLessThanOrEqual(8);
  });

  it("changes only chunks near an inserted, changed or removed key", () => {
    const rows = Array.from({ length: 3000 }, (_, n) => ({
      key: `key${String(n * 2).padStart(5, "0")}`,
      bytes: (n * 13) % 70,
    }));
    const before = [...cutEntries(toTable(rows), TARGET)];
    const different: number[] = [];
    for (let at = 0; at < rows.length; at += 15) {
      const row = rows[at] as (typeof rows)[number];
      const edits = [
        [...rows, { key: `${row.key}+`, bytes: 30 }],
        rows.map((other) => (other === row ? { ...row, bytes: row.bytes + 1 + (at % 9) } : other)),
        rows.filter((other) => other !== row),
      ];
      for (const edited of edits) different.push(countDifferent(before, [...cutEntries(toTable(edited), TARGET)]));
    }
    different.sort((a, b) => a - b);
    // Every edit changes the chunk that it is in; most change no other, few all those of a run between strong cuts.
    expect(different[Math.floor(different.length / 2)]).toBeLessThanOrEqual(2);
    expect(different[Math.floor(different.length * 0.9)]).toBeLessThanOrEqual(5);
    expect(different.at(-1)).toBeLessThanOrEqual(20);
  });

  it("stays within its run for any edit of any table", () => {
    fc.assert(
      fc.property(anyTable, fc.nat(), fc.integer({ min: 0, max: 2 * TARGET }), (entries, at, bytes) => {
        fc.pre(entries.length > 0);
        const old = entries[at % entries.length] as TableEntry;
        const edited = entries.map((entry) => (entry === old ? { key: old.key, value: new Uint8Array(bytes) } : entry));
        const before = [...cutEntries(entries, TARGET)];
        const after = [...cutEntries(edited, TARGET)];
        const border = (chunks: readonly TableEntry[][]): Set<string> =>
          new Set(chunks.map((chunk) => (chunk[0] as TableEntry).key));
        const strong = strongCuts(entries);
        const kept = [...strong].filter((key) => strongCuts(edited).has(key));
        // Strong cuts depend on one key and the entry before it, so all but those beside the edit stay.
        expect(strong.size - kept.length).toBeLessThanOrEqual(2);
        for (const key of kept) {
          expect(border(before).has(key)).toBe(true);
          expect(border(after).has(key)).toBe(true);
        }
      }),
    );
  });
});

/** Keys before which section 3.2 of the format cuts whatever the sizes of runs are. */
function strongCuts(entries: readonly TableEntry[]): Set<string> {
  const cuts = new Set<string>();
  for (const [at, { key, value }] of entries.entries()) {
    const before = entries[at - 1];
    if (before === undefined || value.length > TARGET || before.value.length > TARGET) {
      cuts.add(key);
      continue;
    }
    const weight = 2 ** Math.ceil(Math.log2(weigh([before])));
    if (hashKey(key) / 2 ** 32 < weight / (2 * TARGET)) cuts.add(key);
  }
  return cuts;
}
