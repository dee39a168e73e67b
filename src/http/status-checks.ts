/**
 * Checks of a deployment's parts: each asked once, for a bounded time, all at once.
 *
 * Whoever asks learns which part fails; why is for the log.
 */

import { within } from "../surface/patience.ts";
import { type Problem, toProblem } from "../surface/render/problem.ts";

/** A part that can be asked. */
export interface Check {
  readonly name: string;
  /** Whether the deployment answers nothing right without it. */
  readonly isNeeded: boolean;
  /** Asks it. `absent` where this deployment has no such part. @throws what is wrong with it. */
  readonly run: () => Promise<"ok" | "absent">;
}

/** What a check gave. */
export interface CheckResult {
  readonly name: string;
  readonly state: "ok" | "failed" | "absent";
  readonly isNeeded: boolean;
}

/** Longer than a slow read of the bucket takes, shorter than those who ask wait. */
const MAX_WAIT_MS = 5000;

/** Runs checks. @param report Takes why one failed. */
export function runChecks(
  checks: readonly Check[],
  report: (problem: Problem, where: string) => void,
  maxWaitMs = MAX_WAIT_MS,
): Promise<CheckResult[]> {
  return Promise.all(
    checks.map(async ({ name, isNeeded, run }): Promise<CheckResult> => {
      try {
        return {
          name,
          isNeeded,
          state: await within(maxWaitMs, run(), `${name} did not answer within ${maxWaitMs} ms`),
        };
      } catch (error) {
        report(toProblem(error), `status/${name}`);
        return { name, isNeeded, state: "failed" };
      }
    }),
  );
}

/** Whether something is broken that the deployment needs: what is missing is broken then, too. */
export function isBroken(results: readonly CheckResult[]): boolean {
  return results.some(({ isNeeded, state }) => isNeeded && state !== "ok");
}

/** A check of an object that a binding stands for; absent where nothing is bound. */
export function checkBinding<T>(
  name: string,
  binding: T | undefined,
  ask: (binding: T) => Promise<unknown>,
  isNeeded = false,
): Check {
  const run: Check["run"] = async () => {
    if (binding === undefined) return "absent";
    await ask(binding);
    return "ok";
  };
  return { name, isNeeded, run };
}
