/**
 * Brings the Worker of a configuration to Cloudflare: looks what is there, makes what is missing, deploys, and checks
 * the health of the deployed Worker.
 *
 * The secret comes with the first version of a Worker that has none, in one request, so no version ever serves without
 * it; one that is there is never touched. The bucket is made by wrangler where it is absent, before the upload.
 */
import { randomBytes } from "node:crypto";
import { InputError } from "../../../src/core/errors.ts";
import { isRecord } from "../../base/read-json.ts";
import { r2Endpoint } from "../../publish/r2-address.ts";
import { type Health, waitForHealth } from "./ask-health.ts";
import { explainFailure, LOGIN_HINT } from "./explain-failure.ts";
import type { RunWrangler, WranglerResult } from "./run-wrangler.ts";
import type { WorkerConfig } from "./worker-config.ts";

/** The secret that signs cursors and session handles. */
const SECRET = "TREELINE_SECRET";
const SECRET_BYTES = 32;
const SCRIPT_NOT_FOUND = /\[code: (10007|10090)\]|Worker "[^"]*"[^\n]* not found/;

/** What was done, or what would be. */
export interface DeploySummary {
  readonly worker: string;
  readonly environment: string | undefined;
  readonly account: string;
  readonly bucket: string;
  /** Where `treeline publish` uploads to. */
  readonly bucketUrl: string;
  /** Whether the Worker was there before. */
  readonly isNew: boolean;
  /** `made` now, or `kept` as it was. */
  readonly secret: "made" | "kept";
  /** `made` now, `kept`, or `unknown` in a dry run, which does not look. */
  readonly bucketState: "made" | "kept" | "unknown";
  readonly dryRun: boolean;
  /** Size of the Worker compressed, bytes; undefined where wrangler did not say. */
  readonly gzipBytes: number | undefined;
  /** Addresses that it answers at; none in a dry run. */
  readonly urls: readonly string[];
  /** What it answered; undefined in a dry run and where it has no address. */
  readonly health: Health | undefined;
}

