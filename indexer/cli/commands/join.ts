/**
 * Command `join`: the parts that several machines built, made into one index.
 */
import { join } from "node:path";
import { UsageError } from "../../base/usage-error.ts";
import { readFailOn } from "../../config/fail-on.ts";
import { joinParts } from "../../index/split-build.ts";
import type { Command } from "../command.ts";
import { writeMaps } from "../map-files.ts";
import { writePagesFor } from "../pages/write-page-files.ts";
import {
  BUILD_OUTPUT,
  finishBuild,
  readConfigOption,
  readToolOptions,
  showProgress,
  waitingTo,
  warnOfLostHits,
} from "./build.ts";

/** The command. */
export const joinCommand: Command = {
  name: "join",
  summary: "Make one index out of the parts that `build --shard` wrote.",
  positionals: ["<part...>"],
  options: {
    dir: { kind: "text", placeholder: "DIR", description: "Folder that was built. Default: the current one." },
    ...BUILD_OUTPUT,
  },
  details: "The index is that of a build on one machine, byte for byte.",
  async run(input, terminal) {
    const { positionals, text, has } = input;
    if (positionals.length === 0) throw new UsageError("name the folders of the parts");
    const dir = text("dir") ?? ".";
    const out = text("out") ?? join(dir, ".treeline", "index");
    const base = text("base");
    if (text("agents") === "") throw new UsageError("--agents needs a file");
    readFailOn(input.list("fail-on"));
    const started = performance.now();
    const request = {
      dir,
      ...readConfigOption(input),
      outDir: out,
      progress: showProgress(terminal, has("quiet")),
      output: waitingTo(terminal),
      ...readToolOptions(input),
      ...(base !== undefined && { base }),
      isForPages: has("browser"),
    };
    const summary = await joinParts(request, positionals);
    await writeMaps(out, text("agents"));
    if (has("browser")) await writePagesFor(out);
    const code = finishBuild(summary, (performance.now() - started) / 1000, input, terminal);
    await warnOfLostHits(out, input, terminal);
    return code;
  },
};
