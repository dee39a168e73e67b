/**
 * MCP over HTTP: both eras of the protocol on one address, every answer plain JSON.
 *
 * MCP 2026-07-28 is stateless and goes to the handler of the agents package. Requests of the 2025 era (handshake with
 * `initialize`) go to the SDK's own transport, without sessions: left to itself the handler would answer them as an
 * event stream. Host and Origin were checked before either.
 */

import { isLegacyRequest, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { createMcpHandler } from "agents/mcp/server";
import { InputError } from "../core/errors.ts";
import { type Cost, sumCosts } from "../core/index/cost.ts";
import { isDeeperThan, MAX_DEPTH, parseJson } from "../core/parse-text.ts";
import { RATE_PERIOD_SECONDS } from "../surface/access/caller.ts";
import { formatServerTiming, respondRpcError, SERVER_ERROR, SERVER_TIMING } from "../surface/render/problem.ts";
import type { ToolServices, ToolSet } from "./call.ts";
import { type Profile, readProfiles } from "./profiles.ts";
import { createMcpServer } from "./server.ts";

const MAX_BATCH_MESSAGES = 10;

/** Address of the endpoint. */
export const MCP_PATH = "/mcp";

/** JSON-RPC codes for what never reached a server. */
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;

/** The answer to one POST, whose body was bounded before. @param createServer The server that answers, where it is another one. */
export async function answerMcp(
  request: Request,
  set: ToolSet,
  around: ToolServices,
  createServer = createMcpServer,
): Promise<Response> {
  const costs: Cost[] = [];
  let unavailable: string | undefined;
  const services: ToolServices = {
    ...around,
    report: (problem, where) => {
      if (problem.kind === "unavailable") unavailable = problem.message;
      around.report(problem, where);
    },
    withReader: (run, counters, pin) => {
      costs.push(counters);
      return around.withReader(run, counters, pin);
    },
  };
  // Not by `text()`, which has the platform warn in its log of whatever type a caller may name.
  const body = new TextDecoder().decode(await request.arrayBuffer());
  // The transport answers what is not JSON with the protocol's own error.
  const given = parseJson(body);
  if (isDeeperThan(given, MAX_DEPTH)) {
    return refuseRequest(`The request nests deeper than ${MAX_DEPTH} levels.`);
  }
  const profiles = readProfilesOf(request);
  if (profiles instanceof Response) return profiles;
  const inner = rebuild(request, body);
  const batch = readBatch(given);
  if ("refusal" in batch) return refuseRequest(batch.refusal);
  const parsedBody = batch.body;
  const listener = idOfListener(parsedBody);
  if (listener !== undefined) {
    const message = "Nothing is announced here: resources and lists change when an index is published.";
    return respondRpcError({ status: 404, code: METHOD_NOT_FOUND, message, id: listener });
  }
  const more = countCalls(parsedBody) - 1;
  if (more > 0 && (await services.mayCall?.(more)) === false) {
    const message = `Too many calls: each message of a batch counts as one. Wait ${RATE_PERIOD_SECONDS} seconds, then go on.`;
    const headers = { "Retry-After": String(RATE_PERIOD_SECONDS) };
    return respondRpcError({ status: 429, code: SERVER_ERROR, message, headers });
  }
  const legacy = await isLegacyRequest(inner, parsedBody);
  const response = legacy
    ? await answerLegacy(inner, parsedBody, () => createServer(set, services, profiles))
    : await createMcpHandler(() => createServer(set, services, profiles), {
        legacy: "reject",
        route: MCP_PATH,
        corsOptions: false,
        allowedOriginHostnames: "*",
      }).fetch(inner, parsedBody === undefined ? {} : { parsedBody });
  // Who asks one thing can ask it again; of a batch, other answers may be there.
  if (unavailable !== undefined && !Array.isArray(parsedBody)) {
    return respondRpcError({ status: 503, code: SERVER_ERROR, message: unavailable, id: idOf(parsedBody) });
  }
  const headers = new Headers(response.headers);
  headers.set("Cache-Control", "no-store");
  if (costs.length > 0) headers.set(SERVER_TIMING, formatServerTiming(sumCosts(costs)));
  return new Response(response.body, { status: response.status, headers });
}

/**
 * The answer to any other method: there is no stream to open and no session to end.
 *
 * @param path Of the endpoint that takes calls.
 */
export function refuseMethod(method: string, path: string): Response {
  const message = `MCP clients send POST requests to ${path}; ${method} is not offered.`;
  return respondRpcError({ status: 405, code: SERVER_ERROR, message, headers: { Allow: "POST, OPTIONS" } });
}

async function answerLegacy(
  request: Request,
  parsedBody: unknown,
  createServer: () => ReturnType<typeof createMcpServer>,
): Promise<Response> {
  const server = createServer();
  // `sessionIdGenerator: undefined` is how the SDK spells "no sessions".
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, parsedBody === undefined ? {} : { parsedBody });
  } finally {
    await server.close();
  }
}

