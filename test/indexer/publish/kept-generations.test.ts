import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KEEP_WORDS, readKeep } from "../../../indexer/publish/published.ts";

describe("how many generations to keep", () => {
  it("is a whole number up to what a pointer takes", () => {
    fc.assert(fc.property(fc.nat({ max: 300 }), (n) => readKeep(String(n)) === (n <= 99 ? n : undefined)));
    for (const text of ["", "-1", "1.5", "1e1", " 1", "five", "99999999999"]) expect(readKeep(text)).toBeUndefined();
    expect(KEEP_WORDS).toBe("a whole number from 0 to 99");
  });
});
