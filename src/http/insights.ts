/**
 * Route `/insights`: what callers asked and did not find. For maintainers alone.
 */
import type { Caller } from "../surface/access/caller.ts";
import { type InsightEntry, type InsightReport, insightsObject, normalizeQuery } from "../surface/insights.ts";
import type { Unanswered } from "../surface/render/answer.ts";
import { toProblem } from "../surface/render/problem.ts";
import { type HttpServices, respondJson } from "./respond.ts";

export interface InsightBindings {
  /** `off`: nothing is counted or shown. */
  readonly QUERY_INSIGHTS?: string;
  readonly INSIGHTS?: {
    getByName(name: string): {
      count(entries: readonly InsightEntry[]): Promise<void>;
      read(): Promise<InsightReport>;
      ping(): Promise<unknown>;
    };
  };
}

/** What a caller may see of the questions to a corpus: the report; or why not. */
export type ShownInsights = InsightReport | "not-admin" | "off";

/** The questions to a corpus, for admins. */
export async function readInsightReport(
  bindings: InsightBindings,
  caller: Pick<Caller, "isAdmin">,
  corpus: string,
): Promise<ShownInsights> {
  if (!caller.isAdmin) return "not-admin";
  const objects = findObjects(bindings);
  return objects === undefined ? "off" : { ...(await objects.getByName(insightsObject(corpus)).read()) };
}

export async function answerInsights(bindings: InsightBindings, caller: Caller, corpus: string): Promise<Response> {
  const shown = await readInsightReport(bindings, caller, corpus);
  if (shown === "not-admin") {
    return respondJson({ error: "Query insights are shown to holders of an admin key.", nearest: [] }, 403);
  }
  if (shown === "off") {
    return respondJson(
      { error: "This deployment counts no queries: QUERY_INSIGHTS is off, or INSIGHTS is not bound.", nearest: [] },
      404,
    );
  }
  return respondJson({ ...shown });
}

interface AskedBy {
  readonly headers: Headers;
  /** What tells this caller apart from others, as a key or an address. */
  readonly caller: string;
  /** Keeps the request alive behind its answer. */
  readonly waitUntil: (work: Promise<void>) => void;
}

/**
 * Takes questions to a corpus that is there, of a request that found nothing good, and counts them behind its answer; undefined where this
 * deployment counts none. Who asked not to be tracked is not, and what may be private is dropped.
 */
export function observeUnanswered(
  bindings: InsightBindings,
  corpus: string,
  { headers, caller, waitUntil }: AskedBy,
  report: HttpServices["report"],
): ((unanswered: Unanswered) => void) | undefined {
  const objects = findObjects(bindings);
  if (objects === undefined || headers.get("DNT") === "1" || headers.get("Sec-GPC") === "1") return undefined;
  const count = async (query: string, kind: string): Promise<void> => {
    try {
      await objects.getByName(insightsObject(corpus)).count([{ query, kind, caller }]);
    } catch (error) {
      report(toProblem(error), "insights");
    }
  };
  return ({ query, kind }) => {
    const normalized = normalizeQuery(query);
    if (normalized !== undefined) waitUntil(count(normalized, kind));
  };
}

function findObjects({ QUERY_INSIGHTS, INSIGHTS }: InsightBindings): InsightBindings["INSIGHTS"] {
  return QUERY_INSIGHTS?.trim().toLowerCase() === "off" ? undefined : INSIGHTS;
}
