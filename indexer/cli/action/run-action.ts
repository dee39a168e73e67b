/**
 * The step of the Action that does the work, without its process: environment in, exit code out. It builds on the index before, checks
 * and publishes with the functions of the commands; what they return becomes annotations, summary, comment and outputs.
 *
 * I/O: reads what the runner says of the run, and writes what it reads afterwards. Long, because its steps share what is known of the run.
 */
import { type Dirent, rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, posix, relative, resolve, sep } from "node:path";
import process from "node:process";
import { InputError } from "../../../src/core/errors.ts";
import { type LoggedFinding, SCAN_SOURCE, SEVERITIES } from "../../../src/core/format/build-log.ts";
import { quoteName } from "../../../src/core/text/nearest.ts";
import { OWN_TOOL } from "../../../src/surface/render/findings.ts";
import { formatCount, formatNumber } from "../../../src/surface/render/text.ts";
import { formatBytes, toPrintable } from "../../base/diagnostic.ts";
import { describeFsError, expectFolder, failWith, isFsError } from "../../base/file-system.ts";
import { readConfig } from "../../config/config.ts";
import { countFailing } from "../../config/fail-on.ts";
import { type BuildRequest, type BuildSummary, buildCorpus } from "../../index/build.ts";
import { buildPart, joinParts, PART_FILE } from "../../index/split-build.ts";
import type { ObjectStore } from "../../publish/object-store.ts";
import { type PublishSummary, publishIndex, readLocalIndex } from "../../publish/publish.ts";
import { openBucket } from "../../publish/s3.ts";
import { findRepository } from "../../sources/git.ts";
import { finishBuild, waitingTo } from "../commands/build.ts";
import { describePublish } from "../commands/publish.ts";
import { checkIndex } from "../commands/status.ts";
import { runIndexers } from "../init/choose-collections.ts";
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
  type Annotation,
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

