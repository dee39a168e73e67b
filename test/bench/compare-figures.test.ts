import { describe, expect, it } from "vitest";
import { compareFigures, flattenFigures } from "../../bench/compare-figures.ts";

describe("comparing figures", () => {
  const before = { index: { bytes: 1000, objects: 5 }, queries: { phrase: { waves: 2 }, typo: { misses: 0 } } };

  it("names figures by their groups", () => {
    expect([...flattenFigures(before)]).toEqual([
      ["index / bytes", 1000],
      ["index / objects", 5],
      ["queries / phrase / waves", 2],
      ["queries / typo / misses", 0],
    ]);
  });

  it("finds nothing where nothing changed", () => {
    expect(compareFigures(before, before)).toEqual({ worse: [], better: [], missing: [] });
  });

  it("lets two per cent pass and no more, in both directions", () => {
    expect(compareFigures(before, { ...before, index: { bytes: 1020, objects: 5 } }).worse).toEqual([]);
    expect(compareFigures(before, { ...before, index: { bytes: 1021, objects: 5 } }).worse).toEqual([
      { figure: "index / bytes", before: 1000, after: 1021 },
    ]);
    expect(compareFigures(before, { ...before, index: { bytes: 979, objects: 5 } })).toEqual({
      worse: [],
      better: [{ figure: "index / bytes", before: 1000, after: 979 }],
      missing: [],
    });
  });

  it("calls anything above a figure of zero worse", () => {
    const { worse } = compareFigures(before, { ...before, queries: { phrase: { waves: 2 }, typo: { misses: 1 } } });
    expect(worse).toEqual([{ figure: "queries / typo / misses", before: 0, after: 1 }]);
  });

  it("names figures that one side lacks, so that none is lost unnoticed", () => {
    const { worse, missing } = compareFigures(before, { index: { bytes: 1000, objects: 5, terms: 10 } });
    expect(worse).toEqual([]);
    expect(missing).toEqual(["queries / phrase / waves", "queries / typo / misses", "index / terms"]);
  });
});
