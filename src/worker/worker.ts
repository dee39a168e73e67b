/**
 * The Worker: middleware in the order in which every request passes it, routes, and below them the services of the routes: reading as this
 * caller may, signing, telling the operator. They are made anew for each request; `requestServices` is the core of each.
 */

import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { Hono } from "hono/tiny";
import { InputError } from "../core/errors.ts";
import type { CostCounters } from "../core/index/cost.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { CORPORA_PATH, type CorpusEnv, corpusAddress, nameCorpus, pathBehindDoor } from "../http/addresses.ts";
import { authenticate, isAllowed, limitRate, type RateSettings } from "../http/callers.ts";
import { answerCorpora, answerNotFound, type CorporaServices, enterCorpus, listPublished } from "../http/corpora.ts";
import { answerDiscovery, answerMetadata, DISCOVERY_PATHS, METADATA_PATHS } from "../http/discovery.ts";
import { answerDocument, answerPageMarkdown, answerTree, isMarkdownAddress, PAGE_ROUTE } from "../http/documents.ts";
import type { PageServices } from "../http/explorer/answer-page.ts";
import { answerDocumentPage } from "../http/explorer/document-page.ts";
import { EXPLORER_PAGES } from "../http/explorer/explorer-pages.ts";
import { MAX_CORPORA_SHOWN } from "../http/explorer/page.ts";
import { boundBody, boundLoad, guardHeaders, Load, limitTime, type OriginBindings, tellRetry } from "../http/guard.ts";
import { answerInsights, type InsightBindings, observeUnanswered, readInsightReport } from "../http/insights.ts";
import { answerFullText, answerProjectMap, FULL_TEXT_PATH } from "../http/llms-txt.ts";
import {
  type AssetBindings,
  answerExplorerFile,
  answerOpenApi,
  answerPageScript,
  EXPLORER_FILE_PATHS,
  nameExplorerFiles,
  OPENAPI_PATH,
  PAGE_SCRIPT_PATHS,
} from "../http/page-files.ts";
import { answerPagefind, PAGEFIND_PATH } from "../http/pagefind-api.ts";
import { type HttpServices, respondNotAllowed, respondProblem, wantsHtml } from "../http/respond.ts";
import { answerSearch, answerSuggest } from "../http/search-api.ts";
import { answerSession, SESSION_PATH } from "../http/session-api.ts";
import { answerHealth, answerStatus, answerSummary, listChecks } from "../http/status.ts";
import { type TraceEnv, traceRequests } from "../http/trace.ts";
import { openFromBody, type ToolServices } from "../mcp/call.ts";
import { answerMcp, MCP_PATH, refuseMethod } from "../mcp/endpoint.ts";
import { offeredTools } from "../mcp/profiles.ts";
import {
  ANONYMOUS,
  type Caller,
  callerIn,
  mayKnow,
  RATE_PERIOD_SECONDS,
  rateKey,
  visibleGroups,
} from "../surface/access/caller.ts";
import { isCorpusName } from "../surface/access/corpus-name.ts";
import { authorizationServers, isPrivate } from "../surface/access/deployment.ts";
import { createSigningKeys, hasSecret, SECRET_MISSING, type SigningKeys } from "../surface/access/signing-keys.ts";
import type { ConnectTarget } from "../surface/render/connect.ts";
import { nameTrace, toProblem } from "../surface/render/problem.ts";
import type { SessionPin, Sessions } from "../surface/session/session-state.ts";
import { createDurableSessions, type TreelineSession } from "./session/session.ts";
import type { ReaderView } from "./storage/generations.ts";
import { openCorpora, readBucketObject } from "./storage/platform.ts";

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

/** Corpora of this isolate. What goes wrong with a pointer is reported by the request that looked at it. */
const corpora = openCorpora(isCorpusName);

const load = new Load();

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
  const open: Parameters<typeof answerSession>[2] =
    sessions && ((body, reader, counters) => openFromBody(body, reader, { ...services, sessions }, counters));
  return answerSession(context.req.raw, requestServices(context), open);
});
app.all(SESSION_PATH, (context) =>
  respondNotAllowed(context.req.method, pathOf(context, SESSION_PATH), ["POST", "OPTIONS"]),
);

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
serve("/status", (context) => {
  const {
    env,
    var: { corpus },
  } = context;
  return answerStatus({ ...requestServices(context), checks: listChecks(env, readBucketObject, corpus) });
});
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
  const missed = { request: req.raw, corpus, caller };
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
  app.all(path, ({ req }) => respondNotAllowed(req.method, "this address", ["GET", "HEAD"]));
}

