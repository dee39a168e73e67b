/**
 * How much code the product is: what `bench/house.json` bounds.
 *
 * Shipped code is all of `src/` and `indexer/`, whatever it is written in. A line is blank, a comment where nothing but a
 * comment stands in it, or code, as cloc counts them.
 */
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { projectRoot } from "./environment.ts";
import { runProgram } from "./run-program.ts";

/** Where shipped code lies, and what its files end in. */
const SHIPPED = ["src", "indexer"];
const CODE_FILE = /\.(?:c?js|css|html|json|mjs|sql|tsx?)$/;
/** Data for tools: no code of ours. */
const CONFIGURATION = /(?:^|\/)tsconfig\.json$/;
const EXPORT = /^export (?:default )?(?:async |abstract )*(?:function|class|interface|type|enum)\b|^export const .*=>/;

/** Lines by kind. */
export interface LineCounts {
  readonly code: number;
  readonly comments: number;
}

/** What is bounded, in the order of the table. `npm test` is timed in `bench/`, not here. */
export interface House {
  readonly "code lines": number;
  readonly files: number;
  readonly "comment lines": number;
  readonly "exported functions and types": number;
  readonly "Worker, gzip, kB": number;
  readonly "modules loaded to build one page": number;
}

/** Count the lines of a file. */
export function countLines(text: string): LineCounts {
  let [code, comments] = [0, 0];
  let inComment = false;
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (line === "") continue;
    if (!inComment && line.startsWith("/*")) inComment = true;
    if (inComment) {
      comments++;
      const end = line.indexOf("*/");
      if (end >= 0) inComment = false;
      if (end >= 0 && end + 2 < line.length) {
        comments--;
        code++;
      }
    } else if (line.startsWith("//")) comments++;
    else code++;
  }
  return { code, comments };
}

/** Functions, classes and types that a file exports. */
export function countExports(text: string): number {
  return text.split("\n").filter((line) => EXPORT.test(line)).length;
}

/** Shipped files that git knows or would take, by path. */
async function listShipped(): Promise<string[]> {
  const { output } = await runProgram("git", [
    ...["-C", projectRoot, "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "--"],
    ...SHIPPED,
  ]);
  const isThere = (path: string): boolean => existsSync(join(projectRoot, path));
  return output.split("\n").filter((path) => CODE_FILE.test(path) && !CONFIGURATION.test(path) && isThere(path));
}

/** Count everything. @param workerBytes Size of the Worker's script, compressed. */
export async function countHouse(workerBytes: number): Promise<House> {
  const texts = (await listShipped()).map((path) => readFileSync(join(projectRoot, path), "utf8"));
  const lines = texts.map(countLines);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
  return {
    "code lines": sum(lines.map(({ code }) => code)),
    files: texts.length,
    "comment lines": sum(lines.map(({ comments }) => comments)),
    "exported functions and types": sum(texts.map(countExports)),
    "Worker, gzip, kB": Math.ceil(workerBytes / 1000),
    "modules loaded to build one page": await countModules(),
  };
}

/** Modules of ours that the command line loads to build a folder of one page, those of worker threads too. */
async function countModules(): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), "treeline-house-"));
  try {
    await writeFile(join(dir, "page.md"), "# A page\n\nOf eight words, and no more.\n");
    const hook = join(import.meta.dirname, "note-modules.mjs");
    const list = join(dir, "modules");
    const words = [
      `--import=${hook}`,
      join(projectRoot, "indexer", "cli", "main.ts"),
      "build",
      dir,
      "--out",
      join(dir, "index"),
    ];
    const { exitCode, output } = await runProgram(process.execPath, words, dir, { NOTED_MODULES: list });
    if (exitCode !== 0) throw new Error(output);
    const loaded = new Set(readFileSync(list, "utf8").split("\n"));
    const rooms = SHIPPED.map((room) => pathToFileURL(join(projectRoot, room, "/")).href);
    return [...loaded].filter((url) => rooms.some((room) => url.startsWith(room))).length;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** The table, and the rows that are above their bound. */
export function judgeHouse(house: House, bounds: House): { readonly table: string; readonly above: readonly string[] } {
  const names = Object.keys(house) as (keyof House)[];
  const rows = names.map((name) => `  ${name.padEnd(38)} ${String(house[name]).padStart(7)}  at most ${bounds[name]}`);
  return { table: rows.join("\n"), above: names.filter((name) => !(house[name] <= bounds[name])) };
}
