/**
 * The index of a folder for `treeline mcp`: a thread keeps it up to date, so that answers never wait for a build.
 *
 * Of several processes for one folder the one that has the lock builds; the others read what it writes, and one of them goes on
 * when it ends.
 */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { FormatError, InputError } from "../../../src/core/errors.ts";
import { decodePointer } from "../../../src/core/format/generation.ts";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import { formatNumber } from "../../../src/surface/render/text.ts";
import { findPlaces, threadEnvironment } from "../../base/installation.ts";
import { nodeDisk, readIfThere, takeLock } from "../../index/output-folder.ts";

/** State of the index. Times are milliseconds since 1970. */
export type Following =
  /** `done` of `total` files are read. */
  | { readonly is: "building"; readonly startedAt: number; readonly done: number; readonly total: number }
  | { readonly is: "built"; readonly ms: number }
  | { readonly is: "failed"; readonly reason: string }
  /** Another process builds. */
  | { readonly is: "elsewhere" };

/** How much of a build reading files takes; 62 to 73 % on projects of 670 to 2,600 files. */
const READING_PERCENT = 65;
/** Longest that a call waits for a build that is nearly done. */
const MAX_WAIT_MS = 2000;
const POLL_MS = 50;
/** How often a process looks whether the one that builds has ended. */
const LOOK_MS = 1500;

/** Starts to follow a folder. @param dir Its real path. @param report Takes a line for the user. */
export function followFolder(dir: string, report: (line: string) => void) {
  const { base, index } = findPlaces(dir, "mcp");
  const pointer = join(index, POINTER_FILE);
  let following: Following = { is: "building", startedAt: Date.now(), done: 0, total: 0 };
  let lastMs: number | undefined;
  let isStopped = false;
  let stop = (): void => undefined;
  const see = (next: Following): void => {
    following = next;
    if (next.is === "built") lastMs = next.ms;
  };
  const fail = (error: unknown): void => {
    see({ is: "failed", reason: String(error) });
    report(String(error));
  };
  const start = async (): Promise<void> => {
    await nodeDisk.makeFolder(base);
    const lock = await takeTurn(base, () => see({ is: "elsewhere" }));
    stop = () => rmSync(join(base, lock.name), { force: true });
    for (const dead of lock.dead) await nodeDisk.remove(join(base, dead));
    if (!(await isReadable(pointer))) await nodeDisk.remove(pointer);
    if (isStopped) return stop();
    // What it prints must not get between the messages of the protocol.
    const options = { workerData: dir, env: threadEnvironment(), stdout: true };
    const thread = new Worker(new URL("./follow-thread.ts", import.meta.url), options);
    thread.on("message", see);
    thread.on("error", fail);
    const unlock = stop;
    stop = () => {
      void thread.terminate();
      unlock();
    };
  };
  start().catch(fail);

  const hasIndex = (): boolean => existsSync(pointer);
  /** Whether there is an index by then: a first one, or the next one after as long as the last build took. */
  const isNearlyDone = (until: number): boolean => {
    if (following.is === "elsewhere") return !hasIndex();
    if (following.is !== "building") return false;
    return hasIndex() ? lastMs !== undefined && following.startedAt + lastMs < until : true;
  };
  return {
    place: index,
    stop: () => {
      isStopped = true;
      stop();
    },
    /** Waits a little for a build that is nearly done. The result says why there is no index. */
    async awaitIndex(): Promise<{ readonly text: string; readonly isError: boolean } | undefined> {
      const until = Date.now() + MAX_WAIT_MS;
      while (isNearlyDone(until) && Date.now() < until) await sleep(POLL_MS);
      return hasIndex() ? undefined : describe(following, dir);
    },
  };
}

/** Whether a pointer is one of this version; of another one it would look damaged. */
async function isReadable(pointer: string): Promise<boolean> {
  try {
    const bytes = await readIfThere(pointer);
    return bytes === undefined || decodePointer(bytes) !== undefined;
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}

/** The lock of a folder, as soon as nobody else holds it. */
async function takeTurn(folder: string, onWait: () => void) {
  for (;;) {
    try {
      return await takeLock(folder, { disk: nodeDisk, maxWaitMs: 0, onWait });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
    }
    // It keeps no process alive.
    await sleep(LOOK_MS, undefined, { ref: false });
  }
}

function describe(following: Following, dir: string): { readonly text: string; readonly isError: boolean } {
  const again = "ask again in a few seconds";
  if (following.is === "failed") {
    const text = `${dir} cannot be indexed: ${following.reason}\nIt is tried again when a file changes.`;
    return { text, isError: true };
  }
  if (following.is !== "building") return { text: `indexing, in another process; ${again}`, isError: false };
  const { done, total } = following;
  const percent = Math.floor((READING_PERCENT * done) / Math.max(1, total));
  const files = total === 0 ? "" : ` (${formatNumber(done)} of ${formatNumber(total)} files)`;
  return { text: `indexing, ${percent} %${files}; ${again}`, isError: false };
}
