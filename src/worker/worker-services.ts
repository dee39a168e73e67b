/**
 * Services of the routes: reading as this caller may, signing, telling the operator. Made anew for each request from what the middleware
 * found out; `requestServices` is the core of each.
 */
import type { Context } from "hono";
import { InputError } from "../core/errors.ts";
import type { CostCounters } from "../core/index/cost.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { type CorpusEnv, corpusAddress } from "../http/addresses.ts";
import { isAllowed, type RateSettings } from "../http/callers.ts";
import { type CorporaServices, listPublished } from "../http/corpora.ts";
import type { PageServices } from "../http/explorer/answer-page.ts";
import { MAX_CORPORA_SHOWN } from "../http/explorer/page.ts";
import { Load, type OriginBindings } from "../http/guard.ts";
import { type InsightBindings, observeUnanswered, readInsightReport } from "../http/insights.ts";
import { type AssetBindings, nameExplorerFiles } from "../http/page-files.ts";
import type { HttpServices } from "../http/respond.ts";
import { listChecks, type StatusServices } from "../http/status.ts";
import type { TraceEnv } from "../http/trace.ts";
import type { ToolServices } from "../mcp/call.ts";
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
import { isPrivate } from "../surface/access/deployment.ts";
import { createSigningKeys, hasSecret, SECRET_MISSING, type SigningKeys } from "../surface/access/signing-keys.ts";
import type { ConnectTarget } from "../surface/render/connect.ts";
import { toProblem } from "../surface/render/problem.ts";
import type { SessionPin, Sessions } from "../surface/session/session-state.ts";
import { createDurableSessions, type TreelineSession } from "./session/session.ts";
import type { ReaderView } from "./storage/generations.ts";
import { openCorpora, readBucketObject } from "./storage/platform.ts";

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

/** Environment of a route's context. */
export interface AppEnv {
  readonly Bindings: Settings;
  /** Variables that the middleware sets. */
  readonly Variables: TraceEnv["Variables"] & CorpusEnv["Variables"] & { readonly caller: Caller };
}

/** The context of a route. */
export type AppContext = Context<AppEnv>;

/** Corpora of this isolate. What goes wrong with a pointer is reported by the request that looked at it. */
export const corpora = openCorpora(isCorpusName);

/** Work of this isolate. */
export const load = new Load();

/** By corpus. They are kept for as long as the isolate lives: without a secret they are random. */
const signingKeys = new Map<string, SigningKeys>();

/** Address of the corpus that a request means, `https://docs.example.com/v2`. */
export function baseOf({ req, var: { corpus } }: AppContext): string {
  return corpusAddress(new URL(req.url).origin, corpus);
}

/**
 * Services of a request: reading its corpus as its caller may see it, and what routes need beside. Reads are noted in the request's record.
 *
 * A caller who may not know of a corpus finds nothing published in it.
 */
export function requestServices(context: AppContext) {
  const { record, caller, corpus, report } = context.var;
  const generations = mayKnow(caller, corpus) ? corpora.open(corpus) : undefined;
  const view: ReaderView & Required<Pick<ReaderView, "groupsOf">> = {
    now: Date.now(),
    groupsOf: (collections) => visibleGroups(callerIn(caller, corpus), collections),
    report: (error) => report(toProblem(error), "pointer"),
    ...readTtl(context.env.POINTER_SECONDS),
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
    openFresh: async (counters: CostCounters) => generations?.openFresh(view, counters),
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
    if (await isThere()) context.var.record.corpus = corpus;
    else context.set("corpus", "");
  }
  return requestServices(context);
}

/** Services of `/status`. */
export function statusServices(context: AppContext): StatusServices {
  const {
    env,
    var: { corpus },
  } = context;
  return { ...requestServices(context), checks: listChecks(env, readBucketObject, corpus) };
}

/** Services of `/corpora`. */
export function corporaServices({ var: { caller, report } }: AppContext): CorporaServices {
  return { list: corpora.list, caller, isShared: caller === ANONYMOUS, now: Date.now(), report };
}

/** Services of the explorer's pages. @param shownPaths Addresses that programs are told. */
export function explorerServices(context: AppContext, shownPaths: readonly string[]): PageServices {
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

/** Subjects of a document for discovery. */
interface Targets {
  readonly targets: readonly [ConnectTarget, ...ConnectTarget[]];
  /** Whether there are no others that belong to them: the bucket may not tell. */
  readonly isWhole: boolean;
}

/**
 * Subjects of a document for discovery: the corpus of the request.
 *
 * @param withOthers Whether the other corpora of a public deployment follow, where the one at the root is asked.
 */
export async function connectTargets(context: AppContext, withOthers: boolean): Promise<Targets> {
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
export function toolServices(context: AppContext, { isCounted = false } = {}): ToolServices {
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

/** The setting as a view has it; nothing where it is no number of seconds. */
function readTtl(setting: string | undefined): Pick<ReaderView, "ttlMs"> {
  return /^\d{1,5}$/.test(setting ?? "") ? { ttlMs: Number(setting) * 1000 } : {};
}

/** Takes what a request asked and did not find, where this deployment counts that. */
function insightsOf(context: AppContext): Pick<HttpServices, "observeUnanswered"> {
  const { env, req } = context;
  const { caller, corpus, report } = context.var;
  const request = {
    headers: req.raw.headers,
    caller: rateKey(caller, req.header("CF-Connecting-IP") ?? null),
    now: Date.now(),
    waitUntil: (work: Promise<void>) => context.executionCtx.waitUntil(work),
  };
  const observe = observeUnanswered(env, corpus, request, report);
  return observe === undefined ? {} : { observeUnanswered: observe };
}
