/**
 * Second and third station on a request's way: which pages may call and read, what a browser must not do with an answer.
 *
 * Pages are never allowed to send a browser's own credentials (cookies): a key stands in a header that the page itself
 * sets. A route may set any of these headers itself; what it set stays.
 */
import type { MiddlewareHandler } from "hono";
import { type AccessSettings, isPrivate } from "../surface/access/deployment.ts";
import { isLoopback, readableBy, refuseOrigin } from "../surface/access/origins.ts";
import { SERVER_TIMING } from "../surface/render/server-timing.ts";
import { PAGE_SCRIPT_PATHS } from "./page-files.ts";
import { refuseRequest } from "./refuse.ts";
import { TRACE_HEADER } from "./trace.ts";

/** Settings that say who may call. */
export interface OriginBindings extends AccessSettings {
  /** Host names under which the server answers, separated by commas. */
  readonly ALLOWED_HOSTS?: string;
  /** Host names of web pages that may call it, separated by commas, or `*`. */
  readonly ALLOWED_ORIGINS?: string;
}

const PREFLIGHT_SECONDS = 86_400;
const HSTS_SECONDS = 31_536_000;
const METHODS = ["GET", "HEAD", "POST", "OPTIONS"];
const REQUEST_HEADERS = [
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
];
const READABLE_HEADERS = ["ETag", "Retry-After", SERVER_TIMING, TRACE_HEADER, "WWW-Authenticate"];

/** Data is not for being shown, framed or run. Pages that are set a policy of their own. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Refuses hosts and pages that may not call, answers preflights, and puts headers on every answer. */
export function guardHeaders(): MiddlewareHandler<{ Bindings: OriginBindings }> {
  return async (context, next) => {
    const request = context.req.raw;
    const { ALLOWED_HOSTS, ALLOWED_ORIGINS } = context.env;
    const settings = {
      allowedHosts: ALLOWED_HOSTS,
      allowedOrigins: ALLOWED_ORIGINS,
      isPrivate: isPrivate(context.env),
    };
    const isModule = PAGE_SCRIPT_PATHS.includes(context.req.path);
    const refusal = refuseOrigin(request, isModule ? { ...settings, allowedOrigins: "*" } : settings);
    // Modules are for every page. On a developer's machine a page is told why it is refused. Neither says anything of the index.
    const isOpen = isModule || (refusal !== undefined && isLoopback(request));
    const readable = isOpen ? "*" : refusal === undefined ? readableBy(request, settings) : undefined;
    if (refusal !== undefined) context.res = refuseRequest(context, 403, refusal);
    else if (request.method === "OPTIONS") context.res = new Response(null, { status: 204, headers: PREFLIGHT });
    else await next();
    const add = (name: string, value: string): void => {
      if (!context.res.headers.has(name)) context.header(name, value);
    };
    if (readable !== undefined) {
      add("Access-Control-Allow-Origin", readable);
      add("Access-Control-Expose-Headers", READABLE_HEADERS.join(", "));
      // What CORS lets a page read of a response, this lets it read of the response's entry among its timings.
      add("Timing-Allow-Origin", readable);
    }
    if (readable !== "*") context.header("Vary", "Origin", { append: true });
    add("X-Content-Type-Options", "nosniff");
    add("Referrer-Policy", "no-referrer");
    add("Content-Security-Policy", DATA_POLICY);
    add("Cross-Origin-Resource-Policy", settings.isPrivate ? "same-origin" : "cross-origin");
    if (new URL(request.url).protocol === "https:") add("Strict-Transport-Security", `max-age=${HSTS_SECONDS}`);
    return undefined;
  };
}

const PREFLIGHT = {
  "Access-Control-Allow-Methods": METHODS.join(", "),
  "Access-Control-Allow-Headers": REQUEST_HEADERS.join(", "),
  "Access-Control-Max-Age": String(PREFLIGHT_SECONDS),
  Allow: METHODS.join(", "),
};
