/**
 * All pages of the explorer with their addresses; `src/worker/worker.ts` makes a route of each, for every corpus. The small ones are
 * written here: the overview, guides for clients, query insights.
 */

import { arePackagesWithin, readPackages } from "../../core/code/packages.ts";
import { listCategories, readCategories } from "../../core/docs/categories.ts";
import { SEVERITIES } from "../../core/format/build-log.ts";
import type { CollectionInfo } from "../../core/format/root.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import type { GenerationInfo } from "../../core/index/open-generation.ts";
import { readLog, readVisibleLog, visibleGeneration } from "../../core/index/read-log.ts";
import { codeShards } from "../../core/index/shards.ts";
import { type Insight, type InsightReport, KEPT_DAYS, LEAST_CALLERS } from "../../surface/insights.ts";
import {
  type ClientGuide,
  type ConnectTarget,
  describeAccess,
  listClientGuides,
} from "../../surface/render/connect.ts";
import { formatCount, formatNumber, SERVER_VERSION, serverTitle } from "../../surface/render/text.ts";
import { CORPORA_PATH, idFromAddress } from "../addresses.ts";
import type { ShownInsights } from "../insights.ts";
import { answerFromIndex, respondJson, respondText, wantsHtml } from "../respond.ts";
import { answerPage, bareSite, describeSite, type PageServices, respondPage } from "./answer-page.ts";
import { CATEGORIES_PAGE, labelCategories } from "./categories-page.ts";
import { DIAGNOSTICS_PAGE } from "./diagnostics-page.ts";
import { GRAPH_PAGE } from "./graph-page.ts";
import { type Html, html } from "./html.ts";
import {
  ACCENT_PATH,
  CONNECT_PATH,
  clientLink,
  EXPLORER_PATH,
  LOGO_PATH,
  linkTo,
  linkToSourceFolder,
  SEARCH_PATH,
  safeLink,
  TREE_PATH,
} from "./links.ts";
import { OUTLINE_PAGE } from "./outline-page.ts";
import { type IndexPage, type Page, type Site, writeCommit, writeTime } from "./page.ts";
import { answerSearchPage, writeSearchForm } from "./search-page.ts";
import { TREE_PAGE } from "./tree-page.ts";

const INSIGHTS_PATH = `${EXPLORER_PATH}/insights`;

const OFF = html`<p>This deployment counts no queries: <code>QUERY_INSIGHTS</code> is off, or <code>INSIGHTS</code> is not bound.</p>`;

/** What the outcomes mean: their names stand in the answer of `/insights` as well. */
const OUTCOMES = html`<p class="small soft"><i>nothing</i>: no result. <i>corrected</i>: results for other words. <i>relaxed</i>: results without the phrase. <i>no-symbol</i>, <i>no-line</i>: no such name in code, no such line. Answered questions are not counted.</p>`;

interface ExplorerPage {
  /** Path behind the name of a corpus, as routes are written. */
  readonly path: string;
  readonly answer: (request: Request, services: PageServices) => Promise<Response>;
}

/** The pages, in the order in which their addresses are tried. */
export const EXPLORER_PAGES: readonly ExplorerPage[] = [
  { path: "/", answer: answerRoot },
  { path: SEARCH_PATH, answer: answerSearchPage },
  { path: CONNECT_PATH, answer: answerConnectPage },
  ...[TREE_PAGE, OUTLINE_PAGE, GRAPH_PAGE, CATEGORIES_PAGE, DIAGNOSTICS_PAGE].map(overIndex),
  { path: INSIGHTS_PATH, answer: answerInsightsPage },
  { path: LOGO_PATH, answer: answerLogo },
  { path: ACCENT_PATH, answer: answerAccent },
  { path: EXPLORER_PATH, answer: leadToRoot },
  { path: `${EXPLORER_PATH}/*`, answer: answerMissing },
];

