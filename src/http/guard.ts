/**
 * Middleware that protects the server from whoever calls: hosts and origins, headers, time, load, bodies. `src/worker/worker.ts` has the
 * order of all middleware.
 *
 * Most of hono's own does not fit. `cors` cannot let a page on a developer's machine read why it was refused; `secureHeaders` sends one
 * policy, pages and data need two; `bodyLimit` trusts `Content-Length` and waits for a slow body as long as it takes.
 */
import type { MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { timeout } from "hono/timeout";
import { readBounded } from "../core/bytes/reader.ts";
import { BusyError } from "../core/errors.ts";
import { type AccessSettings, isLoopback, isPrivate, readableBy, refuseOrigin } from "../surface/access/deployment.ts";
import { isEndless } from "../surface/patience.ts";
import { RETRY_SECONDS, SERVER_TIMING, toProblem } from "../surface/render/problem.ts";
import { PAGE_SCRIPT_PATHS } from "./page-files.ts";
import { refuseRequest } from "./refuse.ts";
import { TRACE_HEADER } from "./trace.ts";

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

const PREFLIGHT = {
  "Access-Control-Allow-Methods": METHODS.join(", "),
  "Access-Control-Allow-Headers": REQUEST_HEADERS.join(", "),
  "Access-Control-Max-Age": String(PREFLIGHT_SECONDS),
  Allow: METHODS.join(", "),
};

/** Policy of data, which is not for being shown, framed or run. Pages set one of their own. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/**
 * Refuses hosts and pages that may not call, answers preflights, and puts headers on every answer. What a route set stays.
 *
 * Pages never send a browser's own credentials (cookies): a key is in a header that the page itself sets.
 */
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

/** Longest that a request is worked on, in milliseconds. Three tries of one read end before that (`surface/patience.ts`). */
const REQUEST_MS = 4500;

const bounded = timeout(REQUEST_MS, (context) => {
  const message = `This took longer than ${REQUEST_MS / 1000} seconds, since storage is slow right now. Try again in ${RETRY_SECONDS} seconds.`;
  return new HTTPException(503, { res: refuseRequest(context, 503, message) });
});

/**
 * Ends a request with 503 after a few seconds, where storage hangs or answers each of many reads late. `TIME_LIMITS=off` turns it off,
 * for machines that are slower than any storage.
 *
 * Time passes for a deployed Worker only while it waits, so this bounds waiting, never work.
 */
export function limitTime(): MiddlewareHandler<{ Bindings: { readonly TIME_LIMITS?: string } }> {
  return (context, next) => (isEndless(context.env.TIME_LIMITS) ? next() : bounded(context, next));
}

/** Tells with each 503 when to come again. */
export function tellRetry(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    if (context.res.status === 503 && !context.res.headers.has("Retry-After")) {
      context.header("Retry-After", String(RETRY_SECONDS));
    }
  };
}

/** Requests of an isolate at once: some seconds' work. */
const MAX_UNDERWAY = 256;
/** Dear calls among them that wait for their turn. */
const MAX_WAITING = 128;
/** How often a dear call looks whether it is its turn, and after how many milliseconds it no longer waits for cheap ones. */
const STEP_MS = 2;
const MAX_WAIT_MS = 1000;

/**
 * Work of an isolate, one object for its lifetime: a bound on the requests at once, and a queue of expensive calls.
 *
 * An isolate works on one request at a time and lets none wait for another's promises, so a call that waits looks again by its own clock.
 */
export class Load {
  #underway = 0;
  #waiting = 0;
  #dear = 0;

  /** Begins a request; false where there are too many. */
  enter(): boolean {
    if (this.#underway >= MAX_UNDERWAY) return false;
    this.#underway++;
    return true;
  }

  /** Ends one that was begun. */
  leave(): void {
    this.#underway--;
  }

  /** Runs what may take much work, once nothing else is to be done, or for a second was. @throws {BusyError} */
  async runDear<T>(run: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MAX_WAITING) throw new BusyError();
    this.#waiting++;
    try {
      for (let waited = 0; waited < MAX_WAIT_MS; waited += STEP_MS) {
        // Others that have come meanwhile begin here.
        await new Promise((resolve) => setTimeout(resolve, STEP_MS));
        if (this.#dear === 0 && this.#underway <= this.#waiting) break;
      }
    } finally {
      this.#waiting--;
    }
    this.#dear++;
    try {
      return await run();
    } finally {
      this.#dear--;
    }
  }
}

/** Turns away with 503 what an isolate cannot do, at once. */
export function boundLoad(load: Load): MiddlewareHandler {
  return async (context, next) => {
    if (!load.enter()) return refuseRequest(context, 503, toProblem(new BusyError()).message);
    try {
      await next();
    } finally {
      load.leave();
    }
    return undefined;
  };
}

/** Bytes of a body. A call is a question with a filter or a page of text to compare, far below this. */
const MAX_BODY_BYTES = 1024 * 1024;
/** Milliseconds from the first look at a body to its end: a megabyte over a slow line. */
const MAX_BODY_MS = 30_000;
const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/**
 * Reads each body once, before any route. Answers 413 to one that is too large, whatever its `Content-Length` says, and 408 to one that
 * takes too long.
 */
export function boundBody(maxBytes = MAX_BODY_BYTES, maxMs = MAX_BODY_MS): MiddlewareHandler {
  return async (context, next) => {
    const { raw } = context.req;
    if (raw.body === null) return next();
    const reader = raw.body.getReader();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<"slow">((resolve) => {
      timer = setTimeout(() => resolve("slow"), maxMs);
    });
    const read = readBounded(reader, maxBytes).then((bytes) => bytes ?? "large");
    const ended = await Promise.race([read.catch(() => "broken" as const), late]);
    if (timer !== undefined) clearTimeout(timer);
    if (typeof ended !== "string") {
      const { method, headers } = raw;
      // The body of a GET means nothing, and no request of the platform's can hold it.
      const body = BODILESS.has(method) ? null : ended;
      context.req.raw = new Request(raw.url, { method, headers, body });
      return next();
    }
    // What the sender still has is of no use, and neither is how ending it went.
    reader.cancel().catch(() => undefined);
    if (ended === "large") return refuseRequest(context, 413, `The request is larger than ${maxBytes} bytes.`);
    if (ended === "broken") return refuseRequest(context, 400, "The request ended before its body did.");
    const message = `The request took longer than ${Math.ceil(maxMs / 1000)} seconds to come.`;
    return refuseRequest(context, 408, message, { Connection: "close" });
  };
}
