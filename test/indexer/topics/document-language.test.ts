/**
 * Natural languages of documents.
 */
import { expect, test } from "vitest";
import { deriveFacets } from "../../../indexer/topics/facets.ts";

function languageOf(path: string, lang?: string): string | undefined {
  const parsed = { frontmatter: lang === undefined ? {} : { lang }, sections: [] };
  return deriveFacets({ collection: { name: "docs", version: "", facets: {} }, path, parsed })["language"]?.[0];
}

test.each([
  ["fr/guide.md", "fr"],
  ["docs/zh-CN/guide.md", "zh-cn"],
  ["i18n/pt_BR/docs/a.md", "pt-br"],
  ["zh-Hans/a.md", "zh-hans"],
  ["es-419/a.md", "es-419"],
  ["guide.de.md", "de"],
  ["README.zh-cn.md", "zh-cn"],
  ["ja/fr/a.md", "ja"],
])("%s is in %s", (path, language) => {
  expect(languageOf(path)).toBe(language);
});

test.each(["guide.md", "go/a.md", "ts/a.md", "js/a.md", "api/a.md", "fr.md", "docs/france/a.md", "a.test.md", ""])(
  "%j shows no language",
  (path) => {
    expect(languageOf(path)).toBeUndefined();
  },
);

test("a frontmatter value is a language only when it is a known one", () => {
  expect(languageOf("a.md", " en_US ")).toBe("en-us");
  expect(languageOf("a.md", "Python")).toBeUndefined();
  expect(languageOf("a.md", "go")).toBeUndefined();
  expect(languageOf("a.md", "")).toBeUndefined();
});
