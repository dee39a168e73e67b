/**
 * What routes of the Worker need: reading as this caller may, signing, telling the operator. Made anew for each request, out
 * of what stations on its way found out.
 */
import type { Context } from "hono";
import { InputError } from "../core/errors.ts";
import { corpusAddress } from "../http/addresses.ts";
import { Load } from "../http/bound-load.ts";
import { type CorporaServices, listPublished } from "../http/corpora.ts";
import type { CorpusEnv } from "../http/door.ts";
import type { PageServices } from "../http/explorer/answer-page.ts";
import { MAX_CORPORA_SHOWN } from "../http/explorer/page.ts";
import type { OriginBindings } from "../http/headers.ts";
import { type InsightBindings, observeUnanswered, readInsightReport } from "../http/insights.ts";
import { isAllowed } from "../http/limit-rate.ts";
import { listChecks } from "../http/list-checks.ts";
import { type AssetBindings, nameExplorerFiles } from "../http/page-files.ts";
import type { TraceEnv } from "../http/request-log.ts";
import type { HttpServices } from "../http/respond.ts";
import type { StatusServices } from "../http/status.ts";
import { recordReads } from "../http/trace.ts";
import type { ToolServices } from "../mcp/call.ts";
import { ANONYMOUS, type Caller, callerIn, mayKnow, visibleGroups } from "../surface/access/caller.ts";
import { isCorpusName } from "../surface/access/corpus-name.ts";
import { isPrivate } from "../surface/access/deployment.ts";
import { RATE_PERIOD_SECONDS, rateKey } from "../surface/access/rates.ts";
import { createSigningKeys, hasSecret, SECRET_MISSING, type SigningKeys } from "../surface/access/signing-keys.ts";
import type { ConnectTarget } from "../surface/render/connect.ts";
import { toProblem } from "../surface/render/problem.ts";
import type { SessionPin } from "../surface/session/session-state.ts";
import type { Sessions } from "../surface/session/sessions.ts";
import { createDurableSessions, type TreelineSession } from "./session/session.ts";
import type { Generations, ReaderView } from "./storage/generations.ts";
import { openCorpora, readBucketObject } from "./storage/platform.ts";

/** Settings, secrets and bindings of a deployment. All are optional; storage finds its own bindings. */
export interface Settings extends OriginBindings, InsightBindings, AssetBindings, Readonly<TraceEnv["Bindings"]> {
  /** The one secret: signs cursors and session handles, so that they hold on every isolate. */
  readonly TREELINE_SECRET?: string;
  /** Objects that keep sessions; without it none can be opened. */
  readonly SESSIONS?: DurableObjectNamespace<TreelineSession>;
  /** `off` lets everybody ask as often as they like. */
  readonly RATE_LIMITS?: string;
  /** Seconds for which an open index answers before the pointer is looked at again; with 0 each request looks. */
  readonly POINTER_SECONDS?: string;
  /** `off` lets requests, and reads of storage, take as long as they like. */
  readonly TIME_LIMITS?: string;
}

/** What a route's context holds. */
export interface AppEnv {
  readonly Bindings: Settings;
  /** What stations on a request's way found out. */
  readonly Variables: TraceEnv["Variables"] & CorpusEnv["Variables"] & { readonly caller: Caller };
}

/** The context of a route. */
export type AppContext = Context<AppEnv>;

/** Corpora of this isolate. What goes wrong with a pointer is reported by the request that looked at it. */
export const corpora = openCorpora(isCorpusName);

/** What this isolate has to do. */
export const load = new Load();

/** What routes read of the generations of a corpus. */
type Published = Pick<Generations, "withReader" | "openFresh" | "openPublished" | "pinCurrent">;

/** A corpus in which nothing is published. */
const NOTHING: Published = {
  withReader: async () => undefined,
  openFresh: async () => undefined,
  openPublished: async () => undefined,
  pinCurrent: async () => undefined,
};

/** By corpus. They are kept for as long as the isolate lives: without a secret they are random. */
const signingKeys = new Map<string, SigningKeys>();

/** Address of the corpus that a request means, `https://docs.example.com/v2`. */
export function baseOf({ req, var: { corpus } }: AppContext): string {
  return corpusAddress(new URL(req.url).origin, corpus);
}

/** Services of the routes for people and programs. */
export function httpServices(context: AppContext): HttpServices {
  const view = viewOf(context);
  const { record, caller } = context.var;
  const generations = generationsOf(context);
  return {
    withReader: recordReads(record, (run, counters) => generations.withReader(view, run, counters)),
    base: baseOf(context),
    isShared: caller === ANONYMOUS,
    now: view.now,
    report: context.var.report,
    trace: record.trace,
    ...insightsOf(context),
  };
}

/**
 * Services of the pages of a site: of the corpus that an address begins with, where there is one, else of the one at the root, whose pages
 * may stand in a folder of any name.
 *
 * @param note Takes why the bucket does not tell which corpora there are.
 */
export async function pageServices(context: AppContext, note: (error: unknown) => void): Promise<HttpServices> {
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
    if (await isThere()) context.var.record.enterCorpus(corpus);
    else context.set("corpus", "");
  }
  return httpServices(context);
}

/** Services of `/status`. */
export function statusServices(context: AppContext): StatusServices {
  const { record, corpus } = context.var;
  const view = viewOf(context);
  const generations = generationsOf(context);
  return {
    ...httpServices(context),
    corpus,
    openPublished: (counters) => {
      record.count(counters);
      return generations.openPublished(view, counters);
    },
    checks: listChecks(context.env, readBucketObject, corpus),
  };
}

