/**
 * All pages of the explorer with their addresses. `src/worker/worker.ts` makes a route of each, for every corpus.
 */
import type { IndexReader } from "../../core/index/index-reader.ts";
import { type Insight, type InsightReport, KEPT_DAYS, LEAST_CALLERS } from "../../surface/insight-report.ts";
import { formatNumber, SERVER_VERSION, serverTitle } from "../../surface/render/numbers.ts";
import { idFromAddress } from "../addresses.ts";
import { CORPORA_PATH } from "../corpora.ts";
import type { ShownInsights } from "../insights.ts";
import { wantsHtml } from "../negotiate.ts";
import type { Parameters } from "../parameters.ts";
import { respondJson } from "../respond.ts";
import { SEARCH_PARAMETERS } from "../search-api.ts";
import { answerPage, bareSite, describeSite, type PageServices, respondPage } from "./answer-page.ts";
import { CATEGORIES_PARAMETERS, CATEGORIES_PATH, writeCategoriesPage } from "./categories-page.ts";
import { answerConnectPage, CONNECT_PATH } from "./connect-page.ts";
import { DIAGNOSTICS_PARAMETERS, DIAGNOSTICS_PATH, writeDiagnosticsPage } from "./diagnostics-page.ts";
import { TREE_PATH } from "./document-place.ts";
import { type Html, html } from "./html.ts";
import { EXPLORER_PATH, linkTo } from "./navigation.ts";
import { OUTLINE_PATH } from "./outline-link.ts";
import { OUTLINE_PARAMETERS, writeOutlinePage } from "./outline-page.ts";
import { writeOverview } from "./overview.ts";
import type { Page, Site } from "./page.ts";
import { PICTURE_PARAMETERS, PICTURE_PATH, writePicturePage } from "./picture-page.ts";
import { SEARCH_PATH } from "./search-form.ts";
import { answerSearchPage } from "./search-page.ts";
import { TREE_PARAMETERS, writeTreePage } from "./tree-page.ts";

/** Where the page stands. */
const INSIGHTS_PATH = `${EXPLORER_PATH}/insights`;

const OFF = html`<p>This deployment counts no queries: <code>QUERY_INSIGHTS</code> is off, or <code>INSIGHTS</code> is not bound.</p>`;

/** What the outcomes mean: their names stand in the answer of `/insights` as well. */
const OUTCOMES = html`<p class="small soft"><i>nothing</i>: no result. <i>corrected</i>: results for other words. <i>relaxed</i>: results without the phrase. <i>no-symbol</i>, <i>no-line</i>: no such name in code, no such line. Answered questions are not counted.</p>`;

/** A page with its address. */
export interface ExplorerPage {
  /** Path behind the name of a corpus, as routes are written. */
  readonly path: string;
  /** Parameters of its address. */
  readonly parameters?: Parameters;
  /** The answer to a GET. */
  readonly answer: (request: Request, services: PageServices) => Promise<Response>;
}

/** What a page over the index is written from. */
export interface PageInput {
  readonly reader: IndexReader;
  readonly site: Site;
  /** Of the page's address. */
  readonly parameters: URLSearchParams;
  readonly services: PageServices;
  /** What stands in the address where the path has a star. */
  readonly id: string;
}

/** Writes a page over the index. @throws {InputError} where its address asks for what is not there. */
type WritePage = (input: PageInput) => Promise<Page>;

/** The pages, in the order in which their addresses are tried. */
export const EXPLORER_PAGES: readonly ExplorerPage[] = [
  { path: "/", answer: answerRoot },
  { path: SEARCH_PATH, parameters: SEARCH_PARAMETERS, answer: answerSearchPage },
  { path: CONNECT_PATH, answer: answerConnectPage },
  overIndex(TREE_PATH, ({ reader, site, parameters }) => writeTreePage(reader, site, parameters), TREE_PARAMETERS),
  overIndex(
    `${OUTLINE_PATH}*`,
    ({ reader, site, parameters, id }) => writeOutlinePage(reader, site, id, parameters),
    OUTLINE_PARAMETERS,
  ),
  overIndex(
    PICTURE_PATH,
    ({ reader, site, parameters }) => writePicturePage(reader, site, parameters),
    PICTURE_PARAMETERS,
  ),
  overIndex(
    CATEGORIES_PATH,
    ({ reader, site, parameters }) => writeCategoriesPage(reader, site, parameters),
    CATEGORIES_PARAMETERS,
  ),
  overIndex(
    DIAGNOSTICS_PATH,
    ({ reader, site, parameters }) => writeDiagnosticsPage(reader, site, parameters),
    DIAGNOSTICS_PARAMETERS,
  ),
  { path: INSIGHTS_PATH, answer: answerInsightsPage },
  { path: EXPLORER_PATH, answer: leadToRoot },
  { path: `${EXPLORER_PATH}/*`, answer: answerMissing },
];

/** A page over the index that every caller may see. */
function overIndex(path: string, write: WritePage, parameters?: Parameters): ExplorerPage {
  return {
    path,
    ...(parameters !== undefined && { parameters }),
    answer: (request, services) => {
      const given = new URL(request.url).searchParams;
      const readId = (): string => idFromAddress(request.url, services.base, path.replace("*", ""));
      return answerPage(request, services, {
        where: path,
        write: async (reader, site) =>
          write({ reader, site, parameters: given, services, id: path.endsWith("*") ? readId() : "" }),
      });
    },
  };
}

/** The overview to a browser; to a program the addresses that it can ask. */
async function answerRoot(request: Request, services: PageServices): Promise<Response> {
  if (wantsHtml(request)) {
    return overIndex("/", ({ reader, site }) => writeOverview(reader, site, services)).answer(request, services);
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
 * The explorer's query insights: what callers asked and did not find. A browser that goes to an address sends no key, so who has an
 * admin key gives it to the page, which asks `/insights` with it and keeps it nowhere; who is known as an admin already sees them
 * at once.
 */

/** The answer to a GET of the page: kept nowhere, as it is about now, and for who asks. */
async function answerInsightsPage(_request: Request, services: PageServices): Promise<Response> {
  const [site, shown] = await Promise.all([describeSite(services), services.readInsights()]);
  return respondPage(site, writeInsightsPage(site, shown, services.base));
}

function writeInsightsPage({ base }: Pick<Site, "base">, shown: ShownInsights, address: string): Page {
  return {
    title: "Query insights",
    current: INSIGHTS_PATH,
    main: html`<p>Questions that found nothing good, with how many asked them: what is missing in the documents, or is called otherwise there. A question is shown once ${LEAST_CALLERS} callers had it on one day, for ${KEPT_DAYS} days; who asked is not kept.</p>
${shown === "off" ? OFF : shown === "not-admin" ? writeForm(address, linkTo(base, SEARCH_PATH)) : writeReport(shown, base)}
${shown !== "off" && OUTCOMES}`,
  };
}

function writeForm(address: string, searchHref: string): Html {
  return html`<p>They are for admins. Who runs this server makes an admin key with <code>treeline keys add NAME --admin</code>; a program sends it as a header:</p>
<pre class="wrap"><code>curl -H "Authorization: Bearer tl_…" ${address}/insights</code></pre>
<noscript><p>With JavaScript, this page takes the key and shows them.</p></noscript>
<form class="controls" data-insights="${address}/insights" hidden><label>Admin key <input type="password" name="key" autocomplete="off" required spellcheck="false" maxlength="200"></label> <button>Show</button></form>
<p role="status" data-insights-status></p>
<div data-insights-rows="${searchHref}"></div>`;
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
