/**
 * What a run of the Action is told: its inputs, checked. They come in variables `INPUT_…`, never in the text of a script.
 */

import { resolve } from "node:path";
import { InputError } from "../../../src/core/errors.ts";
import { isSafeForSecrets } from "../../../src/core/text/addresses.ts";
import { nearestNames, quoteName, quoteValue } from "../../../src/core/text/nearest.ts";
import { checkCorpusName } from "../../../src/surface/access/corpus-name.ts";
import { readFailOn } from "../../config/fail-on.ts";
import { type Part, readPart } from "../../index/split-build.ts";
import { KEEP_WORDS, readKeep } from "../../publish/published.ts";
import { isAccountId, isJurisdiction, isR2Bucket, r2Endpoint } from "../../publish/r2-address.ts";
import { isInside, relativePath } from "../../sources/collection-root.ts";

/** What the Action may be told to do. */
const MODES = ["auto", "publish", "dry-run", "build"] as const;
type Mode = (typeof MODES)[number];

/** Where a bucket is, and what opens it. Of what was not given it holds `""`. */
interface BucketInputs {
  readonly account: string;
  readonly jurisdiction: string;
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** See the header. */
export interface ActionInputs {
  /** Folder to index, from the workspace, with `/`; `.` for the workspace itself. */
  readonly root: string;
  /** `""` = the folder's own. */
  readonly config: string;
  /** `""` = the root's. */
  readonly corpus: string;
  readonly bucket: BucketInputs;
  readonly mode: Mode;
  readonly failOn: readonly string[];
  readonly isStrict: boolean;
  readonly reports: readonly string[];
  readonly scip: readonly string[];
  readonly shard: Part | undefined;
  /** Folders of parts, or folders that hold some. */
  readonly parts: readonly string[];
  /** Generations to keep; undefined = as many as `treeline publish` keeps. */
  readonly keep: number | undefined;
  /** Address of the deployment without `/` at its end, `""` = not known. */
  readonly url: string;
  readonly summary: boolean;
  /** `""` = in the folder for temporary files. */
  readonly commentFile: string;
}

const MAX_NEAREST = 1;
/** Of stores that are not R2, which may have names with dots. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** The variable that holds an input. */
export function variableOf(input: string): string {
  return `INPUT_${input.toUpperCase().replaceAll("-", "_")}`;
}

/**
 * Read the inputs. The secret is taken out of the variables: programs that are started later inherit those.
 *
 * @param workspace Folder that paths start at.
 * @throws {InputError} that names the input, and what it takes.
 */
export function readInputs(environment: NodeJS.ProcessEnv, workspace: string): ActionInputs {
  const text = (input: string): string => textOf(environment, input);
  const lines = (input: string): string[] =>
    text(input)
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== "");
  const flag = (input: string, fallback: boolean): boolean => readFlag(input, text(input), fallback);

  const bucket: BucketInputs = {
    account: text("account"),
    jurisdiction: text("jurisdiction"),
    endpoint: text("endpoint"),
    bucket: text("bucket"),
    accessKeyId: text("access-key-id"),
    secretAccessKey: text("secret-access-key"),
  };
  delete environment[variableOf("secret-access-key")];
  const corpus = text("corpus");
  if (corpus !== "") checkCorpusName(corpus);
  const shard = text("shard");
  const inputs: ActionInputs = {
    ...readIdentity(environment, workspace),
    config: text("config"),
    bucket,
    mode: readMode(text("mode")),
    failOn: text("fail-on") === "" ? [] : readFailOn(lines("fail-on")),
    isStrict: flag("strict", false),
    reports: lines("reports"),
    scip: lines("scip"),
    shard: shard === "" ? undefined : readPart(shard),
    parts: lines("parts"),
    keep: readKeepInput(text("keep")),
    url: readUrl(text("url")),
    summary: flag("summary", true),
  };
  checkRoot(inputs.root, workspace);
  checkPart(inputs);
  checkPlace(bucket);
  return inputs;
}

/** Which report a run writes, and where to. Not checked: what is wrong with the inputs is said there, too. */
export function readIdentity(
  environment: NodeJS.ProcessEnv,
  workspace: string,
): Pick<ActionInputs, "corpus" | "root" | "commentFile"> {
  return {
    corpus: textOf(environment, "corpus"),
    root: relativePath(workspace, resolve(workspace, textOf(environment, "root"))) || ".",
    commentFile: textOf(environment, "comment-file"),
  };
}

