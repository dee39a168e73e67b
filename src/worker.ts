/**
 * The Worker: stations that every request passes, and routes, nothing else.
 */
import { Hono } from "hono";
import { authorizationServers, isPrivate } from "./access/deployment.ts";
import { authenticate } from "./http/authenticate.ts";
import { boundBody } from "./http/bound-body.ts";
import { answerDiscovery, DISCOVERY_PATHS } from "./http/discovery.ts";
import { answerDocument, answerTree } from "./http/documents.ts";
import { answerSummary } from "./http/graph-summary.ts";
import { guardHeaders } from "./http/headers.ts";
import { answerInsights } from "./http/insights.ts";
import { limitRate } from "./http/limit-rate.ts";
import { answerProjectMap } from "./http/project-map.ts";
import { answerMetadata, METADATA_PATHS } from "./http/protected-resource.ts";
import { traceRequests } from "./http/request-log.ts";
import { respondJson, respondProblem } from "./http/respond.ts";
import { answerSearch } from "./http/search-api.ts";
import { answerHealth, answerStatus } from "./http/status.ts";
import { answerSuggest } from "./http/suggest-api.ts";
import { answerMcp, MCP_PATH, refuseMethod } from "./mcp/endpoint.ts";
import { offeredTools } from "./mcp/profiles.ts";
import { answerSession, refuseSessionMethod, SESSION_PATH } from "./mcp/session-endpoint.ts";
import { nameTrace, toProblem } from "./render/problem.ts";
import { readBucketObject } from "./storage/platform.ts";
import {
  type AppEnv,
  generations,
  httpServices,
  reportOf,
  reportProblem,
  statusServices,
  toolServices,
} from "./worker-services.ts";

export { QueryInsights } from "./insights/query-insights.ts";
export { TreelineSession } from "./session/session.ts";
export { IndexFiles } from "./storage/index-files.ts";

/** Addresses that answer GET and change nothing, beside those of documents for discovery. */
const READ_ONLY_PATHS = [
  "/search",
  "/suggest",
  "/documents/*",
  "/tree/*",
  "/llms.txt",
  "/summary",
  "/status",
  "/insights",
  "/health",
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
  "/summary",
  "/status",
  "/health",
  "/connect",
];

const tools = offeredTools();
const app = new Hono<AppEnv>();

app.use(traceRequests());
app.use(guardHeaders());
app.use(
  authenticate({
    readObject: readBucketObject,
    fetch: (request) => fetch(request),
    report: (error, where) => reportProblem(toProblem(error), where),
  }),
);
app.use(limitRate("RATE_LIMIT"));
app.use(boundBody());

for (const path of [MCP_PATH, "/sse", `/s/:session${MCP_PATH}`]) {
  app.post(path, (context) => answerMcp(context.req.raw, tools, toolServices(context)));
  app.all(path, (context) => refuseMethod(context.req.method));
}
app.post(SESSION_PATH, limitRate("SESSION_RATE_LIMIT"), (context) =>
  answerSession(context.req.raw, tools, toolServices(context, { isCounted: true })),
);
app.all(SESSION_PATH, ({ req }) => refuseSessionMethod(req.method));
app.get("/search", (context) => answerSearch(context.req.raw, httpServices(context)));
app.get("/suggest", (context) => answerSuggest(context.req.raw, httpServices(context)));
app.get("/documents/*", (context) => answerDocument(context.req.raw, httpServices(context)));
app.get("/tree/*", (context) => answerTree(context.req.raw, httpServices(context)));
app.get("/llms.txt", (context) => answerProjectMap(context.req.raw, httpServices(context)));
app.get("/summary", (context) => answerSummary(context.req.raw, httpServices(context)));
app.get("/status", (context) => answerStatus(statusServices(context)));
app.get("/insights", (context) => answerInsights(context.env, context.var.caller));
app.get("/health", ({ env }) => answerHealth(generations.inMemory, isPrivate(env)));
for (const path of METADATA_PATHS) {
  app.get(path, (context) => answerMetadata(context.req.raw, authorizationServers(context.env)) ?? context.notFound());
}
for (const [path, document] of DISCOVERY_PATHS) {
  app.get(path, (context) => answerDiscovery(context.req.raw, document, isPrivate(context.env)));
  app.all(path, ({ req }) => respondReadOnly(req.method));
}
for (const path of READ_ONLY_PATHS) app.all(path, ({ req }) => respondReadOnly(req.method));
app.notFound(({ req }) =>
  respondJson({ error: `There is nothing at ${hideHandle(req.path)}.`, nearest: SHOWN_PATHS }, 404),
);
app.onError((error, context) => {
  const problem = toProblem(error);
  reportOf(context)(problem, "worker");
  return respondProblem(nameTrace(problem, context.var.record.trace));
});

export default app;

/** An address without the handle that it may hold: who shares an error shares no session. */
function hideHandle(path: string): string {
  return path.replace(/^(\/+s\/+)[^/]+/i, "$1…");
}

/** The answer to a method that changes something: there is nothing to change. */
function respondReadOnly(method: string): Response {
  const refusal = respondJson({ error: `${method} is not for this address; it answers GET.`, nearest: [] }, 405);
  refusal.headers.set("Allow", "GET, HEAD");
  return refusal;
}
