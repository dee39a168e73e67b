/**
 * What went wrong, in the five ways that a caller can act on. The one place where errors become answers.
 *
 * Both surfaces show a problem: the tools as a result with `isError`, HTTP as a status with a JSON body. Details of
 * damage and of bugs are for the log; the caller is told what to do about them.
 *
 * Pure: an error in, words out.
 */
import { BusyError, FormatError, InputError, StaleGenerationError, StorageError } from "../../core/errors.ts";

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
  /** Bytes of the index are not what they should be, or files of it are missing. */
  | { readonly kind: "damaged-index"; readonly message: string; readonly detail: string }
  /** Storage does not answer, or the server has too much to do: it may work in a moment. */
  | { readonly kind: "unavailable"; readonly message: string; readonly detail: string }
  /** A bug or a failure of the platform. */
  | { readonly kind: "internal"; readonly message: string; readonly detail: string };

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
    return {
      kind: "damaged-index",
      message:
        "The published index is damaged or incomplete, so this cannot be answered. Build it again and publish it.",
      detail: error.message,
    };
  }
  if (error instanceof BusyError) {
    return {
      kind: "unavailable",
      message: `This server has too much to do right now. Try again in ${RETRY_SECONDS} seconds.`,
      detail: error.message,
    };
  }
  if (error instanceof StorageError) {
    return {
      kind: "unavailable",
      message: `The storage of this server does not answer right now. Try again in ${RETRY_SECONDS} seconds.`,
      detail: describeUnknown(error),
    };
  }
  return {
    kind: "internal",
    message: "Something failed inside Treeline; the details are in the log of the server.",
    detail: describeUnknown(error),
  };
}

/** The same problem; where the operator's log says more of it, its message names the trace to look for. */
export function nameTrace(problem: Problem, trace: string | undefined): Problem {
  if (trace === undefined || !("detail" in problem)) return problem;
  return { ...problem, message: `${problem.message} Its operator finds more under trace ${trace}.` };
}

/** The problem as text for an agent: what was wrong, the nearest valid names, one example. */
export function formatProblem(problem: Problem): string {
  switch (problem.kind) {
    case "bad-input": {
      const lines = [problem.message];
      if (problem.nearest.length > 0) lines.push(`Did you mean: ${problem.nearest.join(", ")}?`);
      if (problem.example !== undefined) lines.push(`Example: ${problem.example}`);
      return lines.join("\n");
    }
    case "no-index":
    case "damaged-index":
    case "unavailable":
    case "internal":
      return problem.message;
  }
}

function describeUnknown(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : ` (cause: ${describeUnknown(error.cause)})`;
  return `${error.stack ?? `${error.name}: ${error.message}`}${cause}`;
}
