/**
 * A runner for `action.yml`: its steps one after another as GitHub's does it, with expressions, conditions, shells and the
 * files that steps write. Only `actions/cache` is played, with a folder that keeps what is saved; any other action is an error.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { projectRoot, quietEnvironment } from "./environment.ts";
import { type ExpressionContext, fillTemplate, holds } from "./workflow-expressions.ts";
import { readLogLines, type SeenAnnotation } from "./workflow-log.ts";

/** A step of a composite action. */
export interface ActionStep {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string;
  readonly shell?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

/** The file of an action. */
export interface ActionFile {
  readonly name: string;
  readonly description: string;
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly ActionStep[] };
}

/** What starts a run. */
export interface ActionRun {
  readonly workspace: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** Name, ref and payload of the event; a push to the default branch when absent. */
  readonly event?: { readonly name: string; readonly ref: string; readonly baseRef?: string; readonly payload: object };
  /** What runs keep for one another. */
  readonly caches: CacheStore;
  readonly more?: NodeJS.ProcessEnv;
}

/** What a step did. */
export interface StepResult {
  readonly name: string;
  readonly outcome: "success" | "failure" | "skipped";
  readonly seconds: number;
}

/** What a run came to. */
export interface ActionResult {
  readonly isGood: boolean;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly annotations: readonly SeenAnnotation[];
  /** What people see. */
  readonly log: string;
  /** Commands that no step of the action has a reason for. */
  readonly otherCommands: readonly string[];
  readonly steps: readonly StepResult[];
  /** Key of the cache that was found, and of the one that was saved; `""` for none. */
  readonly restored: string;
  readonly saved: string;
}

/** Caches of a repository: each of one branch, never changed. */
export interface CacheStore {
  readonly dir: string;
  readonly entries: { readonly key: string; readonly ref: string; readonly version: string; readonly place: string }[];
}

const DEFAULT_BRANCH = "refs/heads/main";
/** Payload of a push to the default branch. */
export const PUSH_PAYLOAD = { repository: { full_name: "owner/docs", default_branch: "main" } };
let runs = 0;

/** The project's `action.yml`. */
export async function readAction(): Promise<ActionFile> {
  return parse(await readFile(join(projectRoot, "action.yml"), "utf8")) as ActionFile;
}

/** Caches of a repository that has none yet. */
export function emptyCaches(dir: string): CacheStore {
  return { dir, entries: [] };
}

/** Run the action to its end. */
export async function runAction(run: ActionRun, actionPath = projectRoot): Promise<ActionResult> {
  const action = await readAction();
  const unknown = Object.keys(run.inputs).find((name) => !Object.hasOwn(action.inputs, name));
  if (unknown !== undefined) throw new Error(`the action has no input ${unknown}`);
  const temp = await mkdtemp(join(tmpdir(), "treeline-runner-"));
  try {
    return await runSteps(action, run, temp, actionPath);
  } finally {
    await rm(temp, { recursive: true, force: true });
  }
}

async function runSteps(action: ActionFile, run: ActionRun, temp: string, actionPath: string): Promise<ActionResult> {
  const event = run.event ?? { name: "push", ref: DEFAULT_BRANCH, payload: PUSH_PAYLOAD };
  const defaults = Object.entries(action.inputs).map(([name, input]) => [name, String(input.default ?? "")]);
  const inputs = { ...Object.fromEntries(defaults), ...run.inputs };
  const steps: Record<string, { readonly outputs: Readonly<Record<string, string>>; readonly outcome: string }> = {};
  const done: StepResult[] = [];
  const masks = new Set<string>();
  const seen = { summary: "", log: [] as string[], annotations: [] as SeenAnnotation[], others: [] as string[] };
  let [isGood, restored, saved] = [true, "", ""];
  await writeFile(join(temp, "event.json"), JSON.stringify(event.payload));
  const github = {
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION_PATH: actionPath,
    GITHUB_ACTOR: "somebody",
    GITHUB_BASE_REF: event.baseRef ?? "",
    GITHUB_EVENT_NAME: event.name,
    GITHUB_EVENT_PATH: join(temp, "event.json"),
    GITHUB_REF: event.ref,
    GITHUB_RUN_ATTEMPT: "1",
    GITHUB_RUN_ID: String(++runs),
    GITHUB_WORKSPACE: run.workspace,
    RUNNER_ARCH: "X64",
    RUNNER_OS: "Linux",
    RUNNER_TEMP: temp,
  };
  for (const [at, step] of action.runs.steps.entries()) {
    const context: ExpressionContext = { inputs, steps };
    const functions = { success: () => isGood, failure: () => !isGood, always: () => true };
    const fill = (record: Readonly<Record<string, string>> = {}): Record<string, string> =>
      Object.fromEntries(Object.entries(record).map(([name, text]) => [name, fillTemplate(text, context, functions)]));
    const name = step.name ?? step.id ?? String(at);
    if (!holds(step.if ?? "success()", context, functions)) {
      done.push({ name, outcome: "skipped", seconds: 0 });
      continue;
    }
    const started = performance.now();
    let result: { readonly isGood: boolean; readonly outputs: Record<string, string> };
    if (step.uses !== undefined) {
      const given = fill(step.with);
      if (/^actions\/cache\/restore@[0-9a-f]{40}$/.test(step.uses)) {
        restored = await restoreCache(run, event, given);
      } else if (/^actions\/cache\/save@[0-9a-f]{40}$/.test(step.uses)) {
        saved = await saveCache(run, event.ref, given);
      } else throw new Error(`the runner cannot play ${step.uses}`);
      result = { isGood: true, outputs: {} };
    } else {
      const environment = { ...quietEnvironment(), ...run.more, ...github, ...fill(step.env) };
      const ran = await runScript(step, run.workspace, environment, join(temp, `step-${at}`), masks);
      seen.log.push(...ran.log);
      seen.annotations.push(...ran.annotations);
      seen.others.push(...ran.others);
      seen.summary += ran.summary;
      result = ran;
    }
    const outcome = result.isGood ? "success" : "failure";
    if (step.id !== undefined) steps[step.id] = { outputs: result.outputs, outcome };
    isGood &&= result.isGood;
    done.push({ name, outcome, seconds: (performance.now() - started) / 1000 });
  }
  const values = Object.entries(action.outputs).map(([name, { value }]) => [
    name,
    fillTemplate(value, { inputs, steps }, {}),
  ]);
  return {
    isGood,
    outputs: Object.fromEntries(values),
    summary: seen.summary,
    annotations: seen.annotations,
    log: seen.log.join("\n"),
    otherCommands: seen.others,
    steps: done,
    restored,
    saved,
  };
}

