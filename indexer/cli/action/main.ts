/**
 * Program of the GitHub Action (`action.yml`): `prepare` says what the cache step is to look for, `run` does the work
 * and reports it. Inputs come in the environment; what it prints holds no command but its own.
 */
import process from "node:process";

const write = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
// Each step loads what it needs alone.
const step =
  process.argv[2] === "prepare"
    ? (await import("./prepare-run.ts")).prepareRun
    : (await import("./run-action.ts")).runAction;
process.exitCode = await step(process.env, write);
