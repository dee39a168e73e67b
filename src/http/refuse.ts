/**
 * Answer of middleware that turns a request away: for a call over MCP an error of JSON-RPC, so that clients show its words; for a
 * browser that wants a page, a page; for all others JSON, as routes do.
 */
import type { Context } from "hono";
import { respondRpcError, SERVER_ERROR } from "../surface/render/problem.ts";
import { openDoor } from "./addresses.ts";
import { bareSite, respondPage } from "./explorer/answer-page.ts";
import { type Html, html } from "./explorer/html.ts";
import { CONNECT_PATH, EXPLORER_PATH, linkTo } from "./explorer/links.ts";
import type { Site } from "./explorer/page.ts";
import { respondJson, wantsHtml } from "./respond.ts";

/** Addresses that take calls, those with a session in them too. */
const MCP_ADDRESS = /(^|\/)(mcp|sse)$/;

/** Turn a request away with a status, words and headers. @param nearest What the caller may have meant. */
export function refuseRequest(
  { req }: Pick<Context, "req">,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  nearest: readonly string[] = [],
): Response {
  const isCall = req.method === "POST" && MCP_ADDRESS.test(req.path);
  const isPage = !isCall && isPageAddress(req.path) && wantsHtml(req.raw);
  const response = isPage
    ? respondRefusal(status, message, openDoor(req.raw).corpus, nearest)
    : isCall
      ? respondRpcError({
          status,
          code: SERVER_ERROR,
          message: nearest.length === 0 ? message : `${message} There is: ${nearest.join(", ")}`,
        })
      : respondJson({ error: message, nearest }, status);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

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
function isPageAddress(path: string): boolean {
  return path === "/" || path === EXPLORER_PATH || /^\/(?:explorer|documents)\//.test(path);
}

/**
 * A refusal as a page, whose links lead to where its address stands: to the root from a corpus that is not there.
 *
 * @param corpus That of the address, whether it is there or not; `""` for the one at the root.
 * @param nearest What the caller may have meant.
 */
function respondRefusal(status: number, message: string, corpus: string, nearest: readonly string[]): Response {
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
