/**
 * Command `deploy`: the Worker of this folder's `wrangler.toml` goes to Cloudflare, with its bucket and its secret.
 *
 * The secret comes with the first version of a Worker that has none, in one request, so no version serves without it; one that is
 * there is never touched. Wrangler makes the bucket where it is absent, before the upload.
 */

import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { InputError } from "../../../src/core/errors.ts";
import { isRecord, parseJson } from "../../../src/core/parse-text.ts";
import { nearestNames } from "../../../src/core/text/nearest.ts";
import { formatBytes, toPrintable, UsageError } from "../../base/diagnostic.ts";
import { assetsFolder, commandPrefix, DEFAULT_OUT, workerFile } from "../../base/installation.ts";
import { r2Endpoint } from "../../publish/s3.ts";
import {
  ACCOUNT_VARIABLE,
  ASSETS_PATH,
  findWrangler,
  type RunWrangler,
  runWith,
  SECRET_NAMES,
  WORKER_PATH,
  WRANGLER_FILES,
  type Wrangler,
  type WranglerResult,
} from "../deploy/run-wrangler.ts";
import { readyAssets } from "../pages/pages.ts";
import { type Command, EXIT, option, printResult } from "../run-cli.ts";

export const deployCommand: Command = {
  name: "deploy",
  summary: "Bring the Worker to Cloudflare; make its bucket and its secret where they are missing.",
  positionals: [],
  options: {
    env: option.text("NAME", "Environment of the configuration: staging. Default: CLOUDFLARE_ENV.", "e"),
    config: option.text("FILE", "Configuration of the Worker. Default: wrangler.toml of this folder.", "c"),
    name: option.text("NAME", "Name of the Worker, in place of the configuration's."),
    "dry-run": option.flag("Bundle the Worker and say what would be made, without a login or a network."),
    json: option.flag("Print the summary as one JSON object."),
  },
  details:
    "It needs wrangler (npm install --save-dev wrangler), and `npx wrangler login` or CLOUDFLARE_API_TOKEN. Running it again deploys the code anew and keeps bucket and secret.",
  async run(input, terminal) {
    const folder = process.cwd();
    for (const name of ["env", "name"]) {
      if (input.text(name) === "") throw new UsageError(`--${name} needs a value`);
    }
    const wrangler = findWrangler(folder);
    const config = readWorkerConfig(wrangler, {
      folder,
      config: input.text("config"),
      environment: input.text("env"),
      name: input.text("name"),
      variables: process.env,
    });
    for (const warning of config.warnings) terminal.warn(`Warning: ${toPrintable(warning)}`);
    await readyAssets();
    const summary = await deployWorker({
      config,
      dryRun: input.has("dry-run"),
      runnerWith: (variables) => runWith(wrangler, folder, variables),
      onStep: (text) => terminal.warn(toPrintable(text)),
      fetch,
      sleep,
    });
    printResult(input, terminal, summary, () => describeDeployment(summary, commandPrefix));
    return isBroken(summary) ? EXIT.failed : EXIT.done;
  },
};

/**
 * Lines for a person: what was made, where it answers, and what comes next.
 *
 * @param program How commands of Treeline are called here.
 */
