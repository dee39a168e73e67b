/**
 * Analyzers of all languages. English has a file of its own (`analyze.ts`), so that who reads English only need not
 * load the stemmers of all the others.
 *
 * Pure.
 */
/// <reference path="./snowball-stemmers.d.ts" />
import * as snowball from "snowball-stemmers";
import { type Analyzer, createAnalyzer, ENGLISH } from "./analyze.ts";
import type { Language } from "./language.ts";
import { stemWord } from "./normalize.ts";
import { stopWordsOf } from "./stop-word-lists.ts";

const LETTERS = /^[\p{L}\p{M}]+$/u;
const LATIN = /^[a-z]+$/;

/** Languages of other scripts: words in Latin letters among theirs are English. */
const NOT_LATIN: ReadonlySet<Language> = new Set(["arabic", "armenian", "russian", "tamil"]);
/** Languages whose stemmer gives the same stems without accents as with them, or whose scripts have none. */
const STEMMED_WITHOUT_ACCENTS: ReadonlySet<Language> = new Set([...NOT_LATIN, "german", "none"]);

/** Articles and other short words that lose their vowel before the next word. */
const ELISIONS: Partial<Readonly<Record<Language, readonly string[]>>> = {
  catalan: ["l", "d", "m", "t", "s", "n"],
  french: ["l", "d", "j", "m", "t", "s", "n", "c", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu"],
  italian:
    "l c d m n s t v un all dall dell nell sull agl dagl degl negl sugl coll gl quell quest dov com anch nessun".split(
      " ",
    ),
  irish: ["d", "m", "b"],
};

const analyzers = new Map<Language, Analyzer>([["english", ENGLISH]]);

/** The analyzer of a language, always the same one. */
export function analyzerOf(language: Language): Analyzer {
  const known = analyzers.get(language);
  if (known !== undefined) return known;
  const elisions = ELISIONS[language];
  const analyzer = createAnalyzer({
    stem: createStemmer(language),
    stemsAccents: !STEMMED_WITHOUT_ACCENTS.has(language),
    stopWords: stopWordsOf(language),
    elisions: elisions === undefined ? undefined : new Set(elisions),
  });
  analyzers.set(language, analyzer);
  return analyzer;
}

function createStemmer(language: Language): (word: string) => string {
  if (language === "none") return (word) => word;
  const stemmer = snowball.newStemmer(language);
  const isEnglish = (word: string): boolean => NOT_LATIN.has(language) && LATIN.test(word);
  return (word) => {
    if (isEnglish(word)) return stemWord(word);
    // Some stemmers take the only letter of a word away.
    return LETTERS.test(word) ? stemmer.stem(word) || word : word;
  };
}
