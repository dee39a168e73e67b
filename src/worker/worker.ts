/**
 * The Worker: middleware in the order in which every request passes it, and routes. Nothing else.
 */
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { CORPORA_PATH, corpusAddress, nameCorpus, pathBehindDoor } from "../http/addresses.ts";
import { authenticate, limitRate } from "../http/callers.ts";
import { answerCorpora, answerNotFound, enterCorpus, respondReadOnly } from "../http/corpora.ts";
import { answerDiscovery, answerMetadata, DISCOVERY_PATHS, METADATA_PATHS } from "../http/discovery.ts";
import { answerDocument, answerPageMarkdown, answerTree, isMarkdownAddress, PAGE_ROUTE } from "../http/documents.ts";
import { answerDocumentPage } from "../http/explorer/document-page.ts";
import { EXPLORER_PAGES } from "../http/explorer/explorer-pages.ts";
import { answerSummary } from "../http/graph-summary.ts";
import { boundBody, boundLoad, guardHeaders, limitTime, tellRetry } from "../http/guard.ts";
import { answerInsights } from "../http/insights.ts";
import { answerFullText, answerProjectMap, FULL_TEXT_PATH } from "../http/llms-txt.ts";
import { wantsHtml } from "../http/negotiate.ts";
import { answerOpenApi, OPENAPI_PATH } from "../http/openapi.ts";
import { answerExplorerFile, answerPageScript, EXPLORER_FILE_PATHS, PAGE_SCRIPT_PATHS } from "../http/page-files.ts";
import { answerPagefind, PAGEFIND_PATH } from "../http/pagefind-api.ts";
import { type HttpServices, respondProblem } from "../http/respond.ts";
import { answerSearch, answerSuggest } from "../http/search-api.ts";
import { answerSession, type OpenSession, refuseSessionMethod, SESSION_PATH } from "../http/session-api.ts";
import { answerHealth, answerStatus } from "../http/status.ts";
import { traceRequests } from "../http/trace.ts";
import { answerMcp, MCP_PATH, refuseMethod } from "../mcp/endpoint.ts";
import { offeredTools } from "../mcp/profiles.ts";
import { openFromBody } from "../mcp/run-tool.ts";
import { authorizationServers, isPrivate } from "../surface/access/deployment.ts";
import { nameTrace, toProblem } from "../surface/render/problem.ts";
import { readBucketObject } from "./storage/platform.ts";
import {
  type AppContext,
  type AppEnv,
  baseOf,
  connectTargets,
  corpora,
  corporaServices,
  explorerServices,
  load,
  pageServices,
  requestServices,
  statusServices,
  toolServices,
} from "./worker-services.ts";

export { QueryInsights } from "./insights/query-insights.ts";
export { TreelineSession } from "./session/session.ts";
export { IndexFiles } from "./storage/index-files.ts";

/** Addresses that a 404 names. */
const SHOWN_PATHS = [
  MCP_PATH,
  SESSION_PATH,
  "/search?q=…",
  "/suggest?q=…",
  "/documents/{id}",
  "/tree/{id}",
  "/llms.txt",
  FULL_TEXT_PATH,
  "/summary",
  "/status",
  "/health",
  "/connect",
  "/explorer/search?q=…",
  OPENAPI_PATH,
  CORPORA_PATH,
];

/** Routes over the index that need nothing but its reader. */
const INDEX_ROUTES: readonly (readonly [string, (request: Request, services: HttpServices) => Promise<Response>])[] = [
  ["/search", answerSearch],
  [PAGEFIND_PATH, answerPagefind],
  ["/suggest", answerSuggest],
  ["/tree/*", answerTree],
  ["/llms.txt", answerProjectMap],
  [FULL_TEXT_PATH, answerFullText],
  ["/summary", answerSummary],
];

const tools = offeredTools();
const app = new Hono<AppEnv>({ getPath: pathBehindDoor });

app.use(nameCorpus());
app.use(traceRequests());
app.use(guardHeaders());
app.use(tellRetry());
app.use(limitTime());
app.use(boundLoad(load));
app.use(authenticate({ readObject: readBucketObject, fetch: (request) => fetch(request) }));
app.use(limitRate("RATE_LIMIT"));
app.use(enterCorpus(corpora.list, SHOWN_PATHS));
app.use(boundBody());

