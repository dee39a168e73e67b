/**
 * A run of the Action: build on the index before, check, publish or say what would be published. The functions are those
 * of the command line; what they return becomes the report.
 */

import { readdir } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { InputError } from "../../../src/core/errors.ts";
import { quoteName } from "../../../src/core/text/nearest.ts";
import { describeFsError, expectFolder, isFsError } from "../../base/file-system.ts";
import { countFailing, findFailing } from "../../config/fail-on.ts";
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
import { type ActionInputs, bucketAddress } from "./inputs.ts";
import { type ActionPlaces, checkPlaces } from "./places.ts";
import { type ActionReport, placeFindings, type StepTime } from "./report.ts";
import type { Task } from "./task.ts";

/** What a run has found out so far. It grows, so that a run that fails half way reports the half. */
export type GrowingReport = { -readonly [name in keyof ActionReport]: ActionReport[name] } & {
  failures: string[];
  notices: string[];
  steps: StepTime[];
};

/**
 * Do a task. What is found out goes into the report, findings that fail the run among it.
 *
 * @param say Takes lines for the log.
 * @throws {InputError}
 */
export async function runTask(
  task: Task,
  inputs: ActionInputs,
  places: ActionPlaces,
  report: GrowingReport,
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

async function runPart(part: Part, inputs: ActionInputs, places: ActionPlaces, report: GrowingReport): Promise<void> {
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
function judge(summary: BuildSummary, inputs: ActionInputs, report: GrowingReport, terminal: Terminal): void {
  const seconds = report.steps.find(({ name }) => name === "build")?.seconds ?? 0;
  const options = { has: (flag: string) => flag === "strict" && inputs.isStrict, list: () => inputs.failOn };
  if (finishBuild(summary, seconds, options, terminal) === EXIT.done) return;
  const failing = countFailing(findFailing(summary, [...new Set([...summary.failOn, ...inputs.failOn])]));
  const cut = summary.diagnosticCount > summary.diagnostics.length ? " or more" : "";
  report.failures.push(...failing.map(({ name, count }) => `findings that fail the build: ${name} (${count}${cut})`));
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

async function timed<T>(report: GrowingReport, name: StepTime["name"], work: () => Promise<T>): Promise<T> {
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
  const names = await listNames(folder);
  if (names.files.includes(PART_FILE)) return [folder];
  const inside: string[] = [];
  for (const name of names.folders.sort()) {
    const path = join(folder, name);
    if ((await listNames(path)).files.includes(PART_FILE)) inside.push(path);
  }
  if (inside.length > 0) return inside;
  throw new InputError(`the input parts names ${quoteName(folder)}, which is no part of a build and holds none`);
}

async function listNames(folder: string): Promise<{ readonly files: string[]; readonly folders: string[] }> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const names = (isWanted: boolean): string[] =>
      entries.filter((entry) => entry.isDirectory() === isWanted).map(({ name }) => name);
    return { files: names(false), folders: names(true) };
  } catch (error) {
    if (!isFsError(error)) throw error;
    throw new InputError(`the input parts names ${quoteName(folder)}, which cannot be read: ${describeFsError(error)}`);
  }
}
