/**
 * What a browser is shown at a page's address where a station before the routes turns it away: who needs a login, asks too
 * often, or means a corpus that is not there. It says nothing of what is indexed.
 *
 * Pure: words in, a response out.
 */
import { bareSite, respondPage } from "./answer-page.ts";
import { type Html, html } from "./html.ts";
import { CONNECT_PATH, EXPLORER_PATH, linkTo } from "./navigation.ts";
import type { Site } from "./page.ts";

const TITLES: ReadonlyMap<number, string> = new Map([
  [401, "A key or a login is needed"],
  [403, "Not allowed"],
  [404, "Not here"],
  [429, "Too many requests"],
  [503, "Not available right now"],
]);
const UNAUTHORIZED = 401;
const NOT_FOUND = 404;

/** Whether a page is answered at an address, as it stands behind the name of a corpus. */
export function isPageAddress(path: string): boolean {
  return path === "/" || path === EXPLORER_PATH || /^\/(?:explorer|documents)\//.test(path);
}

/**
 * A refusal as a page, whose links lead to where its address stands: to the root from a corpus that is not there.
 *
 * @param corpus That of the address, whether it is there or not; `""` for the one at the root.
 * @param nearest What the caller may have meant.
 */
export function respondRefusal(status: number, message: string, corpus: string, nearest: readonly string[]): Response {
  const site = bareSite(status === NOT_FOUND ? "" : corpus);
  return respondPage(site, {
    title: TITLES.get(status) ?? "Not answered",
    status,
    main: html`<p>${message}</p>
${nearest.length > 0 && html`<p>There is:</p><ul>${nearest.map((one) => html`<li><code>${one}</code></li>`)}</ul>`}
${status === UNAUTHORIZED && writeWaysIn(site)}`,
  });
}

function writeWaysIn({ base }: Site): Html {
  return html`<h2>How to get in</h2>
<ul>
<li>In a browser: a deployment behind Cloudflare Access asks you to log in before this page. Where it did not, ask whoever runs this server to put Access before it.</li>
<li>With an AI client: ask for a key and set it up as <a href="${linkTo(base, CONNECT_PATH)}">the guide for each client</a> says. Keys are sent as the header <code>Authorization: Bearer tl_…</code>, which a browser does not do by itself.</li>
</ul>`;
}
