/**
 * Wrangler as a program: found in the project, run, and its output and refusals read.
 */

import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { InputError } from "../../../src/core/errors.ts";
import { isRecord, parseJson } from "../../../src/core/parse-text.ts";
import { orAbsent } from "../../base/file-system.ts";
import { readInstalledVersion } from "../../base/installation.ts";

/** The one that Treeline writes. */
export const WRANGLER_TOML = "wrangler.toml";

/** All, in wrangler's order: of several in a folder it reads the first. */
export const WRANGLER_FILES: readonly string[] = ["wrangler.json", "wrangler.jsonc", WRANGLER_TOML];

/** The Worker in the npm package, from the folder of `wrangler.toml`. */
export const WORKER_PATH = "node_modules/treeline/dist/worker.js";
/** Its static assets. */
export const ASSETS_PATH = "node_modules/treeline/dist/assets";

/** Names under which a repository keeps what the workflow needs. */
export const SECRET_NAMES = { id: "R2_ACCESS_KEY_ID", secret: "R2_SECRET_ACCESS_KEY" } as const;
/** Variable of the repository for the account. */
export const ACCOUNT_VARIABLE = "CLOUDFLARE_ACCOUNT_ID";

/** The command that adds it, as messages show it. */
export const INSTALL_WRANGLER = "npm install --save-dev wrangler";

/** The first major version that does what is asked of it, and the one whose options are known. */
const WRANGLER_MAJOR = 4;

/**
 * The wrangler of the project in a folder, else the one that stands beside Treeline. The project's goes first: it is the version
 * that the project chose for its Workers.
 *
 * @returns Folder of its package, from where what it depends on (miniflare) is resolved; its program, to be run by Node; its version.
 * @throws {InputError} where there is none, or one that is too old.
 */
export function findWrangler(folder: string = process.cwd()) {
  const file = resolveIn(join(folder, "package.json")) ?? resolveIn(import.meta.url);
  if (file === undefined)
    throw new InputError(`this needs wrangler, which is not installed; add it: ${INSTALL_WRANGLER}`);
  const version = readInstalledVersion(file);
  if (Number.parseInt(version, 10) < WRANGLER_MAJOR) {
    throw new InputError(
      `this needs wrangler ${WRANGLER_MAJOR} or newer, and ${version} is installed; renew it: ${INSTALL_WRANGLER}@latest`,
    );
  }
  return { folder: dirname(file), program: join(dirname(file), "bin", "wrangler.js"), version };
}

export type Wrangler = Readonly<ReturnType<typeof findWrangler>>;

function resolveIn(from: string): string | undefined {
  try {
    return createRequire(from).resolve("wrangler/package.json");
  } catch (error) {
    // Anything else is a wrangler that is there and broken: worth its own message.
    if (error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

/** Only its owner reads it, in a folder that is its owner's alone and gone when the program has ended. */
const OWNER_ONLY = 0o600;

export interface WranglerResult {
  readonly ok: boolean;
  /** Standard output. */
  readonly output: string;
  /** All of its output, in order as far as two streams have one. */
  readonly all: string;
  /** Objects that it wrote for programs, one for each event (`deploy`, `command-failed` …). */
  readonly events: readonly Readonly<Record<string, unknown>>[];
}

interface WranglerCall {
  readonly words: readonly string[];
  /** A content that it gets as a file, and the option that takes the file's path. */
  readonly file?: { readonly option: string; readonly content: string };
}

export type RunWrangler = (call: WranglerCall) => Promise<WranglerResult>;

/** Runs this wrangler in a folder, with these variables on top of the process's environment. */
export function runWith(wrangler: Wrangler, folder: string, variables: Readonly<Record<string, string>>): RunWrangler {
  return async ({ words, file }) => {
    const scratch = await mkdtemp(join(tmpdir(), "treeline-deploy-"));
    try {
      const given = join(scratch, "given");
      if (file !== undefined) await writeFile(given, file.content, { mode: OWNER_ONLY });
      const child = spawn(
        process.execPath,
        [wrangler.program, ...words, ...(file === undefined ? [] : [file.option, given])],
        {
          cwd: folder,
          stdio: ["ignore", "pipe", "pipe"],
          env: {
            ...process.env,
            ...quietVariables(join(scratch, "logs")),
            // The environment is an option where a call needs one: absent, a `.env` file could set it.
            CLOUDFLARE_ENV: "",
            // Logs hold no bodies of requests.
            WRANGLER_LOG: "log",
            WRANGLER_LOG_SANITIZE: "true",
            WRANGLER_OUTPUT_FILE_PATH: join(scratch, EVENTS_FILE),
            ...variables,
          },
        },
      );
      const said: string[] = [];
      const printed: string[] = [];
      child.stdout?.setEncoding("utf8").on("data", (text: string) => {
        printed.push(text);
        said.push(text);
      });
      child.stderr?.setEncoding("utf8").on("data", (text: string) => said.push(text));
      const code = await new Promise<number | null>((resolve, reject) => {
        child.once("error", reject);
        child.once("close", resolve);
      });
      return { ok: code === 0, output: printed.join(""), all: said.join(""), events: await readEvents(scratch) };
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  };
}

const EVENTS_FILE = "events.ndjson";

/** No questions, no reports to anybody, no colours; logs are kept out of the user's folders. */
export function quietVariables(logs: string): Record<string, string> {
  return {
    CI: "true",
    FORCE_COLOR: "0",
    WRANGLER_HIDE_BANNER: "true",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_SEND_ERROR_REPORTS: "false",
    WRANGLER_NO_SKILLS_UPDATE_PROMPTS: "true",
    WRANGLER_LOG_PATH: logs,
  };
}

/** The events; none where wrangler wrote none. A line that was cut short, since wrangler was ended, is left out. */
async function readEvents(scratch: string): Promise<Record<string, unknown>[]> {
  const text = (await readFile(join(scratch, EVENTS_FILE), "utf8").catch(orAbsent)) ?? "";
  return text.split("\n").flatMap((line) => {
    const event = parseJson(line);
    return isRecord(event) ? [event] : [];
  });
}
