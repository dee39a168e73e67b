/**
 * The page `/explorer/search`: results of a search, as a person reads them. It is also where a site's search form leads
 * without a script: `<form action="https://…/explorer/search"><input name="q"></form>`.
 */
import { InputError } from "../../core/errors.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import type { SearchAnswer, SearchRequest } from "../../core/search/answer.ts";
import { search } from "../../core/search/search.ts";
import { type Suggestion, suggest } from "../../core/search/suggest.ts";
import { checkCollection } from "../../core/tree/catalogue.ts";
import { orderSuggestions } from "../../element/order-suggestions.ts";
import { formatCount, formatNumber } from "../../render/counts.ts";
import { describeSearch } from "../../render/search-notes.ts";
import { findUnanswered } from "../../render/unanswered.ts";
import { findNextPage, readRequest } from "../search-api.ts";
import { answerPage, type PageServices } from "./answer-page.ts";
import { writeFacetChips } from "./facet-chips.ts";
import { writeFoundDocument } from "./found-document.ts";
import { type Html, html } from "./html.ts";
import { linkToDocument, safeLink } from "./navigation.ts";
import type { Page, Site } from "./page.ts";
import { SEARCH_PATH, writeSearchForm } from "./search-form.ts";

/** Titles that are offered where nothing was found. */
const MAX_SUGGESTIONS = 5;
/** Shorter words begin too much. */
const LEAST_SUGGESTED = 3;

/** What a search gave, as a page shows it. */
interface Results {
  readonly title: string;
  readonly status: number;
  readonly shown: Html;
}

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
): Promise<Results> {
  const query = (parameters.get("q") ?? parameters.get("query") ?? "").trim();
  if (query === "") return { title: "Search", status: 200, shown: writeHelp() };
  try {
    const { asked, notes } = readRequest(parameters, reader.facetKeys);
    for (const name of asked.collections) checkCollection(reader, name);
    const answer = await search(reader, asked);
    const unanswered = findUnanswered(asked, answer);
    if (unanswered !== undefined) services.observeUnanswered?.(unanswered);
    const near = answer.hits.length === 0 ? await suggestInstead(reader, asked) : [];
    const shown = writeResults({ reader, site, parameters, asked, answer, near, notes });
    return { title: `${query} · Search`, status: 200, shown };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { title: "Search", status: 400, shown: writeFault(error) };
  }
}

interface Shown {
  readonly reader: IndexReader;
  readonly site: Site;
  readonly parameters: URLSearchParams;
  readonly asked: SearchRequest;
  readonly answer: SearchAnswer;
  readonly near: readonly Suggestion[];
  readonly notes: readonly string[];
}

function writeResults({ reader, site, parameters, asked, answer, near, notes }: Shown): Html {
  const { hits, totalDocuments, facetCounts } = answer;
  const link = (changed: URLSearchParams): string => {
    for (const name of ["typing", "offset"]) changed.delete(name);
    return linkWith(site.base, changed);
  };
  const setting = {
    base: site.base,
    highest: Math.max(...hits.map(({ score }) => score)),
    namesCollection: reader.collections.length > 1,
  };
  const remarks = [...describeSearch(answer), ...notes];
  return html`<p class="summary">${summarize(asked, answer)}</p>
${remarks.length > 0 && html`<ul class="notes">${remarks.map((remark) => html`<li>${remark}</li>`)}</ul>`}
${writeFacetChips({ counts: facetCounts, total: totalDocuments, parameters, link })}
${hits.length === 0 ? writeNothing(near, site.base) : html`<ol class="hits">${hits.map((hit) => writeFoundDocument(hit, setting))}</ol>`}
${writePaging(site.base, parameters, asked, answer)}`;
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
