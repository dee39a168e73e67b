/**
 * The two steps of the Action's program, without their process: environment in, exit code out.
 *
 * I/O: reads what the runner says of the run, and writes what it reads afterwards.
 */
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve, sep } from "node:path";
import process from "node:process";
import { codeDigest } from "../cache/code-digest.ts";
import { EXIT } from "../command.ts";
import { type ActionEvent, readEvent } from "./action-event.ts";
import { type ActionInputs, readInputs, variableOf } from "./action-inputs.ts";
import { commentMark, formatComment, formatSummary, reportOutputs } from "./action-report.ts";
import { type CachePlan, planCache } from "./cache-plan.ts";
import { chooseTask, type Task } from "./choose-task.ts";
import { annotateFindings, MAX_ANNOTATIONS, toTop } from "./finding-places.ts";
import { describeMendable, findActionPlaces, type GrowingReport, runTask } from "./run-action.ts";
import { appendTo, formatOutputs } from "./runner-files.ts";
import { createSpeaker, type Speaker } from "./workflow-commands.ts";

type WriteLine = (line: string) => void;

/** A line of an error that names a place in a file. */
const PLACED = /^(?<file>\S.*?):(?<line>\d+):(?<column>\d+): (?<message>.*)$/s;

/** The step before the cache: its outputs are paths and keys. The result is the exit code. */
export async function prepareRun(environment: NodeJS.ProcessEnv, write: WriteLine): Promise<number> {
  try {
    const plan = await planOf(readInputs(environment, workspaceOf(environment)), environment);
    const outputs = {
      "cache-path": plan.paths.join("\n"),
      "cache-key": plan.key,
      "restore-keys": plan.restoreKeys.join("\n"),
    };
    await appendTo(environment["GITHUB_OUTPUT"], formatOutputs(outputs));
    return EXIT.done;
  } catch (error) {
    // Inputs that cannot be used: the step that does the work says so, with all that belongs to it.
    if (describeMendable(error) !== undefined) return EXIT.done;
    const speaker = createSpeaker(write);
    await sayWhatFailed(error, speaker, undefined, "");
    speaker.end();
    return EXIT.failed;
  }
}

/** The step that does the work. The result is the exit code. */
export async function runAction(environment: NodeJS.ProcessEnv, write: WriteLine): Promise<number> {
  const speaker = createSpeaker(write);
  const started = performance.now();
  const report: GrowingReport = {
    corpus: "",
    url: "",
    requests: 0,
    steps: [],
    seconds: 0,
    failures: [],
    notices: [],
  };
  let [inputs, event]: [ActionInputs | undefined, ActionEvent | undefined] = [undefined, undefined];
  let task: Task | undefined;
  const workspace = workspaceOf(environment);
  try {
    speaker.mask((environment[variableOf("secret-access-key")] ?? "").trim());
    inputs = readInputs(environment, workspaceOf(environment));
    report.corpus = inputs.corpus;
    report.url = inputs.url === "" || inputs.corpus === "" ? inputs.url : `${inputs.url}/${inputs.corpus}`;
    event = await readEvent(environment);
    task = chooseTask(inputs, event);
    report.task = task;
    if (task.why !== "") speaker.say(task.why);
    await runTask(task, inputs, findActionPlaces(inputs, workspace), report, speaker.say);
    for (const failure of report.failures) speaker.annotate({ level: "error", title: "Treeline", message: failure });
  } catch (error) {
    report.failures.push(...(await sayWhatFailed(error, speaker, inputs, workspace)));
  }
  report.seconds = (performance.now() - started) / 1000;
  annotate(report, speaker);
  const isGood = report.failures.length === 0;
  const saves =
    isGood && inputs !== undefined && event !== undefined && task !== undefined && isWorthSaving(task, event, report);
  const commentFile = await writeComment(report, inputs, environment, workspace);
  const outputs = {
    ...reportOutputs(report),
    index:
      inputs === undefined || task === undefined || task.kind === "part" ? "" : relativeTo(inputs, "index", workspace),
    part: inputs === undefined || task?.kind !== "part" ? "" : relativeTo(inputs, "part", workspace),
    "comment-file": commentFile,
    "comment-mark": commentMark(report.corpus),
    "save-cache": String(saves),
  };
  await appendTo(environment["GITHUB_OUTPUT"], formatOutputs(outputs));
  if (inputs?.summary !== false) await appendTo(environment["GITHUB_STEP_SUMMARY"], formatSummary(report));
  speaker.end();
  return isGood ? EXIT.done : EXIT.failed;
}

