import { describe, expect, it } from "vitest";
import { InputError } from "../../src/core/errors.ts";
import { readSort } from "../../src/http/search-api.ts";

describe("an order of results", () => {
  it.each([
    [null, "relevance"],
    ["", "relevance"],
    ["Title", "title"],
    ["date:desc", { key: "date", isDescending: true }],
    ["Sort Key: a:ASC", { key: "Sort Key: a", isDescending: false }],
  ])("is read from %j", (text, sort) => {
    expect(readSort(text, "/search")).toEqual(sort);
  });

  it("that there is none of is refused with those there are", () => {
    expect(() => readSort("titel", "/search")).toThrow(InputError);
    expect(() => readSort("date", "/search")).toThrow(/one of relevance, path, title, words, or a key/);
    expect(() => readSort(":desc", "/search")).toThrow(InputError);
  });
});