/** The step that does the work. The result is the exit code. */
export async function runAction(environment: NodeJS.ProcessEnv, write: WriteLine): Promise<number> {
  const speaker = createSpeaker(write);
  const started = performance.now();
  const workspace = workspaceOf(environment);
  const said = readIdentity(environment, workspace);
  const report: ActionReport = { ...said, url: "", requests: 0, steps: [], seconds: 0, failures: [], notices: [] };
  let [inputs, event]: [ActionInputs | undefined, ActionEvent | undefined] = [undefined, undefined];
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
    report.failures.push(...sayWhatFailed(error, speaker));
  }
  report.seconds = (performance.now() - started) / 1000;
  annotate(report, speaker);
  const commentFile = await writeComment(report, said.commentFile, environment).catch((error: unknown) => {
    report.failures.push(...sayWhatFailed(error, speaker));
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
function sayWhatFailed(error: unknown, speaker: Speaker): string[] {
  const lines = describeMendable(error);
  if (lines === undefined) return [sayCrash(speaker, error)];
  speaker.annotate({ level: "error", title: "Treeline", message: lines.join("\n") });
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
  if (shard !== undefined) {
    const request = { ...configOf(inputs, places), outDir: places.part };
    report.partPages = await timed(report, "build", () => buildPart(request, shard));
    return;
  }

  const store = task.kind === "build" ? undefined : openCorpus(inputs);
  const notice = (text: string): void => {
    report.notices.push(text);
    say(text);
  };
  try {
    const before = await timed(report, "fetch", () => findIndexBefore(places.index, store, notice));
    if (before !== undefined) report.before = before;
    const summary = await timed(report, "build", async () =>
      build(inputs, places, await findScip(inputs, places, notice), before !== undefined, terminal),
    );
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
    report.requests = store?.requests() ?? 0;
  }
}

/** The SCIP indexes that were given; without any those of the indexers that are installed. */
async function findScip(
  inputs: ActionInputs,
  places: ActionPlaces,
  notice: (text: string) => void,
): Promise<readonly string[]> {
  if (inputs.scip.length > 0) return inputs.scip.map((path) => toPath(path, places));
  const { config } = await readConfig(places.root, configOf(inputs, places).config);
  if (config.precise === "off") return [];
  const into = await mkdtemp(join(tmpdir(), "treeline-scip-"));
  process.once("exit", () => rmSync(into, { recursive: true, force: true }));
  return runIndexers(places.root, into, process.env, notice);
}

/** Build, or join parts, on the index before where there is one. */
async function build(
  inputs: ActionInputs,
  places: ActionPlaces,
  scip: readonly string[],
  hasBase: boolean,
  terminal: Terminal,
): Promise<BuildSummary> {
  const request = {
    ...configOf(inputs, places),
    outDir: places.index,
    clock: Date.now,
    output: waitingTo(terminal),
    reports: inputs.reports.map((path) => toPath(path, places)),
    scip,
    ...(hasBase && { base: places.index }),
  };
  const summary =
    inputs.parts.length === 0
      ? await buildCorpus({ ...request, cacheDir: places.cache })
      : await joinParts(
          request,
          (await Promise.all(inputs.parts.map((path) => listParts(toPath(path, places))))).flat(),
        );
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

/** The folder where it is a part, else those of parts directly in it. @throws {InputError} where it is and holds none. */
async function listParts(folder: string): Promise<string[]> {
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

const LEVELS: Readonly<Record<LoggedFinding["severity"], Annotation["level"]>> = {
  error: "error",
  warning: "warning",
  info: "notice",
};
/** GitHub shows so many of a level for a step. */
const MAX_ANNOTATIONS = 10;

/** The path from the repository's top of a finding; undefined where it is about no file. */
type FilePlace = (finding: Pick<LoggedFinding, "collection" | "path">) => string | undefined;

/** What finds the paths of findings of a folder, which stands in a workspace. */
async function placeFindings(dir: string, config: string | undefined, workspace: string): Promise<FilePlace> {
  const { config: read } = await readConfig(dir, config);
  const roots = new Map(read.collections.map(({ name, root }) => [name, root]));
  const folder = await toTop(dir, workspace);
  return ({ collection, path }) => (path === "" ? undefined : posix.join(folder, roots.get(collection) ?? ".", path));
}

/** The path from the repository's top of a folder or file in the workspace. */
async function toTop(path: string, workspace: string): Promise<string> {
  const top = (await findRepository(workspace)) ?? workspace;
  const from = relative(await realpath(top), resolve(await realpath(workspace), relative(workspace, path)));
  return from.split(sep).join("/") || ".";
}

/** Findings as annotations, as many as GitHub shows, the worst first. */
function annotateFindings(findings: readonly LoggedFinding[], placeOf: FilePlace): readonly Annotation[] {
  return SEVERITIES.flatMap((severity) =>
    findings
      .filter((finding) => finding.severity === severity)
      .slice(0, MAX_ANNOTATIONS)
      .map((finding) => toAnnotation(finding, placeOf(finding))),
  );
}

/** The rule of a finding, with the tool that has it where that is not Treeline. */
function ruleOf({ code, tool = OWN_TOOL }: LoggedFinding): string {
  return tool === OWN_TOOL || tool === SCAN_SOURCE ? code : `${code} (${tool})`;
}

function toAnnotation(finding: LoggedFinding, file: string | undefined): Annotation {
  const { severity, message, line, column } = finding;
  return {
    level: LEVELS[severity],
    title: ruleOf(finding),
    message,
    ...(file !== undefined && { file, line, ...(column !== undefined && { column }) }),
  };
}

/** Longer text is cut: a summary is read at a glance. */
const MAX_TEXT_LENGTH = 300;

interface StepTime {
  readonly name: "fetch" | "build" | "check" | "publish" | "dry run";
  readonly seconds: number;
}

/** See the header. It grows: what a run has not come to is undefined, so that one that fails half way reports the half. */
interface ActionReport {
  corpus: string;
  /** Folder that is indexed, from the workspace. */
  root: string;
  /** Address of the corpus, `""` = not known. */
  url: string;
  task?: Task;
  before?: { readonly generation: string; readonly from: "cache" | "bucket" };
  build?: BuildSummary;
  changes?: ContentChanges;
  findings?: ComparedFindings;
  placeOf?: FilePlace;
  publish?: PublishSummary;
  partPages?: number;
  /** To the store, in all. */
  requests: number;
  steps: StepTime[];
  seconds: number;
  /** Why the run fails, a sentence each; none where it does not. */
  failures: string[];
  /** What somebody should know of. */
  notices: string[];
}

/** What stands for the commit outside of git. */
const NO_COMMIT = "none";
const LISTED_FINDINGS = 50;
const NOT_COMPARED = "There are more findings than logs hold: they were not compared.";
/** GitHub takes comments of 65,536 characters; a line more says what was left out. */
const MAX_COMMENT_LENGTH = 65_000;

export function formatSummary(report: ActionReport): string {
  return `${[...heading(report), "", ...formatTable(rowsOf(report)), "", ...findingLines(report)].join("\n").trimEnd()}\n\n`;
}

/** The mark by which the comment of an earlier run is found: of a corpus and a folder. */
function commentMark({ corpus, root }: Pick<ActionReport, "corpus" | "root">): string {
  const name = [corpus || "root", ...(root === "." ? [] : [root])].join(":");
  return `<!-- treeline:${name.replace(/[^\w:./-]/g, "_")} -->`;
}

/** The body of a comment for a pull request, in Markdown: short, and never longer than GitHub takes. */
export function formatComment(report: ActionReport): string {
  const shown = new Set(["Generation", "Pages", "Symbols", "Would upload", "Uploaded", "Findings"]);
  const rows = rowsOf(report).filter(([name]) => shown.has(name));
  const lines = [commentMark(report), ...heading(report), "", ...formatTable(rows), "", ...findingLines(report)];
  const text = lines.join("\n").trimEnd();
  if (text.length < MAX_COMMENT_LENGTH) return `${text}\n`;
  return `${text.slice(0, text.lastIndexOf("\n", MAX_COMMENT_LENGTH))}\n\n… and more in the summary of the job.\n`;
}

/** The outputs of the Action that follow from a report, by their names. `""` for what it did not come to. */
export function reportOutputs({
  build,
  publish,
  findings,
  before,
  seconds,
  url,
  partPages,
  task,
}: ActionReport): Record<string, string> {
  const number = (value: number | undefined): string => (value === undefined ? "" : String(value));
  return {
    generation: build?.generation ?? "",
    pages: number(build?.documents ?? partPages),
    symbols: number(build?.symbols),
    "uploaded-bytes": number(publish?.uploadedBytes),
    "reused-bytes": number(publish?.reusedBytes),
    seconds: seconds.toFixed(2),
    url,
    published: String(task?.kind === "publish" && publish !== undefined),
    "new-findings": before === undefined ? "" : number(findings?.fresh.length),
  };
}

function heading({ corpus, task, publish, build, failures, notices }: ActionReport): string[] {
  const name = corpus === "" ? "Treeline" : `Treeline ${codeSpan(corpus)}`;
  const generation = build === undefined ? "" : ` ${codeSpan(build.generation)}`;
  return [
    `### ${name}: ${failures.length > 0 ? "failed" : `${describeOutcome(task, publish)}${generation}`}`,
    ...[...failures.map((failure) => codeSpan(failure)), task?.why ?? "", ...notices.map((notice) => codeSpan(notice))]
      .filter((line) => line !== "")
      .flatMap((line) => ["", line]),
  ];
}

function describeOutcome(task: Task | undefined, publish: PublishSummary | undefined): string {
  if (task?.kind === "part") return "parsed";
  if (task?.kind === "publish" && publish !== undefined) return publish.switched ? "published" : "unchanged";
  if (task?.kind === "dry-run") return "dry run of";
  return "built";
}

function rowsOf(report: ActionReport): (readonly [string, string])[] {
  const { url, build, changes, publish, before, findings, requests, partPages, steps, seconds } = report;
  const rows: (readonly [string, string])[] = [];
  const add = (name: string, ...parts: readonly string[]): void => {
    rows.push([name, parts.filter((part) => part !== "").join(" ")]);
  };
  if (url !== "") add("Address", `<${url}>`);
  if (build !== undefined) {
    const replaces =
      publish === undefined || !publish.switched || publish.replaced === "" ? "" : codeSpan(publish.replaced, true);
    add(
      "Generation",
      codeSpan(build.generation, true),
      replaces === "" ? "" : `(${publish?.dryRun === true ? "would replace" : "replaces"} ${replaces})`,
    );
    if (build.commit !== NO_COMMIT) add("Commit", codeSpan(build.commit, true));
    add("Pages", formatNumber(build.documents), changes === undefined ? "" : `(${describeChanges(changes)})`);
    add("Symbols", formatNumber(build.symbols));
  }
  if (partPages !== undefined) add("Pages", formatNumber(partPages));
  if (publish !== undefined) {
    add(publish.dryRun ? "Would upload" : "Uploaded", describeFiles(publish.uploadedFiles, publish.uploadedBytes));
    add("Reused", describeFiles(publish.reusedFiles, publish.reusedBytes));
  }
  if (requests > 0) add("Requests", formatNumber(requests));
  if (build !== undefined) add("Built on", describeBase(build, before));
  add(
    "Seconds",
    `${seconds.toFixed(2)}${steps.length === 0 ? "" : ` (${steps.map((step) => `${step.name} ${step.seconds.toFixed(2)}`).join(", ")})`}`,
  );
  if (findings !== undefined) add("Findings", describeFindings(findings, before !== undefined));
  return rows;
}

/** What a build took over from. Where it did not, the build says why. */
function describeBase({ base, notice }: BuildSummary, before: ActionReport["before"]): string {
  if (before === undefined) return "nothing";
  if (base === "") return `nothing: ${codeSpan(notice, true)}`;
  return `${codeSpan(base, true)} out of the ${before.from}`;
}

function describeChanges({ added, changed, deleted }: ContentChanges): string {
  return `${formatNumber(added)} added, ${formatNumber(changed)} changed, ${formatNumber(deleted)} deleted`;
}

function describeFiles(files: number, bytes: number): string {
  const exact = bytes < 1000 ? "" : ` (${formatNumber(bytes)} bytes)`;
  return `${formatCount(files, "file")}, ${formatBytes(bytes)}${exact}`;
}

function describeFindings({ fresh, fixed, listed, total }: ComparedFindings, isCompared: boolean): string {
  const all = `${formatNumber(total)} in all${listed < total ? `, ${formatNumber(listed)} of them in the log` : ""}`;
  return isCompared ? `${formatNumber(fresh.length)} new, ${formatNumber(fixed.length)} fixed, ${all}` : all;
}

function findingLines({ findings, before, placeOf = () => undefined }: ActionReport): string[] {
  if (findings === undefined) return [];
  const { fresh, isPartial, total } = findings;
  const lines = fresh.slice(0, LISTED_FINDINGS).map((finding) => describeFinding(finding, placeOf(finding)));
  const left = (before === undefined ? total : fresh.length) - lines.length;
  const head = before === undefined ? "**Findings**; there is no index before to compare with:" : "**New findings**";
  return [
    ...(lines.length > 0 ? [head, "", ...lines] : []),
    ...(left > 0 ? ["", `… and ${formatNumber(left)} more.`] : []),
    ...(isPartial ? ["", NOT_COMPARED] : []),
  ];
}

function describeFinding(finding: LoggedFinding, file: string | undefined): string {
  const { severity, message, line, collection } = finding;
  const place = `${file ?? collection}${line > 0 && file !== undefined ? `:${line}` : ""}`;
  return `- ${severity} in ${codeSpan(place)}: ${codeSpan(message)} [${codeSpan(ruleOf(finding))}]`;
}

/** Text as a span of code, on one line. For cells of tables, too: a bar in it ends no cell. */
export function codeSpan(text: string, inTable = false): string {
  const whole = toPrintable(text.replace(/\s+/g, " ").trim());
  const cut = whole.length > MAX_TEXT_LENGTH ? `${[...whole].slice(0, MAX_TEXT_LENGTH - 1).join("")}…` : whole;
  if (cut === "") return "";
  // A span ends at the first run of as many backticks as it began with, so it begins with more than it holds.
  const longest = Math.max(0, ...[...cut.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const padded = longest > 0 ? ` ${cut} ` : cut;
  return `${fence}${inTable ? padded.replaceAll("|", "\\|") : padded}${fence}`;
}

/** A table without heads: names and what they stand for. */
export function formatTable(rows: readonly (readonly [string, string])[]): string[] {
  return ["| | |", "|---|---|", ...rows.map(([name, value]) => `| ${name} | ${value} |`)];
}

type ContentChanges = Readonly<ReturnType<typeof countContentChanges>>;

/** Findings of two builds against each other. */
type ComparedFindings = Readonly<ReturnType<typeof compareFindings>>;