function overIndex({ path, write }: IndexPage): ExplorerPage {
  const answer = (request: Request, services: PageServices): Promise<Response> =>
    answerPage(request, services, {
      where: path,
      write: async (reader, site) => {
        const id = path.endsWith("*") ? idFromAddress(request.url, services.base, path.slice(0, -1)) : "";
        return write(reader, site, new URL(request.url).searchParams, id);
      },
    });
  return { path, answer };
}

/** The project's logo. A script in it runs nowhere, be it opened as a page. */
function answerLogo(request: Request, services: PageServices): Promise<Response> {
  return answerFromIndex(request, services, {
    where: LOGO_PATH,
    headers: { "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox" },
    run: async (reader) => {
      const { logo = "" } = await readVisibleLog(reader);
      const [, type = "", base64 = ""] = /^data:(image\/(?:svg\+xml|png));base64,(.*)$/.exec(logo) ?? [];
      if (type === "") return respondJson({ error: "This index has no logo.", nearest: [] }, 404);
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      return new Response(bytes, { headers: { "Content-Type": type } });
    },
  });
}

/** Colours of the address as a style sheet: pages have no style of their own. */
async function answerAccent(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const [light = "", dark = ""] = ["light", "dark"].map((name) => searchParams.get(name) ?? "");
  if (![light, dark].every((colour) => /^#[0-9a-f]{6}$/.test(colour))) {
    return respondJson({ error: "light and dark must be colours such as #0b57c2.", nearest: [] }, 400);
  }
  const set = (colour: string): string => `:root{--link:${colour};--strong:${colour};--bar:${colour}}`;
  const text = `${set(light)}@media(prefers-color-scheme:dark){${set(dark)}}`;
  const headers = { "Cache-Control": "public, max-age=31536000, immutable" };
  return respondText(request, text, "text/css; charset=utf-8", headers);
}

/** The overview to a browser; to a program the addresses that it can ask. */
async function answerRoot(request: Request, services: PageServices): Promise<Response> {
  if (wantsHtml(request)) {
    return answerPage(request, services, {
      where: "/",
      write: (reader, site) => writeOverview(reader, site, services),
    });
  }
  const { base, corpus, shownPaths } = services;
  // The list of corpora stands at the root alone.
  const paths = shownPaths.filter((path) => corpus === "" || path !== CORPORA_PATH);
  const response = respondJson({
    name: serverTitle(corpus),
    version: SERVER_VERSION,
    addresses: paths.map((path) => `${base}${path}`),
  });
  response.headers.set("Vary", "Accept");
  return response;
}

/** The explorer begins at the root of its corpus. */
async function leadToRoot(_request: Request, { corpus }: PageServices): Promise<Response> {
  return new Response(null, { status: 308, headers: { Location: linkTo(bareSite(corpus).base, "/") } });
}

/** What is answered below the explorer's address where there is no page. */
async function answerMissing(request: Request, services: PageServices): Promise<Response> {
  const { pathname } = new URL(request.url);
  const site = bareSite(services.corpus);
  if (pathname === `${site.base}${EXPLORER_PATH}/`) return leadToRoot(request, services);
  if (!wantsHtml(request)) {
    const nearest = [linkTo(site.base, "/"), `${site.base}${SEARCH_PATH}`, `${site.base}${CONNECT_PATH}`];
    return respondJson({ error: `There is nothing at ${pathname}.`, nearest }, 404);
  }
  return respondPage(site, {
    title: "No such page",
    status: 404,
    main: html`<p>There is nothing at <code>${pathname}</code>.</p>
<p><a href="${linkTo(site.base, "/")}">What is indexed</a></p>`,
  });
}

/**
 * Query insights, never cached. An admin sees them at once. A browser sends no key with an address, so everyone else gets a form: the
 * script asks for the page again with the key, which it keeps nowhere.
 */
async function answerInsightsPage(_request: Request, services: PageServices): Promise<Response> {
  const [site, shown] = await Promise.all([describeSite(services), services.readInsights()]);
  return respondPage(site, writeInsightsPage(site, shown, services.base));
}

function writeInsightsPage({ base }: Pick<Site, "base">, shown: ShownInsights, address: string): Page {
  return {
    title: "Query insights",
    current: INSIGHTS_PATH,
    main: html`<p>Questions that found nothing good, with how many asked them: what is missing in the documents, or is called otherwise there. A question is shown once ${LEAST_CALLERS} callers had it on one day, for ${KEPT_DAYS} days; who asked is not kept.</p>
${shown === "not-admin" && writeForm(address)}
<div id="report">${shown === "off" ? OFF : shown !== "not-admin" && writeReport(shown, base)}</div>
${shown !== "off" && OUTCOMES}`,
  };
}

function writeForm(address: string): Html {
  return html`<p>They are for admins. Who runs this server makes an admin key with <code>treeline keys add NAME --admin</code>; a program sends it as a header:</p>
<pre class="wrap"><code>curl -H "Authorization: Bearer tl_…" ${address}/insights</code></pre>
<noscript><p>With JavaScript, this page takes the key and shows them.</p></noscript>
<form class="controls" data-insights hidden><label>Admin key <input type="password" name="key" autocomplete="off" required spellcheck="false" maxlength="200"></label> <button>Show</button></form>
<p role="status" data-insights-status></p>`;
}

function writeReport({ since, queries }: InsightReport, base: string): Html {
  if (queries.length === 0) return html`<p>Nothing since ${since} that enough callers asked.</p>`;
  return html`<p class="soft">Since ${since}, most callers first.</p>
<div class="table" tabindex="0" role="region" aria-label="Questions"><table>
<thead><tr><th scope="col">Question</th><th scope="col" class="number">Callers</th><th scope="col" class="number">Times</th><th scope="col">Outcome</th><th scope="col">Last seen</th></tr></thead>
<tbody>${queries.map((query) => writeRow(query, base))}</tbody></table></div>`;
}

function writeRow({ query, callers, count, kinds, lastSeen }: Insight, base: string): Html {
  const outcomes = Object.entries(kinds).map(([kind, times]) => `${kind} ${formatNumber(times)}`);
  return html`<tr><th scope="row" dir="auto"><a href="${linkTo(base, SEARCH_PATH, { q: query })}">${query}</a></th><td class="number">${formatNumber(callers)}</td><td class="number">${formatNumber(count)}</td><td>${outcomes.join(", ")}</td><td>${lastSeen}</td></tr>
`;
}

const MAX_CATEGORIES = 12;
const KILOBYTE = 1000;
/** Of packages beside which the page still counts symbols, bytes of their table. */
const MAX_PACKAGE_BYTES = 256 * 1024;
/** Documents for programs and agents that a person may want to see. */
const FOR_PROGRAMS = [
  ["/llms.txt", "a map of all documents"],
  ["/llms-full.txt", "their text"],
  ["/summary", "a map of files, packages and links"],
  ["/search?q=install", "a search as JSON"],
  ["/openapi.json", "all addresses"],
] as const;

async function writeOverview(reader: IndexReader, site: Site, services: PageServices): Promise<Page> {
  const hasCode = codeShards(reader).length > 0;
  // Together, or each would wait for the one before it.
  const [generation, packages, health, categories] = await Promise.all([
    visibleGeneration(reader),
    hasCode && arePackagesWithin(reader, MAX_PACKAGE_BYTES) ? readPackages(reader) : [],
    writeHealth(reader, site),
    writeCategories(reader, site),
  ]);
  const symbols = packages.reduce((sum, one) => sum + one.symbols, 0);
  const facts: readonly (readonly [string, string])[] = [
    ["documents", formatNumber(generation.documents)],
    ["sections", formatNumber(generation.sections)],
    ...(symbols > 0 ? ([["symbols", formatNumber(symbols)]] as const) : []),
    ["words", formatNumber(generation.words)],
    ...(generation.indexBytes > 0
      ? ([["index", formatSize(generation.indexBytes + generation.textBytes)]] as const)
      : []),
  ];
  const { collections } = reader;
  return {
    title: site.corpus === "" ? "Overview" : site.corpus,
    heading: html`${site.project?.name ?? (site.corpus || "Overview")}`,
    current: "/",
    main: html`${writeSearchForm({ base: site.base, collections: collections.map(({ name }) => name), parameters: new URLSearchParams() })}
<div id="results">
${site.project?.description !== undefined && html`<p dir="auto">${site.project.description}</p>`}
${writeOrigin(generation, site)}
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<h2>Collections</h2>
${writeCollections(collections, site.base)}
<div class="columns">
<section><h2>Health</h2>
${health}
</section>
${categories}
<section><h2>Connect a client</h2>
<p>The MCP server is at <code>${services.base}/mcp</code>. <a href="${linkTo(site.base, CONNECT_PATH)}">How to connect each client</a></p>
</section>
<section><h2>For programs</h2>
<ul class="plain">${FOR_PROGRAMS.map(([path, what]) => html`<li><a href="${linkTo(site.base, path)}"><code>${path}</code></a> <small>${what}</small></li>`)}</ul>
</section>
</div>
</div>`,
  };
}

/** Which state of the files is indexed, and how old it is. */
function writeOrigin({ commit, committedAt = "", builtAt, dirty }: GenerationInfo, { repository }: Site): Html {
  const shown = writeCommit(commit, repository);
  const time = writeTime(committedAt);
  const from = html`, of commit ${shown}${time !== "" && html` from ${time}`}${dirty === true && " with changes"}`;
  return html`<p class="soft">Built ${writeTime(builtAt) || "at an unknown time"}${shown !== "" && from}.</p>`;
}

function writeCollections(collections: readonly CollectionInfo[], base: string): Html {
  if (collections.length === 0) return html`<p>There is nothing that you may see.</p>`;
  const hasGroups = collections.some(({ access }) => access !== "public");
  const hasCommits = collections.some(({ commit }) => commit !== "" && commit !== "none");
  return html`<div class="table" tabindex="0"><table class="cards">
<thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col" class="number">Documents</th><th scope="col" class="number">Sections</th><th scope="col" class="number">Words</th><th scope="col">Language</th>${hasGroups && html`<th scope="col">Access</th>`}${hasCommits && html`<th scope="col">Commit</th>`}</tr></thead>
<tbody>${collections.map((collection) => {
    const { name, kind, version, documents, sections, words, language, access, commit, baseUrl, repository } =
      collection;
    const site = safeLink(baseUrl);
    const source = linkToSourceFolder(collection, "");
    const cell = (label: string, value: string): Html => html`<td class="number" data-label="${label}">${value}</td>`;
    return html`<tr><th scope="row"><a href="${linkTo(base, TREE_PATH, { folder: `${name}:` })}"><bdi>${name}</bdi></a>${version !== "" && html` <span class="chip"><bdi>${version}</bdi></span>`}${
      site !== undefined && html`<br><a class="small" href="${site}">${baseUrl}</a>`
    }${source !== undefined && html`<br><a class="small" href="${source}">in the repository</a>`}</th><td data-label="Kind">${kind}</td>${cell("Documents", formatNumber(documents))}${cell("Sections", formatNumber(sections))}${cell("Words", formatNumber(words))}<td data-label="Language">${kind === "code" ? "" : language}</td>${
      hasGroups && html`<td data-label="Access"><bdi>${access}</bdi></td>`
    }${hasCommits && html`<td data-label="Commit">${writeCommit(commit, repository)}</td>`}</tr>`;
  })}</tbody></table></div>`;
}

async function writeHealth(reader: IndexReader, { base }: Site): Promise<Html> {
  const { generation } = reader;
  const { diagnostics, diagnosticCount, skipped } = await readLog(reader);
  const counts = SEVERITIES.map((severity) => ({
    severity,
    count: diagnostics.filter((finding) => finding.severity === severity).length,
  })).filter(({ count }) => count > 0);
  const link = linkTo(base, `${EXPLORER_PATH}/diagnostics`);
  return html`<ul class="plain">
${diagnosticCount === 0 && html`<li class="good">No problems were found when it was built.</li>`}
${counts.map(({ severity, count }) => html`<li><a href="${link}?severity=${severity}" class="${severity}">${formatCount(count, severity === "info" ? "note" : severity)}</a></li>`)}
${skipped.length > 0 && html`<li><a href="${link}?show=skipped">${formatCount(skipped.length, "file")} left out</a></li>`}
<li>Generation <code>${generation.id}</code>, <a href="${linkTo(base, "/status")}">status of the server</a></li>
</ul>`;
}

async function writeCategories(reader: IndexReader, { base }: Site): Promise<Html | ""> {
  const { categories } = await listCategories(await readCategories(reader), "popularity", "");
  if (categories.length === 0) return "";
  const labels = await labelCategories(reader, categories.slice(0, MAX_CATEGORIES));
  const known = [...labels.values()];
  const isShared = (label = ""): boolean => known.indexOf(label) !== known.lastIndexOf(label);
  const path = `${EXPLORER_PATH}/categories`;
  return html`<section><h2>Categories <small>with their documents</small></h2>
<ul class="chips">${categories
    .slice(0, MAX_CATEGORIES)
    .map(
      (category) =>
        html`<li><a class="chip" href="${linkTo(base, path, { category: category.name })}" title="${category.name}"><bdi>${labels.get(category)}</bdi>${isShared(labels.get(category)) && html` <small>${category.name},</small>`} <small>${category.own.documents}</small></a></li>`,
    )}</ul>
${categories.length > MAX_CATEGORIES && html`<p><a href="${linkTo(base, path)}">All ${categories.length} categories</a></p>`}
</section>`;
}

/** `12.3 MB`. */
function formatSize(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let [size, unit] = [bytes, 0];
  for (; size >= KILOBYTE && unit < units.length - 1; unit++) size /= KILOBYTE;
  return `${size >= 100 || unit === 0 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}

async function answerConnectPage(_request: Request, services: PageServices): Promise<Response> {
  const { corpus, base, needsKey } = services;
  const target: ConnectTarget = { origin: base, ...(corpus !== "" && { corpus }), needsKey };
  const guides = listClientGuides(target);
  return respondPage(bareSite(corpus), {
    title: "Connect a client",
    current: CONNECT_PATH,
    main: html`<p>${describeAccess(target)}</p>
${needsKey && writeKeys()}
<ul class="chips">${guides.map(({ id, client }) => html`<li><a class="chip" href="#${id}">${client}</a></li>`)}</ul>
<p class="hidden" role="status" id="status"></p>
${guides.map(writeGuide)}`,
  });
}

/** A guide with its snippet and a button that copies it. */
function writeGuide({ id, client, step, snippet, link }: ClientGuide): Html {
  const address = link === undefined ? undefined : clientLink(link);
  return html`<section class="guide" id="${id}"><h2>${client}</h2>
${step !== "" && html`<p>${writeCode(step)}</p>`}
<div class="snippet"><pre class="wrap" id="${id}-text"><code>${snippet}</code></pre><button type="button" data-copy="${id}-text" hidden>Copy<span class="hidden"> for ${client}</span></button></div>
${address !== undefined && html`<p><a class="button" href="${address}">Add to ${client}</a></p>`}
</section>`;
}

function writeKeys(): Html {
  return html`<h2>Keys</h2>
<p>Who runs this server makes a key for each person or program with <code>treeline keys add NAME</code>, and can limit it to some collections. The key begins with <code>tl_</code> and is shown once. Set it as the environment variable <code>TREELINE_KEY</code>; clients send it as the header <code>Authorization: Bearer tl_…</code>. Do not write it into files that others read.</p>`;
}

/** A sentence in which what stands between backticks is code. */
function writeCode(text: string): Html {
  return html`${text.split("`").map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
