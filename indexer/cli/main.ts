#!/usr/bin/env -S node --max-semi-space-size=8
/**
 * The command line: the list of commands, and the process around them.
 *
 * Little is imported here: an old Node would fail at what it does not know, before it is told so.
 */
import process from "node:process";
import { describeOldNode } from "./oldest-node.ts";

const refusal = describeOldNode(process.versions.node);
if (refusal !== undefined) {
  process.stderr.write(`${refusal}\n`);
  process.exit(1);
}
// What is imported from here on comes with its types stripped and compiled, out of the run before. A folder that cannot be
// written costs time, nothing else.
const { enableCompileCache } = await import("node:module");
const { styleText } = await import("node:util");
const { isPackaged, packageRoot, workFolder } = await import("../base/installation.ts");
enableCompileCache(isPackaged ? `${workFolder()}/compile` : `${packageRoot}/node_modules/.cache/treeline/compile`);
const { runCli } = await import("./run-cli.ts");

// Whoever reads the output may stop reading (`| head`): the work is done then.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  throw error;
});

/** Whether a line of progress stands at the end of the terminal. */
let isShown = false;

function cleared(): string {
  if (isShown) process.stderr.write("\r\u001b[2K");
  isShown = false;
  return "";
}

/** The line with its first words in colour, on a terminal that has colours and where NO_COLOR is not set. */
function colored(line: string): string {
  const [head = ""] =
    /^(?:error\b|fails on\b|treeline [\w-]+(?: failed)?:|warning\b|Warning:|skipped\b)/.exec(line) ?? [];
  const color = /^(?:w|W|s)/.test(head) ? "yellow" : "red";
  return head === "" ? line : styleText(color, head, { stream: process.stderr }) + line.slice(head.length);
}

// A command is loaded when it is called: one needs a third of what all of them do.
const build = async () => (await import("./commands/build.ts")).buildCommands;
const publish = async () => (await import("./commands/publish.ts")).publishCommands;
const search = async () => (await import("./commands/search.ts")).searchCommands;
const status = async () => (await import("./commands/status.ts")).statusCommands;
process.exitCode = await runCli(
  [
    { name: "init", load: async () => (await import("./commands/init.ts")).createInitCommand() },
    { name: "build", load: async () => (await build()).build },
    { name: "join", load: async () => (await build()).join },
    { name: "dev", load: async () => (await import("./dev/dev.ts")).devCommand },
    { name: "status", load: async () => (await status()).status },
    { name: "insights", load: async () => (await status()).insights },
    { name: "summary", load: async () => (await search()).summary },
    { name: "check", load: async () => (await import("./commands/status.ts")).checkCommand },
    { name: "search", load: async () => (await search()).search },
    { name: "eval", load: async () => (await import("./commands/eval.ts")).evalCommand },
    { name: "publish", load: async () => (await publish()).publish },
    { name: "rollback", load: async () => (await publish()).rollback },
    { name: "gc", load: async () => (await publish()).gc },
    { name: "pull", load: async () => (await publish()).pull },
    { name: "corpora", load: async () => (await publish()).corpora },
    { name: "deploy", load: async () => (await import("./commands/deploy.ts")).deployCommand },
    { name: "keys", load: async () => (await import("./commands/keys.ts")).keysCommand },
    { name: "mcp", load: async () => (await import("./commands/mcp.ts")).mcpCommand },
    { name: "dump", load: async () => (await search()).dump },
  ],
  process.argv.slice(2),
  {
    print: (line) => process.stdout.write(`${cleared()}${line}\n`),
    warn: (line) => process.stderr.write(`${cleared()}${colored(line)}\n`),
    interactive: process.stderr.isTTY === true && process.env.CI === undefined,
    show: (line) => {
      process.stderr.write(`${cleared()}${line.slice(0, (process.stderr.columns || 80) - 1)}`);
      isShown = true;
    },
  },
);
cleared();
