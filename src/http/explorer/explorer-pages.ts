/**
 * All pages of the explorer with their addresses. `src/worker.ts` makes a route of each, for every corpus.
 */
import type { IndexReader } from "../../core/index/index-reader.ts";
import { SERVER_VERSION, serverTitle } from "../../render/version.ts";
import { idFromAddress } from "../addresses.ts";
import { CORPORA_PATH } from "../corpora.ts";
import { wantsHtml } from "../negotiate.ts";
import type { Parameters } from "../parameters.ts";
import { respondJson } from "../respond.ts";
import { SEARCH_PARAMETERS } from "../search-api.ts";
import { answerPage, bareSite, type PageServices, respondPage } from "./answer-page.ts";
import { CATEGORIES_PARAMETERS, CATEGORIES_PATH, writeCategoriesPage } from "./categories-page.ts";
import { answerConnectPage, CONNECT_PATH } from "./connect-page.ts";
import { DIAGNOSTICS_PARAMETERS, DIAGNOSTICS_PATH, writeDiagnosticsPage } from "./diagnostics-page.ts";
import { TREE_PATH } from "./document-place.ts";
import { html } from "./html.ts";
import { answerInsightsPage, INSIGHTS_PATH } from "./insights-page.ts";
import { EXPLORER_PATH, linkTo } from "./navigation.ts";
import { OUTLINE_PATH } from "./outline-link.ts";
import { OUTLINE_PARAMETERS, writeOutlinePage } from "./outline-page.ts";
import { writeOverview } from "./overview.ts";
import type { Page, Site } from "./page.ts";
import { PICTURE_PARAMETERS, PICTURE_PATH, writePicturePage } from "./picture-page.ts";
import { SEARCH_PATH } from "./search-form.ts";
import { answerSearchPage } from "./search-page.ts";
import { TREE_PARAMETERS, writeTreePage } from "./tree-page.ts";

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
