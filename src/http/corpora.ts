/**
 * Corpora by name: the route `/corpora`, the middleware that refuses a corpus that does not exist, and the 404 of all other addresses.
 *
 * A caller never learns of a corpus that their key does not open: it is refused in the same words as one that does not exist.
 */

import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { getPath } from "hono/utils/url";
import { nearestNames, quoteName } from "../core/text/nearest.ts";
import { type Caller, mayKnow, NOBODY } from "../surface/access/caller.ts";
import { RESERVED_NAMES } from "../surface/access/corpus-name.ts";
import { CREDENTIAL_HEADERS } from "../surface/access/tokens.ts";
import type { CorpusList, PublishedCorpus } from "../surface/corpus-list.ts";
import { type AddressParameters, FORMAT_PARAMETER } from "../surface/parameters.ts";
import { toProblem } from "../surface/render/problem.ts";
import { CORPORA_PATH, type CorpusEnv, corpusAddress } from "./addresses.ts";
import { refuseRequest } from "./refuse.ts";
import { type HttpServices, JSON_TYPE, MARKDOWN_TYPE, prefers, respondJson, respondText } from "./respond.ts";
import { isNoRoute, type Report, type RequestRecord } from "./trace.ts";

/** A corpus that is published is in the list after a minute, as the listing itself is that old at most. */
const MAX_AGE_SECONDS = 60;

/** What is answered where the bucket cannot be listed. */
const NOT_LISTED = "The corpora of this server cannot be listed right now.";

export interface CorporaServices extends Pick<HttpServices, "isShared" | "now" | "report"> {
  readonly list: CorpusList;
  readonly caller: Caller;
}

/**
 * Corpora that have an index and of which a caller may know, the one at the root first. Undefined where the bucket cannot be listed,
 * which is reported.
 *
 * @param most Names whose pointers are looked at: each look is a read, once a minute.
 */
