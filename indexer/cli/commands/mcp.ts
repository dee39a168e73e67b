/**
 * Command `mcp`: answer an MCP client over standard input and output, from a folder that is built and watched, or from an index.
 */
import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { InputError } from "../../../src/core/errors.ts";
import { LruCache } from "../../../src/core/index/value-cache.ts";
import { inflateRaw } from "../../base/codec.ts";
import { UsageError } from "../../base/diagnostic.ts";
import { expectFolder } from "../../base/file-system.ts";
import { CACHE_BYTES, isAddress, openSource } from "../../base/index-source.ts";
import { CONFIG_FILE_NAME } from "../../config/settings-file.ts";
import { type Command, EXIT, option } from "../run-cli.ts";

export const mcpCommand: Command = {
  name: "mcp",
  summary: "Index a folder, watch it, and answer an MCP client over standard input and output.",
  positionals: ["[dir]"],
  options: {
    index: option.text(
      "PLACE",
      "Serve this index instead: a folder that `treeline build` wrote, or its web address.",
      "i",
    ),
    tools: option.text(
      "PROFILES",
      "Tools to list: docs, code, graph, categories, ops, all, openai. Default: what the index can answer.",
    ),
  },
  details:
    "For clients that start a program: treeline mcp DIR; without DIR, the folder that it is started in. It answers while it\n" +
    "indexes, sees edits that are not committed, and writes nothing into the folder. A new build at a web address is seen after\n" +
    "15 seconds at the latest. Every access group is shown: who starts this can read the files anyway.",
  async run({ positionals, text }, terminal) {
    const [dir = "."] = positionals;
    const index = text("index");
    const report = (line: string): void => terminal.warn(`treeline mcp: ${line}`);
    if (index !== undefined) {
      if (positionals.length > 0) throw new UsageError("give a folder to index or --index, not both");
      await expectIndex(index);
    }
    const followed = index === undefined ? await follow(dir, report) : undefined;
    const place = followed?.place ?? index ?? "";
    report(`index ${isAddress(place) ? place : resolve(place)}`);
    try {
      // The tools are loaded when they are asked for.
      const { serveStdio } = await import("../../../src/stdio.ts");
      await serveStdio({
        source: openSource(place),
        inflate: inflateRaw,
        cache: new LruCache(CACHE_BYTES),
        tools: text("tools"),
        ...(!isAddress(place) && { pointerMs: 0 }),
        ...(followed !== undefined && { awaitIndex: followed.awaitIndex }),
        report,
      });
    } finally {
      followed?.stop();
    }
    return EXIT.done;
  },
};

/** Starts to follow a project. @throws {InputError} where a folder is none: some clients start programs in the user's home. */
async function follow(dir: string, report: (line: string) => void) {
  await expectFolder(resolve(dir), dir);
  const real = await realpath(dir);
  if ((real === dirname(real) || real === homedir()) && !existsSync(join(real, CONFIG_FILE_NAME))) {
    throw new InputError(`${JSON.stringify(real)} is no project`, [], "treeline mcp DIR, with the folder of a project");
  }
  const { followFolder } = await import("../dev/followed-index.ts");
  report(`folder ${real}`);
  return followFolder(real, report);
}

/** @throws {InputError} where there is no index. */
async function expectIndex(place: string): Promise<void> {
  if ((await openSource(place).readPointer()) !== undefined) return;
  throw new InputError(
    `no index at ${JSON.stringify(place)}; --index takes a folder that treeline build wrote, or its web address`,
    [],
    "treeline mcp DIR indexes a folder and serves it",
  );
}
