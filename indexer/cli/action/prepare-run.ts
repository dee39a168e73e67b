/**
 * The step of the Action before its cache: folders to restore, and their keys. It removes these folders first, so what lies
 * there afterwards was restored. It loads little: no parser, no store.
 */

import process from "node:process";
import { codeDigest } from "../../index/digests.ts";
import { EXIT } from "../run-cli.ts";
import { type ActionInputs, readInputs } from "./inputs.ts";
import { type CachePlan, clearPlaces, findActionPlaces, planCache } from "./places.ts";
import { appendTo, createSpeaker, describeMendable, formatOutputs, workspaceOf } from "./runner.ts";
import { type ActionEvent, readEvent, takesCache } from "./task.ts";

/** The step before the cache: its outputs are paths and keys. The result is the exit code. */
export async function prepareRun(environment: NodeJS.ProcessEnv, write: (line: string) => void): Promise<number> {
  try {
    const workspace = workspaceOf(environment);
    const inputs = readInputs(environment, workspace);
    await clearPlaces(findActionPlaces(inputs, workspace));
    const event = await readEvent(environment);
    const plan = planOf(inputs, event, environment);
    const outputs = {
      "cache-path": plan.paths.join("\n"),
      "cache-key": plan.key,
      "restore-keys": plan.restoreKeys.join("\n"),
      "restore-cache": String(takesCache(inputs, event)),
    };
    await appendTo(environment["GITHUB_OUTPUT"], formatOutputs(outputs));
    return EXIT.done;
  } catch (error) {
    // Inputs that cannot be used: the step that does the work says so, with all that belongs to it.
    if (describeMendable(error) !== undefined) return EXIT.done;
    const speaker = createSpeaker(write);
    const message = error instanceof Error ? error.message : String(error);
    speaker.annotate({ level: "error", title: "Treeline failed", message });
    speaker.say(error instanceof Error ? (error.stack ?? message) : message);
    speaker.end();
    return EXIT.failed;
  }
}

function planOf(inputs: ActionInputs, event: ActionEvent, environment: NodeJS.ProcessEnv): CachePlan {
  const { RUNNER_OS: os = process.platform, RUNNER_ARCH: arch = process.arch } = environment;
  const { GITHUB_RUN_ID: run = "0", GITHUB_RUN_ATTEMPT: attempt = "1" } = environment;
  const facts = { platform: `${os}-${arch}`, code: codeDigest(), run: `${run}-${attempt}` };
  return planCache(inputs, event, facts);
}
