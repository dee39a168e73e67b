/**
 * What a program costs: wall time, CPU time and memory of it and of what it starts.
 *
 * CPU comes from the kernel's sum over ended children (Linux, /proc/self/stat, in hundredths of a second), so one
 * program at a time can be measured. Memory is asked for every few milliseconds: the largest sum over the tree, or the
 * high-water mark of one process where that is more.
 */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const ASK_EVERY_MS = 10;
const TICKS_PER_SECOND = 100;

/** What a run of a program took. CPU and memory are `undefined` where the system has no /proc. */
export interface ProgramCost {
  readonly wallSeconds: number;
  readonly cpuSeconds: number | undefined;
  readonly peakBytes: number | undefined;
  readonly output: string;
}

/** Run a program to its end. @throws {Error} with its output when it fails. */
export function measureProgram(program: string, parameters: readonly string[]): Promise<ProgramCost> {
  return new Promise((resolve, reject) => {
    const cpuBefore = readChildrenCpu();
    const started = performance.now();
    const child = spawn(program, parameters, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let peak: number | undefined;
    const ask = (): void => {
      const used = child.pid === undefined ? undefined : readTreeMemory(child.pid);
      if (used !== undefined) peak = Math.max(peak ?? 0, used);
    };
    const asking = setInterval(ask, ASK_EVERY_MS);
    const collect = (text: string): void => {
      output += text;
    };
    child.stdout.setEncoding("utf8").on("data", collect);
    child.stderr.setEncoding("utf8").on("data", collect);
    child.on("error", (error) => {
      clearInterval(asking);
      reject(error);
    });
    child.on("close", (code, signal) => {
      clearInterval(asking);
      const wallSeconds = (performance.now() - started) / 1000;
      const cpuAfter = readChildrenCpu();
      if (code === 0) {
        const cpuSeconds = cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore;
        resolve({ wallSeconds, cpuSeconds, peakBytes: peak, output });
      } else {
        reject(new Error(`${program} ${parameters.join(" ")} ended with ${code ?? signal}:\n${output.slice(-4000)}`));
      }
    });
  });
}

/** Seconds of CPU of all children that ended; of their children too, where they waited for them. */
function readChildrenCpu(): number | undefined {
  const fields = readProc("self/stat")
    ?.replace(/^.*\) /, "")
    .split(" ");
  // User and system time of waited-for children are fields 16 and 17 of proc(5); the first two are cut off.
  return fields === undefined ? undefined : (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

/** Bytes of memory of a process and those below it, or `undefined` when it is gone. */
function readTreeMemory(id: number): number | undefined {
  const own = readMemory(id);
  if (own === undefined) return undefined;
  const below = listChildren(id).reduce((sum, child) => sum + (readTreeMemory(child) ?? 0), 0);
  return Math.max(own.now + below, own.highest);
}

function readMemory(id: number): { now: number; highest: number } | undefined {
  const status = readProc(`${id}/status`);
  const kilobytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status ?? "")?.[1]);
  const now = kilobytes("VmRSS") * 1024;
  return Number.isNaN(now) ? undefined : { now, highest: kilobytes("VmHWM") * 1024 };
}

function listChildren(id: number): number[] {
  try {
    return readdirSync(`/proc/${id}/task`).flatMap((thread) =>
      (readProc(`${id}/task/${thread}/children`) ?? "").split(" ").filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/** A process may end between being listed and being read. */
function readProc(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, "utf8");
  } catch {
    return undefined;
  }
}
