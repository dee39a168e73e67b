import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shapeOf } from "../../../src/core/format/json-shape.ts";
import { decodeOrRefuse, refusalOf } from "../../support/format-cases.ts";

const check = shapeOf("a structure");

describe("shapeOf", () => {
  it("gives a value of the expected kind back as it is", () => {
    const list = [1, "a"];
    expect(check.array(list, 2)).toBe(list);
    expect(check.count(0)).toBe(0);
    expect(check.number(-0.5)).toBe(-0.5);
    expect(check.string("")).toBe("");
    expect(check.strings(["a", ""])).toEqual(["a", ""]);
    expect(check.record({})).toEqual({});
    expect(check.facets({ type: ["page"], tags: [] })).toEqual({ type: ["page"], tags: [] });
  });

  it("refuses a value of another kind with what it found and where", async () => {
    const error = await refusalOf(() => check.count(-1));
    expect(error.message).toBe("a structure: unexpected -1");
    expect((await refusalOf(() => check.string({ key: "a".repeat(100) }))).message.length).toBeLessThan(80);
    for (const wrong of [
      () => check.array({}),
      () => check.array([1], 2),
      () => check.count(0.5),
      () => check.count(Number.NaN),
      () => check.number("1"),
      () => check.number(Number.POSITIVE_INFINITY),
      () => check.string(undefined),
      () => check.strings(["a", 1]),
      () => check.record([]),
      () => check.record(null),
      () => check.facets({ type: "page" }),
    ]) {
      expect((await refusalOf(wrong)).detail.code).toBe("malformed");
    }
  });

  it("takes or refuses any JSON with every check", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        for (const kind of Object.values(check)) await decodeOrRefuse(() => kind(value as never));
      }),
    );
  });

  it("refuses values that are nested too deeply to be printed", async () => {
    const deep: unknown = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
    expect((await refusalOf(() => check.string(deep))).detail.code).toBe("malformed");
  });

  it("keeps facets named like properties of every object apart from those", () => {
    const facets = check.facets(JSON.parse('{"__proto__": ["a"], "constructor": ["b"]}'));
    expect(Object.entries(facets)).toEqual([
      ["__proto__", ["a"]],
      ["constructor", ["b"]],
    ]);
  });
});
