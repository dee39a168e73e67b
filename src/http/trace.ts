/**
 * First middleware of a request: an id that callers can quote, one line of the log.
 *
 * Nothing here holds a query, an address, a handle or a key. A line is one JSON object; it names the route by its pattern. It has no
 * duration: a deployed Worker's clock stands still while it works, and the platform's own logs have the time.
 */

import type { Context, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { formatHex } from "../core/bytes/encodings.ts";
import { type Cost, type CostCounters, sumCosts } from "../core/index/cost.ts";
import { ANONYMOUS, type Caller } from "../surface/access/caller.ts";
import type { Problem } from "../surface/render/problem.ts";

/** Header of every answer that names its trace. */
export const TRACE_HEADER = "X-Trace-Id";

const TRACE_BYTES = 16;
/** W3C Trace Context, section 3.2: version, trace id, parent id, flags. Later versions may add more behind a dash. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;
/** The first revision of MCP without a handshake. Revisions are dates, so they compare as texts. */
const FIRST_MODERN = "2026";

/** What came of a request or a call. */
type Outcome = "answered" | "refused" | "failed";

/** A call of a tool, or what a route did, without arguments and texts. */
interface ObservedCall {
  readonly tool: string;
  readonly outcome: Outcome;
  readonly cost: Cost;
  /** Estimated tokens of the answer. */
  readonly tokens: number;
}

/** What is known of a request so far. Middleware and routes fill it in while the request is answered. */
export class RequestRecord {
  /** 32 hexadecimal digits. */
  readonly trace: string;
  readonly calls: ObservedCall[] = [];
  /** Id of the generation that answered last, or `""`. */
  generation = "";
  /** Name of the corpus, where it exists: names that callers make up are not noted. */
  corpus = "";
  /** The route that answers, where no pattern of an address says it. */
  route = "";
  readonly #counters = new Set<CostCounters>();

  constructor(traceparent: string | null) {
    this.trace = readTraceId(traceparent) ?? formatHex(crypto.getRandomValues(new Uint8Array(TRACE_BYTES)));
  }

  /** Counts what is read with these counters, once for each object. */
  count(counters: CostCounters): void {
    this.#counters.add(counters);
  }

  /** Cost of all reads until now. */
  cost(): Cost {
    return sumCosts([...this.#counters]);
  }
}

/** The trace id in a `traceparent` header; undefined where there is none that is valid. */
function readTraceId(traceparent: string | null): string | undefined {
  const [, id, more] = TRACEPARENT.exec(traceparent ?? "") ?? [];
  // Version 00 has exactly four fields.
  return more !== undefined && traceparent?.startsWith("00") ? undefined : id;
}

/** Era of the protocol that a request to the MCP endpoint says it speaks. */
function readEra(headers: Headers): "2025" | "2026" {
  return (headers.get("MCP-Protocol-Version") ?? "") >= FIRST_MODERN ? "2026" : "2025";
}

/** Takes a problem, and the part of the program where it came up. */
export type Report = (problem: Problem, where: string) => void;

/**
 * A report that writes one line of JSON for each problem, with the trace of the request that met it. What callers did wrong
 * is theirs.
 *
 * @param isWanted Whether this deployment writes errors at all.
 */
function reportUnder(trace: string, isWanted: boolean): Report {
  return (problem, where) => {
    if (!isWanted || problem.kind === "bad-input" || problem.kind === "no-index") return;
    const { kind, detail } = problem;
    console.error(JSON.stringify({ level: "error", kind, where, trace, detail }));
  };
}

/** What of the log is written: lines of this level and above. */
type LogLevel = "off" | "error" | "warn" | "info";

/** Bindings that tracing needs, and variables that it sets. */
export interface TraceEnv {
  readonly Bindings: { readonly LOG_LEVEL?: string };
  readonly Variables: {
    readonly record: RequestRecord;
    /** Takes what the operator must see of this request. */
    readonly report: Report;
    readonly caller?: Caller;
  };
}

const LEVELS: readonly LogLevel[] = ["off", "error", "warn", "info"];
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** Routes behind which the protocol is spoken. */
const MCP_ROUTE = /(^|\/)(mcp|sse)$/;
const SERVER_ERROR = 500;
const CLIENT_ERROR = 400;

/** Gives a request a trace, and writes its line after the answer. */
export function traceRequests(): MiddlewareHandler<TraceEnv> {
  return async (context, next) => {
    const record = new RequestRecord(context.req.header("traceparent") ?? null);
    context.set("record", record);
    context.set("report", reportUnder(record.trace, isLogged("error", context.env.LOG_LEVEL)));
    await next();
    context.header(TRACE_HEADER, record.trace);
    const line = describeRequest(context, record);
    if (isLogged(line.level, context.env.LOG_LEVEL)) console.log(JSON.stringify(line));
  };
}

/** Whether a pattern is that of middleware alone: no route answers such a request. */
export function isNoRoute(pattern: string): boolean {
  return pattern === "/*" || pattern === "*";
}

/** Whether lines of a level are written under this setting; a setting that is none means `info`. */
function isLogged(level: Exclude<LogLevel, "off">, setting: string | undefined): boolean {
  const wanted = LEVELS.find((known) => known === setting?.trim().toLowerCase()) ?? "info";
  return LEVELS.indexOf(level) <= LEVELS.indexOf(wanted);
}

function describeRequest(context: Context<TraceEnv>, record: RequestRecord) {
  const { status, headers } = context.res;
  const pattern = routePath(context, -1);
  const length = headers.get("Content-Length");
  const { waves, reads, bytes } = record.cost();
  const { calls } = record;
  return {
    level: status >= SERVER_ERROR ? ("warn" as const) : ("info" as const),
    trace: record.trace,
    method: METHODS.has(context.req.method) ? context.req.method : "other",
    route: record.route || (isNoRoute(pattern) ? "none" : pattern),
    ...(record.corpus !== "" && { corpus: record.corpus }),
    status,
    outcome: outcomeOf(status, calls),
    caller: describeCaller(context.get("caller")),
    ...(length !== null && { answerBytes: Number(length) }),
    ...(MCP_ROUTE.test(pattern) && { era: readEra(context.req.raw.headers) }),
    ...(calls.length > 0 && {
      tool: calls.map(({ tool }) => tool).join(","),
      tokens: calls.reduce((sum, { tokens }) => sum + tokens, 0),
    }),
    ...(record.generation !== "" && { generation: record.generation }),
    waves,
    reads,
    bytesRead: bytes,
  };
}

/** The worst that came of a request's calls; of a request without calls what its status says. */
function outcomeOf(status: number, calls: readonly ObservedCall[]): Outcome {
  if (status >= SERVER_ERROR || calls.some(({ outcome }) => outcome === "failed")) return "failed";
  return status >= CLIENT_ERROR || calls.some(({ outcome }) => outcome === "refused") ? "refused" : "answered";
}

function describeCaller(caller: Caller | undefined): string {
  if (caller === undefined) return "none";
  // The subject of a token says of itself that it is one.
  return caller.name === ANONYMOUS.name || caller.name.startsWith("token:") ? caller.name : `key:${caller.name}`;
}
