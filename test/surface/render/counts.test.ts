import { expect, it } from "vitest";
import { formatCount, formatLines } from "../../../src/surface/render/text.ts";

it("writes numbers with their nouns, and ranges of lines", () => {
  expect([0, 1, 2, 1925].map((number) => formatCount(number, "word"))).toEqual([
    "0 words",
    "1 word",
    "2 words",
    "1,925 words",
  ]);
  expect([formatLines(3, 9), formatLines(3, 3), formatLines(3, 0)]).toEqual(["3-9", "3", "3"]);
});
