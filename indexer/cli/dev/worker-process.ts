/** The Worker as a process on this machine: `wrangler dev` in a process group of its own, ended as a whole. */

import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { LOOPBACK_HOSTS } from "../../../src/core/text/addresses.ts";
import { type Places, workerConfig, workerFile } from "../../base/installation.ts";
import { findWrangler, quietVariables } from "../deploy/run-wrangler.ts";
import { readyAssets } from "../pages/pages.ts";

/** Only this machine may connect. */
export const LOOPBACK = "127.0.0.1";
/** Names under which this machine may be asked for; any other is a web page's trick with DNS. */
const ALLOWED_HOSTS = [...LOOPBACK_HOSTS].join(",");
/** A line for each request is for deployments; `LOG_LEVEL=info` writes them into the log file here, too. */
const DEFAULT_LOG_LEVEL = "error";
/** A cold start bundles the Worker; on a busy machine that takes many seconds. */
const START_TIMEOUT_MS = 90_000;
const POLL_MS = 150;
/** Longer than the supervisor waits for an orderly end. */
const STOP_TIMEOUT_MS = 5000;
const SECRET_BYTES = 32;
/** Settings of a deployment that this process's environment may hold, to be tried out here. */
const PASSED_ON = [
  "ALLOWED_ORIGINS",
  "ACCESS_TEAM_DOMAIN",
  "ACCESS_AUDIENCE",
  "ACCESS_COLLECTIONS",
  "AUTHORIZATION_SERVERS",
  "RATE_LIMITS",
  "TIME_LIMITS",
  "LOG_LEVEL",
];
/**
 * What `wrangler dev` says of each request: with its address, in which a handle of a session may stand. It is not kept.
 */
const REQUEST_LINE = /^\[wrangler:\w+\] [A-Z]+ \//;
/** Lines of the process's output that are shown when it does not start. */
const SHOWN_LINES = 15;

interface WorkerProcess {
  readonly url: string;
  /** Resolves when the process ends, whether it was stopped or not. */
  readonly ended: Promise<void>;
  /** Ends the whole group and waits for that. */
  readonly stop: () => Promise<void>;
  /** Ends the whole group at once: for the last moment of this process. */
  readonly kill: () => void;
}

interface WorkerOptions {
  readonly port: number;
  readonly places: Places;
  /** Whether it answers nobody without a credential. */
  readonly isPrivate: boolean;
  /** Gets each line that the Worker logs as an error. */
  readonly onError: (line: string) => void;
}

export async function startWorker(options: WorkerOptions): Promise<WorkerProcess> {
  const { port, places, isPrivate, onError } = options;
  await mkdir(dirname(places.log), { recursive: true });
  await writeSecrets(places.secrets, isPrivate);
  await writeFile(places.config, configFor(await readFile(workerConfig, "utf8"), workerFile, await readyAssets()));
  const supervisor = fileURLToPath(new URL("./supervise.ts", import.meta.url));
  const child = spawn(
    process.execPath,
    [supervisor, process.execPath, findWrangler().program, ...wranglerArguments(port, places)],
    {
      cwd: dirname(places.config),
      // A group of its own: Ctrl-C in the terminal reaches this process only, which then ends the group in order.
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
      env: quietEnvironment(places),
    },
  );
  const tail = keepOutput(child, places.log, onError);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const worker: WorkerProcess = {
    url: `http://${LOOPBACK}:${port}`,
    ended,
    stop: () => stopGroup(child, ended),
    kill: () => signalGroup(child, "SIGKILL"),
  };
  const early = await Promise.race([waitUntilHealthy(worker.url), ended.then(() => "The Worker's process ended.")]);
  if (early !== undefined) {
    await worker.stop();
    throw new Error(`${early} Its last output (all of it is in ${places.log}):\n${tail().join("\n")}`);
  }
  return worker;
}

function wranglerArguments(port: number, places: Places): string[] {
  return [
    "dev",
    ...["--config", places.config],
    ...["--ip", LOOPBACK, "--port", String(port)],
    ...["--inspector-port", "0"],
    ...["--persist-to", places.state],
    ...["--env-file", places.secrets],
    "--show-interactive-dev-session=false",
  ];
}