export function describeDeployment(summary: DeploySummary, program: string): string[] {
  const { worker, account, bucket, bucketUrl, secret, bucketState, gzipBytes, urls, health } = summary;
  const size = gzipBytes === undefined ? "" : `, ${formatBytes(gzipBytes)} compressed`;
  if (summary.dryRun) {
    return [
      `${worker} is bundled${size}; nothing was changed, and nobody was asked`,
      "Without --dry-run:",
      `  Worker ${worker}: uploaded`,
      `  bucket ${bucket}: made where it is absent`,
      "  secret TREELINE_SECRET: made where it is absent",
      `  account: ${account === "" ? "that of who is logged in" : account}`,
    ];
  }
  const lines = [
    `${worker} is deployed${size}`,
    `  bucket ${bucket}: ${bucketState === "made" ? "made" : "was there"}`,
    `  secret TREELINE_SECRET: ${secret === "made" ? "made" : "was there, and stays"}`,
  ];
  const [url] = urls;
  if (url === undefined) {
    lines.push("It has no address yet: add a route or a custom domain to the configuration, or workers_dev = true.");
  } else {
    lines.push(`  address  ${urls.join(", ")}`, `  MCP      ${url}/mcp`);
    if (health?.ok === true) lines.push("  health   ok");
    else {
      const hint = isBroken(summary)
        ? "`npx wrangler tail` shows its errors, `npx wrangler rollback` brings the version before back"
        : `a new address takes a minute. Ask ${url}/health later`;
      lines.push(`It does not answer yet (${health?.detail}): ${hint}.`);
    }
  }
  lines.push(
    "Next: build an index and publish it,",
    `  ${program} build --out ${DEFAULT_OUT}`,
    `  ${program} publish --index ${DEFAULT_OUT} --bucket ${bucketUrl}`,
  );
  if (url !== undefined) lines.push(`then see what it answers from:`, `  ${program} status ${url}`);
  const [tokens, { id, secret: key }] = [`https://dash.cloudflare.com/${account}/r2/api-tokens`, SECRET_NAMES];
  return [
    ...lines,
    `For publishing from GitHub, make a token with Object Read & Write for ${bucket} at ${tokens}, then in the repository`,
    `  gh variable set ${ACCOUNT_VARIABLE} --body ${account}`,
    ...[id, key].map((name) => `  gh secret set ${name}`),
  ];
}

/** What a token has to be allowed, as the dashboard names it. */
const TOKEN_PERMISSIONS = "Workers Scripts: Edit and Workers R2 Storage: Edit";

const LOGIN_HINT = `run \`npx wrangler login\`, or set CLOUDFLARE_API_TOKEN to a token of the account with ${TOKEN_PERMISSIONS}`;

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

