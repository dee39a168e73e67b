import { describe, expect, it } from "vitest";
import { readFilter } from "../../src/surface/read-filter.ts";

const KEYS = ["content_type", "has_code", "tags"];

describe("readFilter", () => {
  it("makes lists of single values, numbers and booleans", () => {
    expect(readFilter({ has_code: true, tags: ["a", 2] }, KEYS)).toEqual({
      include: { has_code: ["true"], tags: ["a", "2"] },
      exclude: {},
    });
  });

  it("reads what is excluded", () => {
    expect(readFilter({ not: { tags: "a" } }, KEYS)).toEqual({ include: {}, exclude: { tags: ["a"] } });
  });

  it("takes another spelling of a key that the index knows, and leaves unknown keys for the index to refuse", () => {
    expect(readFilter({ contentType: "docs", unknownKey: "x" }, KEYS).include).toEqual({
      content_type: ["docs"],
      unknownKey: ["x"],
    });
  });

  it("joins two spellings of one key", () => {
    expect(readFilter({ contentType: "docs", content_type: "code" }, KEYS).include).toEqual({
      content_type: ["docs", "code"],
    });
  });

  it("refuses more values than a request should need", () => {
    expect(() => readFilter({ tags: Array.from({ length: 101 }, String) }, KEYS)).toThrow("at most 100 values");
  });
});

describe("names that every object has", () => {
  it("are facets like any other", () => {
    const given = JSON.parse('{"constructor": "x", "__proto__": "y", "not": {"toString": ["z"]}}') as Record<
      string,
      unknown
    >;
    const filter = readFilter(given, []);
    expect(Object.entries(filter.include)).toEqual([
      ["constructor", ["x"]],
      ["__proto__", ["y"]],
    ]);
    expect(Object.entries(filter.exclude)).toEqual([["toString", ["z"]]]);
  });
});