/** How to deploy. */
export interface DeployOptions {
  readonly config: WorkerConfig;
  readonly dryRun: boolean;
  /** Makes what runs wrangler with further variables of the environment. */
  readonly runnerWith: (variables: Readonly<Record<string, string>>) => RunWrangler;
  /** Says what is being done. */
  readonly onStep: (text: string) => void;
  readonly fetch: typeof fetch;
  /** Waits, in milliseconds. */
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

/**
 * Whether a deployment broke a Worker that was there: its address is known everywhere, and answers with an error of its
 * own.
 */
export function isBroken({ isNew, health }: DeploySummary): boolean {
  return !isNew && health?.status !== undefined && health.status >= 500;
}

/** Deploys. Running it again changes nothing but the Worker's code. @throws {InputError} that says what to do. */
export async function deployWorker(options: DeployOptions): Promise<DeploySummary> {
  const { config, dryRun, runnerWith, onStep } = options;
  const account = config.account ?? (await findAccount(runnerWith({})));
  const run = runnerWith({ CLOUDFLARE_ACCOUNT_ID: account });
  onStep(`Looking at ${config.worker} …`);
  const there = await findSecret(run, config);
  const secret = there.hasSecret ? "kept" : "made";
  onStep(dryRun ? "Bundling …" : `Deploying ${config.worker}${secret === "made" ? " with a new secret" : ""} …`);
  const deployed = await run({
    words: [
      "deploy",
      ...(config.entry === undefined ? [] : [config.entry]),
      ...configWords(config),
      // Without a name it would ask which environment is meant.
      `--env=${config.environment ?? ""}`,
      ...["--name", config.worker],
      ...(dryRun ? ["--dry-run"] : []),
    ],
    ...(secret === "made" && !dryRun && { file: { option: "--secrets-file", content: makeSecrets() } }),
  });
  if (!deployed.ok) throw explainFailure(dryRun ? "Bundling the Worker" : "Deploying", deployed.all);
  const urls = dryRun ? [] : readUrls(deployed);
  return {
    worker: config.worker,
    environment: config.environment,
    account,
    bucket: config.bucket,
    bucketUrl: `${r2Endpoint(account, config.jurisdiction)}/${config.bucket}`,
    isNew: there.isNew,
    secret,
    bucketState: dryRun ? "unknown" : /Creating new R2 Bucket/i.test(deployed.all) ? "made" : "kept",
    dryRun,
    gzipBytes: readGzipBytes(deployed.all),
    urls,
    health: urls[0] === undefined ? undefined : await waitForHealth(urls[0], options),
  };
}

/** The one account of who is logged in. */
async function findAccount(run: RunWrangler): Promise<string> {
  const asked = await run({ words: ["whoami", "--json"] });
  const answer = parseJson(asked.output);
  if (!isRecord(answer) || answer["loggedIn"] !== true) {
    // Somebody may be logged in, and the network or the token fail.
    if (isRecord(answer)) throw new InputError(`nobody is logged in at Cloudflare: ${LOGIN_HINT}`);
    throw explainFailure("Asking who is logged in", asked.all);
  }
  const accounts = Array.isArray(answer["accounts"]) ? answer["accounts"].filter(isRecord) : [];
  const [first, ...more] = accounts.map(({ id, name }) => ({ id: String(id), name: String(name) }));
  if (first === undefined) {
    throw new InputError("the credentials name no account: set CLOUDFLARE_ACCOUNT_ID to the account's id");
  }
  if (more.length > 0) {
    const list = [first, ...more].map(({ id, name }) => `  ${id}  ${name}`).join("\n");
    throw new InputError(
      `the credentials open several accounts: set CLOUDFLARE_ACCOUNT_ID to one of them, or add account_id to the configuration\n${list}`,
    );
  }
  return first.id;
}

async function findSecret(run: RunWrangler, config: WorkerConfig): Promise<{ isNew: boolean; hasSecret: boolean }> {
  // The full name and no environment: wrangler would add the environment to a name.
  const listed = await run({ words: ["secret", "list", ...configWords(config), "--name", config.worker] });
  if (!listed.ok) {
    if (SCRIPT_NOT_FOUND.test(listed.all)) return { isNew: true, hasSecret: false };
    throw explainFailure("Looking for the Worker's secret", listed.all);
  }
  const secrets = parseJson(listed.output);
  // Taking silence for absence would replace a secret that is there.
  if (!Array.isArray(secrets)) throw explainFailure("Reading the list of secrets", listed.all);
  return { isNew: false, hasSecret: secrets.some((secret) => isRecord(secret) && secret["name"] === SECRET) };
}

function configWords({ file }: WorkerConfig): string[] {
  return ["--config", file];
}

function makeSecrets(): string {
  return JSON.stringify({ [SECRET]: randomBytes(SECRET_BYTES).toString("hex") });
}

/** Addresses out of the event that wrangler writes for programs; a domain may stand there without its scheme. */
function readUrls({ events }: WranglerResult): string[] {
  const targets = events.find((event) => event["type"] === "deploy")?.["targets"];
  if (!Array.isArray(targets)) return [];
  const words = targets.map((target) => String(target).split(" ")[0] ?? "");
  const urls = words.map((word) => (word.includes("://") ? word : `https://${word}`));
  // Routes have patterns, and a pattern is no address.
  return urls.filter((url) => URL.canParse(url) && !url.includes("*")).map((url) => url.replace(/\/$/, ""));
}

/** Out of wrangler's line `Total Upload: 1414.00 KiB / gzip: 396.49 KiB`. */
function readGzipBytes(output: string): number | undefined {
  const found = /gzip: ([\d.]+) KiB/.exec(output)?.[1];
  return found === undefined ? undefined : Math.round(Number(found) * 1024);
}

function parseJson(text: string): unknown {
  const start = text.search(/^[[{]/m);
  try {
    return start < 0 ? undefined : JSON.parse(text.slice(start));
  } catch {
    return undefined;
  }
}
