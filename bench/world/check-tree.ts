/**
 * Checks one tree in a process of its own: builds it, then asks hard questions. Prints events as JSON lines, so that
 * the runner knows what was done when the process is killed.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { makeRandom } from "../random.ts";
import {
  type BuiltTree,
  checkBattery,
  checkLiterals,
  checkOutlines,
  checkReferences,
  checkSymbols,
  checkTitles,
} from "./ask-checks.ts";
import { startServer, type Tally } from "./ask-server.ts";
import { checkEdits, checkRename } from "./edit-checks.ts";
import { judgeFiles } from "./judge-answers.ts";
import { readDump, runBuild, runCli } from "./run-cli.ts";
import { listTreeFiles, selectFiles } from "./tree-files.ts";
import { type CheckRequest, judgeMemory, judgeTime, type Outcome, type TreeEvent, toOutcome } from "./tree-result.ts";

/** One call in so many may be refused for the work that a client asked for. */
const ANSWERS_PER_REFUSAL = 200;

const request = JSON.parse(process.argv[2] ?? "") as CheckRequest;
const tally: Tally = { answers: 0, charged: 0, overBudget: [], refused: [] };
await checkTree(request);

function tell(event: TreeEvent): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

/** Runs a check. One that throws is a miss. */
async function run(name: string, check: () => Promise<Outcome>): Promise<void> {
  tell({ stage: name });
  try {
    tell({ outcome: await check() });
  } catch (error) {
    tell({ outcome: toOutcome(name, 1, [`the check throws: ${(error as Error).stack ?? error}`]) });
  }
}

async function checkTree({ name, dir, work, isSlow, samples }: CheckRequest): Promise<void> {
  tell({ stage: "build" });
  const index = join(work, "index");
  const listed = listTreeFiles(dir, work);
  let built: Awaited<ReturnType<typeof runBuild>>;
  try {
    built = await runBuild(dir, index);
  } catch (error) {
    return tell({ outcome: toOutcome("build", 1, [(error as Error).message.slice(-2000)]) });
  }
  tell({ outcome: toOutcome("build", 1, []) });
  tell({ stage: "dump" });
  const kinds = await readKinds(index);
  const documents = await readDump("documents", index, ({ id, path, title, collection }) => ({
    ...{ id: String(id), path: String(path), title: String(title), collection: String(collection) },
  }));
  const hasCode = [...kinds.values()].includes("code");
  const dumped = ({ id, name: own, kind }: Record<string, unknown>) => ({
    ...{ id: String(id), name: String(own), kind: String(kind) },
  });
  const symbols = hasCode ? await readDump("symbols", index, dumped) : [];
  const files = selectFiles(listed, [...kinds.values()], readConfig(dir));
  const facts = {
    ...{ files: files.length, documents: documents.length, skipped: built.summary.skipped.length },
    symbols: symbols.length,
    errors: built.summary.diagnostics.filter(({ severity }) => severity === "error").length,
    seconds: built.wallSeconds,
    cpuSeconds: built.cpuSeconds ?? 0,
    peakMb: (built.peakBytes ?? 0) / 1e6,
  };
  tell({ build: facts });
  const skipped = new Set(built.summary.skipped.map(({ path }) => path));
  const missing = judgeFiles(files, new Set(documents.map(({ path }) => path)), skipped, (path) =>
    existsSync(join(dir, path)),
  );
  tell({ outcome: toOutcome("files", Math.max(files.length, missing.length), missing) });
  tell({ outcome: judgeTime(facts, isSlow) });
  tell({ outcome: judgeMemory(facts, sumBytes(dir, files)) });
  const server = await startServer(index, tally);
  const tree: BuiltTree = { dir, kinds, documents, symbols, samples, random: makeRandom(seedOf(name)), server };
  await run("outlines", () => checkOutlines(tree));
  await run("symbols", () => checkSymbols(tree));
  await run("titles", () => checkTitles(tree));
  await run("references", () => checkReferences(tree));
  await run("grep", async () => {
    const { outcome, scanner } = await checkLiterals(tree);
    tell({ scanner });
    return outcome;
  });
  await run("battery", () => checkBattery(tree));
  await run("rename", () => checkRename(tree));
  await server.close();
  await run("base", () => checkEdits(tree, index, join(work, "edited"), tally));
  tell({ outcome: toOutcome("budget", tally.answers, tally.overBudget) });
  const allowed = Math.floor(tally.answers / ANSWERS_PER_REFUSAL);
  tell({ outcome: toOutcome("charge", tally.answers, tally.refused, allowed) });
}

async function readKinds(index: string): Promise<ReadonlyMap<string, string>> {
  let status = "{}";
  const fault = await runCli(["status", "--index", index, "--json"], (line) => {
    status = line;
  });
  if (fault !== undefined) throw new Error(fault);
  const { collections } = JSON.parse(status) as { collections: { name: string; kind: string }[] };
  return new Map(collections.map((collection) => [collection.name, collection.kind]));
}

function readConfig(dir: string): object | undefined {
  const path = join(dir, "treeline.config.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as object) : undefined;
}

function sumBytes(dir: string, files: readonly string[]): number {
  return files.reduce((sum, path) => sum + (statSync(join(dir, path), { throwIfNoEntry: false })?.size ?? 0), 0);
}

/** The same draws for a tree in every run. */
function seedOf(name: string): number {
  return [...name].reduce((seed, letter) => (seed * 31 + letter.charCodeAt(0)) | 0, 1);
}