interface DeploySummary {
  readonly worker: string;
  readonly environment: string | undefined;
  /** `""` in a dry run where nothing names it. */
  readonly account: string;
  readonly bucket: string;
  /** Where `treeline publish` uploads to. */
  readonly bucketUrl: string;
  /** Whether the Worker was there before; undefined in a dry run. */
  readonly isNew: boolean | undefined;
  /** `made` now, `kept` as it was, or `unknown` in a dry run, which asks nobody. */
  readonly secret: "made" | "kept" | "unknown";
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

interface DeployOptions {
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
  return isNew === false && health?.status !== undefined && health.status >= 500;
}

/** Deploys. Running it again changes nothing but the Worker's code. @throws {InputError} that says what to do. */
export async function deployWorker(options: DeployOptions): Promise<DeploySummary> {
  const { config, dryRun, runnerWith, onStep } = options;
  const account = config.account ?? (dryRun ? "" : await findAccount(runnerWith({})));
  const run = runnerWith(account === "" ? {} : { CLOUDFLARE_ACCOUNT_ID: account });
  if (!dryRun) onStep(`Looking at ${config.worker} …`);
  const there = dryRun ? undefined : await findSecret(run, config);
  const secret = there === undefined ? "unknown" : there.hasSecret ? "kept" : "made";
  onStep(dryRun ? "Bundling …" : `Deploying ${config.worker}${secret === "made" ? " with a new secret" : ""} …`);
  const secrets = JSON.stringify({ [SECRET]: randomBytes(SECRET_BYTES).toString("hex") });
  const deployed = await run({
    words: [
      "deploy",
      ...(config.entry === undefined ? [] : [config.entry]),
      ...["--config", config.file],
      // Without a name it would ask which environment is meant.
      `--env=${config.environment ?? ""}`,
      ...["--name", config.worker],
      ...(config.assets === undefined ? [] : ["--assets", config.assets]),
      ...(dryRun ? ["--dry-run"] : []),
    ],
    ...(secret === "made" && { file: { option: "--secrets-file", content: secrets } }),
  });
  if (!deployed.ok) throw explainFailure(dryRun ? "Bundling the Worker" : "Deploying", deployed.all);
  const urls = dryRun ? [] : readUrls(deployed);
  return {
    worker: config.worker,
    environment: config.environment,
    account,
    bucket: config.bucket,
    bucketUrl: `${r2Endpoint(account || "ACCOUNT", config.jurisdiction)}/${config.bucket}`,
    isNew: there?.isNew,
    secret,
    bucketState: dryRun ? "unknown" : /Creating new R2 Bucket/i.test(deployed.all) ? "made" : "kept",
    dryRun,
    gzipBytes: readGzipBytes(deployed.all),
    urls,
    health: urls[0] === undefined ? undefined : await waitForHealth(urls[0], options),
  };
}

async function findAccount(run: RunWrangler): Promise<string> {
  const asked = await run({ words: ["whoami", "--json"] });
  const answer = readAnswer(asked);
  // Somebody may be logged in, and the network or the token fail.
  if (!isRecord(answer)) throw explainFailure("Asking who is logged in", asked.all);
  if (answer["loggedIn"] !== true) throw new InputError(`nobody is logged in at Cloudflare: ${LOGIN_HINT}`);
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
  const listed = await run({ words: ["secret", "list", "--config", config.file, "--name", config.worker] });
  if (!listed.ok) {
    if (SCRIPT_NOT_FOUND.test(listed.all)) return { isNew: true, hasSecret: false };
    throw explainFailure("Looking for the Worker's secret", listed.all);
  }
  const secrets = readAnswer(listed);
  // Taking silence for absence would replace a secret that is there.
  if (!Array.isArray(secrets)) throw explainFailure("Reading the list of secrets", listed.all);
  return { isNew: false, hasSecret: secrets.some((secret) => isRecord(secret) && secret["name"] === SECRET) };
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

/** The JSON that wrangler prints, after lines of other text. */
function readAnswer({ output }: WranglerResult): unknown {
  return parseJson(output.slice(Math.max(0, output.search(/^[[{]/m))));
}

/** The answer of `/health`, asked until it is good or half a minute has passed. */
async function waitForHealth(url: string, platform: Pick<DeployOptions, "fetch" | "sleep">) {
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

/** What it answered; `detail` is `ok`, or why the last try failed, `status` that of the last answer, undefined where none came. */
type Health = Readonly<Awaited<ReturnType<typeof waitForHealth>>>;

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

/** The bucket that the Worker reads. */
const BUCKET_BINDING = "INDEX";
const OBJECT_BINDINGS = ["INSIGHTS", "SESSIONS"];
const RATE_BINDINGS = ["RATE_LIMIT", "SESSION_RATE_LIMIT"];
const ASSETS_BINDING = "ASSETS";

/** What is read here of wrangler's own types. */
interface ReadConfig {
  readonly name?: string;
  /** Absolute. */
  readonly main?: string;
  readonly account_id?: string;
  readonly assets?: { readonly binding?: string; readonly directory?: string };
  readonly r2_buckets: readonly { binding: string; bucket_name?: string; jurisdiction?: string }[];
  readonly durable_objects: { readonly bindings: readonly { name: string }[] };
  readonly ratelimits?: readonly { name: string }[];
}

interface WranglerModule {
  readonly unstable_readConfig: (
    args: { config: string; env: string },
    options: { hideWarnings: boolean },
  ) => ReadConfig;
  readonly experimental_readRawConfig: (args: { config: string }) => {
    readonly rawConfig: { readonly env?: Readonly<Record<string, unknown>> };
  };
}

interface ConfigWish {
  /** Folder in which the file is looked for. */
  readonly folder: string;
  /** Path of the file, where it was named. */
  readonly config: string | undefined;
  /** Environment, where it was named; `CLOUDFLARE_ENV` counts else, as for wrangler. */
  readonly environment: string | undefined;
  /** Name of the Worker, where it was named. */
  readonly name: string | undefined;
  /** Variables of the process's environment. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Finds and reads the configuration. @throws {InputError} where there is none, or where it is no Treeline's. */
export function readWorkerConfig(wrangler: Wrangler, wish: ConfigWish) {
  const file = findConfig(wish);
  const api = createRequire(join(wrangler.folder, "package.json"))("wrangler") as WranglerModule;
  // Decided here once: what is left to wrangler would be decided again for each of its calls.
  const environment = wish.environment ?? (wish.variables["CLOUDFLARE_ENV"] || undefined);
  const config = readOrExplain(file, () => {
    const known = Object.keys(api.experimental_readRawConfig({ config: file }).rawConfig.env ?? {});
    if (environment !== undefined && !known.includes(environment)) {
      throw unknownEnvironment(file, environment, known, wish.environment === undefined);
    }
    return api.unstable_readConfig({ config: file, env: environment ?? "" }, { hideWarnings: true });
  });
  return { file, environment, ...describe(config, file, { ...wish, environment }) };
}
/** A Worker to be deployed. `environment` is undefined for what stands at the top level of the file. */
type WorkerConfig = Readonly<ReturnType<typeof readWorkerConfig>>;

function findConfig({ folder, config }: ConfigWish): string {
  if (config !== undefined) {
    const file = resolve(folder, config);
    if (existsSync(file)) return file;
    throw new InputError(`there is no file ${config}`);
  }
  const found = WRANGLER_FILES.map((name) => join(folder, name)).find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new InputError("there is no wrangler.toml here; `treeline init` writes one, or name one with --config FILE");
}

function readOrExplain<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function unknownEnvironment(file: string, wanted: string, known: readonly string[], isVariable: boolean): InputError {
  const there = known.length === 0 ? "it has none" : `it has ${known.join(", ")}`;
  const from = isVariable ? ", which CLOUDFLARE_ENV names" : "";
  return new InputError(
    `${file} has no environment ${JSON.stringify(wanted)}${from}; ${there}`,
    nearestNames(wanted, known),
  );
}

function describe(config: ReadConfig, file: string, { environment, name, variables }: ConfigWish) {
  // Workers Builds says which Worker a build belongs to; wrangler deploys to that one whatever else says.
  const worker = variables["WRANGLER_CI_OVERRIDE_NAME"] || (name ?? config.name);
  if (worker === undefined || worker === "") throw new InputError(`${file} has no name; add one, or use --name NAME`);
  const where = environment === undefined ? file : `environment ${environment} of ${file}`;
  const bucket = config.r2_buckets.find(({ binding }) => binding === BUCKET_BINDING);
  const objects = config.durable_objects.bindings.map((binding) => binding.name);
  const lacking = [
    ...(bucket?.bucket_name === undefined ? [`a bucket bound as ${BUCKET_BINDING} with its bucket_name`] : []),
    ...OBJECT_BINDINGS.filter((binding) => !objects.includes(binding)).map(
      (binding) => `the Durable Object ${binding}`,
    ),
  ];
  if (bucket?.bucket_name === undefined || lacking.length > 0) {
    const hint =
      environment === undefined
        ? "it seems to be another Worker's: name Treeline's with --config FILE"
        : "environments inherit no bindings, so each lists all of them";
    throw new InputError(`${where} lacks ${lacking.join(" and ")}; ${hint}`);
  }
  const rates = (config.ratelimits ?? []).map((limit) => limit.name);
  const unlimited = RATE_BINDINGS.filter((binding) => !rates.includes(binding));
  return {
    worker,
    bucket: bucket.bucket_name,
    /** The Worker's entry, where the one that the file names is not there and another is known; else undefined. */
    entry: findPackaged(config.main, WORKER_PATH, workerFile),
    /** The folder of its static assets, likewise. */
    assets: findPackaged(
      config.assets?.directory && resolve(dirname(file), config.assets.directory),
      ASSETS_PATH,
      assetsFolder,
    ),
    jurisdiction: bucket.jurisdiction,
    account: variables["CLOUDFLARE_ACCOUNT_ID"] || config.account_id,
    warnings: [
      ...unlimited.map((binding) => `${where} has no [[ratelimits]] ${binding}: nothing bounds those requests.`),
      ...(config.assets?.binding === ASSETS_BINDING
        ? []
        : [
            `${where} has no [assets] with binding = "${ASSETS_BINDING}": the search box and the explorer's pages lack their files.`,
          ]),
    ],
  };
}

/**
 * Package managers put what several packages of a workspace need into the folder at its top. The path that init wrote
 * leads nowhere then, and the Worker and its assets are those beside this program.
 */
function findPackaged(named: string | undefined, written: string, own: string): string | undefined {
  if (named === undefined || existsSync(named)) return undefined;
  return named.replaceAll("\\", "/").endsWith(`/${written}`) ? own : undefined;
}