async function planOf(inputs: ActionInputs, environment: NodeJS.ProcessEnv): Promise<CachePlan> {
  const { RUNNER_OS: os = process.platform, RUNNER_ARCH: arch = process.arch } = environment;
  const { GITHUB_RUN_ID: run = "0", GITHUB_RUN_ATTEMPT: attempt = "1" } = environment;
  const facts = { platform: `${os}-${arch}`, code: codeDigest(), run: `${run}-${attempt}` };
  return planCache(inputs, await readEvent(environment), facts);
}

/**
 * Whether the next run should begin with what this one made: pull requests leave no trace, nor do other branches unless they
 * are published, and what the cache held already is there still.
 */
function isWorthSaving(task: Task, event: ActionEvent, { before, build }: GrowingReport): boolean {
  if (event.isPullRequest || !event.isBranch || event.withoutSecrets !== undefined) return false;
  if (task.kind !== "publish" && !event.isDefaultBranch) return false;
  return build === undefined || before?.from !== "cache" || before.generation !== build.generation;
}

/** New findings where they are, as many as GitHub shows. */
function annotate({ findings, placeOf, before }: GrowingReport, speaker: Speaker): void {
  if (findings === undefined || placeOf === undefined) return;
  const annotations = annotateFindings(findings.fresh, placeOf);
  for (const annotation of annotations) speaker.annotate(annotation);
  const left = findings.fresh.length - annotations.length;
  const what = before === undefined ? "findings" : "new findings";
  if (left > 0)
    speaker.say(`… and ${left} more ${what}: GitHub shows ${MAX_ANNOTATIONS} of a level; the summary lists more`);
}

/** Says why a run ends. The result is what the summary says of it. */
async function sayWhatFailed(
  error: unknown,
  speaker: Speaker,
  inputs: ActionInputs | undefined,
  workspace: string,
): Promise<string[]> {
  const lines = describeMendable(error);
  if (lines === undefined) {
    const message = error instanceof Error ? error.message : String(error);
    speaker.annotate({ level: "error", title: "Treeline failed", message });
    speaker.say(error instanceof Error ? (error.stack ?? message) : message);
    return [message];
  }
  const placed = lines.map((line) => PLACED.exec(line)?.groups);
  if (inputs === undefined || !placed.some((groups) => groups !== undefined)) {
    speaker.annotate({ level: "error", title: "Treeline", message: lines.join("\n") });
    return lines;
  }
  // Problems of the configuration: each where it is.
  const folder = inputs.config === "" ? resolve(workspace, inputs.root) : process.cwd();
  for (const [at, line] of lines.entries()) {
    const { file, line: number, column, message } = placed[at] ?? {};
    speaker.annotate({
      level: "error",
      title: "Treeline",
      message: message ?? line,
      ...(file !== undefined && {
        file: await toTop(resolve(folder, file), workspace),
        line: Number(number),
        column: Number(column),
      }),
    });
  }
  return lines;
}

async function writeComment(
  report: GrowingReport,
  inputs: ActionInputs | undefined,
  environment: NodeJS.ProcessEnv,
  workspace: string,
): Promise<string> {
  const named = inputs?.commentFile ?? "";
  const file =
    named === "" ? join(environment["RUNNER_TEMP"] ?? tmpdir(), "treeline-comment.md") : resolve(workspace, named);
  await writeFile(file, formatComment(report));
  return file;
}

/** Folder that paths of inputs start at. */
function workspaceOf(environment: NodeJS.ProcessEnv): string {
  return environment["GITHUB_WORKSPACE"] || process.cwd();
}

function relativeTo(inputs: ActionInputs, folder: "index" | "part", workspace: string): string {
  return relative(workspace, findActionPlaces(inputs, workspace)[folder]).split(sep).join("/");
}
