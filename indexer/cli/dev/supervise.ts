/**
 * A small process between `treeline dev` and the Worker's process: it leads their process group and ends the whole
 * group when its standard input closes. The operating system closes that pipe however the parent dies, so nothing
 * keeps running after it, not even when the parent was killed without a chance to clean up.
 *
 * Started as `node supervise.ts PROGRAM ARGUMENT…` in a process group of its own.
 */
import { spawn } from "node:child_process";
import process from "node:process";

/** Time to end in good order before the group is killed. */
const GRACE_MS = 3000;

const [program, ...args] = process.argv.slice(2);
if (program === undefined) throw new Error("supervise.ts needs a program to run");

const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });
let ending = false;

child.on("error", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
child.on("exit", (code) => {
  if (!ending) process.exit(code ?? 1);
  endGroup("SIGKILL");
});
process.stdin.on("end", end);
process.stdin.on("error", end);
process.stdin.resume();
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, end);

function end(): void {
  if (ending) return;
  ending = true;
  endGroup("SIGTERM");
  setTimeout(() => endGroup("SIGKILL"), GRACE_MS);
}

/** Signals every process of this group, this one included. */
function endGroup(signal: "SIGTERM" | "SIGKILL"): void {
  if (process.platform === "win32") child.kill(signal);
  else process.kill(0, signal);
}
