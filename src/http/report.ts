/**
 * Lines of the log about what went wrong: what the operator must see of a request beside its own line.
 */
import type { Problem } from "../surface/render/problem.ts";

/** Takes a problem, and the part of the program where it came up. */
export type Report = (problem: Problem, where: string) => void;

/**
 * A report that writes one line of JSON for each problem, with the trace of the request that met it. What callers did wrong
 * is theirs.
 *
 * @param isWanted Whether this deployment writes errors at all.
 */
export function reportUnder(trace: string, isWanted: boolean): Report {
  return (problem, where) => {
    if (!isWanted || problem.kind === "bad-input" || problem.kind === "no-index") return;
    const { kind, detail } = problem;
    console.error(JSON.stringify({ level: "error", kind, where, trace, detail }));
  };
}
