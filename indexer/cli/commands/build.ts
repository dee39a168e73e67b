/**
 * Commands `build` and `join`: a folder of documentation in, index files out; or the parts that several machines built.
 */
import { join } from "node:path";
import { type LoggedFinding, type LoggedSkip, SCAN_SOURCE } from "../../../src/core/format/build-log.ts";
import { formatCount, formatNumber } from "../../../src/surface/render/numbers.ts";
import type { Severity } from "../../base/diagnostic.ts";
import { CACHE_FOLDER, DEFAULT_OUT } from "../../base/installation.ts";
import { formatBytes, toPrintable } from "../../base/printable.ts";
import { UsageError } from "../../base/usage-error.ts";
import { countFailing, type FailingFindings, findFailing, readFailOn } from "../../config/fail-on.ts";
import { type BuildRequest, type BuildSummary, buildCorpus } from "../../index/build.ts";
import { buildPart, joinParts, readPart } from "../../index/split-build.ts";
import { STAGE_FAILED } from "../../index/stages.ts";
import type { ToolPaths } from "../../index/tool-files.ts";
import { writeMaps } from "../map-files.ts";
import { describeLostHits, writePagesFor } from "../pages/pages.ts";
import { type Command, type CommandInput, EXIT, type Terminal } from "../run-cli.ts";

const SHOWN_FINDINGS = 20;
const PROGRESS_EVERY_MS = 200;

/** The option that names another configuration than that of the folder. */
export const configOption = {
  kind: "text",
  placeholder: "FILE",
  description: "Configuration to use in place of treeline.config.json in the folder; its paths start at the folder.",
} as const satisfies Command["options"][string];

/** Options of commands that write an index. */
export const BUILD_OUTPUT = {
  config: configOption,
  out: { kind: "text", short: "o", placeholder: "DIR", description: `Where to write. Default DIR/${DEFAULT_OUT}.` },
  base: {
    kind: "text",
    placeholder: "PLACE",
    description: "Folder or address of an index to build on: what did not change is taken over.",
  },
  report: {
    kind: "list",
    placeholder: "FILE",
    description: "SARIF report of a compiler or linter: its findings become diagnostics of the files. May be repeated.",
  },
  scip: {
    kind: "list",
    placeholder: "FILE",
    description: "SCIP index of the folder: what a compiler knows becomes edges of tier precise. May be repeated.",
  },
  agents: {
    kind: "text",
    placeholder: "FILE",
    description: "File that agents read first, such as AGENTS.md: its section with a map of the index is written too.",
  },
  browser: {
    kind: "flag",
    description: "Write what pages load beside the index, too: search box, engine, marks, Pagefind's interface.",
  },
  "fail-on": {
    kind: "list",
    placeholder: "LIST",
    description: "Exit with 1 for these rules, sources or severities, with commas between them: secret,error.",
  },
  strict: { kind: "flag", description: "Exit with 1 when there are warnings, errors or skipped files." },
  json: { kind: "flag", description: "Print the summary as one JSON object." },
  quiet: { kind: "flag", description: "Print errors only." },
} as const satisfies Command["options"];
export const buildCommand: Command = {
  name: "build",
  summary: "Index a folder of Markdown and source code into static index files.",
  positionals: ["[dir]"],
  options: {
    ...BUILD_OUTPUT,
    shard: {
      kind: "text",
      placeholder: "I/N",
      description: "Parse part I of N only, for `join`; --out is then the folder of the part.",
    },
    "no-cache": { kind: "flag", description: "Parse all files, and keep nothing for the next build." },
  },
  details:
    "Reads treeline.config.json in the folder; without one it indexes all Markdown and source code below the folder.",
  async run(input, terminal) {
    const { positionals, text, has } = input;
    const dir = positionals[0] ?? ".";
    const out = text("out");
    const base = text("base");
    const tools = readToolOptions(input);
    const config = readConfigOption(input);
    if (out === "") throw new UsageError("--out needs a folder");
    if (base === "") throw new UsageError("--base needs a folder or an address");
    if (text("agents") === "") throw new UsageError("--agents needs a file");
    readFailOn(input.list("fail-on"));
    const started = performance.now();
    const seconds = (): number => (performance.now() - started) / 1000;
    const progress = showProgress(terminal, has("quiet"));
    const part = readPart(text("shard"));
    if (part !== undefined) {
      if (out === undefined) throw new UsageError("--shard needs --out, the folder of the part");
      if (base !== undefined) throw new UsageError("--base belongs to `join`, not to a part");
      if (tools.reports.length + tools.scip.length > 0) {
        throw new UsageError("--report and --scip belong to `join`, not to a part");
      }
      if (input.list("fail-on").length > 0) throw new UsageError("--fail-on belongs to `join`, not to a part");
      if (has("browser")) throw new UsageError("--browser belongs to `join`, not to a part");
      const documents = await buildPart({ dir, ...config, outDir: out, progress }, part);
      if (has("json")) terminal.print(JSON.stringify({ ...part, documents, seconds: Number(seconds().toFixed(2)) }));
      else if (!has("quiet")) terminal.print(`part ${part.index} of ${part.of}: ${documents} pages parsed`);
      return EXIT.done;
    }
    const outDir = out ?? join(dir, DEFAULT_OUT);
    const summary = await buildCorpus({
      dir,
      ...config,
      outDir,
      progress,
      clock: Date.now,
      output: waitingTo(terminal),
      ...(base !== undefined && { base }),
      ...tools,
      isForPages: has("browser"),
      ...(!has("no-cache") && { cacheDir: join(dir, CACHE_FOLDER) }),
    });
    await writeMaps(outDir, text("agents"));
    if (has("browser")) await writePagesFor(outDir);
    const code = finishBuild(summary, seconds(), input, terminal);
    await warnOfLostHits(outDir, input, terminal);
    return code;
  },
};

