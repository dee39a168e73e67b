/**
 * The Worker: routes, nothing else.
 */
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import { ANONYMOUS, type Caller, visibleGroups } from "./access/caller.ts";
import { refuseOrigin } from "./access/origins.ts";
import { createSigningKeys, type SigningKeys } from "./access/signing-keys.ts";
import { answerDocument, answerTree } from "./http/documents.ts";
import { answerSummary } from "./http/graph-summary.ts";
import { answerProjectMap } from "./http/project-map.ts";
import { type HttpServices, respondJson } from "./http/respond.ts";
import { answerSearch } from "./http/search-api.ts";
import { answerHealth, answerStatus } from "./http/status.ts";
import { answerSuggest } from "./http/suggest-api.ts";
import type { ToolServices } from "./mcp/call.ts";
import { answerMcp, MCP_PATH, refuseMethod } from "./mcp/endpoint.ts";
import { offeredTools } from "./mcp/profiles.ts";
import { answerSession, refuseSessionMethod, SESSION_PATH } from "./mcp/session-endpoint.ts";
import { type Problem, toProblem } from "./render/problem.ts";
import { SERVER_TIMING } from "./render/server-timing.ts";
import { createDurableSessions, type TreelineSession } from "./session/session.ts";
import type { Sessions } from "./session/sessions.ts";
import type { ReaderView } from "./storage/generations.ts";
import { openGenerations } from "./storage/platform.ts";

export { TreelineSession } from "./session/session.ts";
export { IndexFiles } from "./storage/index-files.ts";

/** Settings and secrets of a deployment. All are optional; storage finds its own bindings. */
interface Settings {
  /** The one secret: signs cursors and session handles, so that they hold on every isolate. */
  readonly TREELINE_SECRET?: string;
  /** Host names under which the server answers, separated by commas. */
  readonly ALLOWED_HOSTS?: string;
  /** Host names of web pages that may call it, separated by commas, or `*`. */
  readonly ALLOWED_ORIGINS?: string;
  /** Objects that keep sessions; without it none can be opened. */
  readonly SESSIONS?: DurableObjectNamespace<TreelineSession>;
}

interface AppEnv {
  readonly Bindings: Settings;
  /** What stations on a request's way found out. */
  readonly Variables: { readonly caller: Caller };
}

type AppContext = Context<AppEnv>;

const PREFLIGHT_SECONDS = 86_400;

const generations = openGenerations((error) => report(toProblem(error), "pointer"));
const tools = offeredTools();
let signingKeys: SigningKeys | undefined;

const app = new Hono<AppEnv>();

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
    ],
    exposeHeaders: ["ETag", "Retry-After", SERVER_TIMING],
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

for (const path of [MCP_PATH, "/sse", `/s/:session${MCP_PATH}`]) {
  app.post(path, (context) => answerMcp(context.req.raw, tools, mcpServices(context)));
  app.all(path, (context) => refuseMethod(context.req.method));
}
app.post(SESSION_PATH, (context) => answerSession(context.req.raw, tools, mcpServices(context)));
app.all(SESSION_PATH, ({ req }) => refuseSessionMethod(req.method));
app.get("/search", (context) => answerSearch(context.req.raw, httpServices(context)));
app.get("/suggest", (context) => answerSuggest(context.req.raw, httpServices(context)));
app.get("/documents/*", (context) => answerDocument(context.req.raw, httpServices(context)));
app.get("/tree/*", (context) => answerTree(context.req.raw, httpServices(context)));
app.get("/llms.txt", (context) => answerProjectMap(context.req.raw, httpServices(context)));
app.get("/summary", (context) => answerSummary(context.req.raw, httpServices(context)));
app.get("/status", (context) => answerStatus(httpServices(context)));
app.get("/health", (context) => answerHealth(httpServices(context)));
for (const path of ["/search", "/suggest", "/documents/*", "/tree/*", "/llms.txt", "/summary", "/status", "/health"]) {
  app.all(path, ({ req }) => respondReadOnly(req.method));
}
app.notFound(({ req }) =>
  respondJson(
    {
      error: `There is nothing at ${req.path}.`,
      nearest: [
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
      ],
    },
    404,
  ),
);
app.onError((error) => {
  const problem = toProblem(error);
  report(problem, "worker");
  return respondJson({ error: "Something failed inside Treeline; the details are in the log of the server." }, 500);
});

export default app;

/** What a caller may see, now. */
function viewOf({ var: { caller } }: AppContext): ReaderView & Required<Pick<ReaderView, "groupsOf">> {
  return { now: Date.now(), groupsOf: (collections) => visibleGroups(caller, collections) };
}

function httpServices(context: AppContext): HttpServices {
  const view = viewOf(context);
  return { withReader: (run, counters) => generations.withReader(view, run, counters), now: view.now, report };
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
  const { SESSIONS } = context.env;
  const sessions: Sessions | undefined = SESSIONS && createDurableSessions(SESSIONS);
  return {
    withReader: (run, counters, pin) => generations.withReader({ ...view, ...(pin && { pin }) }, run, counters),
    openFresh: (counters) => generations.openFresh(view, counters),
    pinCurrent: (counters) => generations.pinCurrent(view.now, counters),
    ...(sessions && { sessions }),
    addressSession: context.req.param("session") ?? (context.req.query("session") || undefined),
    origin: new URL(context.req.url).origin,
    signingKeys,
    now: view.now,
    report,
  };
}

/** One line of JSON for what an operator must see; what callers did wrong is theirs. */
function report(problem: Problem, where: string): void {
  if (problem.kind === "bad-input" || problem.kind === "no-index") return;
  console.error(JSON.stringify({ level: "error", kind: problem.kind, where, detail: problem.detail }));
}
