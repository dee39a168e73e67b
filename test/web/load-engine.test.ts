import { describe, expect, it } from "vitest";
import { LANGUAGES, type Language } from "../../src/core/text/language.ts";
import { STEMMED } from "../../src/web/load-engine.ts";

/** What `lang` says of pages in a language; none where its stemmer is no part of its own. */
const CODES: Readonly<Record<Language, readonly string[]>> = {
  arabic: ["ar", "ar-EG"],
  armenian: ["hy"],
  basque: ["eu"],
  catalan: ["ca"],
  czech: ["cs"],
  danish: ["da"],
  dutch: ["nl", "nl-BE"],
  english: [],
  finnish: ["fi"],
  french: ["fr", "fr-CA"],
  german: ["de", "DE-at"],
  hungarian: ["hu"],
  irish: ["ga"],
  italian: ["it"],
  none: [],
  norwegian: ["no", "nb", "nn-NO"],
  portuguese: ["pt", "pt-BR"],
  romanian: ["ro"],
  russian: ["ru"],
  slovene: ["sl"],
  spanish: ["es", "es-419"],
  swedish: ["sv"],
  tamil: ["ta"],
  turkish: ["tr"],
};

describe("languages for which stemmers are asked for beside the engine", () => {
  it.each(LANGUAGES)("are all that have one: %s", (language) => {
    for (const code of CODES[language]) expect(code).toMatch(STEMMED);
  });

  it.each(["", "en", "en-GB", "fil", "ja", "zh-CN", "tlh", "x-de", "none"])("are no others: %j", (code) => {
    expect(code).not.toMatch(STEMMED);
  });
});
