/**
 * Command `check`: whether an index is whole, and whether the ids in its maps still lead somewhere.
 */
import { formatCount } from "../../../src/surface/render/numbers.ts";
import { cleanText } from "../../../src/surface/render/text.ts";
import type { Severity } from "../../base/diagnostic.ts";
import { UsageError } from "../../base/usage-error.ts";
import { countFailing, findFailing, readFailOn } from "../../config/fail-on.ts";
import { checkIndex } from "../check-index.ts";
import { type Command, EXIT } from "../command.ts";
import { MAP_FILE } from "../map-files.ts";
import { BUILD_OUTPUT, printFailing } from "./build.ts";
import { indexOption, readIndexOption } from "./index-option.ts";

/** The command. */
export const checkCommand: Command = {
  name: "check",
  summary: "Check that an index is whole, and that every id in its maps leads somewhere.",
  positionals: ["[file...]"],
  options: {
    index: indexOption,
    "fail-on": BUILD_OUTPUT["fail-on"],
    strict: { kind: "flag", description: "Exit with 1 for warnings of the build too." },
    json: { kind: "flag", description: "Print one JSON object." },
  },
  details: `Files are those that hold a map, such as AGENTS.md; ${MAP_FILE} beside the index is one of them always.`,
  async run(input, terminal) {
    const place = readIndexOption(input);
    if (input.positionals.includes("")) throw new UsageError("name files that hold a map");
    const failOn = readFailOn(input.list("fail-on"));
    const { damaged, maps, log } = await checkIndex(place, input.positionals);
    const { diagnostics } = log;
    const failing = findFailing(log, failOn);
    const countOf = (wanted: Severity): number => diagnostics.filter(({ severity }) => severity === wanted).length;
    const [errors, warnings] = [countOf("error"), countOf("warning")];
    const dead = maps.flatMap((map) => map.dead);
    const isStrict = input.has("strict");
    const isGood =
      damaged.length === 0 && dead.length === 0 && failing.length === 0 && !(isStrict && errors + warnings > 0);
    if (input.has("json"))
      terminal.print(JSON.stringify({ ok: isGood, damaged, maps, errors, warnings, failingOn: countFailing(failing) }));
    else {
      for (const problem of damaged) terminal.warn(cleanText(problem).text);
      for (const map of maps) {
        terminal.print(cleanText(`${map.file}: ${map.ids - map.dead.length} of ${map.ids} ids lead somewhere`).text);
        for (const id of map.dead) terminal.warn(cleanText(`  ${id} names nothing in the index`).text);
      }
      printFailing(failing, terminal);
      const state = damaged.length === 0 ? "all files are whole" : "files are damaged";
      terminal.print(`${state}; ${formatCount(errors, "error")}, ${formatCount(warnings, "warning")}`);
    }
    return isGood ? EXIT.done : EXIT.failed;
  },
};
