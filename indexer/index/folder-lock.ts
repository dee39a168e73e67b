/**
 * A lock on an output folder, so that builds write into it one after another.
 *
 * Announce, then look: a build puts a file of its own into the folder, named by its process, and has the lock when no
 * other file there is of a process that lives. Of two that announce at once at least one sees the other; whoever sees
 * one takes its own file away and tries again. Nobody takes a lock over, so nobody can take one from its owner, and the
 * file of a dead process holds nobody up. That file stays until its successor has cleaned up after it (`output-folder.ts`).
 *
 * A process is told from a later one with its number by the time it started, where the system says it. Whether a process
 * on another machine lives, as with a folder that two containers share, cannot be asked: its file counts for an hour.
 */
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { InputError } from "../../src/core/errors.ts";
import { isFsError } from "../base/file-system.ts";
import type { OutputDisk } from "./output-disk.ts";

/** How long a build waits for another one before it gives up. */
const MAX_WAIT_MS = 120_000;
/** Waits between two tries are drawn from this span, so that two builds do not stay in step. */
const RETRY_MS = { least: 20, most: 120 };
/** How long the file of a build on another machine counts. Builds take far less. */
const ELSEWHERE_MS = 3_600_000;

/** A process, by what tells it from others. */
export interface LockOwner {
  /** Name of the machine; letters, digits and hyphens. */
  readonly host: string;
  readonly pid: number;
  /** When the process started, in any unit; 0 where that is not known. */
  readonly started: number;
}

/** What taking a lock needs. */
export interface LockOptions {
  readonly disk: OutputDisk;
  /** This process when absent. */
  readonly owner?: LockOwner;
  /** Told once, when another build has to be waited for. */
  readonly onWait?: (other: LockOwner) => void;
  readonly maxWaitMs?: number;
}

/** A lock that is held. */
export interface FolderLock {
  /** Name of its file. */
  readonly name: string;
  /** Files of dead builds that were found when the lock was taken. */
  readonly dead: readonly string[];
}

const LOCK_FILE = /^\.build\.([A-Za-z0-9-]{0,64})\.(\d{1,10})\.(\d{1,16})\.(\d{1,10})\.lock$/;

let taken = 0;

/**
 * Take the lock on a folder; `disk.remove` of its file gives it back.
 *
 * @throws {InputError} when another build still holds it after the longest wait.
 */
export async function takeLock(folder: string, options: LockOptions): Promise<FolderLock> {
  const { disk, owner = await describeProcess(), onWait, maxWaitMs = MAX_WAIT_MS } = options;
  const name = `.build.${owner.host}.${owner.pid}.${owner.started}.${taken++}.lock`;
  const until = performance.now() + maxWaitMs;
  for (let tries = 0; ; tries++) {
    await disk.create(join(folder, name));
    const { alive, dead } = await lookAround(folder, name, owner.host, disk).catch(async (error: unknown) => {
      await disk.remove(join(folder, name));
      throw error;
    });
    if (alive === undefined) return { name, dead };
    await disk.remove(join(folder, name));
    if (tries === 0) onWait?.(alive);
    if (performance.now() > until) {
      throw new InputError(
        `another build (process ${alive.pid} on ${alive.host}) is writing to the same folder; wait for it, or build into another one`,
      );
    }
    const { least, most } = RETRY_MS;
    await new Promise((resolve) => setTimeout(resolve, least + Math.random() * (most - least)));
  }
}

/** Another build that lives, and the files of those that do not. */
async function lookAround(
  folder: string,
  own: string,
  host: string,
  disk: OutputDisk,
): Promise<{ readonly alive: LockOwner | undefined; readonly dead: readonly string[] }> {
  const dead: string[] = [];
  for (const name of await disk.list(folder)) {
    const found = LOCK_FILE.exec(name);
    if (name === own || found === null) continue;
    const other = { host: found[1] as string, pid: Number(found[2]), started: Number(found[3]) };
    const lives = other.host === host ? await isAlive(other) : await isRecent(join(folder, name), disk);
    if (lives) return { alive: other, dead: [] };
    dead.push(name);
  }
  return { alive: undefined, dead };
}

async function isAlive({ pid, started }: LockOwner): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process that may not be signalled lives.
    if (!isFsError(error) || error.code !== "EPERM") return false;
  }
  const now = await startOf(pid);
  return now === 0 || started === 0 || now === started;
}

async function isRecent(path: string, disk: OutputDisk): Promise<boolean> {
  try {
    return Date.now() - (await disk.changedAt(path)) < ELSEWHERE_MS;
  } catch (error) {
    if (isFsError(error) && error.code === "ENOENT") return false;
    throw error;
  }
}

async function describeProcess(): Promise<LockOwner> {
  const host = hostname()
    .replace(/[^A-Za-z0-9-]/g, "-")
    .slice(0, 64);
  return { host, pid: process.pid, started: await startOf(process.pid) };
}

/** When a process started, in clock ticks since the machine did; 0 where the system has no `/proc`, or no such process. */
async function startOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch((error: unknown) => {
    if (isFsError(error)) return "";
    throw error;
  });
  // The name, in parentheses, may hold anything; behind it the start is the 20th field, proc(5).
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[19] ?? 0) || 0;
}
