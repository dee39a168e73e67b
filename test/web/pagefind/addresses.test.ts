import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markAddress, placeAddress, siteOfIndex, wordsToMark } from "../../../src/web/pagefind/one-index.ts";
import { runs } from "../../support/runs.ts";

describe("the folder of a site", () => {
  it.each([
    ["/pagefind/", "/"],
    ["/docs/pagefind/", "/docs/"],
    ["/docs/_pagefind/", "/docs/"],
    ["https://docs.example.com/pagefind/", "https://docs.example.com/"],
    ["/search-index/", "/"],
    ["https://docs.example.com/search-index/", "https://docs.example.com/"],
    ["//docs.example.com/search-index/", "//docs.example.com/"],
  ])("of the index at %s is %s", (folder, site) => {
    expect(siteOfIndex(folder)).toBe(site);
  });
});

describe("an address", () => {
  it.each([
    ["/guide/", "/", "/guide/"],
    ["/guide/", "/docs/", "/docs/guide/"],
    ["guide/", "docs", "/docs/guide/"],
    ["/guide/", "https://docs.example.com/", "https://docs.example.com/guide/"],
    ["https://example.com/a", "/docs/", "https://example.com/a"],
    ["//example.com/a", "/docs/", "//example.com/a"],
    ["javascript:alert(1)", "/docs/", "/docs/"],
  ])("%s below %s is %s", (address, baseUrl, expected) => {
    expect(placeAddress(address, baseUrl)).toBe(expected);
  });

  it("carries words and an anchor", () => {
    const words = ["two words", "ä"];
    expect(markAddress("/a/?b=1", { parameter: "hl", words, anchor: "x" })).toBe("/a/?b=1&hl=two+words&hl=%C3%A4#x");
    expect(markAddress("https://e.org/a", { parameter: "hl", words: ["x"] })).toBe("https://e.org/a?hl=x");
    expect(markAddress("//e.org/a", { anchor: "x" })).toBe("//e.org/a#x");
    expect(markAddress("/a b", {})).toBe("/a b");
  });

  it("never runs anything, whatever the index holds", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom("/", "/docs/", "https://e.org/"),
        fc.string(),
        (address, baseUrl, anchor) => {
          const { protocol } = new URL(placeAddress(address, baseUrl), "https://page.example/");
          expect(["http:", "https:"]).toContain(protocol);
          const placed = placeAddress(`/${address.replace(/[\\/]/g, "")}`, baseUrl);
          expect(new URL(markAddress(placed, { anchor }), "https://page.example/").protocol).toBe("https:");
        },
      ),
      { numRuns: runs(200) },
    );
  });
});

describe("the words of a query", () => {
  it("stand in an address without what surrounds them", () => {
    expect(wordsToMark('"Two  words", C++ (-x) …')).toEqual(["two", "words", "c", "x"]);
  });
});
