/**
 * Results of a run of the Action as its annotations, summary, comment and outputs. Figures are those that build, check and
 * publish returned.
 */

import { realpath } from "node:fs/promises";
import { posix, relative, resolve, sep } from "node:path";
import { type LoggedFinding, SCAN_SOURCE } from "../../../src/core/format/build-log.ts";
import { OWN_TOOL } from "../../../src/surface/render/findings.ts";
import { formatCount, formatNumber } from "../../../src/surface/render/numbers.ts";
import { formatBytes, toPrintable } from "../../base/printable.ts";
import { readConfig } from "../../config/config.ts";
import type { BuildSummary } from "../../index/build.ts";
import type { PublishSummary } from "../../publish/publish.ts";
import { findRepository } from "../../sources/git-commit.ts";
import type { ComparedFindings, ContentChanges, IndexBefore } from "./index-before.ts";
import type { Task } from "./inputs.ts";
import type { Annotation, AnnotationLevel } from "./runner.ts";

const LEVELS: Readonly<Record<LoggedFinding["severity"], AnnotationLevel>> = {
  error: "error",
  warning: "warning",
  info: "notice",
};
/** GitHub shows so many of a level for a step. */
export const MAX_ANNOTATIONS = 10;

/** The path from the repository's top of a finding; undefined where it is about no file. */
type FilePlace = (finding: Pick<LoggedFinding, "collection" | "path">) => string | undefined;

/** What finds the paths of findings of a folder, which stands in a workspace. */
export async function placeFindings(dir: string, config: string | undefined, workspace: string): Promise<FilePlace> {
  const { config: read } = await readConfig(dir, config);
  const roots = new Map(read.collections.map(({ name, root }) => [name, root]));
  const folder = await toTop(dir, workspace);
  return ({ collection, path }) => (path === "" ? undefined : posix.join(folder, roots.get(collection) ?? ".", path));
}

/** The path from the repository's top of a folder or file in the workspace. */
export async function toTop(path: string, workspace: string): Promise<string> {
  const top = (await findRepository(workspace)) ?? workspace;
  const from = relative(await realpath(top), resolve(await realpath(workspace), relative(workspace, path)));
  return from.split(sep).join("/") || ".";
}

/** Findings as annotations, as many as GitHub shows, the worst first. */
export function annotateFindings(findings: readonly LoggedFinding[], placeOf: FilePlace): readonly Annotation[] {
  const levels = ["error", "warning", "info"] as const;
  return levels.flatMap((severity) =>
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

/** Seconds of a step. */
export interface StepTime {
  readonly name: "fetch" | "build" | "check" | "publish" | "dry run";
  readonly seconds: number;
}

/** See the header. It grows: what a run has not come to is undefined, so that one that fails half way reports the half. */
export interface ActionReport {
  corpus: string;
  /** Folder that is indexed, from the workspace. */
  root: string;
  /** Address of the corpus, `""` = not known. */
  url: string;
  task?: Task;
  before?: Pick<IndexBefore, "generation" | "from">;
  build?: BuildSummary;
  changes?: ContentChanges;
  findings?: ComparedFindings;
  placeOf?: FilePlace;
  publish?: PublishSummary;
  /** Pages of a part. */
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
export const NO_COMMIT = "none";
/** Findings that a summary and a comment list. */
const LISTED_FINDINGS = 50;
const NOT_COMPARED = "There are more findings than logs hold. Files whose findings were left out were not compared.";
/** GitHub takes comments of 65,536 characters; a line more says what was left out. */
const MAX_COMMENT_LENGTH = 65_000;

/** The summary of the job, in Markdown. */
export function formatSummary(report: ActionReport): string {
  return `${[...heading(report), "", ...formatTable(rowsOf(report)), "", ...findingLines(report)].join("\n").trimEnd()}\n\n`;
}

/** The mark by which the comment of an earlier run is found: of a corpus and a folder. */
export function commentMark({ corpus, root }: Pick<ActionReport, "corpus" | "root">): string {
  const name = [corpus || "root", ...(root === "." ? [] : [root])].join(":");
  return `<!-- treeline:${name.replace(/[^\w:./-]/g, "_")} -->`;
}

/** The body of a comment for a pull request, in Markdown: short, and never longer than GitHub takes. */
export function formatComment(report: ActionReport): string {
  const shown = new Set(["Generation", "Pages", "Symbols", "Would upload", "Uploaded", "Findings"]);
  const rows = rowsOf(report).filter(([name]) => shown.has(name));
  const lines = [commentMark(report), ...heading(report), "", ...formatTable(rows), "", ...findingLines(report)];
  const kept: string[] = [];
  let length = 0;
  for (const [at, line] of lines.entries()) {
    length += line.length + 1;
    if (length > MAX_COMMENT_LENGTH) {
      kept.push("", `… and ${formatCount(lines.length - at, "line")} more in the summary of the job.`);
      break;
    }
    kept.push(line);
  }
  return `${kept.join("\n").trimEnd()}\n`;
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
    ...(isPartial && before !== undefined ? ["", NOT_COMPARED] : []),
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
