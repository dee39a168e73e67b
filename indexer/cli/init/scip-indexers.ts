/**
 * Indexers on top of compilers, of languages that have no checker here: what `init` recommends, and the Action runs where
 * it is installed.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { discoverFiles } from "../../sources/discover.ts";

interface ScipIndexer {
  readonly program: string;
  readonly languages: string;
  readonly endings: readonly string[];
  /** Arguments up to the path of the index. */
  readonly args: readonly string[];
  /** File in the folder without which it cannot run. */
  readonly needs?: string;
}

const SCIP_INDEXERS: readonly ScipIndexer[] = [
  { program: "scip-python", languages: "Python", endings: ["py"], args: ["index", ".", "--output"] },
  { program: "scip-go", languages: "Go", endings: ["go"], args: ["--output"] },
  { program: "rust-analyzer", languages: "Rust", endings: ["rs"], args: ["scip", ".", "--output"] },
  {
    program: "scip-java",
    languages: "Java, Kotlin, Scala",
    endings: ["java", "kt", "scala"],
    args: ["index", "--output"],
  },
  {
    ...{ program: "scip-clang", languages: "C, C++", endings: ["c", "cc", "cpp", "cxx"] },
    ...{ args: ["--compdb-path=compile_commands.json", "--index-output-path"], needs: "compile_commands.json" },
  },
  { program: "scip-ruby", languages: "Ruby", endings: ["rb"], args: [".", "--index-file"] },
  { program: "scip-php", languages: "PHP", endings: ["php"], args: ["--output"] },
  { program: "scip-dotnet", languages: "C#", endings: ["cs"], args: ["index", "--output"] },
];

const TIMEOUT_MS = 20 * 60_000;
const MAX_OUTPUT_BYTES = 50_000_000;
const LIMITS = { maxFileBytes: 10_485_760, maxFiles: 200_000 };
/** Variables that no program of a project needs to see. */
const SECRET = /^INPUT_|SECRET|TOKEN|PASSWORD|CREDENTIAL|_KEY/i;

/** The indexers for the sources of a folder. */
export async function findIndexers(dir: string): Promise<readonly ScipIndexer[]> {
  const include = SCIP_INDEXERS.flatMap(({ endings }) => endings.map((ending) => `**/*.${ending}`));
  const { files } = await discoverFiles({ root: ".", include, exclude: [] }, dir, LIMITS);
  const found = new Set(files.map(({ path }) => path.slice(path.lastIndexOf(".") + 1)));
  return SCIP_INDEXERS.filter(({ endings }) => endings.some((ending) => found.has(ending)));
}

/**
 * Runs those indexers that are installed, one after the other. The result are the indexes that they wrote; one that fails is a
 * warning.
 *
 * @param into Folder that the indexes are written into.
 */
export async function runIndexers(
  dir: string,
  into: string,
  environment: NodeJS.ProcessEnv,
  warn: (line: string) => void,
): Promise<readonly string[]> {
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => !SECRET.test(name)));
  const written: string[] = [];
  for (const { program, args, needs } of await findIndexers(dir)) {
    if (needs !== undefined && !existsSync(join(dir, needs))) continue;
    const file = join(into, `${program}.scip`);
    const [last = ""] = args.slice(-1);
    const output = last.startsWith("--index-output") ? [...args.slice(0, -1), `${last}=${file}`] : [...args, file];
    try {
      const limits = { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES, killSignal: "SIGKILL" } as const;
      await promisify(execFile)(program, output, { cwd: dir, env, ...limits });
      if (!existsSync(file)) throw new Error("it wrote no index");
      written.push(file);
    } catch (error) {
      // It is not installed.
      if ((error as NodeJS.ErrnoException).code === "ENOENT") continue;
      const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
      warn(`${program} failed, and its languages keep the edges of their syntax: ${reason}`);
    }
  }
  return written;
}
