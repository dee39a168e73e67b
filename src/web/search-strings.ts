/** What the search box says in other languages than English. Loaded by pages in such a language alone. */
import { ARABIC } from "./box/languages/arabic.ts";
import { CHINESE } from "./box/languages/chinese.ts";
import { CZECH } from "./box/languages/czech.ts";
import { DUTCH } from "./box/languages/dutch.ts";
import { FRENCH } from "./box/languages/french.ts";
import { GERMAN } from "./box/languages/german.ts";
import { HEBREW } from "./box/languages/hebrew.ts";
import { ITALIAN } from "./box/languages/italian.ts";
import { JAPANESE } from "./box/languages/japanese.ts";
import { KOREAN } from "./box/languages/korean.ts";
import { POLISH } from "./box/languages/polish.ts";
import { PORTUGUESE } from "./box/languages/portuguese.ts";
import { RUSSIAN } from "./box/languages/russian.ts";
import { SPANISH } from "./box/languages/spanish.ts";
import { SWEDISH } from "./box/languages/swedish.ts";
import { TURKISH } from "./box/languages/turkish.ts";
import { UKRAINIAN } from "./box/languages/ukrainian.ts";
import type { Languages } from "./box/strings.ts";

/** Strings by language, as `lang` names it. */
export const LANGUAGES: Languages = {
  ar: ARABIC,
  cs: CZECH,
  de: GERMAN,
  es: SPANISH,
  fr: FRENCH,
  he: HEBREW,
  it: ITALIAN,
  ja: JAPANESE,
  ko: KOREAN,
  nl: DUTCH,
  pl: POLISH,
  pt: PORTUGUESE,
  ru: RUSSIAN,
  sv: SWEDISH,
  tr: TURKISH,
  uk: UKRAINIAN,
  zh: CHINESE,
};
