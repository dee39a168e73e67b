/**
 * Responses of the HTTP routes: JSON bodies, explicit caching, 304 for what a client has, problems as a status.
 */

import { parseAccept } from "hono/utils/accept";
import { crc32 } from "../core/bytes/checksum.ts";
import { formatHex } from "../core/bytes/encodings.ts";
import { type CostCounters, createCounters } from "../core/index/cost.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { PUBLIC_GROUP } from "../surface/access/caller.ts";
import { CREDENTIAL_HEADERS } from "../surface/access/tokens.ts";
import type { JsonObject, Unanswered } from "../surface/render/answer.ts";
import {
  formatProblem,
  formatServerTiming,
  NO_INDEX,
  nameTrace,
  type Problem,
  SERVER_TIMING,
  toProblem,
} from "../surface/render/problem.ts";
import { cleanJson, SERVER_VERSION } from "../surface/render/text.ts";
import type { Report } from "./trace.ts";

/** What the routes need from the shell around them. */
export interface HttpServices {
  /** Runs with a reader over the current generation; what it costs is added to the counters. */
  readonly withReader: <T>(
    run: (reader: IndexReader) => Promise<T>,
    counters: CostCounters,
  ) => Promise<{ readonly value: T } | undefined>;
  /** Address of the corpus that answers, `https://docs.example.com/v2`. */
  readonly base: string;
  /** Whether the answers are those that everybody gets, so that caches may share them. */
  readonly isShared: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Takes what only the operator should see. */
  readonly report: Report;
  /** Id under which the operator's log has this request. */
  readonly trace?: string;
  /** Told of a question that found nothing good. */
  readonly observeUnanswered?: (unanswered: Unanswered) => void;
}

/** Kept nowhere: answers that change with the clock, and errors. */
const UNCACHED = "no-store";
/** Kept by the browser, but asked again each time: an answer stays right for as long as its generation is current. */
const REVALIDATED = "public, no-cache";
/** The same for an answer that is one caller's: no cache on the way keeps it. */
const REVALIDATED_PRIVATELY = "private, no-cache";

const VIEW_BYTES = 8;
const JSON_CONTENT = "application/json; charset=utf-8";

interface Route {
  /** Name for the log. */
  readonly where: string;
  /** Which of several forms of the same address is sent, where the address alone does not say it. */
  readonly variant?: string;
  readonly run: (reader: IndexReader) => Promise<Response>;
  /** Headers of the answer that a 304 must say again: a browser puts what it says in place of what it kept. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What to answer a problem with; a status and words when absent. */
  readonly respondWith?: (problem: Problem) => Response;
}

/**
 * The answer of a route over the index. A client that already has the answer of the current generation gets a 304
 * before anything else is read: the same address, generation, server and view of the index give the same answer.
 */
export async function answerFromIndex(request: Request, services: HttpServices, route: Route): Promise<Response> {
  const { variant, run, where, respondWith } = route;
  const answer = async (reader: IndexReader): Promise<Response> => {
    const parts = [SERVER_VERSION, reader.index.generation.id, await nameView(reader), variant];
    const etag = `W/"${parts.filter((part) => part !== undefined).join("-")}"`;
    const headers = {
      ...route.headers,
      ETag: etag,
      "Cache-Control": services.isShared ? REVALIDATED : REVALIDATED_PRIVATELY,
      Vary: [CREDENTIAL_HEADERS, ...(variant === undefined ? [] : ["Accept"])].join(", "),
    };
    if (hasTag(request, etag)) return new Response(null, { status: 304, headers });
    const response = await run(reader);
    if (response.ok) for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  };
  return readIndex(services, where, answer, respondWith);
}

/**
 * What tells apart the views of an index: undefined for that of everybody, else a digest of the groups in it. Without it, an
 * answer that one caller keeps would be confirmed by a 304 to another who may not see the same.
 */
async function nameView({ shards }: IndexReader): Promise<string | undefined> {
  const groups = [...new Set(shards.map(({ root }) => root.group))].sort();
  if (groups.length === 1 && groups[0] === PUBLIC_GROUP) return undefined;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(groups)));
  return formatHex(new Uint8Array(digest, 0, VIEW_BYTES));
}

/**
 * A response made with a reader of the index, or the problem that came up as one. Either says in `Server-Timing` what it
 * cost.
 *
 * @param respondWith What to answer a problem with; a status and words when absent.
 */
export async function readIndex(
  services: HttpServices,
  where: string,
  run: (reader: IndexReader, counters: CostCounters) => Promise<Response>,
  respondWith: (problem: Problem) => Response = (problem) => respondProblem(nameTrace(problem, services.trace)),
): Promise<Response> {
  const counters = createCounters();
  const response = await (async () => {
    try {
      const done = await services.withReader((reader) => run(reader, counters), counters);
      return done?.value ?? respondWith(NO_INDEX);
    } catch (error) {
      const problem = toProblem(error);
      services.report(problem, where);
      return respondWith(problem);
    }
  })();
  response.headers.set(SERVER_TIMING, formatServerTiming(counters));
  return response;
}

