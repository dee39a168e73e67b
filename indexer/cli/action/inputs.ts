/**
 * Inputs of a run of the Action, checked, the event that started it, and the task that follows from both. Inputs come in variables
 * `INPUT_…`, never in the text of a script.
 */

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { z } from "zod";
import { InputError } from "../../../src/core/errors.ts";
import { parseJson, pick } from "../../../src/core/parse-text.ts";
import { isSafeForSecrets } from "../../../src/core/text/addresses.ts";
import { nearestNames, quoteName, quoteValue } from "../../../src/core/text/nearest.ts";
import { checkCorpusName } from "../../../src/surface/access/corpus-name.ts";
import { onFsError } from "../../base/file-system.ts";
import { readFailOn } from "../../config/fail-on.ts";
import { readPart } from "../../index/split-build.ts";
import { KEEP_WORDS, readKeep } from "../../publish/published.ts";
import { ACCOUNT_ID, JURISDICTION, R2_BUCKET, r2Endpoint } from "../../publish/s3.ts";
import { isInside, relativePath } from "../../sources/discover.ts";

const MAX_NEAREST = 1;
/** Of stores that are not R2, which may have names with dots. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** An input that is not given is left out before it is checked. */
const text = z.string().default("");
const lines = z
  .string()
  .transform((written) =>
    written
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  )
  .default([]);
const flag = z.stringbool({ truthy: ["true"], falsy: ["false"] });

/** A text that fits. @param fault What is wrong with another, as the end of a sentence that begins with the input. */
function fitting(fits: (given: string) => boolean, fault: (given: string) => string, example?: string) {
  return z.string().superRefine((given, context) => {
    if (!fits(given)) context.addIssue({ code: "custom", message: fault(given), params: { example } });
  });
}

const INPUTS = z
  .object({
    root: text,
    config: text,
    corpus: z
      .string()
      .transform((name) => {
        checkCorpusName(name);
        return name;
      })
      .default(""),
    account: fitting(
      (given) => ACCOUNT_ID.test(given),
      () =>
        "must be the id of a Cloudflare account, 32 digits and small letters from a to f; the dashboard shows it beside R2",
    ).default(""),
    jurisdiction: fitting(
      (given) => JURISDICTION.test(given),
      (given) => `is ${quoteValue(given)}; it must be the name of a jurisdiction of R2`,
      "jurisdiction: eu",
    ).default(""),
    endpoint: fitting(
      isEndpoint,
      () => "must be an https address without the name of the bucket",
      "endpoint: https://s3.example.org",
    )
      .refine(holdsNoKeys, "must hold no keys: they are the inputs access-key-id and secret-access-key")
      .default(""),
    bucket: text,
    "access-key-id": text,
    "secret-access-key": text,
    mode: z.enum(["auto", "publish", "dry-run", "build"]).default("auto"),
    "fail-on": lines.transform(readFailOn),
    strict: flag.default(false),
    reports: lines,
    scip: lines,
    shard: z.string().transform(readPart).optional(),
    parts: lines,
    keep: fitting(
      (given) => readKeep(given) !== undefined,
      (given) => `is ${quoteValue(given)}; it must be ${KEEP_WORDS}`,
    )
      .transform(readKeep)
      .optional(),
    url: fitting(
      isWebAddress,
      (given) => `is ${quoteValue(given)}; it must be the web address of the deployment`,
      "url: https://search.example.org",
    )
      .transform((address) => `${new URL(address).origin}${new URL(address).pathname}`.replace(/\/+$/, ""))
      .default(""),
    summary: flag.default(true),
    "comment-file": text,
  })
  .superRefine((inputs, context) => {
    const { account, endpoint, jurisdiction, bucket, shard, parts, reports, scip, "fail-on": failOn, strict } = inputs;
    const exclude = (one: string, other: string, why: string): void =>
      context.addIssue({ code: "custom", message: `the inputs ${one} and ${other} exclude each other: ${why}` });
    const others = { parts, reports, scip, "fail-on": failOn, strict: strict ? ["true"] : [] };
    for (const [name, given] of Object.entries(others)) {
      if (shard === undefined || given.length === 0) continue;
      exclude("shard", name, `${name} belongs to the job that joins the parts`);
    }
    if (account !== "" && endpoint !== "") {
      exclude("account", "endpoint", "account is for R2, endpoint for all else");
    }
    if (jurisdiction !== "" && endpoint !== "") {
      exclude("jurisdiction", "endpoint", "the endpoint names the jurisdiction");
    }
    if (bucket === "" || (endpoint === "" ? R2_BUCKET : BUCKET).test(bucket)) return;
    context.addIssue({
      code: "custom",
      path: ["bucket"],
      message: `is ${quoteValue(bucket)}; it must be the name of a bucket alone: 3 to 63 small letters, digits and hyphens`,
      params: { example: "bucket: treeline-index" },
    });
  });

/** The inputs of a run. Of what was not given they hold `""`, no entry, or undefined. */
export type ActionInputs = ReturnType<typeof readInputs>;
type BucketInputs = ActionInputs["bucket"];

export function variableOf(input: string): string {
  return `INPUT_${input.toUpperCase().replaceAll("-", "_")}`;
}

/**
 * Reads the inputs. The secret is taken out of the variables: programs that are started later inherit those.
 *
 * @param workspace Folder that paths start at.
 * @throws {InputError} that names the input, and what it takes.
 */
