/** The words of a language: English is here, others are a module that is loaded on demand. */
import { loadModule } from "../load-module.ts";
import { ENGLISH, type Languages, type Strings } from "./strings.ts";

/** The strings of a language, `pt-BR` before `pt`; undefined where there are none. */
export function pickStrings(language: string, languages: Languages): Partial<Strings> | undefined {
  const [base = "", ...rest] = language.toLowerCase().split("-");
  const names = [[base, ...rest].join("-"), base];
  const known = names.find((name) => Object.hasOwn(languages, name));
  return known === undefined ? undefined : languages[known];
}

/** Whether a language needs no module: the strings in this one are of it. */
export function isEnglish(language: string): boolean {
  return /^(en\b.*)?$/i.test(language.trim());
}

/** The strings of a language, English where it is missing or cannot be loaded. */
export async function loadStrings(language: string): Promise<Strings> {
  if (isEnglish(language)) return ENGLISH;
  try {
    const { LANGUAGES } = await loadModule("./search-strings.js", () => import("../search-strings.ts"));
    return { ...ENGLISH, ...pickStrings(language, LANGUAGES) };
  } catch {
    // A word in English is better than no search box.
    return ENGLISH;
  }
}
