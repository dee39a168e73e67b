/**
 * Natural languages of documents.
 */
import { expect, test } from "vitest";
import { deriveLanguage, normaliseLanguage } from "../../../indexer/topics/facets.ts";

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
  expect(deriveLanguage(path)).toBe(language);
});

test.each(["guide.md", "go/a.md", "ts/a.md", "js/a.md", "api/a.md", "fr.md", "docs/france/a.md", "a.test.md", ""])(
  "%j shows no language",
  (path) => {
    expect(deriveLanguage(path)).toBeUndefined();
  },
);

test("a frontmatter value is a language only when it is a known one", () => {
  expect(normaliseLanguage(" en_US ")).toBe("en-us");
  expect(normaliseLanguage("Python")).toBeUndefined();
  expect(normaliseLanguage("go")).toBeUndefined();
  expect(normaliseLanguage("")).toBeUndefined();
});
