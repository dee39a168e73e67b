/**
 * The step of the Action that does the work, without its process: environment in, exit code out.
 *
 * I/O: reads what the runner says of the run, and writes what it reads afterwards.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import process from "node:process";
import { InputError } from "../../../src/core/errors.ts";
import { describeFsError, isFsError } from "../../base/file-system.ts";
import { EXIT } from "../run-cli.ts";
import { type ActionInputs, readIdentity, readInputs, variableOf } from "./inputs.ts";
import { expectInside, findActionPlaces } from "./places.ts";
import {
  annotateFindings,
  commentMark,
  formatComment,
  formatSummary,
  MAX_ANNOTATIONS,
  NO_COMMIT,
  reportOutputs,
  toTop,
} from "./report.ts";
import { type GrowingReport, runTask } from "./run-task.ts";
import { appendTo, createSpeaker, describeMendable, formatOutputs, type Speaker, workspaceOf } from "./runner.ts";
import { type ActionEvent, chooseTask, leavesCache, readEvent } from "./task.ts";

type WriteLine = (line: string) => void;

/** Inputs that no log may show. */
const SECRETS = ["access-key-id", "secret-access-key"];
/** A container, mostly: it lacks git, or the checkout belongs to another user than the one that it runs as. */
const WITHOUT_COMMIT =
  "git names no commit here, so the index has the time of its build instead: every run makes another generation. See Containers in docs/github-action.md";
/** A line of an error that names a place in a file. */
const PLACED = /^(?<file>\S.*?):(?<line>\d+):(?<column>\d+): (?<message>.*)$/s;

/** The step that does the work. The result is the exit code. */
export async function runAction(environment: NodeJS.ProcessEnv, write: WriteLine): Promise<number> {
  const speaker = createSpeaker(write);
  const started = performance.now();
  const workspace = workspaceOf(environment);
  const said = readIdentity(environment, workspace);
  const report: GrowingReport = { ...said, url: "", requests: 0, steps: [], seconds: 0, failures: [], notices: [] };
  let [inputs, event]: [ActionInputs | undefined, ActionEvent | undefined] = [undefined, undefined];
  const noteFailure = async (error: unknown): Promise<void> => {
    report.failures.push(...(await sayWhatFailed(error, speaker, inputs, workspace)));
  };
  try {
    for (const input of SECRETS) speaker.mask((environment[variableOf(input)] ?? "").trim());
    inputs = readInputs(environment, workspace);
    report.url = inputs.url === "" || inputs.corpus === "" ? inputs.url : `${inputs.url}/${inputs.corpus}`;
    event = await readEvent(environment);
    report.task = chooseTask(inputs, event);
    if (report.task.why !== "") speaker.say(report.task.why);
    await runTask(report.task, inputs, findActionPlaces(inputs, workspace), report, speaker.say);
    if (report.build?.commit === NO_COMMIT && (environment["GITHUB_SHA"] ?? "") !== "") {
      report.notices.push(WITHOUT_COMMIT);
      speaker.say(WITHOUT_COMMIT);
    }
    for (const failure of report.failures) speaker.annotate({ level: "error", title: "Treeline", message: failure });
  } catch (error) {
    await noteFailure(error);
  }
  report.seconds = (performance.now() - started) / 1000;
  annotate(report, speaker);
  const commentFile = await writeComment(report, said.commentFile, environment).catch(async (error: unknown) => {
    await noteFailure(error);
    return "";
  });
  const isGood = report.failures.length === 0;
  const outputs = {
    ...reportOutputs(report),
    ...listFolders(report, inputs, workspace),
    "comment-file": commentFile,
    "comment-mark": commentMark(report),
    "save-cache": String(isGood && event !== undefined && isWorthSaving(event, report)),
  };
  await appendTo(environment["GITHUB_OUTPUT"], formatOutputs(outputs));
  if (inputs?.summary !== false) await appendTo(environment["GITHUB_STEP_SUMMARY"], formatSummary(report));
  speaker.end();
  return isGood ? EXIT.done : EXIT.failed;
}

/** Whether to keep what this run made: an index that is the same as before was kept before. */
function isWorthSaving(event: ActionEvent, { task, before, build }: GrowingReport): boolean {
  if (task === undefined || !leavesCache(task, event)) return false;
  return build === undefined || before?.generation !== build.generation;
}

/** New findings where they are, as many as GitHub shows. */
function annotate({ findings, placeOf, before }: GrowingReport, speaker: Speaker): void {
  if (findings === undefined || placeOf === undefined) return;
  const annotations = annotateFindings(findings.fresh, placeOf);
  for (const annotation of annotations) speaker.annotate(annotation);
  const left = (before === undefined ? findings.total : findings.fresh.length) - annotations.length;
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

/**
 * The result is the file's path: in a folder of this step alone where none was named, since a job may have several.
 *
 * @throws {InputError} where it cannot be written.
 */
async function writeComment(report: GrowingReport, named: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const workspace = workspaceOf(environment);
  try {
    const file =
      named === ""
        ? join(await mkdtemp(join(environment["RUNNER_TEMP"] ?? tmpdir(), "treeline-comment-")), "comment.md")
        : resolve(workspace, named);
    await expectInside(dirname(file), workspace, "the input comment-file is in");
    await mkdir(dirname(file), { recursive: true });
    // A link that the checkout brought is replaced, not written through.
    await rm(file, { force: true });
    await writeFile(file, formatComment(report));
    return file;
  } catch (error) {
    if (!isFsError(error)) throw error;
    throw new InputError(`the input comment-file is a file that cannot be written: ${describeFsError(error)}`);
  }
}

/** Folders that a run wrote, from the workspace; `""` for those that it did not. */
function listFolders(
  { build, partPages }: GrowingReport,
  inputs: ActionInputs | undefined,
  workspace: string,
): Readonly<Record<"index" | "part", string>> {
  if (inputs === undefined) return { index: "", part: "" };
  const places = findActionPlaces(inputs, workspace);
  const pathTo = (folder: string): string => relative(workspace, folder).split(sep).join("/");
  return {
    index: build === undefined ? "" : pathTo(places.index),
    part: partPages === undefined ? "" : pathTo(places.part),
  };
}
