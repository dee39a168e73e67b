import { describe, expect, it } from "vitest";
import { ENGLISH, isEnglish, loadStrings, pickStrings } from "../../../src/web/box/strings.ts";

describe("pickStrings", () => {
  const languages = { pt: { search: "Pesquisar" }, "pt-br": { search: "Buscar" } };

  it("takes the nearest language", () => {
    expect(pickStrings("pt-BR", languages)?.search).toBe("Buscar");
    expect(pickStrings("PT-PT", languages)?.search).toBe("Pesquisar");
    expect(pickStrings("xx", languages)).toBeUndefined();
    expect(pickStrings("", languages)).toBeUndefined();
  });

  it("takes no property that every object has for a language", () => {
    expect(pickStrings("constructor", languages)).toBeUndefined();
    expect(pickStrings("toString", languages)).toBeUndefined();
  });
});

describe("loadStrings", () => {
  it("is English for English, for pages that say no language and for languages that are missing", async () => {
    expect(["", " ", "en", "EN-us"].map(isEnglish)).toEqual([true, true, true, true]);
    expect(["enm-x", "de", "e"].map(isEnglish)).toEqual([false, false, false]);
    expect(await loadStrings("en-US")).toBe(ENGLISH);
    expect(await loadStrings("xx")).toEqual(ENGLISH);
    expect((await loadStrings("de-AT")).search).toBe("Suchen");
  });
});
