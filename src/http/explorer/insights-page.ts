/**
 * The explorer's query insights: what callers asked and did not find. A browser that goes to an address sends no key, so who has an
 * admin key gives it to the page, which asks `/insights` with it and keeps it nowhere; who is known as an admin already sees them
 * at once.
 */
import type { Insight, InsightReport } from "../../insights/insight-report.ts";
import { KEPT_DAYS, LEAST_CALLERS } from "../../insights/insight-report.ts";
import { formatNumber } from "../../render/counts.ts";
import type { ShownInsights } from "../insights.ts";
import { describeSite, type PageServices, respondPage } from "./answer-page.ts";
import { type Html, html } from "./html.ts";
import { EXPLORER_PATH, linkTo } from "./navigation.ts";
import type { Page, Site } from "./page.ts";
import { SEARCH_PATH } from "./search-form.ts";

/** Where the page stands. */
export const INSIGHTS_PATH = `${EXPLORER_PATH}/insights`;

/** The answer to a GET of the page: kept nowhere, as it is about now, and for who asks. */
export async function answerInsightsPage(_request: Request, services: PageServices): Promise<Response> {
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

const OFF = html`<p>This deployment counts no queries: <code>QUERY_INSIGHTS</code> is off, or <code>INSIGHTS</code> is not bound.</p>`;

/** What the outcomes mean: their names stand in the answer of `/insights` as well. */
const OUTCOMES = html`<p class="small soft"><i>nothing</i>: no result. <i>corrected</i>: results for other words. <i>relaxed</i>: results without the phrase. <i>no-symbol</i>, <i>no-line</i>: no such name in code, no such line. Answered questions are not counted.</p>`;

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
