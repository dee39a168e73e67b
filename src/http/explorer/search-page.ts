/**
 * The page `/explorer/search`: search form and results. A site's own search form may lead here without a script:
 * `<form action="https://…/explorer/search"><input name="q"></form>`. With the script, results follow what is typed.
 */
import { checkCollection } from "../../core/docs/catalogue.ts";
import type { FacetCounts } from "../../core/docs/model.ts";
import { InputError } from "../../core/errors.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import type {
  DocumentHit,
  Explanation,
  SearchAnswer,
  SearchRequest,
  SectionHit,
  WordScore,
} from "../../core/search/answer.ts";
import { MAX_QUERY_LENGTH, SORTS } from "../../core/search/answer.ts";
import { search } from "../../core/search/search.ts";
import { type Suggestion, suggest } from "../../core/search/suggest.ts";
import { orderSuggestions } from "../../surface/order-suggestions.ts";
import { findUnanswered } from "../../surface/render/answer.ts";
import { chooseFacets } from "../../surface/render/facets.ts";
import { formatCount, formatNumber, roundTo } from "../../surface/render/numbers.ts";
import { describeSearch } from "../../surface/render/search-text.ts";
import { findNextPage, readRequest } from "../search-api.ts";
import { answerPage, type PageServices } from "./answer-page.ts";
import { type Html, html } from "./html.ts";
import { linkTo, linkToDocument, SEARCH_PATH, safeLink } from "./links.ts";
import type { Page, Site } from "./page.ts";

/** Terms shown of a word that stands for several. */
const MAX_TERMS = 5;

const DIGITS = 2;

/** Units of the bar's drawing: a thousandth of the highest score each. */
const BAR_WIDTH = 1000;

const FIELDS = ["body", "title", "path", "description"] as const;

const LIMITS = { keys: 4, values: 8 };

const FILTER_PREFIX = "f.";

/** Titles that are offered where nothing was found. */
const MAX_SUGGESTIONS = 5;
/** Shorter words begin too much. */
const LEAST_SUGGESTED = 3;

/** The answer to a GET of the page. */
export function answerSearchPage(request: Request, services: PageServices): Promise<Response> {
  const { searchParams } = new URL(request.url);
  return answerPage(request, services, {
    where: SEARCH_PATH,
    write: async (reader, site): Promise<Page> => {
      const { title, status, shown } = await findResults(reader, site, searchParams, services);
      const collections = reader.collections.map(({ name }) => name);
      return {
        title,
        heading: html`Search`,
        current: SEARCH_PATH,
        status,
        main: html`${writeSearchForm({ base: site.base, collections, parameters: searchParams, isFocused: searchParams.size === 0 })}
<div id="results">${shown}</div>`,
      };
    },
  });
}

async function findResults(
  reader: IndexReader,
  site: Site,
  parameters: URLSearchParams,
  services: PageServices,
): Promise<Required<Pick<Page, "title" | "status">> & { readonly shown: Html }> {
  const query = (parameters.get("q") ?? parameters.get("query") ?? "").trim();
  if (query === "") return { title: "Search", status: 200, shown: writeHelp() };
  try {
    const { asked, notes } = readRequest(parameters, reader.facetKeys);
    for (const name of asked.collections) checkCollection(reader, name);
    const answer = await search(reader, asked);
    const unanswered = findUnanswered(asked, answer);
    if (unanswered !== undefined) services.observeUnanswered?.(unanswered);
    const near = answer.hits.length === 0 ? await suggestInstead(reader, asked) : [];
    const setting = { base: site.base, namesCollection: reader.collections.length > 1 };
    const shown = writeResults(setting, parameters, asked, answer, near, notes);
    return { title: `${query} · Search`, status: 200, shown };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { title: "Search", status: 400, shown: writeFault(error) };
  }
}

