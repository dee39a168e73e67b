/**
 * `treeline dev`: build a folder, put the index into a local R2, run the Worker on it, and again when files change.
 *
 * The folder that is served is only read. A build that fails leaves the index that is being served as it is.
 */
import { mkdir } from "node:fs/promises";
import process from "node:process";
import { InputError } from "../src/core/errors.ts";
import { type BuildSummary, buildCorpus } from "./build/build.ts";
import { BuildMemory } from "./build/build-memory.ts";
import { EXIT, type Terminal } from "./command.ts";
import { formatGreeting } from "./dev/greeting.ts";
import { type DevPlaces, findPlaces } from "./dev/places.ts";
import { watchFolder } from "./dev/watch-folder.ts";
import { claimPort, startWorker, type WorkerProcess } from "./dev/worker-process.ts";
import { type SeedSummary, seedBucket } from "./local-r2.ts";

/** How to serve. */
export interface ServeOptions {
  readonly dir: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly watch: boolean;
  readonly terminal: Terminal;
}

/** Skipped files that are named; `treeline build` names more. */
const SHOWN_SKIPPED = 5;
const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Serve until a signal says to stop. The result is the exit code. @throws {InputError} */
export async function serveFolder({ dir, port: wantedPort, watch, terminal }: ServeOptions): Promise<number> {
  const port = await claimPort(wantedPort);
  const places = findPlaces(dir);
  const stopped = waitForSignal();
  // Watched from before the first build on: what changes while it runs would otherwise wait for the next change.
  let missed = false;
  let onChange = (): void => {
    missed = true;
  };
  const watching = watch ? watchFolder(dir, () => onChange()) : undefined;
  const memory = await BuildMemory.open(places.cache);
  try {
    const built = await build(dir, places, memory, terminal);
    await mkdir(places.state, { recursive: true });
    let seeded = await seedBucket(places.index, places.state);
    terminal.warn(describeSeed(seeded));
    if (stopped.now()) return EXIT.done;

    const worker = await startWorker({ port, places, onError: (line) => terminal.warn(`worker: ${line}`) });
    const killWorker = (): void => worker.kill();
    process.once("exit", killWorker);
    const { documents, sections } = built;
    terminal.print(formatGreeting({ url: worker.url, dir, documents, sections, watching: watch }));

    let generation = built.generation;
    const rebuild = async (): Promise<void> => {
      const next = await build(dir, places, memory, terminal);
      if (next.generation === generation) return;
      seeded = await seedBucket(places.index, places.state, seeded.names);
      generation = next.generation;
      terminal.warn(`${describeSeed(seeded)} The new index answers within 15 seconds.`);
    };
    onChange = oneAtATime(() => rebuild().catch((error) => describeFailure(error, terminal)));
    if (missed) onChange();

    const crashed = await Promise.race([stopped.signal.then(() => false), worker.ended.then(() => true)]);
    watching?.stop();
    await stopWorker(worker, crashed, terminal, places);
    process.off("exit", killWorker);
    return crashed ? EXIT.failed : EXIT.done;
  } finally {
    watching?.stop();
    memory.close();
  }
}

async function build(dir: string, places: DevPlaces, memory: BuildMemory, terminal: Terminal): Promise<BuildSummary> {
  const startedAt = performance.now();
  const summary = await buildCorpus({
    dir,
    outDir: places.index,
    base: places.index,
    memory,
    clock: () => performance.now(),
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const { documents, sections, skipped, diagnosticCount } = summary;
  const notes = [
    ...(skipped.length > 0 ? [`${skipped.length} files skipped`] : []),
    ...(diagnosticCount > 0 ? [`${diagnosticCount} diagnostics`] : []),
  ];
  terminal.warn(
    `Built ${documents} documents, ${sections} sections in ${seconds} s${notes.length > 0 ? ` (${notes.join(", ")})` : ""}.`,
  );
  for (const { collection, path, message } of skipped.slice(0, SHOWN_SKIPPED)) {
    terminal.warn(`  skipped ${collection}:${path}: ${message}`);
  }
  return summary;
}

/** Runs work when asked, never twice at once; what is asked meanwhile is done once more afterwards. */
function oneAtATime(work: () => Promise<void>): () => void {
  let running = false;
  let again = false;
  const run = async (): Promise<void> => {
    running = true;
    do {
      again = false;
      await work();
    } while (again);
    running = false;
  };
  return () => {
    if (running) again = true;
    else void run();
  };
}

function describeSeed({ uploaded, uploadedBytes, kept, removed }: SeedSummary): string {
  const parts = [`${uploaded} written (${Math.ceil(uploadedBytes / 1000)} kB)`, `${kept} already there`];
  if (removed > 0) parts.push(`${removed} old ones removed`);
  return `Local R2: ${parts.join(", ")}.`;
}

function describeFailure(error: unknown, terminal: Terminal): void {
  const reason =
    error instanceof InputError || !(error instanceof Error) ? String(error) : (error.stack ?? error.message);
  terminal.warn(`The build failed, the index from before keeps answering: ${reason}`);
}

async function stopWorker(
  worker: WorkerProcess,
  crashed: boolean,
  terminal: Terminal,
  places: DevPlaces,
): Promise<void> {
  if (crashed) terminal.warn(`The Worker's process ended by itself; its output is in ${places.log}`);
  await worker.stop();
}

/** The first signal to stop. A second one ends this process at once; its children end with it. */
function waitForSignal(): { readonly signal: Promise<void>; readonly now: () => boolean } {
  let came = false;
  const signal = new Promise<void>((resolve) => {
    const onSignal = (): void => {
      if (came) process.exit(EXIT.failed);
      came = true;
      resolve();
    };
    for (const name of STOP_SIGNALS) process.on(name, onSignal);
  });
  return { signal, now: () => came };
}
