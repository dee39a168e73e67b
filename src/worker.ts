/**
 * The Worker: routes, nothing else.
 */
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import { ANONYMOUS, type Caller, visibleGroups } from "./access/caller.ts";
import { refuseOrigin } from "./access/origins.ts";
import { createSigningKeys, type SigningKeys } from "./access/signing-keys.ts";
import { answerDiscovery, DISCOVERY_PATHS } from "./http/discovery.ts";
import { answerDocument, answerTree } from "./http/documents.ts";
import { answerSummary } from "./http/graph-summary.ts";
import { answerInsights, type InsightBindings, nameAsker, observeUnanswered } from "./http/insights.ts";
import { type CheckedBindings, listChecks } from "./http/list-checks.ts";
import { answerProjectMap } from "./http/project-map.ts";
import { isLogged, type TraceEnv, traceRequests } from "./http/request-log.ts";
import { type HttpServices, respondJson, respondProblem } from "./http/respond.ts";
import { answerSearch } from "./http/search-api.ts";
import { answerHealth, answerStatus, type StatusServices } from "./http/status.ts";
import { answerSuggest } from "./http/suggest-api.ts";
import { recordReads, TRACE_HEADER } from "./http/trace.ts";
import type { ToolServices } from "./mcp/call.ts";
import { answerMcp, MCP_PATH, refuseMethod } from "./mcp/endpoint.ts";
import { offeredTools } from "./mcp/profiles.ts";
import { nameTrace, type Problem, toProblem } from "./render/problem.ts";
import { SERVER_TIMING } from "./render/server-timing.ts";
import type { ReaderView } from "./storage/generations.ts";
import { openGenerations } from "./storage/platform.ts";

export { QueryInsights } from "./insights/query-insights.ts";
export { IndexFiles } from "./storage/index-files.ts";

/** Settings and secrets of a deployment. All are optional; storage finds its own bindings. */
interface Settings extends Readonly<TraceEnv["Bindings"]>, InsightBindings, Pick<CheckedBindings, "SESSIONS"> {
  /** The one secret: signs cursors and session handles, so that they hold on every isolate. */
  readonly TREELINE_SECRET?: string;
  /** Host names under which the server answers, separated by commas. */
  readonly ALLOWED_HOSTS?: string;
  /** Host names of web pages that may call it, separated by commas, or `*`. */
  readonly ALLOWED_ORIGINS?: string;
  /** `private` where nobody without a key is answered. */
  readonly ACCESS?: string;
}

interface AppEnv {
  readonly Bindings: Settings;
  /** What stations on a request's way found out. */
  readonly Variables: TraceEnv["Variables"] & { readonly caller: Caller };
}

type AppContext = Context<AppEnv>;

const PREFLIGHT_SECONDS = 86_400;

const generations = openGenerations((error) => report(toProblem(error), "pointer"));
const tools = offeredTools();
let signingKeys: SigningKeys | undefined;

const app = new Hono<AppEnv>();

app.use(traceRequests());
app.use(
  cors({
    origin: "*",
    allowMethods: ["GET", "HEAD", "POST", "OPTIONS"],
    allowHeaders: [
      "Accept",
      "Authorization",
      "Content-Type",
      "If-None-Match",
      "Last-Event-ID",
      "MCP-Protocol-Version",
      "Mcp-Method",
      "Mcp-Name",
      "Mcp-Session-Id",
      "traceparent",
    ],
    exposeHeaders: ["ETag", "Retry-After", SERVER_TIMING, TRACE_HEADER],
    maxAge: PREFLIGHT_SECONDS,
  }),
);
app.use(async (context, next) => {
  const { ALLOWED_HOSTS, ALLOWED_ORIGINS } = context.env;
  const refusal = refuseOrigin(context.req.raw, { allowedHosts: ALLOWED_HOSTS, allowedOrigins: ALLOWED_ORIGINS });
  if (refusal !== undefined) return respondJson({ error: refusal, nearest: [] }, 403);
  context.set("caller", ANONYMOUS);
  await next();
  // What CORS lets a page read of a response, this lets it read of the response's entry among its timings.
  context.header("Timing-Allow-Origin", "*");
  return undefined;
});