function writeResults(
  { base, namesCollection }: Omit<HitSetting, "highest">,
  parameters: URLSearchParams,
  asked: SearchRequest,
  answer: SearchAnswer,
  near: readonly Suggestion[],
  notes: readonly string[],
): Html {
  const { hits, totalDocuments, facetCounts } = answer;
  const setting = { base, namesCollection, highest: Math.max(...hits.map(({ score }) => score)) };
  const remarks = [...describeSearch(answer), ...notes];
  return html`<p class="summary">${summarize(asked, answer)}</p>
${remarks.length > 0 && html`<ul class="notes">${remarks.map((remark) => html`<li>${remark}</li>`)}</ul>`}
${writeFacetChips(base, facetCounts, totalDocuments, parameters)}
${hits.length === 0 ? writeNothing(near, base) : html`<ol class="hits">${hits.map((hit) => writeFoundDocument(hit, setting))}</ol>`}
${writePaging(base, parameters, asked, answer)}`;
}

function summarize({ offset }: SearchRequest, { hits, totalDocuments }: SearchAnswer): string {
  if (totalDocuments === 0) return "Nothing was found.";
  const found = formatCount(totalDocuments, "document");
  if (hits.length === 0) return `${found}, none from here on.`;
  if (offset === 0 && hits.length === totalDocuments) return found;
  return `${formatNumber(offset + 1)} to ${formatNumber(offset + hits.length)} of ${found}`;
}

function writePaging(base: string, parameters: URLSearchParams, asked: SearchRequest, answer: SearchAnswer): Html | "" {
  const next = findNextPage(asked, answer);
  const before = asked.offset > 0 ? Math.max(0, asked.offset - asked.limit) : undefined;
  if (next === null && before === undefined) return "";
  const linkAt = (offset: number): string => {
    const changed = new URLSearchParams(parameters);
    changed.delete("typing");
    if (offset === 0) changed.delete("offset");
    else changed.set("offset", `${offset}`);
    return linkWith(base, changed);
  };
  return html`<nav class="paging" aria-label="Pages of results">${before !== undefined && html`<a class="button" rel="prev" href="${linkAt(before)}">Previous</a>`}
${next !== null && html`<a class="button" rel="next" href="${linkAt(next)}">Next</a>`}</nav>`;
}

function linkWith(base: string, parameters: URLSearchParams): string {
  return `${base}${SEARCH_PATH}?${parameters}`;
}

/** Titles and headings near what was asked, or near its longest word. */
async function suggestInstead(
  reader: IndexReader,
  { query, collections }: SearchRequest,
): Promise<readonly Suggestion[]> {
  const longest = query.split(/\s+/).sort((a, b) => b.length - a.length)[0] ?? "";
  for (const text of new Set([query, longest, longest.slice(0, Math.ceil(longest.length / 2))])) {
    if (text.length < LEAST_SUGGESTED) continue;
    const { suggestions } = await suggest(
      reader,
      { query: text, limit: MAX_SUGGESTIONS, collections },
      orderSuggestions,
    );
    if (suggestions.length > 0) return suggestions;
  }
  return [];
}

function writeNothing(near: readonly Suggestion[], base: string): Html {
  return html`${
    near.length > 0 &&
    html`<h2>Titles near it</h2><ul>${near.map(
      ({ text, documentId, nodeId, url }) =>
        html`<li><a href="${safeLink(url) ?? linkToDocument(base, documentId, nodeId)}" dir="auto">${text}</a></li>`,
    )}</ul>`
  }
<p class="soft">Try fewer or other words, or take filters away.</p>`;
}

function writeFault({ message, nearest, example }: InputError): Html {
  return html`<p class="summary error">${message}</p>
${nearest.length > 0 && html`<p>Nearest: ${nearest.join(", ")}</p>`}
${example !== undefined && html`<p class="soft">Example: <code>${example}</code></p>`}`;
}

function writeHelp(): Html {
  return html`<dl class="help">
<div><dt><code>install linux</code></dt><dd>documents with these words, the best first; words that nothing holds are corrected</dd></div>
<div><dt><code>"exact phrase"</code></dt><dd>these words, one behind the other</dd></div>
<div><dt><code>cache -memory</code></dt><dd>without a word</dd></div>
<div><dt><code>type:guide cache</code></dt><dd>documents with a value of a facet</dd></div>
<div><dt><code>conf*</code></dt><dd>words that begin so</dd></div>
</dl>`;
}

/** What is the same for all hits of a page. */
interface HitSetting {
  readonly base: string;
  /** The highest score of the page. */
  readonly highest: number;
  /** Whether there are several collections, so that it is said which one a hit is of. */
  readonly namesCollection: boolean;
}

