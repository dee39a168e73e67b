/**
 * Builds as processes of their own that are killed while they run: after each, what stands in the output folder must be
 * one generation or the other, whole and answering as it did before.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openDiskIndex } from "../../indexer/base/index-source.ts";
import { search } from "../../src/core/search/search.ts";
import { checkOutput } from "./check-output.ts";
import { projectRoot, quietEnvironment } from "./environment.ts";
import { ask } from "./small-corpora.ts";

const CLI = join(projectRoot, "indexer", "cli", "main.ts");
const POLL_MS = 2;
/** Share of the kills that come before the output folder is touched: those are cheap to survive. */
const EARLY_SHARE = 0.15;

/** What the kills did. */
export interface KillReport {
  /** Builds that were killed before they were done. */
  readonly killed: number;
  /** Of those, kills that left files of an unfinished build. */
  readonly interrupted: number;
  /** Builds that were done before the kill came. */
  readonly finished: number;
  /** Times that the folder held another generation than before although the build was killed: killed after the pointer. */
  readonly switched: number;
}

/** A corpus of small pages whose words differ with `seed`. */
export async function writeCorpus(dir: string, seed: number, pages: number): Promise<void> {
  await mkdir(dir, { recursive: true });
  for (let page = 0; page < pages; page++) {
    const words = Array.from({ length: 120 }, (_, n) => `word${(page * 31 + n * 7 + seed * n) % 400}`).join(" ");
    await writeFile(join(dir, `page-${page}.md`), `# Page ${page} of ${seed}\n\n${words}\n\n## Further\n\n${words}\n`);
  }
}

/**
 * Build two corpora in turn into one folder and kill each build at a drawn moment, most while it writes.
 *
 * @throws {Error} when the folder is not whole after a kill, answers wrongly, or keeps files after a build that ended well.
 */
export async function killBuilds(
  sources: readonly [string, string],
  out: string,
  rounds: number,
  random: () => number,
): Promise<KillReport> {
  const answers = new Map<string, string>();
  const spans: Span[] = [];
  for (const source of sources) {
    const start = performance.now();
    const build = startBuild(source, out);
    const first = (await untilTouched(out, build)) - start;
    expectDone(await build.ended);
    spans.push({ first, whole: performance.now() - start });
    const { generation } = await expectWhole(out, answers);
    if (answers.size < spans.length) throw new Error(`the corpora give one generation, ${generation}`);
  }
  const report = { killed: 0, interrupted: 0, finished: 0, switched: 0 };
  for (let round = 0; round < rounds; round++) {
    const start = () => startBuild(sources[round % 2] as string, out);
    await killOne(out, start, spans[round % 2] as Span, random, { answers, report });
  }
  expectDone(await startBuild(sources[0], out).ended);
  const { others } = await expectWhole(out, answers);
  if (others.length > 0) throw new Error(`left over: ${others.join(", ")}`);
  return report;
}

