/**
 * What a run of the Action does: publish, say what would be published, only build, or parse a part. Pure.
 */
import { InputError } from "../../../src/core/errors.ts";
import type { ActionEvent } from "./action-event.ts";
import { type ActionInputs, bucketAddress, listMissing } from "./action-inputs.ts";

/** See the header. `why` is a sentence for the summary. */
export interface Task {
  readonly kind: "publish" | "dry-run" | "build" | "part";
  readonly why: string;
}

/** Events that mean "this is the content now" where they come from the default branch. */
const PUBLISHES = new Set(["push", "schedule", "workflow_dispatch", "repository_dispatch"]);
/** Those of which a job checks out the branch itself, whatever it does then. */
const BRINGS_BRANCH = new Set(["push", "schedule"]);
const SECRETLESS = {
  fork: "This pull request comes from a fork, which gets no secrets: nothing was compared with the bucket.",
  dependabot: "Dependabot gets no secrets of Actions: nothing was compared with the bucket.",
} as const;

/** The task of a run. @throws {InputError} where inputs are missing for it. */
export function chooseTask({ mode, shard, bucket }: ActionInputs, event: ActionEvent): Task {
  if (shard !== undefined)
    return { kind: "part", why: `Part ${shard.index} of ${shard.of}, for the job that joins them.` };
  if (mode === "build") return { kind: "build", why: "The input mode says build: the bucket was not asked." };
  const task: Task =
    mode === "publish"
      ? { kind: "publish", why: "The input mode says publish." }
      : mode === "dry-run"
        ? { kind: "dry-run", why: "The input mode says dry-run." }
        : chooseByEvent(event);
  const missing = listMissing(bucket);
  if (missing.length === 0) return task;
  if (task.kind === "dry-run" && event.withoutSecrets !== undefined) {
    return { kind: "build", why: SECRETLESS[event.withoutSecrets] };
  }
  bucketAddress(bucket);
  throw new InputError(
    `the input ${missing.join(" and the input ")} ${missing.length === 1 ? "is" : "are"} empty: set the secrets of an R2 API token that may read and write objects of this bucket${event.withoutSecrets === undefined ? "" : "; this run gets no secrets"}`,
    [],
    `access-key-id: \${{ secrets.R2_ACCESS_KEY_ID }}`,
  );
}

/**
 * Whether a run may begin with what an earlier one left: where nothing of it is published. Other workflows of a repository write caches
 * as well, and what one of them put there would come out as text that is in no source; for such runs the bucket is the index before.
 */
export function takesCache({ mode, shard }: Pick<ActionInputs, "mode" | "shard">, event: ActionEvent): boolean {
  if (mode === "publish") return false;
  // What is built may be deployed by another step, and a part is published by the job that joins it.
  if (mode === "build" || shard !== undefined) return event.isPullRequest;
  return mode === "dry-run" || chooseByEvent(event).kind === "dry-run";
}

/**
 * Whether the next run may begin with what this one makes: where it publishes, or is of an event that brings the default branch
 * and nothing else. A comment on a pull request runs under the name of the default branch, too, and its job may have checked out
 * what a stranger sent.
 */
export function leavesCache({ kind }: Pick<Task, "kind">, event: ActionEvent): boolean {
  if (!event.isBranch || event.withoutSecrets !== undefined) return false;
  return kind === "publish" ? PUBLISHES.has(event.name) : event.isDefaultBranch && BRINGS_BRANCH.has(event.name);
}

function chooseByEvent({ name, isDefaultBranch, isPullRequest, ref }: ActionEvent): Task {
  if (isPullRequest) return { kind: "dry-run", why: "A pull request publishes nothing." };
  if (PUBLISHES.has(name) && isDefaultBranch) return { kind: "publish", why: "" };
  const why = PUBLISHES.has(name)
    ? `${shorten(ref)} is not the default branch; with mode: publish it is published too.`
    : `The event ${shorten(name)} publishes only with mode: publish.`;
  return { kind: "dry-run", why };
}

/** Names of branches are written by whoever pushes: what is no plain letter is left out of sentences. */
function shorten(name: string): string {
  return `\`${name.replace(/[^\w./-]/g, "?").slice(0, 100)}\``;
}