for (const path of [MCP_PATH, "/sse"]) {
  app.post(path, (context) => answerMcp(context.req.raw, tools, mcpServices(context)));
  app.all(path, (context) => refuseMethod(context.req.method));
}
app.get("/search", (context) => answerSearch(context.req.raw, httpServices(context)));
app.get("/suggest", (context) => answerSuggest(context.req.raw, httpServices(context)));
app.get("/documents/*", (context) => answerDocument(context.req.raw, httpServices(context)));
app.get("/tree/*", (context) => answerTree(context.req.raw, httpServices(context)));
app.get("/llms.txt", (context) => answerProjectMap(context.req.raw, httpServices(context)));
app.get("/summary", (context) => answerSummary(context.req.raw, httpServices(context)));
app.get("/status", (context) => answerStatus(statusServices(context)));
app.get("/insights", (context) => answerInsights(context.env, context.var.caller));
app.get("/health", () => answerHealth(generations.inMemory));
for (const [path, document] of DISCOVERY_PATHS) {
  app.get(path, (context) => answerDiscovery(context.req.raw, document, needsKey(context.env)));
  app.all(path, ({ req }) => respondReadOnly(req.method));
}
for (const path of [
  "/search",
  "/suggest",
  "/documents/*",
  "/tree/*",
  "/llms.txt",
  "/summary",
  "/status",
  "/insights",
  "/health",
]) {
  app.all(path, ({ req }) => respondReadOnly(req.method));
}
app.notFound(({ req }) =>
  respondJson(
    {
      error: `There is nothing at ${req.path}.`,
      nearest: [
        MCP_PATH,
        "/search?q=…",
        "/suggest?q=…",
        "/documents/{id}",
        "/tree/{id}",
        "/llms.txt",
        "/summary",
        "/status",
        "/health",
        "/connect",
      ],
    },
    404,
  ),
);
app.onError((error, context) => {
  const { trace } = context.var.record;
  const problem = toProblem(error);
  reportOf(context)(problem, "worker");
  return respondProblem(nameTrace(problem, trace));
});

export default app;

/** Whether callers need a key: whatever is not spelt `public` is private. */
function needsKey({ ACCESS }: Settings): boolean {
  return !["", "public"].includes((ACCESS ?? "").trim().toLowerCase());
}

/** What a caller may see, now. */
function viewOf({ var: { caller } }: AppContext): ReaderView & Required<Pick<ReaderView, "groupsOf">> {
  return { now: Date.now(), groupsOf: (collections) => visibleGroups(caller, collections) };
}

function httpServices(context: AppContext): HttpServices {
  const view = viewOf(context);
  const { record } = context.var;
  return {
    withReader: recordReads(record, (run, counters) => generations.withReader(view, run, counters)),
    now: view.now,
    report: reportOf(context),
    trace: record.trace,
    ...insightsOf(context),
  };
}

/** Takes what a request asked and did not find, where this deployment counts that. */
function insightsOf(context: AppContext): Pick<HttpServices, "observeUnanswered"> {
  const {
    env,
    req,
    var: { caller },
  } = context;
  const request = {
    headers: req.raw.headers,
    caller: nameAsker(caller, req.header("CF-Connecting-IP") ?? null),
    now: Date.now(),
    waitUntil: (work: Promise<void>) => context.executionCtx.waitUntil(work),
  };
  const observe = observeUnanswered(env, request, reportOf(context));
  return observe === undefined ? {} : { observeUnanswered: observe };
}

function statusServices(context: AppContext): StatusServices {
  const { record } = context.var;
  const view = viewOf(context);
  return {
    ...httpServices(context),
    openPublished: (counters) => {
      record.count(counters);
      return generations.openPublished(view, counters);
    },
    checks: listChecks(context.env),
  };
}

/** The answer to a method that changes something: there is nothing to change. */
function respondReadOnly(method: string): Response {
  const refusal = respondJson({ error: `${method} is not for this address; it answers GET.`, nearest: [] }, 405);
  refusal.headers.set("Allow", "GET, HEAD");
  return refusal;
}

function mcpServices(context: AppContext): ToolServices {
  signingKeys ??= createSigningKeys(context.env.TREELINE_SECRET);
  const view = viewOf(context);
  const { record } = context.var;
  return {
    withReader: recordReads(record, (run, counters) => generations.withReader(view, run, counters)),
    openFresh: (counters) => generations.openFresh(view, counters),
    signingKeys,
    now: view.now,
    report: reportOf(context),
    observe: (event) => {
      record.observe(event);
      if (event.unanswered !== undefined) insightsOf(context).observeUnanswered?.(event.unanswered);
    },
    trace: record.trace,
  };
}

/** Takes what an operator must see of a request. */
function reportOf({ env, var: { record } }: AppContext): HttpServices["report"] {
  return (problem, where) =>
    report(problem, where, { trace: record.trace, isWanted: isLogged("error", env.LOG_LEVEL) });
}

/** One line of JSON for what an operator must see; what callers did wrong is theirs. */
function report(problem: Problem, where: string, { trace = "", isWanted = true } = {}): void {
  if (!isWanted || problem.kind === "bad-input" || problem.kind === "no-index") return;
  const { kind, detail } = problem;
  console.error(JSON.stringify({ level: "error", kind, where, ...(trace !== "" && { trace }), detail }));
}
