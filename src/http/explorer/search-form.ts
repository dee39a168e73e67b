/**
 * The search box of the explorer: a form that works without a script; with it, results follow what is typed.
 *
 * Pure: values in, HTML out.
 */
import { MAX_QUERY_LENGTH, SORTS } from "../../core/search/answer.ts";
import { type Html, html } from "./html.ts";
import { EXPLORER_PATH, linkTo } from "./navigation.ts";

/** Where the form leads. */
export const SEARCH_PATH = `${EXPLORER_PATH}/search`;
/** Parameters that the form has fields for, and those that begin anew with each question. */
const NOT_KEPT: ReadonlySet<string> = new Set(["q", "query", "sort", "explain", "offset", "typing"]);

/** What the form shows. */
export interface SearchForm {
  readonly base: string;
  /** Names of the collections that can be chosen. */
  readonly collections: readonly string[];
  /** Of the page's address: what is asked now. */
  readonly parameters: URLSearchParams;
  /** Begin on the page with the cursor in the field. */
  readonly isFocused?: boolean;
}

/** The form, and the place from which what it found is announced. */
export function writeSearchForm({ base, collections, parameters, isFocused = false }: SearchForm): Html {
  const query = parameters.get("q") ?? parameters.get("query") ?? "";
  const chosen = parameters.getAll("collection").filter((name) => name !== "");
  // One of several collections can be chosen here; who asks for more than one keeps them.
  const isChoice = collections.length > 1 && chosen.length < 2;
  const kept = [...parameters].filter(
    ([name, value]) => value !== "" && !NOT_KEPT.has(name) && !(isChoice && name === "collection"),
  );
  return html`<form class="search" role="search" action="${linkTo(base, SEARCH_PATH)}" data-live>
<label for="q" class="hidden">Search</label>
<input id="q" name="q" type="search" value="${query}" maxlength="${MAX_QUERY_LENGTH}" placeholder="Search documents and code" autocomplete="off" autocapitalize="off" spellcheck="false" dir="auto"${isFocused && html` autofocus`}>
<button>Search</button>
<div class="options">
${isChoice && html`<label>Collection <select name="collection">${writeOptions(["", ...collections], chosen[0] ?? "", "all")}</select></label>`}
<label>Order <select name="sort">${writeOptions(["", ...SORTS.slice(1)], parameters.get("sort") ?? "", SORTS[0])}</select></label>
<label><input type="checkbox" name="explain" value="1"${isExplained(parameters) && html` checked`}> Explain scores</label>
</div>
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
</form>
<p class="hidden" role="status" id="status"></p>`;
}

/** Whether an address asks for the parts of each score. */
function isExplained(parameters: URLSearchParams): boolean {
  return ["1", "true"].includes((parameters.get("explain") ?? "").toLowerCase());
}

function writeOptions(values: readonly string[], chosen: string, nameOfNone: string): readonly Html[] {
  return values.map(
    (value) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${value === "" ? nameOfNone : value}</option>`,
  );
}
