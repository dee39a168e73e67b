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

/** The language of a code such as `de` or `pt-BR`; undefined for one without a stemmer, and for what is no code. */
export function languageOfCode(code: string): Language | undefined {
  const [, short] = /^([a-z]{2})(?:[-_].*)?$/i.exec(code.trim()) ?? [];
  if (short === undefined) return undefined;
  // `nb` is "Norwegian Bokmål"; the stemmer of "Slovenian" is called otherwise.
  const [name] = (new Intl.DisplayNames("en", { type: "language" }).of(short) ?? "").toLowerCase().split(" ");
  return findLanguage(name === "slovenian" ? "slovene" : name);
}
