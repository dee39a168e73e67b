import { describe, expect, it } from "vitest";
import { mergeCounts, readFilter, showCounts, showFacets } from "../../../src/web/pagefind/one-index.ts";

const EVIL = "<img src=x onerror=alert(1)>";

describe("filters", () => {
  it("show no tag, and are understood as they are shown", () => {
    const [[key, values] = ["", {}]] = Object.entries(showCounts({ [EVIL]: { [EVIL]: 1 } }));
    const [value = ""] = Object.keys(values);
    expect(`${key}${value}`).not.toContain("<");
    expect(readFilter({ [key]: [value] })).toEqual({ [EVIL]: [{ any: [value, EVIL] }] });
    expect(readFilter({ any: [{ a: { not: "b" } }], c: 3 })).toEqual({ any: [{ a: { not: "b" } }], c: 3 });
  });

  it("of a page are its own and those that all pages of its index have", () => {
    const facets = { color: ["red"], site: ["x"] };
    expect(showFacets(facets, { site: ["Blog", "x"], area: ["a"] })).toEqual({
      color: ["red"],
      site: ["x", "Blog"],
      area: ["a"],
    });
  });

  it("of several indexes are added up", () => {
    const all = [{ color: { red: 1, blue: 2 } }, { color: { red: 3 }, size: { s: 1 } }, {}];
    expect(mergeCounts(all)).toEqual({ color: { red: 4, blue: 2 }, size: { s: 1 } });
  });
});
