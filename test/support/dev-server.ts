/** `treeline dev` as a program, for end-to-end tests: started, asked for its address, ended by signals. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { findPlaces } from "../../indexer/base/installation.ts";
import { projectRoot, quietEnvironment } from "./environment.ts";

const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 60_000;
const POLL_MS = 100;

/** A running `treeline dev`. */
export interface DevServer {
  readonly url: string;
  /** Everything that it printed so far. */
  readonly output: () => string;
  /** Ends it by a signal and waits. The result is the exit code, or null where the signal itself ended it. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
  /** Ids of all processes in groups that it started, those that outlived it included. */
  readonly startedProcesses: () => number[];
}

/** A command line: the clone's, or that of an installed package. */
export interface DevProgram {
  readonly node: string;
  readonly cli: string;
  /** Folder in which it is called. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

const CLONE: DevProgram = {
  node: process.execPath,
  cli: join(projectRoot, "indexer", "cli", "main.ts"),
  folder: process.cwd(),
  environment: {},
};

/** Start the clone's `treeline dev` with these words and wait until it greets. */
export function startDev(...words: readonly string[]): Promise<DevServer> {
  return startDevOf(CLONE, words);
}

/** The same for any command line. */
export async function startDevOf(program: DevProgram, words: readonly string[]): Promise<DevServer> {
  const { child, output, ended } = spawnDev(program, words);
  const url = await waitForUrl(output, ended);
  const groups = processes()
    .filter(({ parent }) => parent === child.pid)
    .map(({ group }) => group)
    .filter((group) => group !== processes().find(({ id }) => id === child.pid)?.group);
  return {
    url,
    output,
    end: async (signal) => {
      child.kill(signal);
      return Promise.race([
        ended,
        sleep(STOP_TIMEOUT_MS, undefined, { ref: false }).then(() => Promise.reject(new Error("it does not end"))),
      ]);
    },
    startedProcesses: () =>
      processes()
        .filter(({ group }) => groups.includes(group))
        .map(({ id }) => id),
  };
}

/** Run `treeline dev` with words with which it ends by itself. */
export async function runDev(
  ...words: readonly string[]
): Promise<{ readonly code: number | null; readonly output: string }> {
  const { output, ended } = spawnDev(CLONE, words);
  const code = await ended;
  return { code, output: output() };
}

/** Remove a folder that was served, and what serving it left on disk. */
export async function removeServed(dir: string): Promise<void> {
  for (const folder of [dir, dirname(findPlaces(dir).index)]) await rm(folder, { recursive: true, force: true });
}

function spawnDev(
  { node, cli, folder, environment }: DevProgram,
  words: readonly string[],
): {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<number | null>;
} {
  const child = spawn(node, [cli, "dev", ...words], {
    cwd: folder,
    env: { ...quietEnvironment(), TIME_LIMITS: "off", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
  return { child, output: () => text, ended: new Promise((resolve) => child.once("close", resolve)) };
}

async function waitForUrl(output: () => string, ended: Promise<number | null>): Promise<string> {
  let over = false;
  void ended.then(() => (over = true));
  for (let waited = 0; waited < START_TIMEOUT_MS && !over; waited += POLL_MS) {
    const url = /MCP +(http:\/\/127\.0\.0\.1:\d+)\/mcp/.exec(output())?.[1];
    if (url !== undefined) return url;
    await sleep(POLL_MS);
  }
  throw new Error(`treeline dev did not start:\n${output()}`);
}

function processes(): { readonly id: number; readonly parent: number; readonly group: number }[] {
  const lines = execFileSync("ps", ["-Ao", "pid=,ppid=,pgid="], { encoding: "utf8" }).trim().split("\n");
  return lines.map((line) => {
    const [id = 0, parent = 0, group = 0] = line.trim().split(/\s+/).map(Number);
    return { id, parent, group };
  });
}
