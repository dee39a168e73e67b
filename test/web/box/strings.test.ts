import { describe, expect, it } from "vitest";
import WRITTEN from "../../../src/web/box/strings.json" with { type: "json" };
import { count, ENGLISH, fill, type Strings } from "../../../src/web/box/strings.ts";

type Languages = Readonly<Record<string, Partial<Strings>>>;

const LANGUAGES: Languages = WRITTEN;

const EXPECTED = ["ar", "cs", "de", "es", "fr", "he", "it", "ja", "ko", "nl", "pl", "pt", "ru", "sv", "tr", "uk", "zh"];
const { found: _found, ...texts } = ENGLISH;
const KEYS = Object.keys(texts) as (keyof typeof texts)[];

/** Names in braces, in order. */
const placesOf = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

describe("languages", () => {
  it("are those that are promised, each with every string and the same places to fill in", () => {
    expect(Object.keys(LANGUAGES).sort()).toEqual(EXPECTED);
    const wrong = Object.entries(LANGUAGES).flatMap(([language, strings]) =>
      KEYS.filter((key) => {
        const text = (strings as Strings)[key] ?? "";
        return text.trim() === "" || String(placesOf(text)) !== String(placesOf(ENGLISH[key]));
      }).map((key) => `${language}.${key}`),
    );
    expect(wrong).toEqual([]);
  });

  it("have each form that their plurals need", () => {
    const missing = Object.entries(LANGUAGES).flatMap(([language, strings]) =>
      new Intl.PluralRules(language)
        .resolvedOptions()
        // "A million pages" needs a form of its own in some languages, which `other` serves as well.
        .pluralCategories.filter((form) => form !== "many" || ["ru", "uk", "pl", "ar"].includes(language))
        .filter((form) => strings.found?.[form] === undefined)
        .filter((form) => !(language === "cs" && form === "many"))
        .map((form) => `${language}.${form}`),
    );
    expect(missing).toEqual([]);
  });
});

describe("count", () => {
  it("takes the form of the language", () => {
    expect(count(ENGLISH.found, 1, "en")).toBe("1 page found");
    expect(count(ENGLISH.found, 1234, "en-GB")).toBe("1,234 pages found");
    expect(count((LANGUAGES["ru"] as Strings).found, 3, "ru")).toBe("Найдено 3 страницы");
    expect(count((LANGUAGES["ru"] as Strings).found, 11, "ru")).toBe("Найдено 11 страниц");
    expect(count((LANGUAGES["pl"] as Strings).found, 22, "pl")).toBe("Znaleziono 22 strony");
  });

  it("counts as English does in languages that nobody knows, and in none", () => {
    for (const language of ["", "xx-invalid-tag-that-is-too-long", "!", "tlh"]) {
      expect(count(ENGLISH.found, 2, language)).toBe("2 pages found");
    }
  });
});

describe("fill", () => {
  it("fills in what it has, once", () => {
    expect(fill("{a} and {b}, {c}", { a: "{b}", b: "2" })).toBe("{b} and 2, {c}");
  });
});