function textOf(environment: NodeJS.ProcessEnv, input: string): string {
  return (environment[variableOf(input)] ?? "").trim();
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
export function listMissing({ account, endpoint, bucket, accessKeyId, secretAccessKey }: BucketInputs): string[] {
  const given = {
    bucket,
    account: `${account}${endpoint}`,
    "access-key-id": accessKeyId,
    "secret-access-key": secretAccessKey,
  };
  return Object.entries(given).flatMap(([name, value]) => (value === "" ? [name] : []));
}

function readMode(text: string): Mode {
  if (text === "") return "auto";
  const mode = MODES.find((known) => known === text);
  if (mode !== undefined) return mode;
  throw new InputError(
    `the input mode is ${quoteValue(text)}; it must be one of ${MODES.join(", ")}`,
    nearestNames(text, MODES, MAX_NEAREST),
  );
}

function readFlag(input: string, text: string, fallback: boolean): boolean {
  if (text === "") return fallback;
  const known = { true: true, false: false }[text.toLowerCase()];
  if (known !== undefined) return known;
  throw new InputError(`the input ${input} is ${quoteValue(text)}; it must be true or false`);
}

function readKeepInput(text: string): number | undefined {
  if (text === "") return undefined;
  const keep = readKeep(text);
  if (keep === undefined) throw new InputError(`the input keep is ${quoteValue(text)}; it must be ${KEEP_WORDS}`);
  return keep;
}

function readUrl(text: string): string {
  if (text === "") return "";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && (url.protocol === "https:" || url.protocol === "http:")) {
    return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
  }
  throw new InputError(
    `the input url is ${quoteValue(text)}; it must be the web address of the deployment`,
    [],
    "url: https://search.example.org",
  );
}

/** Annotations need paths of the repository, and caches paths of the workspace. */
function checkRoot(root: string, workspace: string): void {
  if (!isInside(resolve(workspace, root), resolve(workspace))) {
    throw new InputError(
      `the input root is ${quoteName(root)}, which is not in the workspace: name a folder of the repository`,
      [],
      "root: docs",
    );
  }
}

function checkPart({ shard, parts, reports, scip, failOn, isStrict }: ActionInputs): void {
  if (shard === undefined) return;
  const others = { parts, reports, scip, "fail-on": failOn, strict: isStrict ? ["true"] : [] };
  for (const [name, given] of Object.entries(others)) {
    if (given.length === 0) continue;
    throw new InputError(
      `the inputs shard and ${name} exclude each other: ${name} belongs to the job that joins the parts`,
    );
  }
}

function checkPlace({ account, jurisdiction, endpoint, bucket }: BucketInputs): void {
  if (account !== "" && endpoint !== "") {
    throw new InputError(
      "the inputs account and endpoint exclude each other: account is for R2, endpoint for all else",
    );
  }
  if (account !== "" && !isAccountId(account)) {
    throw new InputError(
      "the input account must be the id of a Cloudflare account, 32 digits and small letters from a to f; the dashboard shows it beside R2",
    );
  }
  if (jurisdiction !== "" && endpoint !== "") {
    throw new InputError(
      "the inputs jurisdiction and endpoint exclude each other: the endpoint names the jurisdiction",
    );
  }
  if (jurisdiction !== "" && !isJurisdiction(jurisdiction)) {
    throw new InputError(
      `the input jurisdiction is ${quoteValue(jurisdiction)}; it must be the name of a jurisdiction of R2`,
      [],
      "jurisdiction: eu",
    );
  }
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (endpoint !== "" && (url === undefined || !isSafeForSecrets(url) || url.search !== "" || url.hash !== "")) {
    throw new InputError(
      "the input endpoint must be an https address without the name of the bucket",
      [],
      "endpoint: https://s3.example.org",
    );
  }
  if (url !== undefined && url.username + url.password !== "") {
    throw new InputError(
      "the input endpoint must hold no keys: they are the inputs access-key-id and secret-access-key",
    );
  }
  const isBucket = endpoint === "" ? isR2Bucket(bucket) : BUCKET.test(bucket);
  if (bucket !== "" && !isBucket) {
    throw new InputError(
      `the input bucket is ${quoteValue(bucket)}; it must be the name of a bucket alone: 3 to 63 small letters, digits and hyphens`,
      [],
      "bucket: treeline-index",
    );
  }
}