export async function listPublished(
  services: CorporaServices,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly PublishedCorpus[] | undefined> {
  const { list, caller, now, report } = services;
  const note = (error: unknown): void => report(toProblem(error), CORPORA_PATH);
  try {
    const names = ["", ...(await list.names(now, note))];
    return await list.published(names.filter((name) => mayKnow(caller, name)).slice(0, most), now, note);
  } catch (error) {
    note(error);
    return undefined;
  }
}

export const CORPORA_PARAMETERS = {
  format: FORMAT_PARAMETER,
} as const satisfies AddressParameters;

export async function answerCorpora(request: Request, services: CorporaServices): Promise<Response> {
  const { origin } = new URL(request.url);
  const published = await listPublished(services);
  if (published === undefined) return respondJson({ error: NOT_LISTED, nearest: [] }, 503);
  const corpora = published.map(({ name, publishedAt }) => {
    const url = corpusAddress(origin, name);
    return { name, url, mcp: `${url}/mcp`, publishedAt };
  });
  const isMarkdown = prefers(request, [JSON_TYPE, MARKDOWN_TYPE]) === MARKDOWN_TYPE;
  const list = corpora.map(({ name, url, mcp }) => `- ${name === "" ? "(root)" : name}: ${url}, MCP ${mcp}\n`).join("");
  const text = isMarkdown ? list : JSON.stringify({ corpora });
  return respondText(request, text, `${isMarkdown ? MARKDOWN_TYPE : JSON_TYPE}; charset=utf-8`, {
    "Cache-Control": `${services.isShared ? "public" : "private"}, max-age=${MAX_AGE_SECONDS}`,
    Vary: `${CREDENTIAL_HEADERS}, Accept`,
  });
}

interface EnterEnv {
  readonly Variables: CorpusEnv["Variables"] & {
    readonly caller: Caller;
    readonly record: RequestRecord;
    readonly report: Report;
  };
}

/** Seconds after which the bucket may be listed again. */
const RETRY_SECONDS = "10";

/**
 * Refuses corpora that do not exist. Comes after the middleware that finds the caller and counts requests.
 *
 * Requests to the corpus at the root pass without a look at anything. So do those that no route answers, and anonymous ones at open
 * addresses of a private deployment: answered for each name alike, they do not tell whether it exists.
 *
 * @param shown Addresses that the refusal names as well.
 */
export function enterCorpus(list: CorpusList, shown: readonly string[]): MiddlewareHandler<EnterEnv> {
  return async (context, next) => {
    const { corpus, caller, record, report } = context.var;
    if (corpus === "" || caller === NOBODY || isNoRoute(routePath(context, -1))) return next();
    const note = (error: unknown): void => report(toProblem(error), "corpora");
    const now = Date.now();
    const refuse = async (): Promise<Response> => {
      const nearest = await pickNearest(list, caller, corpus, now, note);
      return refuseRequest(context, 404, `There is no corpus ${quoteName(corpus)} here.`, {}, [...nearest, ...shown]);
    };
    try {
      const waitUntil = (work: Promise<void>): void => context.executionCtx.waitUntil(work);
      if (!mayKnow(caller, corpus) || !(await list.has(corpus, now, note, waitUntil))) return await refuse();
    } catch (error) {
      note(error);
      return refuseRequest(context, 503, NOT_LISTED, { "Retry-After": RETRY_SECONDS });
    }
    record.corpus = corpus;
    await next();
    // A listed corpus turned out to have no index any more: only the route has looked.
    if (list.isAbsent(corpus)) {
      const refusal = await refuse();
      // Or headers of the route's answer would stay, with the length of another body.
      context.res = undefined;
      context.res = refusal;
    }
    return undefined;
  };
}

interface Missed {
  readonly request: Request;
  /** Name of the corpus in the address; `""` for none. */
  readonly corpus: string;
  readonly caller: Caller;
}

/**
 * The 404 of an address that no route has, with the addresses of the corpus that was meant: a hint must not lead into the docs of
 * another version.
 *
 * @param shown Addresses that it names, as they are at the root.
 */
export function answerNotFound(list: CorpusList, shown: readonly string[], missed: Missed): Response {
  const { request, corpus, caller } = missed;
  const path = getPath(request);
  const [segment = "", behind = ""] = path.split("/").filter((one) => one !== "");
  const respond = (nearest: readonly string[]): Response =>
    respondJson({ error: `There is nothing at ${hideHandle(path)}.`, nearest }, 404);
  if (corpus !== "" && mayKnow(caller, corpus) && !list.isAbsent(corpus)) {
    // Before anybody looked, `/v2/search/x` is taken for an address of a corpus, and `/nothing` is not.
    const isMeant = list.isSeen(corpus) || RESERVED_NAMES.has(behind.toLowerCase());
    const addresses = shown.filter((one) => one !== CORPORA_PATH).map((one) => `${corpusAddress("", corpus)}${one}`);
    if (isMeant) return respond(addresses);
  }
  // `/V2/mcp` has no name that a corpus may have, and means one all the same.
  const nearest = RESERVED_NAMES.has(segment) ? [] : nearestNamed(list.known, caller, segment).map(mcpAddress);
  return respond([...nearest, ...shown]);
}

/** Addresses of listed corpora with a name near to that of an address. Pointers that nobody looked at yet are looked at. */
async function pickNearest(
  list: CorpusList,
  caller: Caller,
  segment: string,
  now: number,
  note: (error: unknown) => void,
): Promise<readonly string[]> {
  try {
    return (await list.pick(nearestNamed(list.listed, caller, segment), now, note)).map(mcpAddress);
  } catch (error) {
    note(error);
    return [];
  }
}

function nearestNamed(names: readonly string[], caller: Caller, segment: string): readonly string[] {
  const known = names.filter((name) => mayKnow(caller, name));
  return nearestNames(segment, known);
}

function mcpAddress(name: string): string {
  return `/${name}/mcp`;
}

/** An address without the handle that it may hold, wherever it is: an error that is passed on must share no session. */
function hideHandle(path: string): string {
  return path.replace(/((?:\/|%2f)+s(?:\/|%2f)+)(?:(?!\/|%2f).)+/gi, "$1…");
}