export function readInputs(environment: NodeJS.ProcessEnv, workspace: string) {
  const given = Object.keys(INPUTS.shape).map((input) => [input, textOf(environment, input)] as const);
  delete environment[variableOf("secret-access-key")];
  const { data, error } = INPUTS.safeParse(Object.fromEntries(given.filter(([, value]) => value !== "")));
  if (data === undefined) throw toInputError(error.issues[0], new Map(given));
  const { account, jurisdiction, endpoint, bucket, "access-key-id": accessKeyId, ...others } = data;
  const { "secret-access-key": secretAccessKey, "fail-on": failOn, strict: isStrict, ...inputs } = others;
  const { root, commentFile } = readIdentity(environment, workspace);
  if (!isInside(resolve(workspace, root), resolve(workspace))) {
    // Annotations need paths of the repository, and caches paths of the workspace.
    throw new InputError(
      `the input root is ${quoteName(root)}, which is not in the workspace: name a folder of the repository`,
      [],
      "root: docs",
    );
  }
  const place = { account, jurisdiction, endpoint, bucket, accessKeyId, secretAccessKey };
  return { ...inputs, root, commentFile, failOn, isStrict, bucket: place };
}

function toInputError(issue: z.core.$ZodIssue | undefined, given: ReadonlyMap<string, string>): InputError {
  const input = String(issue?.path[0] ?? "");
  if (issue?.code === "invalid_value") {
    const known = issue.values.map(String);
    const value = given.get(input) ?? "";
    const choice = known.length === 2 ? known.join(" or ") : `one of ${known.join(", ")}`;
    const nearest = known.length === 2 ? [] : nearestNames(value, known, MAX_NEAREST);
    return new InputError(`the input ${input} is ${quoteValue(value)}; it must be ${choice}`, nearest);
  }
  const example: unknown = issue?.code === "custom" ? issue.params?.["example"] : undefined;
  const message = input === "" ? String(issue?.message) : `the input ${input} ${issue?.message}`;
  return new InputError(message, [], typeof example === "string" ? example : undefined);
}

/** Which report a run writes, and where to. Not checked: what is wrong with the inputs is said there, too. */
export function readIdentity(environment: NodeJS.ProcessEnv, workspace: string) {
  return {
    corpus: textOf(environment, "corpus"),
    root: relativePath(workspace, resolve(workspace, textOf(environment, "root"))) || ".",
    commentFile: textOf(environment, "comment-file"),
  };
}

function textOf(environment: NodeJS.ProcessEnv, input: string): string {
  return (environment[variableOf(input)] ?? "").trim();
}

function isWebAddress(given: string): boolean {
  return URL.canParse(given) && /^https?:$/.test(new URL(given).protocol);
}

function isEndpoint(given: string): boolean {
  if (!URL.canParse(given)) return false;
  const url = new URL(given);
  return isSafeForSecrets(url) && url.search === "" && url.hash === "";
}

function holdsNoKeys(given: string): boolean {
  return !URL.canParse(given) || new URL(given).username + new URL(given).password === "";
}

/** The address of a bucket. @throws {InputError} that says which inputs are missing for it. */
export function bucketAddress({ account, jurisdiction, endpoint, bucket }: BucketInputs): string {
  if (bucket === "") {
    throw new InputError(
      "the input bucket is missing: it names the bucket to publish to",
      [],
      "bucket: treeline-index, or mode: build for an index that goes nowhere",
    );
  }
  if (account === "" && endpoint === "") {
    throw new InputError(
      "the input account is missing: it names the Cloudflare account that the bucket is in",
      [],
      `account: \${{ vars.CLOUDFLARE_ACCOUNT_ID }}, or endpoint: with the S3 address of another store`,
    );
  }
  const base = endpoint === "" ? r2Endpoint(account, jurisdiction) : endpoint;
  return `${base.replace(/\/+$/, "")}/${bucket}`;
}

/** Names of the inputs that a bucket needs and that were not given. */
function listMissing({ account, endpoint, bucket, accessKeyId, secretAccessKey }: BucketInputs): string[] {
  const given = {
    bucket,
    account: `${account}${endpoint}`,
    "access-key-id": accessKeyId,
    "secret-access-key": secretAccessKey,
  };
  return Object.entries(given).flatMap(([name, value]) => (value === "" ? [name] : []));
}

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
  const defaultBranch = pick(payload, "repository", "default_branch");
  const isPullRequest = PULL_REQUESTS.has(name);
  const isFork = isPullRequest && isFromFork(payload);
  return {
    name,
    ref,
    isBranch: ref.startsWith("refs/heads/"),
    isDefaultBranch: ON_DEFAULT_BRANCH.has(name) || (!!defaultBranch && ref === `refs/heads/${String(defaultBranch)}`),
    isPullRequest,
    withoutSecrets: isFork ? "fork" : actor === DEPENDABOT ? "dependabot" : undefined,
    baseBranch: isPullRequest ? (environment["GITHUB_BASE_REF"] ?? "") : "",
  };
}

/** Whether the commits of a pull request are of another repository. A repository that is gone was another one. */
function isFromFork(payload: unknown): boolean {
  if (pick(payload, "pull_request") === undefined) return false;
  return pick(payload, "pull_request", "head", "repo", "full_name") !== pick(payload, "repository", "full_name");
}

/** Undefined for a run without a payload: of such a one less is known. */
async function readPayload(path = ""): Promise<unknown> {
  return path === "" ? undefined : parseJson(await readFile(path, "utf8").catch(onFsError(() => "")));
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
