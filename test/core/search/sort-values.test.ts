import { describe, expect, it } from "vitest";
import { orderOfValues } from "../../../src/core/search/order-documents.ts";

const sort = (...values: string[]): string[] => [...values].sort(orderOfValues(values));

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
