import fc from "fast-check";
import * as snowball from "snowball-stemmers";
import { describe, expect, it } from "vitest";
import { analyzeText, ENGLISH, makeStopTermTest } from "../../../src/core/text/analyze.ts";
import { analyzerOf } from "../../../src/core/text/analyzers.ts";
import { findLanguage, LANGUAGES, type Language } from "../../../src/core/text/language.ts";
import { runs } from "../../support/runs.ts";

/** Terms that a text is indexed under, the forms that only earn a bonus left out. */
function termsOf(text: string, language: Language): string[] {
  return analyzeText(text, analyzerOf(language)).flatMap(({ term, kind }) => (kind === "exact" ? [] : [term]));
}

/** Whether a typed word finds a written one: they have a term in common. */
function finds(typed: string, written: string, language: Language): boolean {
  const terms = new Set(termsOf(written, language));
  return termsOf(typed, language).some((term) => terms.has(term));
}

describe("makeStopTermTest", () => {
  it("holds of the terms that stop words of any of the languages have", () => {
    const isStopTerm = makeStopTermTest([ENGLISH, analyzerOf("german"), ENGLISH]);
    const [well] = termsOf("wells", "english");
    expect([well, "the", "und", "route"].map((term) => isStopTerm(term ?? ""))).toEqual([true, true, true, false]);
    expect(makeStopTermTest([ENGLISH])("und")).toBe(false);
    expect(makeStopTermTest([])("the")).toBe(false);
  });
});

describe("analyzerOf", () => {
  it("knows every language of the stemmers, and text without a language", () => {
    // `porter` is an older stemmer of English.
    const known = snowball.algorithms().filter((name) => name !== "porter");
    expect([...LANGUAGES].sort()).toEqual([...known, "none"].sort());
    expect(findLanguage("german")).toBe("german");
    expect(findLanguage("klingon")).toBeUndefined();
    expect(analyzerOf("english")).toBe(ENGLISH);
    expect(analyzerOf("german")).toBe(analyzerOf("german"));
  });

  it.each<[Language, string, string]>([
    ["german", "Häuser", "Haus"],
    ["german", "Straße", "strassen"],
    ["french", "développement", "developpement"],
    ["french", "configurées", "configuré"],
    ["spanish", "comunicación", "comunicaciones"],
    ["spanish", "comunicacion", "comunicación"],
    ["portuguese", "informação", "informações"],
    ["portuguese", "informacao", "informação"],
    ["italian", "città", "citta"],
    ["dutch", "beïnvloeden", "beinvloed"],
    ["russian", "нового", "новый"],
    ["russian", "ёлка", "елки"],
    ["russian", "routes", "route"],
    ["swedish", "flickorna", "flicka"],
    ["czech", "počítače", "počítačů"],
    ["czech", "pocitace", "počítače"],
    ["hungarian", "házak", "ház"],
    ["finnish", "talossa", "taloissa"],
    ["turkish", "kapıları", "kapılar"],
    ["romanian", "mașini", "masini"],
    ["arabic", "الكتاب", "كتاب"],
    ["tamil", "வீடுகள்", "வீடு"],
  ])("%s: %s and %s find each other", (language, one, other) => {
    expect(finds(one, other, language)).toBe(true);
    expect(finds(other, one, language)).toBe(true);
  });

  it("tells words apart that a language tells apart", () => {
    expect(finds("йод", "иод", "russian")).toBe(false);
    expect(finds("house", "houses", "none")).toBe(false);
    expect(finds("house", "houses", "english")).toBe(true);
  });

  it("finds a word in any language with and without its accents", () => {
    const letters = fc.string({
      unit: fc.constantFrom(..."abceinorstuzáéíóúâêôãõçñäöüåčěřšžőűğışđłøßæ"),
      minLength: 1,
    });
    fc.assert(
      fc.property(fc.constantFrom(...LANGUAGES), letters, (language, word) => {
        const bare = analyzeText(word, analyzerOf("none"))[0]?.term ?? "";
        expect(finds(bare, word, language)).toBe(true);
      }),
      { numRuns: runs(1000) },
    );
  });

  it("gives a term for every word of any text, the same each time", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...LANGUAGES),
        fc.oneof(fc.string({ unit: "grapheme", maxLength: 30 }), fc.string({ unit: "binary", maxLength: 30 })),
        (language, text) => {
          const first = analyzeText(text, analyzerOf(language));
          for (const { term } of first) expect(term).not.toBe("");
          expect(analyzeText(text, analyzerOf(language))).toEqual(first);
        },
      ),
      { numRuns: runs(1000) },
    );
  });

  it("leaves out articles that lost their vowel", () => {
    expect(termsOf("l'avion", "french")).toEqual(termsOf("avion", "french"));
    expect(termsOf("dell’anno", "italian")).toEqual(termsOf("anno", "italian"));
    expect(termsOf("l'avion", "english")).toEqual(["lavion"]);
  });
});

describe("stop words", () => {
  it.each<[Language, string]>([
    ["german", "Wie kann ich das machen, und warum?"],
    ["french", "Comment est-ce que je peux le faire avec ceci ou à la"],
    ["spanish", "¿Cómo puedo con esto y por qué?"],
    ["italian", "Che cosa posso fare con questo?"],
    ["portuguese", "Como é que eu posso, e por quê?"],
    ["dutch", "Hoe kan ik dit doen en waarom?"],
    ["russian", "Как мне это и почему ещё?"],
    ["swedish", "Hur kan jag göra det och varför?"],
  ])("%s: a question has nothing but stop words until it names something", (language, text) => {
    const words = analyzeText(text, analyzerOf(language)).filter(({ kind }) => kind === "word" || kind === "part");
    expect(words.filter(({ stop }) => !stop).map(({ term }) => term)).toEqual([]);
    const [thing] = analyzeText("server", analyzerOf(language));
    expect(thing?.stop).toBe(false);
  });

  it("are told as folding leaves them", () => {
    for (const word of ["fur", "für"]) expect(analyzerOf("german").analyzeWord(word).isStop).toBe(true);
    expect(analyzerOf("german").analyzeWord("server").isStop).toBe(false);
  });
});