/** The configuration that was named, as part of a request to build. @throws {UsageError} where the name is empty. */
export function readConfigOption({ text }: Pick<CommandInput, "text">): Pick<BuildRequest, "config"> {
  const config = text("config");
  if (config === "") throw new UsageError("--config needs a file");
  return config === undefined ? {} : { config };
}

/** Files of other tools that a command was given. @throws {UsageError} where a name is empty. */
function readToolOptions({ list }: Pick<CommandInput, "list">): Required<ToolPaths> {
  for (const option of ["report", "scip"]) {
    if (list(option).includes("")) throw new UsageError(`--${option} needs a file`);
  }
  return { reports: list("report"), scip: list("scip") };
}

/** Say what a search in a page will not lead to, where files for pages were asked for: last, or nobody would see it. */
export async function warnOfLostHits(
  indexFolder: string,
  { has }: Pick<CommandInput, "has">,
  terminal: Terminal,
): Promise<void> {
  if (!has("browser") || has("quiet")) return;
  for (const warning of await describeLostHits(indexFolder)) terminal.warn(warning);
}

/** Print what a build did. The result is the exit code. */
export function finishBuild(
  summary: BuildSummary,
  seconds: number,
  { has, list }: Pick<CommandInput, "has" | "list">,
  terminal: Terminal,
): number {
  const findings = countFindings(summary);
  const failing = findFailing(summary, [...new Set([...summary.failOn, ...readFailOn(list("fail-on"))])]);
  if (summary.notice !== "" && !has("quiet")) terminal.warn(`built from scratch: ${summary.notice}`);
  if (has("json")) {
    const failingOn = countFailing(failing);
    terminal.print(JSON.stringify({ ...summary, findings, failingOn, seconds: Number(seconds.toFixed(2)) }));
  } else if (!has("quiet")) printSummary(summary, seconds, terminal);
  if (!has("json")) printFindings(summary, has("quiet"), terminal);
  if (!has("json")) printFailing(failing, terminal);
  const isTooMuch = has("strict") && findings > 0;
  if (isTooMuch) terminal.warn(`${findings} findings, and --strict allows none`);
  return isTooMuch || failing.length > 0 ? EXIT.failed : EXIT.done;
}