/** Services of `/corpora`. */
export function corporaServices({ var: { caller, report } }: AppContext): CorporaServices {
  return { list: corpora.list, caller, isShared: caller === ANONYMOUS, now: Date.now(), report };
}

/** Services of the explorer's pages. @param shownPaths Addresses that programs are told. */
export function explorerServices(context: AppContext, shownPaths: readonly string[]): PageServices {
  const { corpus, caller } = context.var;
  return {
    ...httpServices(context),
    corpus,
    caller,
    needsKey: isPrivate(context.env),
    shownPaths,
    nameFiles: () => nameExplorerFiles(context.env),
    // One more than is shown, and the root, which may have no index.
    listCorpora: () => listPublished(corporaServices(context), MAX_CORPORA_SHOWN + 2),
    readInsights: () => readInsightReport(context.env, caller, corpus),
  };
}

/** What a document for discovery is about. */
interface Targets {
  readonly targets: readonly [ConnectTarget, ...ConnectTarget[]];
  /** Whether there are no others that belong to them: the bucket may not tell. */
  readonly isWhole: boolean;
}

/**
 * What documents for discovery are about: the corpus that is asked.
 *
 * @param withOthers Whether the other corpora of a public deployment follow, where the one at the root is asked.
 */
export async function connectTargets(context: AppContext, withOthers: boolean): Promise<Targets> {
  const { req, env, var: stations } = context;
  const { origin } = new URL(req.url);
  const needsKey = isPrivate(env);
  const describe = (corpus: string): ConnectTarget => ({
    origin: corpusAddress(origin, corpus),
    ...(corpus !== "" && { corpus }),
    needsKey,
  });
  const asked = describe(stations.corpus);
  if (!withOthers || needsKey || stations.corpus !== "") return { targets: [asked], isWhole: true };
  const published = await listPublished(corporaServices(context));
  const [first, ...others] = (published ?? []).map(({ name }) => describe(name));
  // Where nothing is published, or the bucket does not tell, the server itself is there all the same.
  return { targets: first === undefined ? [asked] : [first, ...others], isWhole: published !== undefined };
}

/** Services of the tools. @param isCounted Whether this request was counted as a new session already. */
export function toolServices(context: AppContext, { isCounted = false } = {}): ToolServices {
  const view = viewOf(context);
  const { record, corpus } = context.var;
  const generations = generationsOf(context);
  const { SESSIONS } = context.env;
  return {
    withReader: (run, counters, pin) => recordReads(record, withPinned(generations, view, pin))(run, counters),
    openFresh: (counters) => generations.openFresh(view, counters),
    pinCurrent: (counters) => generations.pinCurrent(view, counters),
    ...(SESSIONS && { sessions: countSessions(context, createDurableSessions(SESSIONS), isCounted) }),
    addressSession: context.req.param("session") ?? (context.req.query("session") || undefined),
    origin: baseOf(context),
    corpus,
    signingKeys: signingKeysOf(context),
    runDear: (run) => load.runDear(run),
    mayCall: (calls) => isAllowed(context, "RATE_LIMIT", calls),
    now: view.now,
    report: context.var.report,
    observe: (event) => {
      record.observe(event);
      if (event.unanswered !== undefined) insightsOf(context).observeUnanswered?.(event.unanswered);
    },
    trace: record.trace,
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

/** Sessions of which a caller opens no more than are allowed, by whatever way. */
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

function withPinned(generations: Published, view: ReaderView, pin: SessionPin | undefined): HttpServices["withReader"] {
  return (run, counters) => generations.withReader({ ...view, ...(pin && { pin }) }, run, counters);
}

/** What is published at the address of a request, as far as this caller may know: nothing, where they may not. */
function generationsOf({ var: { caller, corpus } }: AppContext): Published {
  // Of a corpus with a name they were told before that it is not there.
  return mayKnow(caller, corpus) ? corpora.open(corpus) : NOTHING;
}

/** What a caller may see, now. */
function viewOf(context: AppContext): ReaderView & Required<Pick<ReaderView, "groupsOf">> {
  const { caller, corpus, report } = context.var;
  return {
    now: Date.now(),
    groupsOf: (collections) => visibleGroups(callerIn(caller, corpus), collections),
    report: (error) => report(toProblem(error), "pointer"),
    ...readTtl(context.env.POINTER_SECONDS),
    waitUntil: (work) => context.executionCtx.waitUntil(work),
  };
}

/** The setting as a view has it; nothing where it is no number of seconds. */
function readTtl(setting: string | undefined): Pick<ReaderView, "ttlMs"> {
  return /^\d{1,5}$/.test(setting ?? "") ? { ttlMs: Number(setting) * 1000 } : {};
}

/** Takes what a request asked and did not find, where this deployment counts that. */
function insightsOf(context: AppContext): Pick<HttpServices, "observeUnanswered"> {
  const { env, req, var: stations } = context;
  const request = {
    headers: req.raw.headers,
    caller: rateKey(stations.caller, req.header("CF-Connecting-IP") ?? null),
    now: Date.now(),
    waitUntil: (work: Promise<void>) => context.executionCtx.waitUntil(work),
  };
  const observe = observeUnanswered(env, stations.corpus, request, stations.report);
  return observe === undefined ? {} : { observeUnanswered: observe };
}
