/**
 * The program of the GitHub Action (`action.yml`): `prepare` says what the cache step is to look for, `run` does the work
 * and reports it. Inputs come in the environment; what it prints holds no command but its own.
 */
import process from "node:process";
import { tuneProcess } from "../tune-process.ts";

tuneProcess();
const { prepareRun, runAction } = await import("./act.ts");

const write = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
process.exitCode = await (process.argv[2] === "prepare" ? prepareRun : runAction)(process.env, write);
