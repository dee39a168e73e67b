/** CPU time of other processes, by the scheduler's own clock (Linux, /proc/PID/task/TID/schedstat). */
import { readdirSync, readFileSync } from "node:fs";

/** CPU time of all threads of some processes, in milliseconds. */
export function cpuMs(processes: readonly number[]): number {
  let nanoseconds = 0;
  for (const id of processes) {
    for (const task of readdirSync(`/proc/${id}/task`)) {
      nanoseconds += Number(readProc(`/proc/${id}/task/${task}/schedstat`).split(" ")[0] ?? 0);
    }
  }
  return nanoseconds / 1e6;
}

/** A file below `/proc`, `""` where it is gone: a thread may end between being listed and being read. */
export function readProc(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
