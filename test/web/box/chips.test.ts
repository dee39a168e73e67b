import { describe, expect, it } from "vitest";
import { listChips } from "../../../src/web/box/answer-rows.ts";
import { type Filters, keepWider, toggleValue } from "../../../src/web/box/question-state.ts";

const COUNTS = { type: { guide: 5, reference: 9, page: 5 }, version: { "1": 3 }, depth: { "1": 2, "2": 4 } };

const readCounts = (counts: Record<string, Record<string, number>>): Map<string, Map<string, number>> =>
  new Map(Object.entries(counts).map(([key, values]) => [key, new Map(Object.entries(values))]));
const NONE = new Map();
const list = (
  chosen: Filters = {},
  counts = COUNTS as Record<string, Record<string, number>>,
  wider: ReturnType<typeof keepWider> = NONE,
): string[] =>
  listChips(["version", "type"], chosen, readCounts(counts), wider).map(
    ({ key, value, count, isChosen }) => `${isChosen ? "*" : ""}${key}=${value}:${count}`,
  );

describe("listChips", () => {
  it("shows the named keys that leave a choice, the most frequent values first", () => {
    expect(list()).toEqual(["type=reference:9", "type=guide:5", "type=page:5"]);
  });

  it("keeps chosen values in sight, whatever the answer has", () => {
    expect(list({ version: ["9"], depth: ["2"] }, {})).toEqual(["*version=9:undefined", "*depth=2:undefined"]);
  });

  it("offers other values of a chosen key as they were counted before, and leaves each where it was", () => {
    const wider = keepWider(NONE, readCounts(COUNTS), { query: "a", filters: {}, collections: [], offset: 0 });
    expect(list({ type: ["guide"] }, { type: { guide: 4 } }, wider)).toEqual([
      "type=reference:9",
      "*type=guide:4",
      "type=page:5",
    ]);
  });

  it("takes names that every object has for names", () => {
    expect(list({ constructor: ["toString"] }, {})).toEqual(["*constructor=toString:undefined"]);
    expect(listChips(["constructor", "__proto__"], {}, readCounts(COUNTS), NONE)).toEqual([]);
    const counts = readCounts(JSON.parse(`{"__proto__": {"constructor": 2, "valueOf": 1}}`));
    expect(listChips(["__proto__"], {}, counts, NONE).map(({ value, count }) => [value, count])).toEqual([
      ["constructor", 2],
      ["valueOf", 1],
    ]);
    expect(Object.entries(toggleValue({}, "__proto__", "x"))).toEqual([["__proto__", ["x"]]]);
    expect(toggleValue({}, "constructor", "x")).toEqual({ constructor: ["x"] });
  });

  it("shows six values of a key at most, and all chosen ones", () => {
    const counts = { type: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`v${at}`, 1])) };
    expect(list({}, counts)).toHaveLength(6);
    expect(list({ type: Array.from({ length: 8 }, (_, at) => `v${at}`) }, counts)).toHaveLength(8);
  });
});

describe("toggleValue", () => {
  it("adds a value and takes it back, and the key with its last one", () => {
    const one = toggleValue({}, "type", "guide");
    const two = toggleValue(one, "type", "page");
    expect(two).toEqual({ type: ["guide", "page"] });
    expect(toggleValue(toggleValue(two, "type", "guide"), "type", "page")).toEqual({});
    expect(one).toEqual({ type: ["guide"] });
  });
});
