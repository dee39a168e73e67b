/**
 * Languages that a collection can be written in: they choose stemmer, stop words and elided articles. Pure.
 *
 * The names are those of the Snowball stemmers, and `none` for text whose words are taken as they stand.
 */

/** All languages by the name that configuration and index root use. */
export const LANGUAGES = [
  "arabic",
  "armenian",
  "basque",
  "catalan",
  "czech",
  "danish",
  "dutch",
  "english",
  "finnish",
  "french",
  "german",
  "hungarian",
  "irish",
  "italian",
  "none",
  "norwegian",
  "portuguese",
  "romanian",
  "russian",
  "slovene",
  "spanish",
  "swedish",
  "tamil",
  "turkish",
] as const;

export type Language = (typeof LANGUAGES)[number];

/** The language of a collection that names none, and of an index root from before there were languages. */
export const DEFAULT_LANGUAGE: Language = "english";

export function findLanguage(name: unknown): Language | undefined {
  return LANGUAGES.find((language) => language === name);
}