/**
 * Settings of a Worker whose entry and assets are elsewhere: wrangler keeps scratch files beside them, and Treeline may stand where
 * nobody can write.
 *
 * @throws {Error} where the settings name no entry, or no assets.
 */
export function configFor(settings: string, entry: string, assets: string): string {
  let changed = settings;
  for (const [name, path] of [
    ["main", entry],
    ["directory", assets],
  ] as const) {
    const line = new RegExp(`^${name} = .*$`, "m");
    if (!line.test(changed)) throw new Error(`the Worker's settings name no ${name}`);
    changed = changed.replace(line, () => `${name} = ${JSON.stringify(path)}`);
  }
  // Stand-ins for parts of packages are named by their paths below the settings' folder.
  const below = (path: string): string => `= ${JSON.stringify(join(dirname(workerConfig), path))}`;
  return changed.replace(/= "(\.\/.*)"$/gm, (_, path: string) => below(path));
}

/** A file, not arguments: everybody on the machine can read the arguments of a process. */
async function writeSecrets(file: string, isPrivate: boolean): Promise<void> {
  const settings = {
    TREELINE_SECRET: randomBytes(SECRET_BYTES).toString("hex"),
    ...settingsOf(process.env, isPrivate),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  await writeFile(file, `${lines.join("\n")}\n`, { mode: 0o600 });
}

/** Variables of the Worker on this machine, with those that the environment has. */
export function settingsOf(environment: NodeJS.ProcessEnv, isPrivate: boolean): Readonly<Record<string, string>> {
  const passedOn = PASSED_ON.flatMap((name): [string, string][] => {
    const value = environment[name];
    return value ? [[name, value]] : [];
  });
  return {
    ALLOWED_HOSTS,
    ACCESS: isPrivate ? "private" : "public",
    // One person's programs may ask as often as they like.
    RATE_LIMITS: "off",
    // A page that was saved is found as soon as it is built.
    POINTER_SECONDS: "0",
    LOG_LEVEL: DEFAULT_LOG_LEVEL,
    ...Object.fromEntries(passedOn),
  };
}

/** Nothing fetched, nothing written to the user's folders. */
function quietEnvironment({ log }: Places): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ...quietVariables(join(dirname(log), "wrangler-logs")),
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    // It would keep whole addresses of requests in files, and a handle of a session may stand in them.
    X_LOCAL_OBSERVABILITY: "false",
    XDG_CONFIG_HOME: join(dirname(log), "config"),
  };
}

/**
 * Writes the output to the log, without addresses of requests, and passes errors on. The result gives the last lines.
 */
function keepOutput(child: ChildProcess, file: string, onError: (line: string) => void): () => readonly string[] {
  const log = createWriteStream(file, { flags: "w" });
  const last: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on("line", (line) => {
      if (REQUEST_LINE.test(line)) return;
      log.write(`${line}\n`);
      if (line.trim() === "") return;
      last.push(line);
      if (last.length > SHOWN_LINES) last.shift();
      const report = /\{"level":"error".*\}/.exec(line);
      if (report !== null) onError(report[0]);
    });
  }
  child.once("close", () => log.end());
  return () => last;
}

/** Undefined as soon as the Worker answers; why not, when it does not in time. */
async function waitUntilHealthy(url: string): Promise<string | undefined> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const healthy = await fetch(`${url}/health`, { signal: AbortSignal.timeout(POLL_MS * 20) }).then(
      (response) => response.ok,
      () => false,
    );
    if (healthy) return undefined;
    await sleep(POLL_MS);
  }
  return `The Worker did not answer within ${START_TIMEOUT_MS / 1000} seconds.`;
}

async function stopGroup(child: ChildProcess, ended: Promise<void>): Promise<void> {
  signalGroup(child, "SIGTERM");
  await Promise.race([ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
  signalGroup(child, "SIGKILL");
}

function signalGroup(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    // ESRCH: nobody of the group is left, which is what was wanted.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
