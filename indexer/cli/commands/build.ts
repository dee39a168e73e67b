/**
 * Commands `build` and `join`: a folder of documentation in, index files out; or the parts that several machines built.
 */
import { join } from "node:path";
import { type LoggedFinding, type LoggedSkip, SCAN_SOURCE } from "../../../src/core/format/build-log.ts";
import { formatCount, formatNumber } from "../../../src/surface/render/text.ts";
import { formatBytes, type Severity, toPrintable, UsageError } from "../../base/diagnostic.ts";
import { CACHE_FOLDER, DEFAULT_OUT } from "../../base/installation.ts";
import { countFailing, findFailing, readFailOn } from "../../config/fail-on.ts";
import { type BuildRequest, type BuildSummary, buildCorpus } from "../../index/build.ts";
import { buildPart, joinParts, type Part, readPart } from "../../index/split-build.ts";
import { STAGE_FAILED } from "../../index/stages.ts";
import { writeMaps } from "../map-files.ts";
import {
  type Command,
  type CommandInput,
  EXIT,
  option,
  printResult,
  showProgress,
  type Terminal,
  warnSome,
} from "../run-cli.ts";

/** The option that names another configuration than that of the folder. */
export const configOption = option.text(
  "FILE",
  "Configuration to use in place of treeline.config.json in the folder; its paths start at the folder.",
);

/** Options about what other programs know of the files. */
export const TOOL_OPTIONS = {
  report: option.list(
    "FILE",
    "SARIF report of a compiler or linter: its findings become diagnostics of the files. May be repeated.",
  ),
  scip: option.list(
    "FILE",
    "SCIP index of the folder: what a compiler knows becomes edges of tier precise. May be repeated.",
  ),
  "allow-commands": option.flag(
    "Run the command that the configuration names under expand. Only for folders that you trust. TREELINE_ALLOW_COMMANDS=1 does the same.",
  ),
  precise: option.text(
    "MODE",
    "Whether a compiler's checker is asked what names in source files mean: auto or off. Default: as the configuration says, else auto.",
  ),
} as const satisfies Command["options"];

/** Options of commands that write an index. */
export const BUILD_OUTPUT = {
  config: configOption,
  out: option.text("DIR", `Where to write. Default DIR/${DEFAULT_OUT}.`, "o"),
  base: option.text("PLACE", "Folder or address of an index to build on: what did not change is taken over."),
  ...TOOL_OPTIONS,
  agents: option.text(
    "FILE",
    "File that agents read first, such as AGENTS.md: its section with a map of the index is written too.",
  ),
  browser: option.flag("Write what pages load beside the index, too: search box, engine, marks, Pagefind's interface."),
  "fail-on": option.list(
    "LIST",
    "Exit with 1 for these rules, sources or severities, with commas between them: secret,error.",
  ),
  strict: option.flag("Exit with 1 when there are warnings, errors or skipped files."),
  json: option.flag("Print the summary as one JSON object."),
  quiet: option.flag("Print errors only."),
} as const satisfies Command["options"];
const buildCommand: Command = {
  name: "build",
  summary: "Index a folder of Markdown and source code into static index files.",
  positionals: ["[dir]"],
  options: {
    ...BUILD_OUTPUT,
    shard: option.text("I/N", "Parse part I of N only, for `join`; --out is then the folder of the part."),
    "no-cache": option.flag("Parse all files, and keep nothing for the next build."),
  },
  details:
    "Reads treeline.config.json in the folder; without one it indexes all Markdown and source code below the folder.",
  async run(input, terminal) {
    const dir = input.positionals[0] ?? ".";
    readFailOn(input.list("fail-on"));
    const part = readPart(input.text("shard"));
    if (part !== undefined) return writePart(part, dir, input, terminal);
    const cache = input.has("no-cache") ? {} : { cacheDir: join(dir, CACHE_FOLDER) };
    return writeIndex(dir, input, terminal, (request) => buildCorpus({ ...request, clock: Date.now, ...cache }));
  },
};

const joinCommand: Command = {
  name: "join",
  summary: "Make one index out of the parts that `build --shard` wrote.",
  positionals: ["<part...>"],
  options: {
    dir: option.text("DIR", "Folder that was built. Default: the current one."),
    ...BUILD_OUTPUT,
  },
  details: "The index is that of a build on one machine, byte for byte.",
  async run(input, terminal) {
    if (input.positionals.length === 0) throw new UsageError("name the folders of the parts");
    readFailOn(input.list("fail-on"));
    return writeIndex(input.text("dir") ?? ".", input, terminal, (request) => joinParts(request, input.positionals));
  },
};

