import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { selectPages } from "../../../src/core/search/find-pages.ts";
import { runs } from "../../support/runs.ts";

/** Four pages: the first has no facet at all. */
const PAGES: readonly Readonly<Record<string, readonly string[]>>[] = [
  {},
  { type: ["guide"], color: ["red", "blue"] },
  { type: ["api"], color: ["red"] },
  { type: ["api"], color: ["green"] },
];

function find(key: string, value: string): number[] {
  return PAGES.flatMap((page, at) => (Object.hasOwn(page, key) && page[key]?.includes(value) ? [at] : []));
}

function select(filter: unknown): number[] {
  const isSelected = selectPages(filter, find, PAGES.length);
  return PAGES.flatMap((_, at) => (isSelected?.(at) === false ? [] : [at]));
}

describe("a filter", () => {
  // What Pagefind 1.6 selects of these pages.
  it.each<[unknown, number[]]>([
    [{}, [0, 1, 2, 3]],
    [{ color: "red" }, [1, 2]],
    [{ color: "red", type: "api" }, [2]],
    [{ color: ["red", "blue"] }, [1]],
    [{ color: ["red", "green"] }, []],
    [{ color: { any: ["red", "green"] } }, [1, 2, 3]],
    [{ color: { any: ["blue", "green"] }, type: "api" }, [3]],
    [{ color: { all: ["red", "blue"] } }, [1]],
    [{ color: { none: ["red"] } }, [0, 3]],
    [{ color: { not: "red" } }, [0, 3]],
    [{ color: { not: ["red", "blue"] } }, [0, 2, 3]],
    [{ color: { none: ["red", "green"] } }, [0]],
    [{ not: { color: "red" } }, [0, 3]],
    [{ not: { color: "red", type: "api" } }, [0, 1, 3]],
    [{ none: { color: "red", type: "api" } }, [0]],
    [{ any: [{ color: "green" }, { type: "guide" }] }, [1, 3]],
    [{ any: { color: "green", type: "guide" } }, [1, 3]],
    [{ any: [{ color: "red", type: "api" }, { type: "guide" }], not: { color: "blue" } }, [2]],
    [{ all: [{ color: "red" }, { type: "api" }] }, [2]],
    [{ none: [{ color: "red" }, { type: "guide" }] }, [0, 3]],
    [{ not: { any: { color: "green", type: "guide" } } }, [0, 2]],
    [{ color: { any: [{ all: ["red", "blue"] }, "green"] } }, [1, 3]],
    [{ every: [{ color: "red" }] }, [0, 1, 2, 3]],
    [{ nokey: "x" }, []],
    [{ color: "nope" }, []],
    [{ color: [] }, [0, 1, 2, 3]],
    [{ color: {} }, [0, 1, 2, 3]],
    [{ any: [] }, [0, 1, 2, 3]],
  ])("%j selects %j", (filter, expected) => {
    expect(select(filter)).toEqual(expected);
  });

  it("takes names of objects for facets that no page has", () => {
    for (const key of ["__proto__", "constructor", "toString"])
      expect(select(JSON.parse(`{"${key}":"x"}`))).toEqual([]);
  });

  it.each([null, undefined, "red", 3, [], [{ color: "red" }]])("selects everything where it is %j", (filter) => {
    expect(select(filter)).toEqual([0, 1, 2, 3]);
  });

  it("is refused where it has more levels than anybody writes", () => {
    const deep = Array.from({ length: 50 }).reduce<object>((inner) => ({ any: [inner] }), { color: "red" });
    expect(() => select(deep)).toThrow(/nested more than 20 levels/);
  });

  it("holds as many conditions as anybody writes, each once, and a few sets however many there are", () => {
    const values = Array.from({ length: 100 }, (_, at) => `v${at}`);
    expect(select({ color: { any: [...values.slice(1), "red"] } })).toEqual([1, 2]);
    expect(select({ color: Array.from({ length: 5000 }, () => "red") })).toEqual([1, 2]);
    const looked: string[] = [];
    const note = (_key: string, value: string): undefined => void looked.push(value);
    expect(() => selectPages({ color: [...values, "red", "blue"] }, note, 4)).toThrow(/more than 100 conditions/);
    expect(() => selectPages({ any: values.map(() => ({ color: ["red", "blue"] })) }, note, 4)).toThrow(
      /100 conditions/,
    );
    expect(looked.length).toBeLessThanOrEqual(200);
  });

  const condition = fc.record({
    key: fc.constantFrom("color", "type"),
    value: fc.constantFrom("red", "blue", "api", "x"),
  });
  const conditions = fc.array(condition, { minLength: 1, maxLength: 4 });

  it("means the opposite with none as with any, and with not as with all", () => {
    fc.assert(
      fc.property(conditions, (list) => {
        const objects = list.map(({ key, value }) => ({ [key]: value }));
        const rest = (of: readonly number[]): number[] => [0, 1, 2, 3].filter((at) => !of.includes(at));
        expect(select({ none: objects })).toEqual(rest(select({ any: objects })));
        expect(select({ not: objects })).toEqual(rest(select({ all: objects })));
        expect(select({ none: objects })).toEqual(select({ all: objects.map((one) => ({ not: one })) }));
      }),
      { numRuns: runs(100) },
    );
  });
});
