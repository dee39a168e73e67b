/** The command line of the checkout as a program: builds that are measured, dumps, the check of an index. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { quietEnvironment } from "../../test/support/environment.ts";
import { measureProgram, type ProgramCost } from "../measure-program.ts";

export const CLI = fileURLToPath(new URL("../../indexer/cli/main.ts", import.meta.url));
/** V8 ends a build whose main thread holds more. Threads have bounds of their own; the measured peak counts them all. */
const HEAP_MB = 3072;

/** Summary that `build --json` prints, as far as the checks read it. */
export interface BuildSummary {
  readonly symbols: number;
  readonly skipped: readonly { readonly path: string; readonly collection: string }[];
  readonly diagnostics: readonly { readonly severity: string }[];
}

/** Builds `dir` into `out`. @throws {Error} with the output when the build fails */
export async function runBuild(
  dir: string,
  out: string,
  base?: string,
): Promise<ProgramCost & { readonly summary: BuildSummary }> {
  const onBase = base === undefined ? [] : ["--base", base];
  const flags = ["--max-semi-space-size=8", `--max-old-space-size=${HEAP_MB}`];
  const cost = await measureProgram(process.execPath, [...flags, CLI, "build", dir, "--out", out, "--json", ...onBase]);
  const line = cost.output.split("\n").find((text) => text.startsWith('{"generation"'));
  if (line === undefined) throw new Error(`no summary in the output of build: ${cost.output.slice(-2000)}`);
  return { ...cost, summary: JSON.parse(line) as BuildSummary };
}

/** Runs a command and calls `take` with each line. Returns the last lines of the error stream when it fails. */
export async function runCli(words: readonly string[], take?: (line: string) => void): Promise<string | undefined> {
  const child = spawn(process.execPath, [CLI, ...words], {
    stdio: ["ignore", "pipe", "pipe"],
    env: quietEnvironment(),
  });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = `${complaint}${text}`.slice(-2000);
  });
  const ended = new Promise<number | null>((resolve, reject) => child.once("close", resolve).once("error", reject));
  // Not by `readline`: to that the separators of lines and paragraphs, which JSON may hold, end a line too.
  let rest = "";
  for await (const text of child.stdout.setEncoding("utf8") as AsyncIterable<string>) {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take?.(line);
  }
  const code = await ended;
  return code === 0 ? undefined : `treeline ${words.join(" ")} exits with ${code}: ${complaint}`;
}

/** Lines of `treeline dump`, as far as `pick` keeps them. @throws {Error} when the command fails */
export async function readDump<T>(
  kind: string,
  index: string,
  pick: (line: Record<string, unknown>) => T,
): Promise<T[]> {
  const picked: T[] = [];
  const fault = await runCli(["dump", kind, "--index", index], (line) => {
    picked.push(pick(JSON.parse(line) as Record<string, unknown>));
  });
  if (fault !== undefined) throw new Error(fault);
  return picked;
}
