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
import { type Caller, mayKnow, NOBODY } from "../access/caller.ts";
import { nearestNames } from "../core/text/nearest.ts";
import { quoteName } from "../core/text/quote-value.ts";
import { toProblem } from "../render/problem.ts";
import type { CorpusList } from "../storage/corpus-list.ts";
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
type Known = Pick<CorpusList, "has" | "isAbsent" | "known">;

const MAX_NEAREST = 3;
/** Seconds after which the bucket may be listed again. */
const RETRY_SECONDS = "10";

/** Refuses corpora that are not there. @param shown Addresses that are told as well. */
export function enterCorpus(list: Known, shown: readonly string[]): MiddlewareHandler<EnterEnv> {
  return async (context, next) => {
    const { corpus, caller, record, report } = context.var;
    if (corpus === "" || caller === NOBODY || isNoRoute(routePath(context, -1))) return next();
    const note = (error: unknown): void => report(toProblem(error), "corpora");
    const refuse = (): Response => refuseCorpus(context, corpus, [...nearestCorpora(list, caller, corpus), ...shown]);
    try {
      if (!mayKnow(caller, corpus) || !(await list.has(corpus, Date.now(), note))) return refuse();
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
      context.res = undefined;
      context.res = refuse();
    }
    return undefined;
  };
}

/** Addresses of corpora that somebody may have meant by the first segment of an address, out of what is known already. */
export function nearestCorpora(list: Pick<Known, "known">, caller: Caller, segment: string): readonly string[] {
  const names = list.known.filter((name) => mayKnow(caller, name));
  return nearestNames(segment, names, MAX_NEAREST).map((name) => `/${name}/mcp`);
}

function refuseCorpus(context: Context<EnterEnv>, corpus: string, nearest: readonly string[]): Response {
  return refuseRequest(context, 404, `There is no corpus ${quoteName(corpus)} here.`, {}, nearest);
}
