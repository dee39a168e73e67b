#!/usr/bin/env node
/**
 * The command line: the list of commands, and the process around them.
 */
import process from "node:process";
import type { Command } from "./command.ts";
import { buildCommand } from "./commands/build.ts";
import { devCommand } from "./commands/dev.ts";
import { dumpCommand } from "./commands/dump.ts";
import { evalCommand } from "./commands/eval.ts";
import { joinCommand } from "./commands/join.ts";
import { searchCommand } from "./commands/search.ts";
import { statusCommand } from "./commands/status.ts";
import { runCli } from "./run-cli.ts";

const commands: readonly Command[] = [
  buildCommand,
  joinCommand,
  devCommand,
  statusCommand,
  searchCommand,
  evalCommand,
  dumpCommand,
];

// Whoever reads the output may stop reading (`| head`): the work is done then.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  throw error;
});

process.exitCode = await runCli(commands, process.argv.slice(2), {
  print: (line) => process.stdout.write(`${line}\n`),
  warn: (line) => process.stderr.write(`${line}\n`),
  interactive: process.stderr.isTTY === true && process.env.CI === undefined,
});
