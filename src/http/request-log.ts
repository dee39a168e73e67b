/**
 * The line of the log that each request leaves, and the station that writes it.
 *
 * A line is one JSON object. It names the route by its pattern, never by its address: no query, no id, no handle. There is
 * no duration in it: a deployed Worker's clock stands still while it works, and the platform's own logs have the time.
 */
import type { Context, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { ANONYMOUS, type Caller } from "../surface/access/caller.ts";
import { type Report, reportUnder } from "./report.ts";
import {
  type ObservedCall,
  type Outcome,
  openRecord,
  type RequestLine,
  type RequestRecord,
  readEra,
  TRACE_HEADER,
} from "./trace.ts";

/** The platform takes 25 points of one request; a batch of the old protocol may hold more calls. */
const MAX_POINTS = 20;

/** What of the log is written: lines of this level and above. */
export type LogLevel = "off" | "error" | "warn" | "info";

/** What this station needs of a deployment, and what it leaves for those behind it. */
export interface TraceEnv {
  readonly Bindings: { readonly LOG_LEVEL?: string; readonly METRICS?: DataSet };
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

/** The first station of a request: gives it a trace, and writes its line and its data points when it is answered. */
export function traceRequests(): MiddlewareHandler<TraceEnv> {
  return async (context, next) => {
    const record = openRecord(context.req.header("traceparent") ?? null);
    context.set("record", record);
    context.set("report", reportUnder(record.trace, isLogged("error", context.env.LOG_LEVEL)));
    await next();
    context.header(TRACE_HEADER, record.trace);
    const line = describeRequest(context, record);
    if (isLogged(line.level, context.env.LOG_LEVEL)) console.log(JSON.stringify(line));
    writeMetrics(context.env.METRICS, line, record.calls);
  };
}

/** Whether a pattern is that of stations alone: no route answers such a request. */
export function isNoRoute(pattern: string): boolean {
  return pattern === "/*" || pattern === "*";
}

/** Whether lines of a level are written under this setting; a setting that is none means `info`. */
function isLogged(level: Exclude<LogLevel, "off">, setting: string | undefined): boolean {
  const wanted = LEVELS.find((known) => known === setting?.trim().toLowerCase()) ?? "info";
  return LEVELS.indexOf(level) <= LEVELS.indexOf(wanted);
}

function describeRequest(context: Context<TraceEnv>, record: RequestRecord): RequestLine {
  const { status, headers } = context.res;
  const pattern = routePath(context, -1);
  const length = headers.get("Content-Length");
  const { waves, reads, bytes } = record.cost();
  const { calls } = record;
  return {
    level: status >= SERVER_ERROR ? "warn" : "info",
    trace: record.trace,
    method: METHODS.has(context.req.method) ? context.req.method : "other",
    route: record.route() || (isNoRoute(pattern) ? "none" : pattern),
    ...(record.corpus() !== "" && { corpus: record.corpus() }),
    status,
    outcome: outcomeOf(status, calls),
    caller: describeCaller(context.get("caller")),
    ...(length !== null && { answerBytes: Number(length) }),
    ...(MCP_ROUTE.test(pattern) && { era: readEra(context.req.raw.headers) }),
    ...(calls.length > 0 && {
      tool: calls.map(({ tool }) => tool).join(","),
      tokens: calls.reduce((sum, { tokens }) => sum + tokens, 0),
    }),
    ...(record.generation() !== "" && { generation: record.generation() }),
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

/**
 * Data points for Analytics Engine, where a data set is bound.
 *
 * A call of a tool is a point, and so is a request that calls none. The order of the fields is a contract with the queries
 * that operators wrote: `docs/operations.md` lists it, and new fields go behind the old ones.
 */

/** What a bound data set offers; the platform's own type has the same method. */
interface DataSet {
  writeDataPoint(point: DataPoint): void;
}

/** One point. */
export interface DataPoint {
  readonly indexes: string[];
  readonly blobs: string[];
  readonly doubles: number[];
}

/** Write what a request was and did. Does nothing without a data set. */
function writeMetrics(dataSet: DataSet | undefined, line: RequestLine, calls: readonly ObservedCall[]): void {
  if (dataSet === undefined) return;
  try {
    for (const point of toPoints(line, calls)) dataSet.writeDataPoint(point);
  } catch (error) {
    // Whoever asked has their answer; that it was not counted is the operator's to know.
    console.error(
      JSON.stringify({ level: "error", kind: "internal", where: "metrics", trace: line.trace, detail: String(error) }),
    );
  }
}

/** The points of a request: one for each call of a tool, or one for the route. */
export function toPoints(line: RequestLine, calls: readonly ObservedCall[]): DataPoint[] {
  const {
    route,
    status,
    era = "",
    generation = "",
    caller,
    corpus = "",
    answerBytes = 0,
    waves,
    reads,
    bytesRead,
  } = line;
  if (calls.length === 0) {
    return [
      {
        indexes: [route],
        blobs: ["route", line.outcome, era, generation, caller, corpus],
        doubles: [waves, reads, bytesRead, 0, status, answerBytes],
      },
    ];
  }
  return calls.slice(0, MAX_POINTS).map(({ tool, outcome, tokens, cost }) => ({
    indexes: [tool],
    blobs: ["tool", outcome, era, generation, caller, corpus],
    doubles: [cost.waves, cost.reads, cost.bytes, tokens, status, answerBytes],
  }));
}
