import { describe, expect, it } from "vitest";
import { compareCorpora, MAX_CORPORA, namesNotServed } from "../../src/core/corpus-order.ts";

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

  it("does not tell which are served: those are the first as a bucket lists them", () => {
    const names = Array.from({ length: MAX_CORPORA }, (_, n) => `m${n}`);
    expect(namesNotServed(names)).toEqual([]);
    expect(namesNotServed([...names, "z", "m7"])).toEqual(["z"]);
    // A bucket lists prefixes, and `-` comes before `/`.
    expect(namesNotServed([...names.slice(1), "z-1", "z"])).toEqual(["z"]);
  });
});
