/**
 * Errors as answers, and the cost of a request as a header.
 *
 * Both surfaces show a problem: tools as a result with `isError`, HTTP as a status with a JSON body, JSON-RPC as its error
 * object (section 5.1 of its specification). Details of damage and bugs are for the log; the caller learns what to do.
 * `Server-Timing` has counts without `dur`, as deployed Workers freeze their clocks.
 */
import { BusyError, FormatError, InputError, StaleGenerationError, StorageError } from "../../core/errors.ts";
import type { Cost } from "../../core/index/cost.ts";
import { cleanText } from "./text.ts";

/** A request that was not answered, and why. */
export type Problem =
  | {
      /** The caller asked for something that cannot be. */
      readonly kind: "bad-input";
      readonly message: string;
      readonly nearest: readonly string[];
      readonly example: string | undefined;
    }
  /** Nothing was published yet. */
  | { readonly kind: "no-index"; readonly message: string }
  /**
   * Bytes of the index are wrong or files of it are missing; storage does not answer or the server has too much to do, which may
   * be over in a moment; a bug or a failure of the platform.
   */
  | { readonly kind: "damaged-index" | "unavailable" | "internal"; readonly message: string; readonly detail: string };

/** Seconds after which what is unavailable may be asked for again, as `Retry-After` says it. */
export const RETRY_SECONDS = 5;

/** What a caller is told where no index was published. */
export const NO_INDEX: Problem = {
  kind: "no-index",
  message:
    "No index is published here yet. On a developer's machine `npm start -- <folder>` builds and serves one; " +
    "for a deployment run `treeline build <folder>`, then publish the result to the bucket.",
};

/** The problem that an error stands for. */
export function toProblem(error: unknown): Problem {
  if (error instanceof InputError) {
    return { kind: "bad-input", message: error.message, nearest: error.nearest, example: error.example };
  }
  if (error instanceof FormatError || error instanceof StaleGenerationError) {
    const message =
      "The published index is damaged or incomplete, so this cannot be answered. Build it again and publish it.";
    return { kind: "damaged-index", message, detail: error.message };
  }
  const again = `Try again in ${RETRY_SECONDS} seconds.`;
  if (error instanceof BusyError) {
    const message = `This server has too much to do right now. ${again}`;
    return { kind: "unavailable", message, detail: error.message };
  }
  const detail = describeUnknown(error);
  if (error instanceof StorageError) {
    return { kind: "unavailable", message: `The storage of this server does not answer right now. ${again}`, detail };
  }
  const message = "Something failed inside Treeline; the details are in the log of the server.";
  return { kind: "internal", message, detail };
}

/** The same problem; where the operator's log says more of it, its message names the trace to look for. */
export function nameTrace(problem: Problem, trace: string | undefined): Problem {
  if (trace === undefined || !("detail" in problem)) return problem;
  return { ...problem, message: `${problem.message} Its operator finds more under trace ${trace}.` };
}

/** The problem as text for an agent: what was wrong, the nearest valid names, one example. */
export function formatProblem(problem: Problem): string {
  if (problem.kind !== "bad-input") return problem.message;
  const { message, nearest, example } = problem;
  return [
    message,
    ...(nearest.length > 0 ? [`Did you mean: ${nearest.join(", ")}?`] : []),
    ...(example === undefined ? [] : [`Example: ${example}`]),
  ].join("\n");
}

function describeUnknown(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : ` (cause: ${describeUnknown(error.cause)})`;
  return `${error.stack ?? `${error.name}: ${error.message}`}${cause}`;
}

/** Code of an error that JSON-RPC leaves to servers. */
export const SERVER_ERROR = -32000;

interface RpcError {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Id of the request; null where it was not read. */
  readonly id?: string | number | null;
}

/** The response. It is never cached. */
export function respondRpcError({ status, code, message, headers = {}, id = null }: RpcError): Response {
  return Response.json(
    { jsonrpc: "2.0", error: { code, message: cleanText(message).text }, id },
    { status, headers: { "Cache-Control": "no-store", ...headers } },
  );
}

/** Name of the header. */
export const SERVER_TIMING = "Server-Timing";

/** Metrics by their names in the header, with what follows the number in the description. */
const METRICS: readonly (readonly [name: string, unit: keyof Cost, words: string])[] = [
  ["waves", "waves", "waves of reads"],
  ["reads", "reads", "reads"],
  ["bytes", "bytes", "bytes read"],
  ["cached", "cacheHits", "chunks from memory"],
  ["inflated", "bytesInflated", "bytes inflated"],
  ["postings", "postingsDecoded", "postings decoded"],
  ["scanned", "bytesScanned", "bytes of text scanned"],
  ["scored", "candidatesScored", "candidates scored"],
];

/** The header's value, W3C Server Timing, section 3: `waves;desc="2 waves of reads", reads;desc="5 reads", …`. */
export function formatServerTiming(cost: Cost): string {
  return METRICS.map(([name, unit, words]) => `${name};desc="${cost[unit]} ${words}"`).join(", ");
}