interface Span {
  /** Milliseconds until a build touches its folder, and until it is done. */
  readonly first: number;
  readonly whole: number;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

async function killOne(
  out: string,
  start: () => RunningBuild,
  { first, whole }: Span,
  random: () => number,
  { answers, report }: { readonly answers: Map<string, string>; readonly report: Mutable<KillReport> },
): Promise<void> {
  const before = (await checkOutput(out)).generation;
  const build = start();
  if (random() < EARLY_SHARE) await sleep(random() * first);
  else {
    await untilTouched(out, build);
    await sleep(random() * (whole - first));
  }
  build.process.kill("SIGKILL");
  const { code } = await build.ended;
  const { generation, others } = await expectWhole(out, answers);
  if (code === 0) report.finished++;
  else {
    report.killed++;
    if (others.length > 0) report.interrupted++;
    if (generation !== before) report.switched++;
  }
}

/** Pages that change before each build on the index in its own folder: levels are added, joined and written as one. */
const PAGES_A_ROUND = 3;

/**
 * Change pages and build on the folder's own index, again and again; kill each build at a drawn moment, and do it again.
 *
 * @returns The same, and how many levels stood at most.
 * @throws {Error} when the folder is not whole after a kill, or answers wrongly, or the last build finds too little.
 */
export async function killMerges(
  source: string,
  out: string,
  rounds: number,
  random: () => number,
): Promise<KillReport & { readonly levels: number }> {
  const answers = new Map<string, string>();
  const report = { killed: 0, interrupted: 0, finished: 0, switched: 0 };
  const start = () => startBuild(source, out, ["--base", out]);
  const change = async (round: number): Promise<void> => {
    for (let at = 0; at < PAGES_A_ROUND; at++) {
      const text = `# Changed ${round}\n\nword3 word31 further in round ${round}\n`;
      await writeFile(join(source, `page-${(PAGES_A_ROUND * round + at) % 200}.md`), text);
    }
  };
  expectDone(await startBuild(source, out).ended);
  await change(0);
  const begun = performance.now();
  const build = start();
  const first = (await untilTouched(out, build)) - begun;
  expectDone(await build.ended);
  const span = { first, whole: performance.now() - begun };
  let levels = 0;
  for (let round = 1; round <= rounds; round++) {
    await change(round);
    await killOne(out, start, span, random, { answers, report });
    expectDone(await start().ended);
    levels = Math.max(levels, (await openDiskIndex(out)).shards.length);
  }
  const { others } = await expectWhole(out, answers);
  if (others.length > 0) throw new Error(`left over: ${others.join(", ")}`);
  const { totalDocuments } = await search(await openDiskIndex(out), ask(`"round ${rounds}"`));
  if (totalDocuments !== PAGES_A_ROUND) throw new Error(`${totalDocuments} pages hold the last change`);
  return { ...report, levels };
}

/** Start builds of these corpora into one folder at once; what stands afterwards is one of them, whole and alone. */
export async function raceBuilds(sources: readonly string[], out: string): Promise<string> {
  const builds = sources.map((source) => startBuild(source, out));
  for (const { ended } of builds) expectDone(await ended);
  const { generation, others } = await checkOutput(out);
  if (others.length > 0) throw new Error(`left over: ${others.join(", ")}`);
  return generation;
}

interface RunningBuild {
  readonly process: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly errors: string }>;
}

function startBuild(source: string, out: string, more: readonly string[] = []): RunningBuild {
  const child = spawn(process.execPath, [CLI, "build", source, "--out", out, "--quiet", ...more], {
    cwd: projectRoot,
    env: { ...quietEnvironment(), NO_COLOR: "1" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  return {
    process: child,
    ended: new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => resolve({ code, errors }));
    }),
  };
}

/** When a build first touched its output folder, or ended. */
async function untilTouched(out: string, build: RunningBuild): Promise<number> {
  let isOver = false;
  void build.ended.then(() => {
    isOver = true;
  });
  const mark = `.${build.process.pid}.`;
  while (!isOver && !listIfThere(out).some((name) => name.includes(mark))) await sleep(POLL_MS);
  return performance.now();
}

function listIfThere(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    // Before the first build there is no folder.
    return [];
  }
}

async function expectWhole(out: string, answers: Map<string, string>): ReturnType<typeof checkOutput> {
  const state = await checkOutput(out);
  const answer = await search(await openDiskIndex(out), ask("word3 word31 further", { excerpts: 5 }));
  const { cost: _, ...shown } = answer;
  const text = JSON.stringify(shown);
  const known = answers.get(state.generation);
  if (known !== undefined && known !== text) throw new Error(`generation ${state.generation} answers otherwise`);
  answers.set(state.generation, text);
  return state;
}

function expectDone({ code, errors }: { readonly code: number | null; readonly errors: string }): void {
  if (code !== 0) throw new Error(`a build ended with ${code}: ${errors}`);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