interface ScriptResult {
  readonly isGood: boolean;
  readonly outputs: Record<string, string>;
  readonly summary: string;
  readonly log: readonly string[];
  readonly annotations: readonly SeenAnnotation[];
  readonly others: readonly string[];
}

async function runScript(
  { run, shell }: ActionStep,
  workspace: string,
  environment: NodeJS.ProcessEnv,
  folder: string,
  masks: Set<string>,
): Promise<ScriptResult> {
  if (run === undefined || shell !== "bash") throw new Error(`a step needs run and shell: bash, got ${shell}`);
  await mkdir(folder, { recursive: true });
  const files = { script: "script.sh", output: "output", summary: "summary", env: "env", path: "path" };
  const place = (file: keyof typeof files): string => join(folder, files[file]);
  for (const file of ["output", "summary", "env", "path"] as const) await writeFile(place(file), "");
  await writeFile(place("script"), run);
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", place("script")], {
    cwd: workspace,
    env: {
      ...environment,
      GITHUB_OUTPUT: place("output"),
      GITHUB_STEP_SUMMARY: place("summary"),
      GITHUB_ENV: place("env"),
      GITHUB_PATH: place("path"),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const log = readLogLines(masks);
  const texts = [child.stdout, child.stderr].map(async (stream) => {
    let text = "";
    for await (const chunk of stream.setEncoding("utf8")) text += chunk;
    return text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  for (const text of await Promise.all(texts)) for (const line of text.split("\n")) if (line !== "") log.take(line);
  const read = (file: keyof typeof files): Promise<string> => readFile(place(file), "utf8");
  if ((await read("env")) + (await read("path")) !== "") throw new Error("a step changes what later steps inherit");
  return {
    isGood: code === 0,
    outputs: parseOutputs(await read("output")),
    summary: await read("summary"),
    log: log.lines,
    annotations: log.annotations,
    others: log.others,
  };
}

/** Outputs as the runner reads them: `name=value`, or `name<<mark` up to a line that is the mark. */
export function parseOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    if (line === "") continue;
    const [, name, mark] = /^([^=]+?)<<(.+)$/.exec(line) ?? [];
    if (name === undefined) {
      const split = line.indexOf("=");
      if (split < 1) throw new Error(`no output: ${line}`);
      outputs[line.slice(0, split)] = line.slice(split + 1);
      continue;
    }
    const end = lines.indexOf(mark as string, at + 1);
    if (end < 0) throw new Error(`the output ${name} does not end`);
    outputs[name] = lines.slice(at + 1, end).join("\n");
    at = end;
  }
  return outputs;
}

type CacheInputs = Readonly<Record<string, string>>;

function listLines(text = ""): string[] {
  return text.split("\n").filter((line) => line !== "");
}

/** Paths are part of what a cache is found by. */
function versionOf({ path }: CacheInputs): string {
  return createHash("sha256").update(listLines(path).join("|")).digest("hex");
}

/** The newest cache of the branch, else of the one it is for, else of the default one, whose key begins as is asked. */
async function restoreCache(
  { caches, workspace }: ActionRun,
  { ref, baseRef }: NonNullable<ActionRun["event"]>,
  given: CacheInputs,
): Promise<string> {
  const refs = [...new Set([ref, ...(baseRef === undefined ? [] : [`refs/heads/${baseRef}`]), DEFAULT_BRANCH])];
  const wanted = [given["key"] ?? "", ...listLines(given["restore-keys"])];
  const version = versionOf(given);
  for (const one of refs) {
    for (const [at, key] of wanted.entries()) {
      const found = caches.entries.findLast(
        (entry) =>
          entry.ref === one && entry.version === version && (at === 0 ? entry.key === key : entry.key.startsWith(key)),
      );
      if (found === undefined) continue;
      for (const path of listLines(given["path"])) await copyIfThere(join(found.place, path), join(workspace, path));
      return found.key;
    }
  }
  return "";
}

async function saveCache({ caches, workspace }: ActionRun, ref: string, given: CacheInputs): Promise<string> {
  const key = given["key"] ?? "";
  if (key === "" || key.length > 512 || key.includes(",")) throw new Error(`no key of a cache: ${key}`);
  if (caches.entries.some((entry) => entry.key === key && entry.ref === ref)) return "";
  const place = join(caches.dir, String(caches.entries.length));
  for (const path of listLines(given["path"])) await copyIfThere(join(workspace, path), join(place, path));
  caches.entries.push({ key, ref, version: versionOf(given), place });
  return key;
}

async function copyIfThere(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}