/** Parses one part of a folder, for `join`. */
async function writePart(part: Part, dir: string, input: CommandInput, terminal: Terminal): Promise<number> {
  const { text, list, has } = input;
  const outDir = text("out");
  if (outDir === undefined) throw new UsageError("--shard needs --out, the folder of the part");
  const refuse = (isGiven: boolean, options: string, verb = "belongs"): void => {
    if (isGiven) throw new UsageError(`${options} ${verb} to \`join\`, not to a part`);
  };
  refuse(text("base") !== undefined, "--base");
  refuse(list("report").length + list("scip").length > 0, "--report and --scip", "belong");
  refuse(list("fail-on").length > 0, "--fail-on");
  refuse(has("browser"), "--browser");
  const started = performance.now();
  const request = { dir, ...readConfigOption(input), outDir, progress: showPages(input, terminal) };
  const documents = await buildPart(request, part);
  const seconds = Number(((performance.now() - started) / 1000).toFixed(2));
  printResult(input, terminal, { ...part, documents, seconds }, () => [
    `part ${part.index} of ${part.of}: ${documents} pages parsed`,
  ]);
  return EXIT.done;
}

/** Writes an index with what belongs beside it, and says what was done. The result is the exit code. */
async function writeIndex(
  dir: string,
  input: CommandInput,
  terminal: Terminal,
  build: (request: BuildRequest) => Promise<BuildSummary>,
): Promise<number> {
  const { text, has } = input;
  const started = performance.now();
  const outDir = text("out") ?? join(dir, DEFAULT_OUT);
  const base = text("base");
  const summary = await build({
    dir,
    ...readConfigOption(input),
    outDir,
    progress: showPages(input, terminal),
    output: waitingTo(terminal),
    ...(base !== undefined && { base }),
    ...readToolOptions(input),
  });
  await writeMaps(outDir, text("agents"));
  // Loaded where it is asked for.
  const pages = has("browser") ? await import("../pages/pages.ts") : undefined;
  await pages?.writePagesFor(outDir);
  const { isGood } = finishBuild(summary, (performance.now() - started) / 1000, input, terminal);
  await pages?.warnOfLostHits(outDir, input, terminal);
  if (!has("json") && !has("quiet")) {
    terminal.print(toPrintable(`written to ${outDir}`));
    if (has("browser")) {
      const { describeLine } = await import("../pages/pages.ts");
      for (const line of await describeLine(outDir)) terminal.print(toPrintable(line));
    }
  }
  return isGood ? EXIT.done : EXIT.failed;
}

/** What other programs know, as part of a request to build. @throws {UsageError} */
export function readToolOptions({ has, list, text }: CommandInput): Partial<BuildRequest> {
  const precise = text("precise");
  if (precise !== undefined && precise !== "auto" && precise !== "off")
    throw new UsageError(`--precise takes auto or off, got ${JSON.stringify(precise)}`);
  const allowCommands = has("allow-commands") || process.env["TREELINE_ALLOW_COMMANDS"] === "1";
  return { reports: list("report"), scip: list("scip"), precise, allowCommands };
}

/** The configuration that was named, as part of a request to build. */
export function readConfigOption({ text }: Pick<CommandInput, "text">): Pick<BuildRequest, "config"> {
  const config = text("config");
  return config === undefined ? {} : { config };
}

/** Prints what a build did, and decides whether it is good enough. `failing`: what it fails on, by name. */
export function finishBuild(
  summary: BuildSummary,
  seconds: number,
  { has, list }: Pick<CommandInput, "has" | "list">,
  terminal: Terminal,
): { readonly isGood: boolean; readonly failing: ReturnType<typeof findFailing> } {
  const findings = countFindings(summary);
  const failing = findFailing(summary, [...new Set([...summary.failOn, ...readFailOn(list("fail-on"))])]);
  if (summary.notice !== "" && !has("quiet")) terminal.warn(`built from scratch: ${summary.notice}`);
  const result = { ...summary, findings, failingOn: countFailing(failing), seconds: Number(seconds.toFixed(2)) };
  printResult({ has }, terminal, result, () => describeSummary(summary, seconds));
  if (!has("json")) {
    printFindings(summary, has("quiet"), terminal);
    printFailing(failing, terminal);
  }
  const isTooMuch = has("strict") && findings > 0;
  if (isTooMuch) terminal.warn(`${findings} findings, and --strict allows none`);
  return { isGood: !isTooMuch && failing.length === 0, failing };
}

/** What makes the build fail, by name. */
export function printFailing(failing: ReturnType<typeof findFailing>, terminal: Terminal): void {
  for (const { name, findings, skipped } of failing) {
    const lines = [...skipped.map(describeSkipped), ...findings.map(describeFinding)];
    terminal.warn(toPrintable(`fails on ${name}: ${lines.length}`));
    warnSome(terminal, lines, "  ");
  }
}

