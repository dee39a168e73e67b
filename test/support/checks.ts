/** The checks of the project: format and lint, types, imports, unused code, modules for pages, how much code there is and how large the Worker. `run-checks.ts` prints them. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { measureBundles } from "./check-bundle.ts";
import { countHouse, judgeHouse } from "./count-house.ts";
import { type Cruise, cruiseImports } from "./cruise-imports.ts";
import { projectRoot } from "./environment.ts";
import { type ProgramResult, runProgram } from "./run-program.ts";

/** Outcome of one check. */
export interface CheckResult {
  readonly ok: boolean;
  /** A few words for the line of the check. */
  readonly summary: string;
  /** What the tool said; shown when the check failed. */
  readonly output: string;
}

/** Folders with a `tsconfig.json` of their own: what may be used differs from room to room. The first takes as long as the others together. */
export const TYPE_ROOMS = [
  "test",
  "bench",
  "test/worker",
  "test/web",
  "test/browser",
  "indexer",
  "src",
  "src/core",
  "src/web",
] as const;

/** Rooms of the platforms that the core runs on: each looks at it with the declarations of its own, as well. */
const CORE = "src/core";
const ROOMS_WITH_CORE: ReadonlySet<string> = new Set(["src", "src/web", "indexer"]);

/** Folders whose imports are checked. */
const SOURCE_FOLDERS = ["src", "indexer", "test", "bench"];

/** Every check by its name. */
export const checks: ReadonlyMap<string, () => Promise<CheckResult>> = new Map([
  ["lint", checkLint],
  ["types", checkTypes],
  ["imports", checkImports],
  ["unused", checkUnused],
  ["house", checkHouse],
]);

async function checkLint(): Promise<CheckResult> {
  const biome = join(projectRoot, "node_modules", ".bin", "biome");
  const { exitCode, output } = await runProgram(biome, [
    "check",
    "--error-on-warnings",
    "--max-diagnostics=200",
    "--colors=off",
    ".",
  ]);
  return { ok: exitCode === 0, summary: "format and lint", output };
}

/** Two compilers at a time: each needs a core and some hundred megabytes. */
async function checkTypes(): Promise<CheckResult> {
  const [first, ...others] = TYPE_ROOMS.map((room) => (ROOMS_WITH_CORE.has(room) ? `${room}+${CORE}` : room));
  const results = await Promise.all([[first ?? ""], others].map(compileRooms));
  return {
    ok: results.every(({ exitCode }) => exitCode === 0),
    summary: `${TYPE_ROOMS.length} rooms`,
    output: results.map(({ output }) => output).join(""),
  };
}

/** What the compiler says about the files of some rooms, which are folders below the checkout's or whole paths: `ROOM+ALSO` for two. */
export function compileRooms(rooms: readonly string[]): Promise<ProgramResult> {
  return runProgram(process.execPath, [join(import.meta.dirname, "run-type-check.ts"), ...rooms]);
}

/** @param cruise What was read, and what it forbids. One that reads fewer files than there are would prove nothing, so it fails too. */
export function judgeImports({ modules, violations }: Cruise, written: number): CheckResult {
  const lines = violations.map(({ rule, from, to }) => `${from} -> ${to}: ${rule}\n`);
  if (modules.length < written) lines.push(`only ${modules.length} of ${written} files were read\n`);
  return { ok: lines.length === 0, summary: `${modules.length} files`, output: lines.join("") };
}

async function checkImports(): Promise<CheckResult> {
  const folders = SOURCE_FOLDERS.filter((folder) => findSources(folder).length > 0);
  return judgeImports(await cruiseImports(projectRoot, folders), countSources(folders));
}

async function checkUnused(): Promise<CheckResult> {
  const knip = join(projectRoot, "node_modules", "knip", "bin", "knip.js");
  const { exitCode, output } = await runProgram(process.execPath, [knip, "--no-progress"]);
  return { ok: exitCode === 0, summary: "files, exports and packages that nothing uses", output };
}

/** Bounds fall with every change that makes it possible, and rise only where something that users see is new. */
const HOUSE_BOUNDS = "bench/house.json";

async function checkHouse(): Promise<CheckResult> {
  const { bytes, problems } = await measureBundles();
  const bounds = JSON.parse(readFileSync(join(projectRoot, HOUSE_BOUNDS), "utf8"));
  const { table, above } = judgeHouse(await countHouse(bytes), bounds);
  const output = [...problems, ...above.map((name) => `more ${name} than ${HOUSE_BOUNDS} allows`)].join("\n");
  return { ok: output === "" && bytes > 0, summary: `how much there is\n${table}`, output };
}

/** Number of source files in these folders, declaration files and fixtures left out. */
function countSources(folders: readonly string[]): number {
  return folders.flatMap(findSources).length;
}

function findSources(folder: string): string[] {
  const all = globSync("**/*.ts", { cwd: join(projectRoot, folder) });
  return all.filter((file) => !/^(fixtures|golden)\/|\.d\.ts$/.test(file));
}
