/** The page `/explorer/search`: form and results. A site's own search form may lead here without a script. */
import { checkCollection } from "../../core/docs/catalogue.ts";
import type { FacetCounts } from "../../core/docs/model.ts";
import { InputError } from "../../core/errors.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import type { DocumentHit, SearchAnswer, SearchRequest, SectionHit } from "../../core/search/answer.ts";
import { MAX_QUERY_LENGTH, SORTS } from "../../core/search/answer.ts";
import { search } from "../../core/search/search.ts";
import { type Suggestion, suggest } from "../../core/search/suggest.ts";
import { codeLanguageOf } from "../../core/text/code-languages.ts";
import { findUnanswered } from "../../surface/render/answer.ts";
import { chooseFacets } from "../../surface/render/facets.ts";
import { describeSearch, formatExplanation } from "../../surface/render/search-text.ts";
import { formatCount, formatNumber, groupRuns, roundTo, splitCode } from "../../surface/render/text.ts";
import { findNextPage, readRequest } from "../search-api.ts";
import { answerPage, type PageServices } from "./answer-page.ts";
import { type Html, html, writeInline } from "./html.ts";
import { linkTo, linkToDocument, SEARCH_PATH, safeLink } from "./links.ts";
import { type Page, type Site, writeNeighbours } from "./page.ts";

const DIGITS = 2;

const LIMITS = { keys: 4, values: 8 };

const FILTER_PREFIX = "f.";

const MAX_SUGGESTIONS = 5;
/** Shorter words begin too much. */
const LEAST_SUGGESTED = 3;

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
  setting: HitSetting,
  parameters: URLSearchParams,
  asked: SearchRequest,
  answer: SearchAnswer,
  near: readonly Suggestion[],
  notes: readonly string[],
): Html {
  const { hits, totalDocuments, facetCounts } = answer;
  const { base } = setting;
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
  const linkAt = (offset: number): string => {
    const changed = new URLSearchParams(parameters);
    changed.delete("typing");
    if (offset === 0) changed.delete("offset");
    else changed.set("offset", `${offset}`);
    return linkWith(base, changed);
  };
  return writeNeighbours(
    "Pages of results",
    before === undefined ? undefined : linkAt(before),
    "",
    next === null ? undefined : linkAt(next),
  );
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
    const { suggestions } = await suggest(reader, { query: text, limit: MAX_SUGGESTIONS, collections });
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
  /** Whether there are several collections, so that it is said which one a hit is of. */
  readonly namesCollection: boolean;
}

/** A hit as an item of a list. Its links lead to the page's own address, where the index knows one, and to the text here. */
function writeFoundDocument(hit: DocumentHit, { base, namesCollection }: HitSetting): Html {
  const { id, collection, path, title, description, url, score, sections, explanation, isFallback } = hit;
  const here = linkToDocument(base, id);
  const own = safeLink(url);
  return html`<li class="hit"><h2 dir="auto"><a href="${own ?? here}">${title === "" ? path : title}</a></h2>
<p class="where"><bdi>${namesCollection ? `${collection}: ${path}` : path}</bdi>${own !== undefined && html` · <a href="${here}">indexed text</a>`}${isFallback && " · longer words only"}</p>
${description !== "" && html`<p class="small" dir="auto">${writeInline(description, () => undefined)}</p>`}
<ul class="sections">${sections.map((section) => writeSection(hit, section, base))}</ul>
${explanation !== undefined && html`<details><summary>Score ${roundTo(score, DIGITS)}, part by part</summary><pre class="wrap">${formatExplanation(explanation).join("\n")}</pre></details>`}
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
    html`<p class="excerpt${codeLanguageOf(hit.path) !== undefined && " code"}" dir="auto">${writeExcerpt(excerpt)}</p>`
  }</li>`;
}

function writeExcerpt(excerpt: SectionHit["excerpt"]): readonly (Html | string)[] {
  return groupRuns(splitCode(excerpt), ({ isCode }) => isCode).map((run) => {
    const own = run.map(({ text, marked }) => (marked ? html`<mark>${text}</mark>` : text));
    return run[0]?.isCode ? html`<code>${own}</code>` : html`${own}`;
  });
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
    const own = [
      ...picked.filter((value) => !values.some(([known]) => known === value)).map((value) => [value, 0] as const),
      ...values,
    ];
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

/** With a value chosen, or taken back where it was; from the first page on. */
function toggle(parameters: URLSearchParams, name: string, value: string): URLSearchParams {
  const changed = new URLSearchParams(parameters);
  for (const other of ["typing", "offset"]) changed.delete(other);
  if (changed.has(name, value)) changed.delete(name, value);
  else changed.append(name, value);
  return changed;
}

/** Parameters that the form has fields for, and those that begin anew with each question. */
const NOT_KEPT: ReadonlySet<string> = new Set(["q", "query", "sort", "explain", "offset", "typing"]);

interface SearchForm {
  readonly base: string;
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
  return html`<form class="search" role="search" action="${linkTo(base, SEARCH_PATH)}">
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

function isExplained(parameters: URLSearchParams): boolean {
  return ["1", "true"].includes((parameters.get("explain") ?? "").toLowerCase());
}

function writeOptions(values: readonly string[], chosen: string, nameOfNone: string): readonly Html[] {
  return values.map(
    (value) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${value === "" ? nameOfNone : value}</option>`,
  );
}
