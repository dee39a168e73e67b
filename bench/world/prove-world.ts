/**
 * Builds real trees of code and documentation and asks hard questions of each (`trees.json`, `check-tree.ts`).
 *
 *   npm run prove:world [-- NAME… --jobs N --again --keep --small]
 *
 * Keeps trees and results in TREELINE_WORLD_CACHE, else in $XDG_CACHE_HOME or ~/.cache, under `treeline-world`. A result holds
 * until the tree, the product's sources or the checks change; `--again` ignores it. `--small` takes fewer trees and
 * samples, as `.ci/run` does. `--keep` leaves copy and index of each tree and prints where they are.
 */
import { spawn } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { nearestNames } from "../../src/core/text/nearest.ts";
import { quietEnvironment } from "../../test/support/environment.ts";
import { digestSources } from "./digest-sources.ts";
import { fetchTree, NotHere, readTrees, type WorldTree } from "./fetch-tree.ts";
import { formatLine, formatReport } from "./format-report.ts";
import {
  type BuildFacts,
  type CheckRequest,
  isGood,
  type Outcome,
  type Samples,
  type TreeEvent,
  type TreeResult,
  toOutcome,
} from "./tree-result.ts";

const CHECK_TREE = fileURLToPath(new URL("check-tree.ts", import.meta.url));
const FULL: Samples = { outlines: 500, symbols: 50, titles: 20, references: 20, literals: 10 };
const SMALL: Samples = { outlines: 40, symbols: 20, titles: 10, references: 8, literals: 5 };
/** A tree that takes longer is killed. */
const LIMIT_MS = 300_000;
const LIMIT_OF_SLOW_MS = 900_000;
const MAX_COMPLAINT = 4000;
const MAX_NEAREST = 3;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: "string", default: "2" },
    again: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    small: { type: "boolean", default: false },
  },
});
const cache =
  process.env["TREELINE_WORLD_CACHE"] ??
  join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "treeline-world");
/** Process groups that run, with their folders. */
const running = new Map<number, string>();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    for (const [group, work] of running) {
      process.kill(-group, "SIGKILL");
      rmSync(work, { recursive: true, force: true, maxRetries: 5 });
    }
    process.exit(130);
  });
}
process.exitCode = await proveWorld(chooseTrees());

function chooseTrees(): WorldTree[] {
  const trees = readTrees();
  const names = trees.map(({ name }) => name);
  const wrong = positionals.find((name) => !names.includes(name));
  if (wrong !== undefined) {
    const near = nearestNames(wrong, names, MAX_NEAREST);
    console.error(`There is no tree ${wrong}${near.length > 0 ? `; did you mean ${near.join(", ")}?` : ""}`);
    process.exit(2);
  }
  if (positionals.length > 0) return trees.filter(({ name }) => positionals.includes(name));
  return trees.filter(({ small }) => small === true || !values.small);
}

async function proveWorld(trees: readonly WorldTree[]): Promise<number> {
  mkdirSync(cache, { recursive: true });
  const kept = join(cache, "results.jsonl");
  const known = values.again ? new Map<string, TreeResult>() : readResults(kept);
  const digest = digestSources();
  const results: TreeResult[] = [];
  const queue = [...trees];
  const work = async (): Promise<void> => {
    for (let tree = queue.shift(); tree !== undefined; tree = queue.shift()) {
      const { result, key } = await checkOnce(tree, digest, known);
      if (key !== undefined) appendFileSync(kept, `${JSON.stringify({ key, result })}\n`);
      results.push(result);
      console.log(formatLine(result));
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Number(values.jobs)) }, work));
  const report = formatReport(results);
  if (values.small) console.log(report.misses);
  else {
    const table = join(cache, "report.md");
    writeFileSync(table, report.whole);
    console.log(`\n${report.whole}\nThis table is in ${table}`);
  }
  return results.every(isGood) ? 0 : 1;
}

/** The result of a tree, from an earlier run where that holds. New ones have a key. */
async function checkOnce(tree: WorldTree, digest: string, known: ReadonlyMap<string, TreeResult>) {
  const { name, kinds } = tree;
  let fetched: { dir: string; version: string };
  try {
    fetched = await fetchTree(tree, join(cache, "trees"));
  } catch (error) {
    const outcomes = error instanceof NotHere ? [] : [toOutcome("fetch", 1, [String(error)])];
    const skipped = error instanceof NotHere ? { skipped: error.message } : {};
    return { result: { name, kinds, version: "", outcomes, ...skipped }, key: undefined };
  }
  const key = [name, fetched.version, digest, values.small ? "small" : "full"].join(" ");
  const earlier = values.keep ? undefined : known.get(key);
  if (earlier !== undefined) return { result: earlier, key: undefined };
  return { result: await checkInChild(tree, fetched), key };
}

function readResults(path: string): Map<string, TreeResult> {
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  const entries = lines.filter(Boolean).map((line) => JSON.parse(line) as { key: string; result: TreeResult });
  return new Map(entries.map(({ key, result }) => [key, result]));
}

/** Checks a copy of the tree in a process group of its own, which is killed when it takes too long. */
async function checkInChild(tree: WorldTree, { dir, version }: { dir: string; version: string }): Promise<TreeResult> {
  const work = mkdtempSync(join(tmpdir(), `treeline-world-${tree.name}-`));
  const copy = join(work, "tree");
  cpSync(dir, copy, { recursive: true, verbatimSymlinks: true });
  const request: CheckRequest = {
    ...{ name: tree.name, dir: copy, work, isSlow: tree.slow === true },
    samples: values.small ? SMALL : FULL,
  };
  try {
    const events = await runChild(request, tree.slow === true ? LIMIT_OF_SLOW_MS : LIMIT_MS);
    return { name: tree.name, kinds: tree.kinds, version, ...events };
  } finally {
    if (values.keep) console.log(`${tree.name}: ${work}`);
    else rmSync(work, { recursive: true, force: true });
  }
}

async function runChild(
  request: CheckRequest,
  limit: number,
): Promise<Pick<TreeResult, "outcomes" | "build" | "scanner">> {
  const child = spawn(process.execPath, [CHECK_TREE, JSON.stringify(request)], {
    ...{ stdio: ["ignore", "pipe", "pipe"], detached: true, env: quietEnvironment() },
  });
  const group = child.pid;
  if (group !== undefined) running.set(group, request.work);
  const outcomes: Outcome[] = [];
  let build: BuildFacts | undefined;
  let scanner: "rg" | "own" | undefined;
  let stage = "start";
  let isLate = false;
  let complaint = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaint = `${complaint}${text}`.slice(-MAX_COMPLAINT);
  });
  const ended = new Promise<number | null>((resolve, reject) => child.once("close", resolve).once("error", reject));
  const timer = setTimeout(() => {
    isLate = true;
    if (group !== undefined) process.kill(-group, "SIGKILL");
  }, limit);
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const event = JSON.parse(line) as TreeEvent;
    if ("stage" in event) stage = event.stage;
    else if ("outcome" in event) outcomes.push(event.outcome);
    else if ("build" in event) build = event.build;
    else scanner = event.scanner;
  }
  const code = await ended;
  clearTimeout(timer);
  if (group !== undefined) running.delete(group);
  if (isLate) outcomes.push(toOutcome("end", 1, [`killed after ${limit / 1000} s, in ${stage}`]));
  else if (code !== 0) outcomes.push(toOutcome("end", 1, [`ends with ${code} in ${stage}: ${complaint}`]));
  return { outcomes, ...(build !== undefined && { build }), ...(scanner !== undefined && { scanner }) };
}
