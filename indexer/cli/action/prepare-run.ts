/**
 * The step of the Action before its cache: which folders to restore, under which keys. These are removed first, so what
 * lies there afterwards is what was restored. It loads little: no parser, no store.
 *
 * I/O: reads what the runner says of the run, removes folders, and writes the step's outputs.
 */
import { resolve } from "node:path";
import process from "node:process";
import { codeDigest } from "../../index/digests.ts";
import { EXIT } from "../command.ts";
import { type ActionEvent, readEvent } from "./action-event.ts";
import { type ActionInputs, readInputs } from "./action-inputs.ts";
import { clearPlaces, findActionPlaces } from "./action-places.ts";
import { type CachePlan, planCache } from "./cache-plan.ts";
import { takesCache } from "./choose-task.ts";
import { describeMendable } from "./describe-mendable.ts";
import { appendTo, formatOutputs } from "./runner-files.ts";
import { createSpeaker } from "./workflow-commands.ts";

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

/** Folder that paths of inputs start at. */
export function workspaceOf(environment: NodeJS.ProcessEnv): string {
  return resolve(environment["GITHUB_WORKSPACE"] || process.cwd());
}

function planOf(inputs: ActionInputs, event: ActionEvent, environment: NodeJS.ProcessEnv): CachePlan {
  const { RUNNER_OS: os = process.platform, RUNNER_ARCH: arch = process.arch } = environment;
  const { GITHUB_RUN_ID: run = "0", GITHUB_RUN_ATTEMPT: attempt = "1" } = environment;
  const facts = { platform: `${os}-${arch}`, code: codeDigest(), run: `${run}-${attempt}` };
  return planCache(inputs, event, facts);
}
