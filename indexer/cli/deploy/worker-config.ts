/**
 * What the configuration of a Worker says about the deployment, read as wrangler reads it.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { InputError } from "../../../src/core/errors.ts";
import { nearestNames } from "../../../src/core/text/nearest.ts";
import { assetsFolder, workerFile } from "../../base/installation.ts";
import { ASSETS_PATH, WORKER_PATH } from "../init/texts.ts";
import { WRANGLER_FILES, type Wrangler } from "./run-wrangler.ts";

/** The bucket that the Worker reads. */
const BUCKET_BINDING = "INDEX";
const OBJECT_BINDINGS = ["INSIGHTS", "SESSIONS"];
const RATE_BINDINGS = ["RATE_LIMIT", "SESSION_RATE_LIMIT"];
const ASSETS_BINDING = "ASSETS";
const MAX_NEAREST = 3;

/** A Worker to be deployed. */
export interface WorkerConfig {
  /** Path of the file. */
  readonly file: string;
  /** Environment of the file, or undefined for what stands at its top level. */
  readonly environment: string | undefined;
  /** Name of the Worker. */
  readonly worker: string;
  readonly bucket: string;
  /** The Worker's entry, where the one that the file names is not there and another is known; else undefined. */
  readonly entry: string | undefined;
  /** The folder of its static assets, likewise. */
  readonly assets: string | undefined;
  /** Jurisdiction of the bucket, which its S3 endpoint names as well. */
  readonly jurisdiction: string | undefined;
  readonly account: string | undefined;
  /** What is worth a warning. */
  readonly warnings: readonly string[];
}

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

/** What is asked for. */
export interface ConfigWish {
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
export function readWorkerConfig(wrangler: Wrangler, wish: ConfigWish): WorkerConfig {
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
    nearestNames(wanted, known, MAX_NEAREST),
  );
}

function describe(
  config: ReadConfig,
  file: string,
  { environment, name, variables }: ConfigWish,
): Omit<WorkerConfig, "file" | "environment"> {
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
    entry: findPackaged(config.main, WORKER_PATH, workerFile),
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
