import { describe, expect, it } from "vitest";
import { cutPlace, cutText, shortenText } from "../../../src/core/text/short-text.ts";

describe("cutPlace", () => {
  it("moves in front of a surrogate pair that it would part", () => {
    expect([0, 1, 2, 3, 4].map((at) => cutPlace("a😀b", at))).toEqual([0, 1, 1, 3, 4]);
  });
});

describe("cutText", () => {
  it("never parts a surrogate pair", () => {
    expect(cutText("a😀b", 2)).toBe("a");
    expect(cutText("a😀b", 3)).toBe("a😀");
    expect(cutText("ab", 3)).toBe("ab");
    expect(cutText("abc", 0)).toBe("");
  });
});

describe("shortenText", () => {
  it("marks what is missing, and nothing where nothing is", () => {
    expect(shortenText("a😀b", 2)).toBe("a…");
    expect(shortenText("abc", 3)).toBe("abc");
  });
});
