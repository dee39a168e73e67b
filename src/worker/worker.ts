/**
 * The Worker: stations that every request passes, and routes, nothing else.
 */
import { Hono } from "hono";
import { corpusAddress } from "../http/addresses.ts";
import { authenticate } from "../http/authenticate.ts";
import { boundBody } from "../http/bound-body.ts";
import { boundLoad } from "../http/bound-load.ts";
import { answerCorpora, CORPORA_PATH } from "../http/corpora.ts";
import { answerDiscovery, DISCOVERY_PATHS } from "../http/discovery.ts";
import { answerDocument, answerTree } from "../http/documents.ts";
import { nameCorpus, pathBehindDoor } from "../http/door.ts";
import { enterCorpus } from "../http/enter-corpus.ts";
import { answerDocumentPage } from "../http/explorer/document-page.ts";
import { EXPLORER_PAGES } from "../http/explorer/explorer-pages.ts";
import { answerFullText, FULL_TEXT_PATH } from "../http/full-text.ts";
import { answerSummary } from "../http/graph-summary.ts";
import { guardHeaders } from "../http/headers.ts";
import { answerInsights } from "../http/insights.ts";
import { limitRate } from "../http/limit-rate.ts";
import { limitTime } from "../http/limit-time.ts";
import { wantsHtml } from "../http/negotiate.ts";
import { answerNotFound, respondReadOnly } from "../http/not-found.ts";
import { answerOpenApi, OPENAPI_PATH } from "../http/openapi.ts";
import { answerExplorerFile, answerPageScript, EXPLORER_FILE_PATHS, PAGE_SCRIPT_PATHS } from "../http/page-files.ts";
import { answerPageMarkdown, isMarkdownAddress, PAGE_ROUTE } from "../http/page-markdown.ts";
import { answerPagefind, PAGEFIND_PATH } from "../http/pagefind-api.ts";
import { answerProjectMap } from "../http/project-map.ts";
import { answerMetadata, METADATA_PATHS } from "../http/protected-resource.ts";
import { traceRequests } from "../http/request-log.ts";
import { respondProblem } from "../http/respond.ts";
import { answerSearch } from "../http/search-api.ts";
import { answerSession, type OpenSession, refuseSessionMethod, SESSION_PATH } from "../http/session-api.ts";
import { answerHealth, answerStatus } from "../http/status.ts";
import { answerSuggest } from "../http/suggest-api.ts";
import { answerMcp, MCP_PATH, refuseMethod } from "../mcp/endpoint.ts";
import { offeredTools } from "../mcp/profiles.ts";
import { openFromBody } from "../mcp/session-body.ts";
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
  httpServices,
  load,
  pageServices,
  statusServices,
  toolServices,
} from "./worker-services.ts";

export { QueryInsights } from "./insights/query-insights.ts";
export { TreelineSession } from "./session/session.ts";
export { IndexFiles } from "./storage/index-files.ts";

/** Addresses that answer GET and change nothing, beside those of documents for discovery and of the explorer. */
const READ_ONLY_PATHS = [
  "/search",
  PAGEFIND_PATH,
  "/suggest",
  "/documents/*",
  "/tree/*",
  "/llms.txt",
  FULL_TEXT_PATH,
  "/summary",
  "/status",
  "/insights",
  "/health",
  OPENAPI_PATH,
  CORPORA_PATH,
  ...METADATA_PATHS,
];
/** Addresses that are told to who asks for one that there is not. */
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

const tools = offeredTools();
const app = new Hono<AppEnv>({ getPath: pathBehindDoor });

