/**
 * The Worker: routes, nothing else.
 */
import { type Context, Hono } from "hono";
import { ANONYMOUS, type Caller, visibleGroups } from "./access/caller.ts";
import { authorizationServers } from "./access/deployment.ts";
import { createSigningKeys, type SigningKeys } from "./access/signing-keys.ts";
import { authenticate } from "./http/authenticate.ts";
import { boundBody } from "./http/bound-body.ts";
import { answerDocument, answerTree } from "./http/documents.ts";
import { answerSummary } from "./http/graph-summary.ts";
import { guardHeaders, type OriginBindings } from "./http/headers.ts";
import { limitRate } from "./http/limit-rate.ts";
import { answerProjectMap } from "./http/project-map.ts";
import { answerMetadata, METADATA_PATHS } from "./http/protected-resource.ts";
import { type HttpServices, respondJson } from "./http/respond.ts";
import { answerSearch } from "./http/search-api.ts";
import { answerHealth, answerStatus } from "./http/status.ts";
import { answerSuggest } from "./http/suggest-api.ts";
import type { ToolServices } from "./mcp/call.ts";
import { answerMcp, MCP_PATH, refuseMethod } from "./mcp/endpoint.ts";
import { offeredTools } from "./mcp/profiles.ts";
import { type Problem, toProblem } from "./render/problem.ts";
import type { ReaderView } from "./storage/generations.ts";
import { openGenerations, readBucketObject } from "./storage/platform.ts";

export { IndexFiles } from "./storage/index-files.ts";

/** Settings and secrets of a deployment. All are optional; storage finds its own bindings. */
interface Settings extends OriginBindings {
  /** The one secret: signs cursors and session handles, so that they hold on every isolate. */
  readonly TREELINE_SECRET?: string;
  /** `off` lets everybody ask as often as they like. */
  readonly RATE_LIMITS?: string;
}

interface AppEnv {
  readonly Bindings: Settings;
  /** What stations on a request's way found out. */
  readonly Variables: { readonly caller: Caller };
}

type AppContext = Context<AppEnv>;

const generations = openGenerations((error) => report(toProblem(error), "pointer"));
const tools = offeredTools();
let signingKeys: SigningKeys | undefined;

const app = new Hono<AppEnv>();

app.use(guardHeaders());
app.use(
  authenticate({
    readObject: readBucketObject,
    fetch: (request) => fetch(request),
    report: (error, where) => report(toProblem(error), where),
  }),
);
app.use(limitRate("RATE_LIMIT"));
app.use(boundBody());

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
app.get("/status", (context) => answerStatus(httpServices(context)));
app.get("/health", (context) => answerHealth(httpServices(context)));
for (const path of METADATA_PATHS) {
  app.get(path, (context) => answerMetadata(context.req.raw, authorizationServers(context.env)) ?? context.notFound());
}
for (const path of ["/search", "/suggest", "/documents/*", "/tree/*", "/llms.txt", "/summary", "/status", "/health"]) {
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
  return {
    withReader: (run, counters) => generations.withReader(view, run, counters),
    isShared: context.var.caller === ANONYMOUS,
    now: view.now,
    report,
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
  return {
    withReader: (run, counters) => generations.withReader(view, run, counters),
    openFresh: (counters) => generations.openFresh(view, counters),
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
