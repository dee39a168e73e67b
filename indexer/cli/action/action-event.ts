/**
 * What started a run of GitHub Actions, as far as it decides what the Action does.
 *
 * I/O: reads the file of the event.
 */
import { readFile } from "node:fs/promises";
import { isFsError } from "../../base/file-system.ts";
import { isRecord } from "../../base/read-json.ts";

/** See the header. */
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