/** A hit as an item of a list. Its links lead to the page's own address, where the index knows one, and to the text here. */
function writeFoundDocument(hit: DocumentHit, { base, highest, namesCollection }: HitSetting): Html {
  const { id, collection, path, title, description, url, score, sections, explanation, isFallback } = hit;
  const here = linkToDocument(base, id);
  const own = safeLink(url);
  return html`<li class="hit"><h2 dir="auto"><a href="${own ?? here}">${title === "" ? path : title}</a></h2>
<p class="where"><bdi>${namesCollection ? `${collection}: ${path}` : path}</bdi>${own !== undefined && html` · <a href="${here}">indexed text</a>`}${isFallback && " · longer words only"}</p>
${description !== "" && html`<p class="small" dir="auto">${description}</p>`}
<ul class="sections">${sections.map((section) => writeSection(hit, section, base))}</ul>
${explanation !== undefined && writeExplanation(explanation, score, highest)}
</li>`;
}

function writeSection(hit: DocumentHit, section: SectionHit, base: string): Html | "" {
  const { heading, headingPath, excerpt, nodeId } = section;
  const isRoot = section.ordinal === 0;
  const name = heading === "" || isRoot ? "" : (headingPath.length > 2 ? headingPath.slice(1) : [heading]).join(" › ");
  if (name === "" && excerpt.length === 0) return "";
  const address = safeLink(section.url) ?? safeLink(hit.url) ?? linkToDocument(base, hit.id, nodeId);
  return html`<li>${name !== "" && html`<a href="${address}" dir="auto">${name}</a>`}${
    excerpt.length > 0 &&
    html`<p class="excerpt" dir="auto">${excerpt.map(({ text, marked }) => (marked ? html`<mark>${text}</mark>` : text))}</p>`
  }</li>`;
}

/** Lists of links, a facet key each; nothing where nothing would narrow the result. */
function writeFacetChips(base: string, counts: FacetCounts, total: number, parameters: URLSearchParams): Html | "" {
  const chosen = [...new Set([...parameters.keys()])].filter((name) => name.startsWith(FILTER_PREFIX));
  const keys = chooseFacets(counts, total, LIMITS);
  const shownKeys = keys.map(({ key }) => `${FILTER_PREFIX}${key}`);
  const lists = [
    ...keys,
    ...chosen
      .filter((name) => !shownKeys.includes(name))
      .map((name) => ({ key: name.slice(FILTER_PREFIX.length), values: [], more: 0 })),
  ];
  if (lists.length === 0) return "";
  return html`<nav class="facets" aria-label="Narrow down">${lists.map(({ key, values, more }) => {
    const name = `${FILTER_PREFIX}${key}`;
    const picked = parameters.getAll(name);
    const own = [...picked.filter((value) => !values.some(([known]) => known === value)).map(toUncounted), ...values];
    return html`<div><span class="soft">${key.replaceAll("_", " ")}</span><ul class="chips">${own.map(
      ([value, count]) => {
        const isPicked = picked.includes(value);
        const address = linkWith(base, toggle(parameters, name, value));
        return html`<li><a class="chip" href="${address}"${isPicked && html` aria-current="true"`}><bdi>${value}</bdi>${
          isPicked
            ? html` <span aria-hidden="true">×</span><span class="hidden">, take away</span>`
            : html` <small>${count}</small>`
        }</a></li>`;
      },
    )}${more > 0 && html`<li class="soft">${more} more</li>`}</ul></div>`;
  })}</nav>`;
}

function toUncounted(value: string): readonly [string, number] {
  return [value, 0];
}

/** With a value chosen, or taken back where it was; from the first page on. */
function toggle(parameters: URLSearchParams, name: string, value: string): URLSearchParams {
  const changed = new URLSearchParams(parameters);
  for (const other of ["typing", "offset"]) changed.delete(other);
  if (changed.has(name, value)) changed.delete(name, value);
  else changed.append(name, value);
  return changed;
}