/** What makes the build fail, by name. */
export function printFailing(failing: readonly FailingFindings[], terminal: Terminal): void {
  for (const { name, findings, skipped } of failing) {
    const lines = [...skipped.map(describeSkipped), ...findings.map(describeFinding)];
    terminal.warn(toPrintable(`fails on ${name}: ${lines.length}`));
    for (const line of lines.slice(0, SHOWN_FINDINGS)) terminal.warn(toPrintable(`  ${line}`));
    if (lines.length > SHOWN_FINDINGS)
      terminal.warn(`  … and ${lines.length - SHOWN_FINDINGS} more; --json lists them`);
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
function printSummary(summary: BuildSummary, seconds: number, terminal: Terminal): void {
  const { documents, sections, words, terms, files, indexBytes, textBytes, skipped, diagnostics } = summary;
  const rate = Math.round(documents / Math.max(seconds, 0.001));
  terminal.print(`generation ${summary.generation} of commit ${summary.commit.slice(0, 7)}`);
  terminal.print(
    `  ${formatCount(documents, "page")}, ${formatCount(sections, "section")}, ${formatCount(words, "word")}, ${formatCount(terms, "term")}`,
  );
  terminal.print(
    `  ${formatNumber(files)} files: ${formatBytes(indexBytes)} of index, ${formatBytes(textBytes)} of text`,
  );
  terminal.print(`  ${seconds.toFixed(2)} s, ${formatNumber(rate)} pages/s`);
  if (summary.base !== "") terminal.print(describeReuse(summary));
  const found = (severity: Severity): number => diagnostics.filter((finding) => finding.severity === severity).length;
  terminal.print(
    `  ${formatCount(skipped.length, "file")} skipped, ${formatCount(found("error"), "error")}, ${formatCount(found("warning"), "warning")}`,
  );
  const failed = diagnostics.filter(({ code }) => code === STAGE_FAILED).length;
  if (failed > 0) terminal.print(`  ${formatCount(failed, "stage")} failed on a file: it is indexed without them`);
  const scanned = describeScan(diagnostics);
  if (scanned !== "") terminal.print(`  scan: ${scanned}`);
  const leftOut = (reason: string): string =>
    summary.facetKeysLeftOut.flatMap((facet) => (facet.reason === reason ? [facet.key] : [])).join(", ");
  if (leftOut("cardinality") !== "")
    terminal.print(`  facet keys left out (too many values): ${leftOut("cardinality")}`);
  if (leftOut("configuration") !== "")
    terminal.print(`  facet keys left out (by the configuration): ${leftOut("configuration")}`);
}

/** What the scan found, by rule: `2 secret, 1 hidden-text`. */
function describeScan(diagnostics: BuildSummary["diagnostics"]): string {
  const counts = new Map<string, number>();
  for (const { tool, code } of diagnostics) {
    if (tool === SCAN_SOURCE) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts].map(([rule, found]) => `${found} ${rule}`).join(", ");
}

/** What a build on a base took over. */
function describeReuse({ base, added, changed, deleted, newBytes, reusedBytes }: BuildSummary): string {
  const bytes = `${formatBytes(newBytes)} new, ${formatBytes(reusedBytes)} reused`;
  return `  on ${base}: ${changed} pages changed, ${added} added, ${deleted} deleted; ${bytes}`;
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
  for (const line of lines.slice(0, SHOWN_FINDINGS)) terminal.warn(toPrintable(line));
  const hidden = Math.max(0, lines.length - SHOWN_FINDINGS) + (errorsOnly ? 0 : diagnosticCount - diagnostics.length);
  if (hidden > 0) terminal.warn(`… and ${hidden} more; --json lists them`);
}

/** Counts pages while a build runs, on a terminal only. */
function showProgress(terminal: Terminal, quiet: boolean): (done: number, total: number) => void {
  let shown = 0;
  return (done, total) => {
    const now = performance.now();
    if (quiet || !terminal.interactive || now - shown < PROGRESS_EVERY_MS) return;
    shown = now;
    terminal.warn(`${done} of ${total} pages`);
  };
}
export const joinCommand: Command = {
  name: "join",
  summary: "Make one index out of the parts that `build --shard` wrote.",
  positionals: ["<part...>"],
  options: {
    dir: { kind: "text", placeholder: "DIR", description: "Folder that was built. Default: the current one." },
    ...BUILD_OUTPUT,
  },
  details: "The index is that of a build on one machine, byte for byte.",
  async run(input, terminal) {
    const { positionals, text, has } = input;
    if (positionals.length === 0) throw new UsageError("name the folders of the parts");
    const dir = text("dir") ?? ".";
    const out = text("out") ?? join(dir, ".treeline", "index");
    const base = text("base");
    if (text("agents") === "") throw new UsageError("--agents needs a file");
    readFailOn(input.list("fail-on"));
    const started = performance.now();
    const request = {
      dir,
      ...readConfigOption(input),
      outDir: out,
      progress: showProgress(terminal, has("quiet")),
      output: waitingTo(terminal),
      ...readToolOptions(input),
      ...(base !== undefined && { base }),
      isForPages: has("browser"),
    };
    const summary = await joinParts(request, positionals);
    await writeMaps(out, text("agents"));
    if (has("browser")) await writePagesFor(out);
    const code = finishBuild(summary, (performance.now() - started) / 1000, input, terminal);
    await warnOfLostHits(out, input, terminal);
    return code;
  },
};
