/**
 * Command `dev`: build a folder, serve it on this machine, build again when it changes.
 */

import { isPackaged, packageRoot } from "../../base/installation.ts";
import { UsageError } from "../../base/usage-error.ts";
import type { Command } from "../command.ts";
import { INSTALL_WRANGLER } from "../deploy/find-wrangler.ts";
import { serveFolder } from "../dev/dev.ts";
import { configOption, readConfigOption } from "./build.ts";

const DEFAULT_PORT = 8787;
const HIGHEST_PORT = 65_535;

/** The command. */
export const devCommand: Command = {
  name: "dev",
  summary: "Build a folder and serve it on this machine: MCP, search, status; rebuild on change.",
  positionals: ["[dir]"],
  options: {
    config: configOption,
    port: {
      kind: "text",
      placeholder: "N",
      description: `Port on 127.0.0.1; 0 takes a free one. Default ${DEFAULT_PORT}.`,
    },
    access: {
      kind: "text",
      placeholder: "FILE",
      description: "The access.json that `treeline keys` wrote: its keys open what is not public.",
    },
    private: { kind: "flag", description: "Answer nobody without a key, as a private deployment does." },
    "no-watch": { kind: "flag", description: "Do not build again when files change." },
  },
  details: isPackaged
    ? `Without a folder it serves the one that it is called in. It needs wrangler: ${INSTALL_WRANGLER}`
    : "Without a folder it serves Treeline's own documentation. `npm start -- [dir] --port N` does the same.",
  async run(input, terminal) {
    const { positionals, text, has } = input;
    const accessFile = text("access");
    if (accessFile === "") throw new UsageError("--access needs a file");
    return serveFolder({
      dir: positionals[0] ?? (isPackaged ? "." : packageRoot),
      ...readConfigOption(input),
      port: readPort(text("port")),
      watch: !has("no-watch"),
      isPrivate: has("private"),
      ...(accessFile !== undefined && { accessFile }),
      terminal,
    });
  },
};

function readPort(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PORT;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= HIGHEST_PORT) return port;
  throw new UsageError(`--port must be a number from 0 to ${HIGHEST_PORT}, got ${JSON.stringify(text)}`);
}