/** @param highest The highest score on the page, which has a bar of the whole width. */
function writeExplanation(explanation: Explanation, score: number, highest: number): Html {
  const { words, wholeTitle, pairs, sections, sectionsTotal, collectionWeight } = explanation;
  const parts = listParts(explanation);
  return html`<div class="explain">${writeBar(parts, highest)}
<details><summary>Score ${shown(score)}, part by part</summary>
<div class="table" tabindex="0"><table><caption class="hidden">Parts of the score</caption>
<thead><tr><th scope="col">Part</th>${FIELDS.map((field) => html`<th scope="col" class="number">${field}</th>`)}<th scope="col" class="number">sum</th></tr></thead>
<tbody>${words.map((word) => writeWord(word))}
${wholeTitle !== 0 && writeSum("The query is the title", wholeTitle)}
${pairs !== 0 && writeSum("Words that stand together", pairs)}
${sectionsTotal !== 0 && writeSum("Best sections", sectionsTotal)}
${collectionWeight !== 1 && html`<tr><th scope="row">Weight of the collection</th><td class="number" colspan="5">× ${shown(collectionWeight)}</td></tr>`}
</tbody></table></div>
${
  sections.some(({ share }) => share > 0) &&
  html`<div class="table" tabindex="0"><table><caption class="small">What the best sections add: the sum of each, times its share</caption>
<thead><tr><th scope="col">Section</th><th scope="col" class="number">share</th><th scope="col" class="number">text</th><th scope="col" class="number">heading</th><th scope="col" class="number">title</th><th scope="col" class="number">coverage</th></tr></thead>
<tbody>${sections.map(
    ({ ordinal, share, text, heading, title, coverage }) =>
      html`<tr><th scope="row">n${ordinal}</th>${[share, text, heading, title, coverage].map(writeNumber)}</tr>`,
  )}</tbody></table></div>`
}
</details></div>`;
}

interface Part {
  readonly name: string;
  readonly value: number;
}

function listParts({ words, wholeTitle, pairs, sectionsTotal, collectionWeight }: Explanation): Part[] {
  const fields = FIELDS.map((name) => ({ name, value: words.reduce((sum, word) => sum + word[name], 0) }));
  const others = [
    { name: "whole title", value: wholeTitle },
    { name: "pairs", value: pairs },
    { name: "sections", value: sectionsTotal },
  ];
  return [...fields, ...others].map(({ name, value }) => ({ name, value: value * collectionWeight }));
}

/** A drawing, since widths in a style would need an inline one. */
function writeBar(parts: readonly Part[], highest: number): Html {
  const scale = highest > 0 ? BAR_WIDTH / highest : 0;
  let at = 0;
  const drawn = parts.map(({ value }, index) => {
    const width = Math.max(0, Math.round(value * scale));
    const x = at;
    at += width;
    return width > 0 && html`<rect class="part-${index}" x="${x}" width="${width}" height="10"/>`;
  });
  const named = parts.flatMap(({ name, value }, index) => (value > 0 ? [{ name, value, index }] : []));
  return html`<svg class="parts" viewBox="0 0 ${BAR_WIDTH} 10" preserveAspectRatio="none" aria-hidden="true">${drawn}</svg>
<ul class="legend">${named.map(
    ({ name, value, index }) =>
      html`<li><svg class="swatch" viewBox="0 0 10 10" aria-hidden="true"><rect class="part-${index}" width="10" height="10"/></svg> ${name} ${shown(value)}</li>`,
  )}</ul>`;
}

function writeWord(score: WordScore): Html {
  const { word, terms } = score;
  const others = terms.filter((term) => term !== word).slice(0, MAX_TERMS);
  const sum = FIELDS.reduce((total, field) => total + score[field], 0);
  return html`<tr><th scope="row"><code>${word}</code>${others.length > 0 && html` <small>${others.join(", ")}</small>`}</th>${FIELDS.map((field) => writeNumber(score[field]))}${writeNumber(sum)}</tr>`;
}

function writeSum(name: string, value: number): Html {
  return html`<tr><th scope="row">${name}</th><td class="number" colspan="5">${shown(value)}</td></tr>`;
}

function writeNumber(value: number): Html {
  return html`<td class="number">${value === 0 ? "" : shown(value)}</td>`;
}

function shown(value: number): string {
  return roundTo(value, DIGITS).toFixed(DIGITS);
}

/** Parameters that the form has fields for, and those that begin anew with each question. */
const NOT_KEPT: ReadonlySet<string> = new Set(["q", "query", "sort", "explain", "offset", "typing"]);

/** What the form shows. */
interface SearchForm {
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