function describeSkipped({ collection, path, message }: LoggedSkip): string {
  return `skipped ${collection}:${path}: ${message}`;
}

function describeFinding(finding: LoggedFinding): string {
  const { severity, collection, path, line, column, message, code } = finding;
  const at = column === undefined || column === 0 ? `:${line}` : `:${line}:${column}`;
  return `${severity} ${collection}:${path}${line > 0 ? at : ""}: ${message} [${code}]`;
}

/** What is said while another build writes the same folder. */
export function waitingTo(terminal: Terminal): NonNullable<BuildRequest["output"]> {
  return { onWait: ({ pid, host }) => terminal.warn(`waiting for another build (process ${pid} on ${host})`) };
}

/** Skipped files, errors and warnings: what `--strict` allows none of. */
function countFindings(summary: BuildSummary): number {
  const notes = summary.diagnostics.filter(({ severity }) => severity === "info").length;
  return summary.skipped.length + summary.diagnosticCount - notes;
}

/** What a build did, in words; findings go to the error stream. */
function describeSummary(summary: BuildSummary, seconds: number): string[] {
  const { documents, sections, words, terms, files, indexBytes, textBytes, skipped, diagnostics, base } = summary;
  const rate = Math.round(documents / Math.max(seconds, 0.001));
  const found = (severity: Severity): number => diagnostics.filter((finding) => finding.severity === severity).length;
  const failed = diagnostics.filter(({ code }) => code === STAGE_FAILED).length;
  const scanned = Map.groupBy(
    diagnostics.filter(({ tool }) => tool === SCAN_SOURCE),
    ({ code }) => code,
  );
  const leftOut = (reason: string): string =>
    summary.facetKeysLeftOut.flatMap((facet) => (facet.reason === reason ? [facet.key] : [])).join(", ");
  const optional = (head: string, text: string): string[] => (text === "" ? [] : [`  ${head}: ${text}`]);
  return [
    `generation ${summary.generation} of commit ${summary.commit.slice(0, 7)}`,
    `  ${formatCount(documents, "page")}, ${formatCount(sections, "section")}, ${formatCount(words, "word")}, ${formatCount(terms, "term")}`,
    `  ${formatNumber(files)} files: ${formatBytes(indexBytes)} of index, ${formatBytes(textBytes)} of text`,
    `  ${seconds.toFixed(2)} s, ${formatNumber(rate)} pages/s`,
    ...optional(`on ${base}`, base === "" ? "" : describeReuse(summary)),
    `  ${formatCount(skipped.length, "file")} skipped, ${formatCount(found("error"), "error")}, ${formatCount(found("warning"), "warning")}`,
    ...(failed > 0 ? [`  ${formatCount(failed, "stage")} failed on a file: it is indexed without them`] : []),
    ...optional("scan", [...scanned].map(([rule, { length }]) => `${length} ${rule}`).join(", ")),
    ...optional("facet keys left out (too many values)", leftOut("cardinality")),
    ...optional("facet keys left out (by the configuration)", leftOut("configuration")),
    ...optional("facet keys left out (until a new base is written)", leftOut("base")),
  ];
}

/** What a build on a base took over. */
function describeReuse({ added, changed, deleted, newBytes, reusedBytes, levels }: BuildSummary): string {
  const bytes = `${formatBytes(newBytes)} new, ${formatBytes(reusedBytes)} reused`;
  const groups = [...Map.groupBy(levels, ({ group }) => group).values()];
  const sizes = groups.map((own) => own.map(({ documents }) => formatNumber(documents)).join(" + ")).join(", ");
  return `${changed} pages changed, ${added} added, ${deleted} deleted; ${bytes}; levels of ${sizes} pages`;
}

/** What was skipped and noticed, to the error stream. */
function printFindings(
  { skipped, diagnostics, diagnosticCount }: BuildSummary,
  errorsOnly: boolean,
  terminal: Terminal,
): void {
  const shown = diagnostics.filter(({ severity }) => !errorsOnly || severity === "error");
  // What is about no single file stands before what may be hundreds of lines.
  const lines = [
    ...shown.filter(({ path }) => path === "").map(describeFinding),
    ...(errorsOnly ? [] : skipped.map(describeSkipped)),
    ...shown.filter(({ path }) => path !== "").map(describeFinding),
  ];
  warnSome(terminal, lines, "", errorsOnly ? 0 : diagnosticCount - diagnostics.length);
}

function showPages(input: CommandInput, terminal: Terminal): (done: number, total: number) => void {
  const show = showProgress(input, terminal, ["reading the folder …", "writing the index …"]);
  return (done, total) => show(done, total, `${done} of ${total} pages`);
}

export const buildCommands = { build: buildCommand, join: joinCommand };
