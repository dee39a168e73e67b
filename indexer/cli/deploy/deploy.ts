/**
 * Brings the Worker of a configuration to Cloudflare: looks what is there, makes what is missing, deploys, and checks
 * the health of the deployed Worker.
 *
 * The secret comes with the first version of a Worker that has none, in one request, so no version ever serves without
 * it; one that is there is never touched. The bucket is made by wrangler where it is absent, before the upload.
 */
import { randomBytes } from "node:crypto";
import { stripVTControlCharacters } from "node:util";
import { InputError } from "../../../src/core/errors.ts";
import { toPrintable } from "../../base/printable.ts";
import { isRecord } from "../../base/read-json.ts";
import { r2Endpoint } from "../../publish/r2-address.ts";
import type { RunWrangler, WranglerResult } from "./run-wrangler.ts";
import type { WorkerConfig } from "./worker-config.ts";

/** What a token has to be allowed, as the dashboard names it. */
const TOKEN_PERMISSIONS = "Workers Scripts: Edit and Workers R2 Storage: Edit";

/** How somebody logs in. */
const LOGIN_HINT = `run \`npx wrangler login\`, or set CLOUDFLARE_API_TOKEN to a token of the account with ${TOKEN_PERMISSIONS}`;

/** Lines of wrangler's output that a message keeps. */
const KEPT_LINES = 12;

/** Places in wrangler's own code. */
const NOISE = /^\s+at /;

/** What wrangler adds behind an error: who is logged in, where it wrote a log that is gone by now, how to report. */
const APPENDIX = /^\s*📎|^Getting User settings|Logs were written to|^If you think this is a bug/u;

/** In order: the first that fits is told. Codes are those of Cloudflare's API, which wrangler prints as `[code: N]`. */
const ADVICE: readonly Advice[] = [
  {
    sign: /not authenticated|necessary to set a CLOUDFLARE_API_TOKEN|Failed to (fetch|refresh) auth token|\[code: 6111\]/i,
    advice: `Nobody is logged in: ${LOGIN_HINT}.`,
  },
  {
    sign: /More than one account/,
    advice: "Say which account: set CLOUDFLARE_ACCOUNT_ID, or add account_id to the configuration.",
  },
  {
    sign: /\[code: 10042\]|enable R2/i,
    advice: "The account has no R2 subscription yet: open R2 in the dashboard and add it (there is a free tier).",
  },
  {
    sign: /\[code: 100328\]|CPU limits? (are|is) not supported/i,
    advice: "The free plan takes no [limits] cpu_ms: remove it from the configuration, or change to Workers Paid.",
  },
  {
    sign: /register a workers\.dev subdomain|\[code: 10063\]/i,
    advice:
      "The account has no workers.dev subdomain yet: open Workers in the dashboard once to choose one, or give the Worker a route, then deploy again.",
  },
  {
    sign: /\[code: 10027\]|exceeded the size limit/i,
    advice: "The Worker is larger than the plan allows; deploy an unchanged configuration with minify = true.",
  },
  {
    sign: /\[code: 10034\]/,
    advice: "Verify the e-mail address of the account first.",
  },
  {
    sign: /\[code: (10000|9109|9103|10001)\]|Authentication error|Unauthorized|permission/i,
    advice: `The credentials are not allowed to do this. The token needs ${TOKEN_PERMISSIONS}, for this account.`,
  },
  {
    sign: /\[code: (10006|10085)\]|bucket .*(does not exist|not found)/i,
    advice:
      "The bucket that the Worker had is gone: make it again with `npx wrangler r2 bucket create NAME`, then deploy.",
  },
  {
    sign: /entry-point file at "[^"]*" was not found/,
    advice:
      "`main` of the configuration names a file that is not there: install Treeline in its folder (`npm install --save-dev treeline`), or name the Worker's file.",
  },
  {
    sign: /fetch failed|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN/,
    advice: "Cloudflare's API was not reached: look at the network of this machine, then deploy again.",
  },
];

/** Tries, and pauses between them: half a minute in all. */
const TRIES = 7;

const PAUSE_MS = 5000;

const TIMEOUT_MS = 10_000;

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
      ...(config.assets === undefined ? [] : ["--assets", config.assets]),
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

/** What it answered. */
interface Health {
  readonly ok: boolean;
  /** `ok`, or why the last try failed. */
  readonly detail: string;
  /** Status of the last answer; undefined where none came. */
  readonly status: number | undefined;
}

/** The answer of `/health`, asked until it is good or half a minute has passed. */
async function waitForHealth(
  url: string,
  platform: { readonly fetch: typeof fetch; readonly sleep: (milliseconds: number) => Promise<unknown> },
): Promise<Health> {
  let last = "";
  let status: number | undefined;
  for (let tried = 0; tried < TRIES; tried++) {
    if (tried > 0) await platform.sleep(PAUSE_MS);
    try {
      const response = await platform.fetch(`${url}/health`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      const body: unknown = await response.json().catch(() => undefined);
      if (response.ok && typeof body === "object" && body !== null && "status" in body && body.status === "ok") {
        return { ok: true, detail: "ok", status: response.status };
      }
      status = response.status;
      last = `status ${status}`;
    } catch (error) {
      status = undefined;
      last =
        error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : String(error);
    }
  }
  return { ok: false, detail: last, status };
}

interface Advice {
  readonly sign: RegExp;
  readonly advice: string;
}

/** The error to throw when wrangler failed at a step: what it said, and what to do where that is known. */
export function explainFailure(step: string, colored: string): InputError {
  const output = stripVTControlCharacters(colored);
  const known = ADVICE.find(({ sign }) => sign.test(output));
  const said = shorten(output);
  return new InputError(
    [
      `${step} failed.`,
      ...(known === undefined ? [] : [known.advice]),
      ...(said === "" ? [] : ["wrangler said:", said]),
    ].join("\n"),
  );
}

/** The lines from the first error on, without what wrangler adds; the last lines where none is marked. */
function shorten(output: string): string {
  const lines = output
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== "" && !NOISE.test(line));
  const first = lines.findIndex((line) => line.includes("[ERROR]"));
  const said = first < 0 ? lines : lines.slice(first);
  const end = said.findIndex((line) => APPENDIX.test(line));
  const own = end < 0 ? said : said.slice(0, end);
  const kept = first < 0 ? own.slice(-KEPT_LINES) : own.slice(0, KEPT_LINES);
  return kept.map((line) => `  ${toPrintable(line)}`).join("\n");
}
