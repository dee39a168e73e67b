/**
 * What routes of the Worker need: reading as this caller may, signing, telling the operator. Made anew for each request, out
 * of what stations on its way found out.
 */
import type { Context } from "hono";
import { ANONYMOUS, type Caller, visibleGroups } from "./access/caller.ts";
import { RATE_PERIOD_SECONDS, rateKey } from "./access/rates.ts";
import { createSigningKeys, type SigningKeys } from "./access/signing-keys.ts";
import { InputError } from "./core/errors.ts";
import type { OriginBindings } from "./http/headers.ts";
import { type InsightBindings, observeUnanswered } from "./http/insights.ts";
import { isAllowed } from "./http/limit-rate.ts";
import { listChecks } from "./http/list-checks.ts";
import { isLogged, type TraceEnv } from "./http/request-log.ts";
import type { HttpServices } from "./http/respond.ts";
import type { StatusServices } from "./http/status.ts";
import { recordReads } from "./http/trace.ts";
import type { ToolServices } from "./mcp/call.ts";
import { type Problem, toProblem } from "./render/problem.ts";
import { createDurableSessions, type TreelineSession } from "./session/session.ts";
import type { Sessions } from "./session/sessions.ts";
import type { PinnedGeneration, ReaderView } from "./storage/generations.ts";
import { openGenerations } from "./storage/platform.ts";

/** Settings, secrets and bindings of a deployment. All are optional; storage finds its own bindings. */
export interface Settings extends OriginBindings, InsightBindings, Readonly<TraceEnv["Bindings"]> {
  /** The one secret: signs cursors and session handles, so that they hold on every isolate. */
  readonly TREELINE_SECRET?: string;
  /** Objects that keep sessions; without it none can be opened. */
  readonly SESSIONS?: DurableObjectNamespace<TreelineSession>;
  /** `off` lets everybody ask as often as they like. */
  readonly RATE_LIMITS?: string;
}

/** What a route's context holds. */
export interface AppEnv {
  readonly Bindings: Settings;
  /** What stations on a request's way found out. */
  readonly Variables: TraceEnv["Variables"] & { readonly caller: Caller };
}

/** The context of a route. */
export type AppContext = Context<AppEnv>;

/** Generations of this isolate. */
export const generations = openGenerations((error) => reportProblem(toProblem(error), "pointer"));

let signingKeys: SigningKeys | undefined;

/** Services of the routes for people and programs. */
export function httpServices(context: AppContext): HttpServices {
  const view = viewOf(context);
  const { record, caller } = context.var;
  return {
    withReader: recordReads(record, (run, counters) => generations.withReader(view, run, counters)),
    isShared: caller === ANONYMOUS,
    now: view.now,
    report: reportOf(context),
    trace: record.trace,
    ...insightsOf(context),
  };
}

/** Services of `/status`. */
export function statusServices(context: AppContext): StatusServices {
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

/** Services of the tools. @param isCounted Whether this request was counted as a new session already. */
export function toolServices(context: AppContext, { isCounted = false } = {}): ToolServices {
  signingKeys ??= createSigningKeys(context.env.TREELINE_SECRET);
  const view = viewOf(context);
  const { record } = context.var;
  const { SESSIONS } = context.env;
  return {
    withReader: (run, counters, pin) => recordReads(record, withPinned(view, pin))(run, counters),
    openFresh: (counters) => generations.openFresh(view, counters),
    pinCurrent: (counters) => generations.pinCurrent(view.now, counters),
    ...(SESSIONS && { sessions: countSessions(context, createDurableSessions(SESSIONS), isCounted) }),
    addressSession: context.req.param("session") ?? (context.req.query("session") || undefined),
    origin: new URL(context.req.url).origin,
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

/** Sessions of which a caller opens no more than are allowed, by whatever way. */
function countSessions({ env, req, var: { caller } }: AppContext, sessions: Sessions, isCounted: boolean): Sessions {
  if (isCounted) return sessions;
  const address = req.header("CF-Connecting-IP") ?? null;
  return {
    ...sessions,
    open: async (id, opening) => {
      if (!(await isAllowed(env, "SESSION_RATE_LIMIT", caller, address))) {
        const wait = `Wait ${RATE_PERIOD_SECONDS} seconds, or go on in a session that is open`;
        throw new InputError(`Too many new sessions. ${wait}; calls need none.`);
      }
      return sessions.open(id, opening);
    },
  };
}

/** Takes what an operator must see of a request. */
export function reportOf({ env, var: { record } }: AppContext): HttpServices["report"] {
  return (problem, where) =>
    reportProblem(problem, where, { trace: record.trace, isWanted: isLogged("error", env.LOG_LEVEL) });
}

function withPinned(view: ReaderView, pin: PinnedGeneration | undefined): HttpServices["withReader"] {
  return (run, counters) => generations.withReader({ ...view, ...(pin && { pin }) }, run, counters);
}

/** What a caller may see, now. */
function viewOf({ var: { caller } }: AppContext): ReaderView & Required<Pick<ReaderView, "groupsOf">> {
  return { now: Date.now(), groupsOf: (collections) => visibleGroups(caller, collections) };
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
  const observe = observeUnanswered(env, request, reportOf(context));
  return observe === undefined ? {} : { observeUnanswered: observe };
}

/** One line of JSON for what an operator must see; what callers did wrong is theirs. */
export function reportProblem(problem: Problem, where: string, { trace = "", isWanted = true } = {}): void {
  if (!isWanted || problem.kind === "bad-input" || problem.kind === "no-index") return;
  const { kind, detail } = problem;
  console.error(JSON.stringify({ level: "error", kind, where, ...(trace !== "" && { trace }), detail }));
}
