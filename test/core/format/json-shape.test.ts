import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  anyObject,
  array,
  count,
  dictionary,
  flag,
  number,
  object,
  oneOf,
  optional,
  type Shape,
  string,
} from "../../../src/core/format/json-shape.ts";
import { decodeOrRefuse, refusalOf } from "../../support/format-cases.ts";

const WHAT = "a structure";
const facets = dictionary(array(string));
const page = object({ id: string, words: optional(count), hidden: flag, tags: optional(array(string), []) });

describe("shapes of JSON", () => {
  it.each<[string, Shape<unknown>, unknown, unknown?]>([
    ["a count", count, 0],
    ["a number", number, -0.5],
    ["a text", string, ""],
    ["an object", anyObject, {}],
    ["a list", array(string), ["a", ""]],
    ["lists by name", facets, { type: ["page"], tags: [] }],
    ["one of some", oneOf(["a", "b"], "letter"), "b"],
    ["members that are there", page, { id: "a", words: 1, hidden: true, tags: ["b"] }],
    ["members that are absent, and others", page, { id: "a", more: 1 }, { id: "a", tags: [] }],
  ])("give %s back as it is", (_, shape, value, expected = value) => {
    expect(shape(value, WHAT)).toStrictEqual(expected);
  });

  it("refuse a value of another kind with what they found and where", async () => {
    expect((await refusalOf(() => count(-1, WHAT))).message).toBe("a structure: unexpected -1");
    expect((await refusalOf(() => oneOf(["a"], "letter")("b", WHAT))).message).toBe('a structure: unknown letter "b"');
    expect((await refusalOf(() => string({ key: "a".repeat(100) }, WHAT))).message.length).toBeLessThan(80);
  });

  it.each<[Shape<unknown>, unknown]>([
    [array(string), {}],
    [array(string), ["a", 1]],
    [count, 0.5],
    [count, Number.NaN],
    [number, "1"],
    [number, Number.POSITIVE_INFINITY],
    [string, undefined],
    [anyObject, []],
    [anyObject, null],
    [facets, { type: "page" }],
    [page, { id: 1 }],
    [page, { id: "a", words: null }],
  ])("refuse what is none: %#", async (shape, value) => {
    expect((await refusalOf(() => shape(value, WHAT))).detail.code).toBe("malformed");
  });

  it("take or refuse any JSON", async () => {
    const shapes = [count, number, string, flag, anyObject, facets, page, array(page)];
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        for (const shape of shapes) await decodeOrRefuse<unknown>(() => shape(value, WHAT));
      }),
    );
  });

  it("refuse values that are nested too deeply to be printed", async () => {
    const deep: unknown = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
    expect((await refusalOf(() => string(deep, WHAT))).detail.code).toBe("malformed");
  });

  it("keep names like properties of every object apart from those", () => {
    const found = facets(JSON.parse('{"__proto__": ["a"], "constructor": ["b"]}'), WHAT);
    expect(Object.entries(found)).toEqual([
      ["__proto__", ["a"]],
      ["constructor", ["b"]],
    ]);
  });
});
