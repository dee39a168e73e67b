/** Words of the search box in other languages than English, a module that pages in such a language load. */
import languages from "./box/strings.json" with { type: "json" };
import type { Languages } from "./box/strings.ts";

/** Strings by language, as `lang` names it. */
export const LANGUAGES: Languages = languages;
