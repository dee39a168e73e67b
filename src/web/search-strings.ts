/** Words of the search box in other languages than English, by language as `lang` names it. Pages in such a language load this. */
import LANGUAGES from "./box/strings.json" with { type: "json" };

export { LANGUAGES };
