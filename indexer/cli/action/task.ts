/**
 * The event that started a run of the Action, and the task that follows from it: publish, say what would be published, only
 * build, or parse a part.
 */

import { readFile } from "node:fs/promises";
import { InputError } from "../../../src/core/errors.ts";
import { isFsError } from "../../base/file-system.ts";
import { isRecord } from "../../base/read-json.ts";
import { type ActionInputs, bucketAddress, listMissing } from "./inputs.ts";
export interface ActionEvent {
  /** `push`, `pull_request` … */
  readonly name: string;
  /** `refs/heads/main`, `refs/pull/7/merge` … */
  readonly ref: string;
  readonly isBranch: boolean;
  /** Whether `ref` is the branch that the repository calls its default one. */
  readonly isDefaultBranch: boolean;
  readonly isPullRequest: boolean;
  /** Who gets no secrets; undefined where they are there if somebody set them. */
  readonly withoutSecrets: "fork" | "dependabot" | undefined;
  /** Branch that a pull request is for, `""` else. */
  readonly baseBranch: string;
}

const PULL_REQUESTS = new Set(["pull_request", "pull_request_target", "pull_request_review", "merge_group"]);
/** Events that run on the default branch alone and carry no other content. */
const ON_DEFAULT_BRANCH = new Set(["schedule", "repository_dispatch"]);
const DEPENDABOT = "dependabot[bot]";

/** The event that the environment describes. Nothing in the file of the event is taken on trust. */
export async function readEvent(environment: NodeJS.ProcessEnv): Promise<ActionEvent> {
  const { GITHUB_EVENT_NAME: name = "", GITHUB_REF: ref = "", GITHUB_ACTOR: actor = "" } = environment;
  const payload = await readPayload(environment["GITHUB_EVENT_PATH"]);
  const repository = recordIn(payload, "repository");
  const defaultBranch = textIn(repository, "default_branch");
  const isPullRequest = PULL_REQUESTS.has(name);
  const isFork = isPullRequest && isFromFork(recordIn(payload, "pull_request"), repository);
  return {
    name,
    ref,
    isBranch: ref.startsWith("refs/heads/"),
    isDefaultBranch: ON_DEFAULT_BRANCH.has(name) || (defaultBranch !== "" && ref === `refs/heads/${defaultBranch}`),
    isPullRequest,
    withoutSecrets: isFork ? "fork" : actor === DEPENDABOT ? "dependabot" : undefined,
    baseBranch: isPullRequest ? (environment["GITHUB_BASE_REF"] ?? "") : "",
  };
}

type Payload = Readonly<Record<string, unknown>>;

/** Whether the commits of a pull request are of another repository. A repository that is gone was another one. */
function isFromFork(pullRequest: Payload, repository: Payload): boolean {
  if (Object.keys(pullRequest).length === 0) return false;
  return textIn(recordIn(recordIn(pullRequest, "head"), "repo"), "full_name") !== textIn(repository, "full_name");
}

async function readPayload(path: string | undefined): Promise<Payload> {
  if (path === undefined || path === "") return {};
  try {
    return toRecord(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    // A run without a payload, or with another than is known, is one of which less is known.
    if (error instanceof SyntaxError || isFsError(error)) return {};
    throw error;
  }
}

function recordIn(record: Payload, name: string): Payload {
  return toRecord(record[name]);
}

function toRecord(value: unknown): Payload {
  return isRecord(value) ? value : {};
}

function textIn(record: Payload, name: string): string {
  const value = record[name];
  return typeof value === "string" ? value : "";
}

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
