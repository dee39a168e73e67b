/**
 * The command line of the clone, as a program that benchmarks start and measure.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { measureProgram, type ProgramCost } from "./measure-program.ts";

const CLI = fileURLToPath(new URL("../indexer/cli/main.ts", import.meta.url));
/** As npm scripts and the installed command start it: V8 lets short-lived values fill 48 MB before it looks, else. */
const NODE_FLAGS = ["--max-semi-space-size=8"];

/** What `treeline build` says of its index. */
export interface BuiltIndex extends ProgramCost {
  readonly documents: number;
  readonly sections: number;
  /** Why the base was not used; `""` where it was, or none was named. */
  readonly notice: string;
}

/**
 * Build `dir` into `out`, on the index in `base` where the command line takes one. A build without a base starts from
 * nothing: what earlier builds kept beside the pages is removed.
 *
 * @param more Further words of the command.
 */
export async function buildTreeline(
  dir: string,
  out: string,
  base?: string,
  more: readonly string[] = [],
): Promise<BuiltIndex> {
  if (base === undefined && !more.includes("--no-cache"))
    rmSync(join(dir, ".treeline"), { recursive: true, force: true });
  const onBase = base !== undefined && (await takesBase()) ? ["--base", base] : [];
  const cost = await measureProgram(process.execPath, [
    ...NODE_FLAGS,
    CLI,
    "build",
    dir,
    "--out",
    out,
    "--json",
    ...onBase,
    ...more,
  ]);
  const line = cost.output.split("\n").find((text) => text.startsWith('{"generation"'));
  if (line === undefined) throw new Error(`no summary in the output of build: ${cost.output.slice(-2000)}`);
  const { documents, sections, notice } = JSON.parse(line) as BuiltIndex;
  return { ...cost, documents, sections, notice };
}

let help: Promise<ProgramCost> | undefined;

/** Whether an index can be built on an earlier one. */
async function takesBase(): Promise<boolean> {
  help ??= measureProgram(process.execPath, [...NODE_FLAGS, CLI, "build", "--help"]);
  return (await help).output.includes("--base");
}
