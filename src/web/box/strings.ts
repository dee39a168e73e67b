/** Words that the box shows, in English, and how they are filled in. */
import { loadModule } from "../load-module.ts";

/** Forms of a counted word, by the categories of `Intl.PluralRules`; `other` is always there. */
type Plural = Partial<Readonly<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** What is shown until another language is there, and for words that it lacks. `{…}` is filled in. */
export const ENGLISH = {
  /** On the button and in the empty field, and what the dialog is called. */
  search: "Search",
  close: "Close",
  /** What the list of results is called. */
  results: "Results",
  /** `{n}` pages. */
  found: { one: "{n} page found", other: "{n} pages found" } as Plural,
  more: "More results",
  recent: "Recent searches",
  forget: "Remove {query}",
  forgetAll: "Remove all",
  /** Above results that somebody keeps, and on each of them. */
  favourites: "Favourites",
  /** Above pages to begin with. */
  sections: "Browse",
  filters: "Filters",
  allResults: "Search without filters",
  showing: "Showing results for {to}. No results for {from}.",
  missing: "Not found anywhere: {words}.",
  nothing: "No results for {query}.",
  hint: "Check the spelling, or try fewer or different words.",
  /** Above titles that come near to what was typed. */
  didYouMean: "Did you mean",
  searching: "Searching…",
  slow: "Still searching. This is taking longer than usual.",
  offline: "You are offline. Search continues when you reconnect.",
  unreachable: "Search cannot be reached.",
  /** May be tried again in `{n}` minutes. */
  tooMany: "Too many searches right now. Try again in {n} min.",
  noIndex: "There is nothing to search here yet.",
  badQuery: "This is not a valid query.",
  failed: "Search failed.",
  retry: "Try again",
  cut: "Only the first {n} characters are used.",
  toOpen: "open",
  toMove: "select",
};

export type Strings = Readonly<typeof ENGLISH>;

/** Strings by language, as the module on demand exports them. */
type Languages = Readonly<Record<string, Partial<Strings>>>;

/** The text with `{name}` filled in. What is filled in is not filled in again. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);
}

/** The form of a counted word, with the number as the language writes it. Unknown languages count as English does. */
export function count(forms: Plural, number: number, language: string): string {
  const known = knownLanguage(language);
  const form = forms[new Intl.PluralRules(known).select(number)] ?? forms.other;
  return fill(form, { n: new Intl.NumberFormat(known).format(number) });
}

function knownLanguage(language: string): string {
  try {
    return Intl.PluralRules.supportedLocalesOf(language)[0] ?? "en";
  } catch {
    return "en";
  }
}

/** The strings of a language, `pt-BR` before `pt`; undefined where there are none. */
function pickStrings(language: string, languages: Languages): Partial<Strings> | undefined {
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
    const languages = await loadModule("./search-strings.js", () => import("./strings.json"));
    return { ...ENGLISH, ...pickStrings(language, languages.default) };
  } catch {
    // A word in English is better than no search box.
    return ENGLISH;
  }
}