for (const path of [MCP_PATH, "/sse", `/s/:session${MCP_PATH}`]) {
  app.post(path, (context) => answerMcp(context.req.raw, tools, toolServices(context)));
  app.all(path, (context) => refuseMethod(context.req.method, pathOf(context, MCP_PATH)));
}
app.post(SESSION_PATH, limitRate("SESSION_RATE_LIMIT"), (context) => {
  const services = toolServices(context, { isCounted: true });
  const { sessions } = services;
  const open: OpenSession | undefined =
    sessions && ((body, reader, counters) => openFromBody(body, reader, { ...services, sessions }, counters));
  return answerSession(context.req.raw, requestServices(context), open);
});
app.all(SESSION_PATH, (context) => refuseSessionMethod(context.req.method, pathOf(context, SESSION_PATH)));

for (const [path, answer] of INDEX_ROUTES) {
  serve(path, (context) => answer(context.req.raw, requestServices(context)));
}
serve("/documents/*", (context) => {
  const { raw } = context.req;
  return wantsHtml(raw)
    ? answerDocumentPage(raw, explorerServices(context, SHOWN_PATHS))
    : answerDocument(raw, requestServices(context));
});
serve(OPENAPI_PATH, (context) => answerOpenApi(context.req.raw, context.env, baseOf(context), isPrivate(context.env)));
serve("/status", (context) => answerStatus(statusServices(context)));
serve("/insights", (context) => answerInsights(context.env, context.var.caller, context.var.corpus));
serve("/health", ({ env, var: { corpus } }) => {
  // Strangers are not told which corpora a private deployment has.
  const inMemory = corpus !== "" && isPrivate(env) ? undefined : corpora.inMemory(corpus);
  return answerHealth(inMemory, isPrivate(env));
});
serve(CORPORA_PATH, (context) =>
  context.var.corpus === "" ? answerCorpora(context.req.raw, corporaServices(context)) : context.notFound(),
);
for (const path of METADATA_PATHS) {
  serve(path, (context) => {
    const { req, env } = context;
    return answerMetadata(req.path, baseOf(context), authorizationServers(env)) ?? context.notFound();
  });
}
for (const [path, document] of DISCOVERY_PATHS) {
  serve(path, async (context) => {
    const { targets, isWhole } = await connectTargets(context, document === "catalog");
    return answerDiscovery(context.req.raw, document, targets, isWhole);
  });
}
for (const path of EXPLORER_FILE_PATHS) serve(path, ({ req, env }) => answerExplorerFile(req.raw, env, path));
for (const { path, answer } of EXPLORER_PAGES) {
  serve(path, (context) => answer(context.req.raw, explorerServices(context, SHOWN_PATHS)));
}
for (const path of PAGE_SCRIPT_PATHS) serve(path, ({ req, env }) => answerPageScript(req.raw, env, path));
app.notFound(async (context) => {
  const { req } = context;
  const { caller, corpus, report, record } = context.var;
  const note = (error: unknown): void => report(toProblem(error), "corpora");
  const missed = { request: req.raw, corpus, caller, now: Date.now(), note };
  if (!isMarkdownAddress(req.raw)) return answerNotFound(corpora.list, SHOWN_PATHS, missed);
  const page = await answerPageMarkdown(req.raw, await pageServices(context, note));
  if (!("response" in page)) return answerNotFound(corpora.list, [...page.nearest, ...SHOWN_PATHS], missed);
  record.route = PAGE_ROUTE;
  return page.response;
});
app.onError((error, context) => {
  if (error instanceof HTTPException) return error.getResponse();
  const problem = toProblem(error);
  context.var.report(problem, "worker");
  return respondProblem(nameTrace(problem, context.var.record.trace));
});

export default app;

/** A path as the caller knows it: with the name of the corpus. */
function pathOf({ var: { corpus } }: AppContext, path: string): string {
  return `${corpusAddress("", corpus)}${path}`;
}

/** Adds a route that changes nothing: it answers GET, and any other method with 405. */
function serve(path: string, answer: (context: AppContext) => Response | Promise<Response>): void {
  app.get(path, answer);
  app.all(path, ({ req }) => respondReadOnly(req.method));
}
