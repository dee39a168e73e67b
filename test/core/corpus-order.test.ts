import { describe, expect, it } from "vitest";
import { compareCorpora } from "../../src/core/text/names.ts";

describe("the order of corpora", () => {
  it("is that of the numbers in their names, the root's first", () => {
    expect(["v10", "v9", "", "next", "v1.10", "v1.9"].sort(compareCorpora)).toEqual([
      "",
      "next",
      "v1.9",
      "v1.10",
      "v9",
      "v10",
    ]);
  });
});