/** Settings, secrets and bindings of a deployment. All are optional; storage finds its own bindings. */
interface Settings
  extends OriginBindings,
    InsightBindings,
    RateSettings,
    AssetBindings,
    Readonly<TraceEnv["Bindings"]> {
  /** The one secret: signs cursors and session handles, so that they hold on every isolate. */
  readonly TREELINE_SECRET?: string;
  /** Objects that keep sessions; without it none can be opened. */
  readonly SESSIONS?: DurableObjectNamespace<TreelineSession>;
  /** Seconds for which an open index answers before the pointer is looked at again; with 0 each request looks. */
  readonly POINTER_SECONDS?: string;
  /** `off` lets requests, and reads of storage, take as long as they like. */
  readonly TIME_LIMITS?: string;
}

interface AppEnv {
  readonly Bindings: Settings;
  /** Variables that the middleware sets. */
  readonly Variables: TraceEnv["Variables"] & CorpusEnv["Variables"] & { readonly caller: Caller };
}

type AppContext = Context<AppEnv>;

/** By corpus. They are kept for as long as the isolate lives: without a secret they are random. */
const signingKeys = new Map<string, SigningKeys>();

/** Address of the corpus that a request means, `https://docs.example.com/v2`. */
function baseOf({ req, var: { corpus } }: AppContext): string {
  return corpusAddress(new URL(req.url).origin, corpus);
}

/**
 * Services of a request: reading its corpus as its caller may see it, and what routes need beside. Reads are noted in the request's record.
 *
 * A caller who may not know of a corpus finds nothing published in it.
 */
function requestServices(context: AppContext) {
  const { record, caller, corpus, report } = context.var;
  const generations = mayKnow(caller, corpus) ? corpora.open(corpus) : undefined;
  const { POINTER_SECONDS: seconds = "" } = context.env;
  const view: ReaderView & Required<Pick<ReaderView, "groupsOf">> = {
    now: Date.now(),
    groupsOf: (collections) => visibleGroups(callerIn(caller, corpus), collections),
    report: (error) => report(toProblem(error), "pointer"),
    ...(/^\d{1,5}$/.test(seconds) && { ttlMs: Number(seconds) * 1000 }),
    waitUntil: (work) => context.executionCtx.waitUntil(work),
  };
  return {
    withReader: async <T>(run: (reader: IndexReader) => Promise<T>, counters: CostCounters, pin?: SessionPin) => {
      record.count(counters);
      const runNoted = (reader: IndexReader): Promise<T> => {
        record.generation = reader.index.generation.id;
        return run(reader);
      };
      return generations?.withReader({ ...view, ...(pin && { pin }) }, runNoted, counters);
    },
    openPublished: async (counters: CostCounters) => {
      record.count(counters);
      return generations?.openPublished(view, counters);
    },
    pinCurrent: async (counters: CostCounters) => generations?.pinCurrent(view, counters),
    base: baseOf(context),
    corpus,
    caller,
    isShared: caller === ANONYMOUS,
    now: view.now,
    report,
    trace: record.trace,
    ...insightsOf(context),
  };
}

/**
 * Services of the pages of a site, of the corpus that the address begins with. Where there is none of that name, of the one at the root:
 * its pages may be in a folder of any name.
 *
 * @param note Takes why the bucket cannot be listed.
 */
async function pageServices(context: AppContext, note: (error: unknown) => void): Promise<HttpServices> {
  const { corpus, caller } = context.var;
  const isThere = async (): Promise<boolean> => {
    try {
      return mayKnow(caller, corpus) && (await corpora.list.has(corpus, Date.now(), note));
    } catch (error) {
      note(error);
      return false;
    }
  };
  if (corpus !== "") {
    if (await isThere()) context.var.record.corpus = corpus;
    else context.set("corpus", "");
  }
  return requestServices(context);
}

function corporaServices({ var: { caller, report } }: AppContext): CorporaServices {
  return { list: corpora.list, caller, isShared: caller === ANONYMOUS, now: Date.now(), report };
}

