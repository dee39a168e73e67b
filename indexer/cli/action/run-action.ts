/**
 * The step of the Action that does the work, without its process: environment in, exit code out.
 *
 * I/O: reads what the runner says of the run, and writes what it reads afterwards.
 */
import type { Dirent } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import process from "node:process";
import { InputError } from "../../../src/core/errors.ts";
import { quoteName } from "../../../src/core/text/nearest.ts";
import { describeFsError, expectFolder, failWith, isFsError } from "../../base/file-system.ts";
import { countFailing } from "../../config/fail-on.ts";
import { type BuildRequest, type BuildSummary, buildCorpus } from "../../index/build.ts";
import { buildPart, joinParts, PART_FILE, type Part } from "../../index/split-build.ts";
import type { ObjectStore } from "../../publish/object-store.ts";
import { publishIndex, readLocalIndex } from "../../publish/publish.ts";
import { openBucket } from "../../publish/s3.ts";
import { finishBuild, waitingTo } from "../commands/build.ts";
import { checkIndex } from "../commands/check.ts";
import { describePublish } from "../commands/publish.ts";
import { writeMaps } from "../map-files.ts";
import { EXIT, type Terminal } from "../run-cli.ts";
import { compareFindings, countContentChanges, findIndexBefore, readKnownIndex } from "./index-before.ts";
import {
  type ActionEvent,
  type ActionInputs,
  bucketAddress,
  chooseTask,
  leavesCache,
  readEvent,
  readIdentity,
  readInputs,
  type Task,
  variableOf,
} from "./inputs.ts";
import { type ActionPlaces, checkPlaces, expectInside, findActionPlaces } from "./prepare-run.ts";
import {
  type ActionReport,
  annotateFindings,
  commentMark,
  formatComment,
  formatSummary,
  MAX_ANNOTATIONS,
  NO_COMMIT,
  placeFindings,
  reportOutputs,
  type StepTime,
  toTop,
} from "./report.ts";
import {
  appendTo,
  createSpeaker,
  describeMendable,
  formatOutputs,
  type Speaker,
  sayCrash,
  workspaceOf,
} from "./runner.ts";

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
  const report: ActionReport = { ...said, url: "", requests: 0, steps: [], seconds: 0, failures: [], notices: [] };
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
  const places = inputs && findActionPlaces(inputs, workspace);
  const pathTo = (folder = ""): string => relative(workspace, folder).split(sep).join("/");
  const outputs = {
    ...reportOutputs(report),
    index: report.build === undefined ? "" : pathTo(places?.index),
    part: report.partPages === undefined ? "" : pathTo(places?.part),
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
function isWorthSaving(event: ActionEvent, { task, before, build }: ActionReport): boolean {
  if (task === undefined || !leavesCache(task, event)) return false;
  return build === undefined || before?.generation !== build.generation;
}

/** New findings where they are, as many as GitHub shows. */
function annotate({ findings, placeOf, before }: ActionReport, speaker: Speaker): void {
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
  if (lines === undefined) return [sayCrash(speaker, error)];
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
async function writeComment(report: ActionReport, named: string, environment: NodeJS.ProcessEnv): Promise<string> {
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

/**
 * Do a task. What is found out goes into the report, findings that fail the run among it.
 *
 * @param say Takes lines for the log.
 * @throws {InputError}
 */
async function runTask(
  task: Task,
  inputs: ActionInputs,
  places: ActionPlaces,
  report: ActionReport,
  say: (line: string) => void,
): Promise<void> {
  const terminal: Terminal = { print: say, warn: say, interactive: false };
  const { shard } = inputs;
  await checkPlaces(places);
  // The index before would be fetched into a folder that is made for it.
  await expectFolder(places.root, inputs.root);
  if (shard !== undefined) return runPart(shard, inputs, places, report);

  const store = task.kind === "build" ? undefined : openCorpus(inputs);
  const noteRequests = (): void => {
    report.requests = store?.requests() ?? 0;
  };
  const notice = (text: string): void => {
    report.notices.push(text);
    say(text);
  };
  try {
    const before = await timed(report, "fetch", () => findIndexBefore(places.index, store, notice));
    if (before !== undefined) report.before = before;
    const summary = await timed(report, "build", () => build(inputs, places, before !== undefined, terminal));
    report.build = summary;
    report.placeOf = await placeFindings(places.root, configOf(inputs, places).config, places.workspace);
    await timed(report, "check", async () => {
      const checked = await checkIndex(places.index, []);
      const now = await readKnownIndex(places.index);
      report.findings = compareFindings(now.log, before?.log);
      if (before !== undefined) report.changes = countContentChanges(now.contents, before.contents);
      report.failures.push(...checked.damaged.map((problem) => `the index is damaged: ${problem}`));
      for (const { file, dead } of checked.maps) {
        report.failures.push(...dead.map((id) => `${file} names ${id}, which is not in the index`));
      }
    });
    judge(summary, inputs, report, terminal);
    if (store === undefined || report.failures.length > 0) return;
    report.publish = await timed(report, task.kind === "publish" ? "publish" : "dry run", async () =>
      publishIndex(await readLocalIndex(places.index), store, {
        ...(inputs.keep !== undefined && { keep: inputs.keep }),
        dryRun: task.kind !== "publish",
        onNotice: notice,
      }),
    );
    for (const line of describePublish(report.publish)) say(line);
  } finally {
    noteRequests();
  }
}

async function runPart(part: Part, inputs: ActionInputs, places: ActionPlaces, report: ActionReport): Promise<void> {
  const request = { ...configOf(inputs, places), outDir: places.part };
  report.partPages = await timed(report, "build", () => buildPart(request, part));
}

/** Build, or join parts, on the index before where there is one. */
async function build(
  inputs: ActionInputs,
  places: ActionPlaces,
  hasBase: boolean,
  terminal: Terminal,
): Promise<BuildSummary> {
  const request = {
    ...configOf(inputs, places),
    outDir: places.index,
    clock: Date.now,
    output: waitingTo(terminal),
    reports: inputs.reports.map((path) => toPath(path, places)),
    scip: inputs.scip.map((path) => toPath(path, places)),
    ...(hasBase && { base: places.index }),
  };
  const summary =
    inputs.parts.length === 0
      ? await buildCorpus({ ...request, cacheDir: places.cache })
      : await joinParts(request, await listParts(inputs.parts.map((path) => toPath(path, places))));
  await writeMaps(places.index, undefined);
  return summary;
}

/** Whether the findings of a build are too many, in the words of the command line. */
function judge(summary: BuildSummary, inputs: ActionInputs, report: ActionReport, terminal: Terminal): void {
  const seconds = report.steps.find(({ name }) => name === "build")?.seconds ?? 0;
  const options = { has: (flag: string) => flag === "strict" && inputs.isStrict, list: () => inputs.failOn };
  const { isGood, failing } = finishBuild(summary, seconds, options, terminal);
  if (isGood) return;
  const cut = summary.diagnosticCount > summary.diagnostics.length ? " or more" : "";
  report.failures.push(
    ...countFailing(failing).map(({ name, count }) => `findings that fail the build: ${name} (${count}${cut})`),
  );
  if (failing.length === 0) report.failures.push("there are findings, and strict allows none");
}

function configOf({ config }: ActionInputs, places: ActionPlaces): Pick<BuildRequest, "dir" | "config"> {
  return { dir: places.root, ...(config !== "" && { config: toPath(config, places) }) };
}

/** A path of the workspace for this process, as short as it can be: messages repeat it. */
function toPath(path: string, { workspace }: ActionPlaces): string {
  return relative(process.cwd(), resolve(workspace, path)) || ".";
}

function openCorpus({ bucket, corpus }: ActionInputs): ObjectStore {
  const place = openBucket(bucketAddress(bucket), bucket);
  return corpus === "" ? place : place.within(corpus);
}

async function timed<T>(report: ActionReport, name: StepTime["name"], work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  try {
    return await work();
  } finally {
    report.steps.push({ name, seconds: (performance.now() - started) / 1000 });
  }
}

/** The folders of parts among some folders and directly in them. @throws {InputError} where a folder is or holds none. */
async function listParts(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(folders.map(listPartsIn));
  return found.flat();
}

async function listPartsIn(folder: string): Promise<string[]> {
  const isPart = async (path: string): Promise<boolean> =>
    (await listNames(path)).some((entry) => entry.name === PART_FILE && !entry.isDirectory());
  if (await isPart(folder)) return [folder];
  const folders = (await listNames(folder)).filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const inside: string[] = [];
  for (const name of folders.sort()) if (await isPart(join(folder, name))) inside.push(join(folder, name));
  if (inside.length > 0) return inside;
  throw new InputError(`the input parts names ${quoteName(folder)}, which is no part of a build and holds none`);
}

function listNames(folder: string): Promise<Dirent[]> {
  const fail = failWith(`the input parts names ${quoteName(folder)}, which cannot be read`);
  return readdir(folder, { withFileTypes: true }).catch(fail);
}
