/**
 * Data points for Analytics Engine, where a data set is bound.
 *
 * A call of a tool is a point, and so is a request that calls none. The order of the fields is a contract with the queries
 * that operators wrote: `docs/operations.md` lists it, and new fields go behind the old ones.
 */
import type { ObservedCall, RequestLine } from "./trace.ts";

/** What a bound data set offers; the platform's own type has the same method. */
export interface DataSet {
  writeDataPoint(point: DataPoint): void;
}

/** One point. */
export interface DataPoint {
  readonly indexes: string[];
  readonly blobs: string[];
  readonly doubles: number[];
}

/** The platform takes 25 points of one request; a batch of the old protocol may hold more calls. */
const MAX_POINTS = 20;

/** Write what a request was and did. Does nothing without a data set. */
export function writeMetrics(dataSet: DataSet | undefined, line: RequestLine, calls: readonly ObservedCall[]): void {
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
