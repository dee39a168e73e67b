import { describe, expect, it } from "vitest";
import { sortByValues } from "../../../src/core/search/order-documents.ts";

/** Values of one document each, in the order in which the documents come. */
function sort(...values: string[]): string[] {
  const places = values.map((_, document) => ({ shard: 0, document }));
  const lists = new Map(values.map((value, document) => [value, Uint32Array.of(document)]));
  return (sortByValues(places, [lists], false) ?? []).map(({ value }) => value);
}

describe("values that pages are sorted by", () => {
  it("are numbers where all of them are", () => {
    expect(sort("10", "9", "-1", "1e3", ".5")).toEqual(["-1", ".5", "9", "10", "1e3"]);
    expect(sort("10", "9", "a")).toEqual(["10", "9", "a"]);
  });

  it("are texts where only a program would read a number", () => {
    for (const odd of ["0x10", " 9 ", "", "Infinity", "1_000"])
      expect(sort("9", "10", odd)).toEqual(["9", "10", odd].sort());
  });
});