/** A JSON answer. Texts of documents in it are stripped of invisible characters. */
export function respondJson(body: JsonObject, status = 200): Response {
  // As bytes, so that their number is known to those who count what was sent.
  const bytes = new TextEncoder().encode(JSON.stringify(cleanJson(body).value));
  return new Response(bytes, {
    status,
    headers: { "Content-Type": JSON_CONTENT, "Content-Length": `${bytes.length}`, "Cache-Control": UNCACHED },
  });
}

/** Status of an answer that is a problem, by its kind. */
const STATUSES: Readonly<Record<Problem["kind"], number>> = {
  "bad-input": 400,
  "no-index": 503,
  "damaged-index": 503,
  unavailable: 503,
  internal: 500,
};

/** A problem as a status with a JSON body `{error, nearest, example, problem}`; `problem` is its kind, for programs. */
export function respondProblem(problem: Problem, status = STATUSES[problem.kind]): Response {
  const details =
    problem.kind === "bad-input"
      ? { error: problem.message, nearest: problem.nearest, example: problem.example }
      : { error: formatProblem(problem), nearest: [] };
  return respondJson({ ...details, problem: problem.kind }, status);
}

const WEAK = /^W\//;

/** Whether `If-None-Match` of a request names this tag. */
function hasTag({ headers }: Request, etag: string): boolean {
  const opaque = etag.replace(WEAK, "");
  const known = (headers.get("If-None-Match") ?? "").split(",");
  return known.some((tag) => tag.trim().replace(WEAK, "") === opaque);
}

/**
 * The bytes, or a 304 for a client that has them.
 *
 * @param etag The tag, with its quotes.
 * @param type What the bytes are, `Content-Type`.
 * @param headers Of both answers.
 */
export function respondTagged(
  request: Request,
  bytes: Uint8Array,
  etag: string,
  type: string,
  headers: Readonly<Record<string, string>>,
): Response {
  const common = { ...headers, ETag: etag };
  if (hasTag(request, etag)) return new Response(null, { status: 304, headers: common });
  return new Response(bytes, { headers: { ...common, "Content-Type": type, "Content-Length": `${bytes.length}` } });
}

/** The same for a text, whose tag is made of what it says. */
export function respondText(
  request: Request,
  text: string,
  type: string,
  headers: Readonly<Record<string, string>>,
): Response {
  const bytes = new TextEncoder().encode(text);
  return respondTagged(request, bytes, `"${SERVER_VERSION}-${crc32(bytes).toString(16)}"`, type, headers);
}

/** The answer to a method that an address is not for. @param allowed Methods that it is for. */
export function respondNotAllowed(method: string, path: string, allowed: readonly string[]): Response {
  const refusal = respondJson({ error: `${method} is not for ${path}; it takes ${allowed[0]}.`, nearest: [] }, 405);
  refusal.headers.set("Allow", allowed.join(", "));
  return refusal;
}

/*
 * Form of an answer: by `?format=` in the address, else by the `Accept` header (RFC 9110, section 12.5.1).
 *
 * Of two forms that are named alike, the first in the order in which the server offers them counts: `[json, markdown, html]`. Programs that
 * send no wish or a wildcard get the first, browsers name HTML alone, and agents that name HTML and Markdown read Markdown. Answers chosen so
 * have `Vary: Accept`.
 */

/** JSON, the first form of most answers. */
export const JSON_TYPE = "application/json";
/** Markdown, RFC 7763. */
export const MARKDOWN_TYPE = "text/markdown";
/** Pages for browsers. */
const HTML_TYPE = "text/html";

/** Values of `?format=`. An unknown one means the first type that is offered. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ["json", JSON_TYPE],
  ["markdown", MARKDOWN_TYPE],
  ["md", MARKDOWN_TYPE],
  ["html", HTML_TYPE],
]);

/**
 * The type that a request prefers among those offered. Where it names none of them, or only by a wildcard, the first: an answer in another form helps
 * more than 406.
 *
 * @param offered Without parameters, `text/html`; the default first.
 */
export function prefers<T extends string>(request: Request, offered: readonly [T, ...T[]]): T {
  const format = new URL(request.url).searchParams.get("format");
  if (format !== null) {
    const named = FORMATS.get(format.toLowerCase());
    return offered.find((type) => type === named) ?? offered[0];
  }
  const ranges = parseAccept(request.headers.get("Accept") ?? "");
  const weightOf = (type: T): number =>
    Math.max(0, ...ranges.filter((range) => range.type.toLowerCase() === type).map(({ q }) => q));
  const [best] = offered.filter((type) => weightOf(type) > 0).sort((one, other) => weightOf(other) - weightOf(one));
  return best ?? offered[0];
}

/** Whether a request wants a page for a browser rather than what programs and agents read at the same address. */
export function wantsHtml(request: Request): boolean {
  return prefers(request, [JSON_TYPE, MARKDOWN_TYPE, HTML_TYPE]) === HTML_TYPE;
}