app.use(nameCorpus());
app.use(traceRequests());
app.use(guardHeaders());
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
  return answerSession(context.req.raw, httpServices(context), open);
});
app.all(SESSION_PATH, (context) => refuseSessionMethod(context.req.method, pathOf(context, SESSION_PATH)));
app.get("/search", (context) => answerSearch(context.req.raw, httpServices(context)));
app.get(PAGEFIND_PATH, (context) => answerPagefind(context.req.raw, httpServices(context)));
app.get("/suggest", (context) => answerSuggest(context.req.raw, httpServices(context)));
app.get("/documents/*", (context) => {
  const { raw } = context.req;
  return wantsHtml(raw)
    ? answerDocumentPage(raw, explorerServices(context, SHOWN_PATHS))
    : answerDocument(raw, httpServices(context));
});
app.get("/tree/*", (context) => answerTree(context.req.raw, httpServices(context)));
app.get("/llms.txt", (context) => answerProjectMap(context.req.raw, httpServices(context)));
app.get(FULL_TEXT_PATH, (context) => answerFullText(context.req.raw, httpServices(context)));
app.get(OPENAPI_PATH, (context) =>
  answerOpenApi(context.req.raw, context.env, baseOf(context), isPrivate(context.env)),
);
app.get("/summary", (context) => answerSummary(context.req.raw, httpServices(context)));
app.get("/status", (context) => answerStatus(statusServices(context)));
app.get("/insights", (context) => answerInsights(context.env, context.var.caller, context.var.corpus));
app.get("/health", ({ env, var: { corpus } }) => {
  // Strangers are not told which corpora a private deployment has.
  const inMemory = corpus !== "" && isPrivate(env) ? undefined : corpora.inMemory(corpus);
  return answerHealth(inMemory, isPrivate(env));
});
app.get(CORPORA_PATH, (context) =>
  context.var.corpus === "" ? answerCorpora(context.req.raw, corporaServices(context)) : context.notFound(),
);
for (const path of METADATA_PATHS) {
  app.get(path, (context) => {
    const { req, env } = context;
    return answerMetadata(req.path, baseOf(context), authorizationServers(env)) ?? context.notFound();
  });
}
for (const [path, document] of DISCOVERY_PATHS) {
  app.get(path, async (context) => {
    const { targets, isWhole } = await connectTargets(context, document === "catalog");
    return answerDiscovery(context.req.raw, document, targets, isWhole);
  });
  app.all(path, ({ req }) => respondReadOnly(req.method));
}
for (const path of EXPLORER_FILE_PATHS) {
  app.get(path, ({ req, env }) => answerExplorerFile(req.raw, env, path));
  app.all(path, ({ req }) => respondReadOnly(req.method));
}
for (const { path, answer } of EXPLORER_PAGES) {
  app.get(path, (context) => answer(context.req.raw, explorerServices(context, SHOWN_PATHS)));
  app.all(path, ({ req }) => respondReadOnly(req.method));
}
for (const path of PAGE_SCRIPT_PATHS) {
  app.get(path, ({ req, env }) => answerPageScript(req.raw, env, path));
  app.all(path, ({ req }) => respondReadOnly(req.method));
}
for (const path of READ_ONLY_PATHS) app.all(path, ({ req }) => respondReadOnly(req.method));
app.notFound(async (context) => {
  const { req, var: stations } = context;
  const { caller, corpus, report } = stations;
  const note = (error: unknown): void => report(toProblem(error), "corpora");
  const missed = { request: req.raw, corpus, caller, now: Date.now(), note };
  if (!isMarkdownAddress(req.raw)) return answerNotFound(corpora.list, SHOWN_PATHS, missed);
  const page = await answerPageMarkdown(req.raw, await pageServices(context, note));
  if (!("response" in page)) return answerNotFound(corpora.list, [...page.nearest, ...SHOWN_PATHS], missed);
  stations.record.enterRoute(PAGE_ROUTE);
  return page.response;
});
app.onError((error, context) => {
  const problem = toProblem(error);
  context.var.report(problem, "worker");
  return respondProblem(nameTrace(problem, context.var.record.trace));
});

export default app;

/** A path as the caller knows it: with the name of the corpus. */
function pathOf({ var: { corpus } }: AppContext, path: string): string {
  return `${corpusAddress("", corpus)}${path}`;
}
