/**
 * Command `mcp`: answer an MCP client over standard input and output, from an index in a folder or on a web host.
 */
import { resolve } from "node:path";
import type { InflateRaw } from "../../../src/core/bytes/capabilities.ts";
import type { RangeSource } from "../../../src/core/index/range-source.ts";
import { LruCache, type ValueCache } from "../../../src/core/index/value-cache.ts";
import { inflateRaw } from "../../base/codec.ts";
import { CACHE_BYTES, isAddress, openSource } from "../../base/index-source.ts";
import { type Command, EXIT, option } from "../run-cli.ts";
import { indexOption, readIndexOption } from "./index-option.ts";

/** Serves an index until its client goes: `serveStdio` of `src/stdio.ts`, which the command line alone may load. */
type ServeStdio = (options: {
  readonly source: RangeSource;
  readonly inflate: InflateRaw;
  readonly cache: ValueCache;
  readonly tools: string | undefined;
  readonly report: (line: string) => void;
}) => Promise<void>;

/** @param load Gives what serves; it is loaded when the command runs. */
export function createMcpCommand(load: () => Promise<ServeStdio>): Command {
  return {
    name: "mcp",
    summary: "Answer an MCP client over standard input and output.",
    positionals: [],
    options: {
      index: indexOption,
      tools: option.text(
        "PROFILES",
        "Tools to list: docs, code, graph, categories, ops, all, openai. Default: what the index can answer.",
      ),
    },
    details:
      "For clients that start a program: treeline mcp --index DIR. A new build in the folder is seen after 15 seconds at\n" +
      "the latest. Every access group is shown: who starts this can read the files anyway.",
    async run(input, terminal) {
      const place = readIndexOption(input);
      const serve = await load();
      terminal.warn(`treeline mcp: index ${isAddress(place) ? place : resolve(place)}`);
      await serve({
        source: openSource(place),
        inflate: inflateRaw,
        cache: new LruCache(CACHE_BYTES),
        tools: input.text("tools"),
        report: (line) => terminal.warn(`treeline mcp: ${line}`),
      });
      return EXIT.done;
    },
  };
}
