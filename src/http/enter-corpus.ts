/**
 * Station behind the caller's and the rate's: refuses an address of a corpus that is not there, or of which the caller may
 * not know, in the same words.
 *
 * Requests to the corpus at the root pass without a look at anything. So do those that no route answers, and those of
 * nobody at open addresses of a private deployment, which say nothing of what is indexed: answered for each name alike, they
 * do not tell whether it is there.
 */
import type { Context, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { nearestNames, quoteName } from "../core/text/nearest.ts";
import { type Caller, mayKnow, NOBODY } from "../surface/access/caller.ts";
import type { CorpusList } from "../surface/corpus-list.ts";
import { toProblem } from "../surface/render/problem.ts";
import { NOT_LISTED } from "./corpora.ts";
import type { CorpusEnv } from "./door.ts";
import { refuseRequest } from "./refuse.ts";
import type { Report } from "./report.ts";
import { isNoRoute } from "./request-log.ts";
import type { RequestRecord } from "./trace.ts";

interface EnterEnv {
  readonly Variables: CorpusEnv["Variables"] & {
    readonly caller: Caller;
    readonly record: RequestRecord;
    readonly report: Report;
  };
}

/** What of the list of corpora is used here. */
type Known = Pick<CorpusList, "has" | "isAbsent" | "listed" | "pick">;

const MAX_NEAREST = 3;
/** Seconds after which the bucket may be listed again. */
const RETRY_SECONDS = "10";

/** Refuses corpora that are not there. @param shown Addresses that are told as well. */
export function enterCorpus(list: Known, shown: readonly string[]): MiddlewareHandler<EnterEnv> {
  return async (context, next) => {
    const { corpus, caller, record, report } = context.var;
    if (corpus === "" || caller === NOBODY || isNoRoute(routePath(context, -1))) return next();
    const note = (error: unknown): void => report(toProblem(error), "corpora");
    const now = Date.now();
    const refuse = async (): Promise<Response> => {
      const nearest = await findNearest(list, caller, corpus, now, note);
      return refuseCorpus(context, corpus, [...nearest, ...shown]);
    };
    try {
      const waitUntil = (work: Promise<void>): void => context.executionCtx.waitUntil(work);
      if (!mayKnow(caller, corpus) || !(await list.has(corpus, now, note, waitUntil))) return await refuse();
    } catch (error) {
      note(error);
      const headers = { "Retry-After": RETRY_SECONDS };
      return refuseRequest(context, 503, NOT_LISTED, headers);
    }
    record.enterCorpus(corpus);
    await next();
    // What was listed turned out to hold no index, or none any more: only the route has looked.
    if (list.isAbsent(corpus)) {
      // Or its headers would stay, with a length that is another body's.
      const refusal = await refuse();
      context.res = undefined;
      context.res = refusal;
    }
    return undefined;
  };
}

/**
 * Addresses of corpora that somebody may have meant by the first segment of an address, out of what is known already.
 *
 * @param names Names that they may be told.
 */
export function nearestCorpora(names: readonly string[], caller: Caller, segment: string): readonly string[] {
  return nearestNames(segment, tellable(names, caller), MAX_NEAREST).map(mcpAddress);
}

/** The same, out of those that are listed: pointers that nobody looked at yet are looked at. */
async function findNearest(
  list: Known,
  caller: Caller,
  segment: string,
  now: number,
  note: (error: unknown) => void,
): Promise<readonly string[]> {
  const names = nearestNames(segment, tellable(list.listed, caller), MAX_NEAREST);
  try {
    return (await list.pick(names, now, note)).map(mcpAddress);
  } catch (error) {
    note(error);
    return [];
  }
}

function tellable(names: readonly string[], caller: Caller): readonly string[] {
  return names.filter((name) => mayKnow(caller, name));
}

function mcpAddress(name: string): string {
  return `/${name}/mcp`;
}

function refuseCorpus(context: Context<EnterEnv>, corpus: string, nearest: readonly string[]): Response {
  return refuseRequest(context, 404, `There is no corpus ${quoteName(corpus)} here.`, {}, nearest);
}