/** Services of the explorer's pages. @param shownPaths Addresses that programs are told. */
function explorerServices(context: AppContext, shownPaths: readonly string[]): PageServices {
  const { corpus, caller } = context.var;
  return {
    ...requestServices(context),
    needsKey: isPrivate(context.env),
    shownPaths,
    nameFiles: () => nameExplorerFiles(context.env),
    // One more than is shown, and the root, which may have no index.
    listCorpora: () => listPublished(corporaServices(context), MAX_CORPORA_SHOWN + 2),
    readInsights: () => readInsightReport(context.env, caller, corpus),
  };
}

/**
 * Subjects of a document for discovery: the corpus of the request.
 *
 * @param withOthers Whether the other corpora of a public deployment follow, where the one at the root is asked. `isWhole` says that there
 *   are no others: the bucket may not tell.
 */
async function connectTargets(
  context: AppContext,
  withOthers: boolean,
): Promise<{ readonly targets: readonly [ConnectTarget, ...ConnectTarget[]]; readonly isWhole: boolean }> {
  const { req, env } = context;
  const { corpus } = context.var;
  const { origin } = new URL(req.url);
  const needsKey = isPrivate(env);
  const describe = (name: string): ConnectTarget => ({
    origin: corpusAddress(origin, name),
    ...(name !== "" && { corpus: name }),
    needsKey,
  });
  const asked = describe(corpus);
  if (!withOthers || needsKey || corpus !== "") return { targets: [asked], isWhole: true };
  const published = await listPublished(corporaServices(context));
  const [first, ...others] = (published ?? []).map(({ name }) => describe(name));
  // Where nothing is published, or the bucket does not tell, the server itself is there all the same.
  return { targets: first === undefined ? [asked] : [first, ...others], isWhole: published !== undefined };
}

/** Services of the tools. @param isCounted Whether this request was counted as a new session already. */
function toolServices(context: AppContext, { isCounted = false } = {}): ToolServices {
  const services = requestServices(context);
  const { SESSIONS } = context.env;
  return {
    ...services,
    origin: services.base,
    ...(SESSIONS && { sessions: countSessions(context, createDurableSessions(SESSIONS), isCounted) }),
    addressSession: context.req.param("session") ?? (context.req.query("session") || undefined),
    signingKeys: signingKeysOf(context),
    runDear: (run) => load.runDear(run),
    mayCall: (calls) => isAllowed(context, "RATE_LIMIT", calls),
    observe: (event) => {
      context.var.record.calls.push(event);
      if (event.unanswered !== undefined) services.observeUnanswered?.(event.unanswered);
    },
  };
}

/** The keys of a corpus in this isolate. Tells the operator, once an isolate, where they hold on no other. */
function signingKeysOf({ env: { TREELINE_SECRET }, var: { report, corpus } }: AppContext): SigningKeys {
  const known = signingKeys.get(corpus);
  if (known !== undefined) return known;
  if (!hasSecret(TREELINE_SECRET) && signingKeys.size === 0) report(toProblem(new Error(SECRET_MISSING)), "secret");
  const made = createSigningKeys(TREELINE_SECRET, corpus);
  signingKeys.set(corpus, made);
  return made;
}

/** Sessions of which a caller opens no more than the rate limit allows. */
function countSessions(context: AppContext, sessions: Sessions, isCounted: boolean): Sessions {
  if (isCounted) return sessions;
  return {
    ...sessions,
    open: async (id, opening) => {
      if (!(await isAllowed(context, "SESSION_RATE_LIMIT"))) {
        const wait = `Wait ${RATE_PERIOD_SECONDS} seconds, or go on in a session that is open`;
        throw new InputError(`Too many new sessions. ${wait}; calls need none.`);
      }
      return sessions.open(id, opening);
    },
  };
}

/** Takes what a request asked and did not find, where this deployment counts that. */
function insightsOf(context: AppContext): Pick<HttpServices, "observeUnanswered"> {
  const { env, req } = context;
  const { caller, corpus, report } = context.var;
  const request = {
    headers: req.raw.headers,
    caller: rateKey(caller, req.header("CF-Connecting-IP") ?? null),
    waitUntil: (work: Promise<void>) => context.executionCtx.waitUntil(work),
  };
  const observe = observeUnanswered(env, corpus, request, report);
  return observe === undefined ? {} : { observeUnanswered: observe };
}