/** Profiles that the address asks for, or the answer to an address that names one that there is not. */
function readProfilesOf(request: Request): readonly Profile[] | undefined | Response {
  try {
    return readProfiles(new URL(request.url).searchParams.get("tools"));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return refuseRequest(error.message);
  }
}

/** The request once more, with its body at hand, on the address that the handler serves. */
function rebuild(request: Request, body: string): Request {
  const url = new URL(request.url);
  url.pathname = MCP_PATH;
  const headers = new Headers(request.headers);
  if (!headers.has("Host")) headers.set("Host", url.host);
  // Answers are JSON in any case, so a client that does not announce both forms is served all the same.
  headers.set("Accept", "application/json, text/event-stream");
  return new Request(url, { method: "POST", headers, body });
}

/**
 * Id of a request for a stream of announcements. The SDK would hold such a stream open for ever, and this server announces
 * no capability that would ever send something on it.
 */
function idOfListener(body: unknown): string | number | undefined {
  return memberOf(body, "method") === "subscriptions/listen" ? (idOf(body) ?? undefined) : undefined;
}

/** Requests of a body, those of a batch each. */
function countCalls(body: unknown): number {
  return Array.isArray(body) ? body.filter((message) => idOf(message) !== null).length : 1;
}

/** Id of a message; null where it has none. */
function idOf(body: unknown): string | number | null {
  const id = memberOf(body, "id");
  return typeof id === "string" || typeof id === "number" ? id : null;
}

function refuseRequest(message: string): Response {
  return respondRpcError({ status: 400, code: INVALID_REQUEST, message });
}

/** A batch of the 2025 era that can be answered, or why it cannot. Anything else passes as it is. */
export function readBatch(body: unknown): { readonly body: unknown } | { readonly refusal: string } {
  if (!Array.isArray(body)) return { body };
  const messages: readonly unknown[] = body;
  if (messages.length > MAX_BATCH_MESSAGES) {
    return { refusal: `A batch holds ${MAX_BATCH_MESSAGES} messages at most; this one has ${messages.length}.` };
  }
  const requests = messages.filter((message) => memberOf(message, "method") !== undefined);
  const ids = requests.map((message) => memberOf(message, "id")).filter((id) => id !== undefined);
  // Of two requests with one id only the first would be answered.
  if (new Set(ids).size < ids.length) return { refusal: "Two requests of this batch have the same id." };
  // Who cancels a request gets no answer to it, and the batch would be waited for without end: all answers go together.
  const kept = messages.filter((message) => memberOf(message, "method") !== "notifications/cancelled");
  return { body: kept.length === 0 ? messages : kept };
}

function memberOf(message: unknown, name: string): unknown {
  return typeof message === "object" && message !== null ? Reflect.get(message, name) : undefined;
}
