import { describe, expect, it } from "vitest";
import { InputError } from "../../src/core/errors.ts";
import { readRequest } from "../../src/http/search-api.ts";

const readSort = (sort: string) => readRequest(new URLSearchParams({ q: "a", sort }), []).asked.sort;

describe("an order of results", () => {
  it.each([
    ["", "relevance"],
    ["Title", "title"],
    ["date:desc", { key: "date", isDescending: true }],
    ["Sort Key: a:ASC", { key: "Sort Key: a", isDescending: false }],
  ])("is read from %j", (text, sort) => {
    expect(readSort(text)).toEqual(sort);
  });

  it("that there is none of is refused with those there are", () => {
    expect(() => readSort("titel")).toThrow(InputError);
    expect(() => readSort("date")).toThrow(/one of relevance, path, title, words, or a key/);
    expect(() => readSort(":desc")).toThrow(InputError);
  });
});
