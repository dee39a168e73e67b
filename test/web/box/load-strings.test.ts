import { describe, expect, it } from "vitest";
import { ENGLISH, isEnglish, loadStrings } from "../../../src/web/box/strings.ts";

describe("loadStrings", () => {
  it("is English for English, for pages that say no language and for languages that are missing", async () => {
    expect(["", " ", "en", "EN-us"].map(isEnglish)).toEqual([true, true, true, true]);
    expect(["enm-x", "de", "e"].map(isEnglish)).toEqual([false, false, false]);
    expect(await loadStrings("en-US")).toBe(ENGLISH);
    for (const name of ["xx", "constructor", "toString"]) expect(await loadStrings(name)).toEqual(ENGLISH);
    expect((await loadStrings("de-AT")).search).toBe("Suchen");
  });
});
