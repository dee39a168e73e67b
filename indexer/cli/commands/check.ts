/**
 * Command `check`: looks for damaged files of an index.
 */

import { readLog } from "../../../src/core/index/read-log.ts";
import { formatCount } from "../../../src/surface/render/numbers.ts";
import { cleanText } from "../../../src/surface/render/text.ts";
import type { Severity } from "../../base/diagnostic.ts";
import { countFailing, findFailing, readFailOn } from "../../config/fail-on.ts";
import { openIndexAt, verifyFiles } from "../../open/open-index.ts";
import { type Command, EXIT, option, printResult } from "../run-cli.ts";
import { BUILD_OUTPUT, printFailing } from "./build.ts";
import { indexOption, readIndexOption } from "./index-option.ts";
export const checkCommand: Command = {
  name: "check",
  summary: "Check that an index is whole.",
  positionals: [],
  options: {
    index: indexOption,
    "fail-on": BUILD_OUTPUT["fail-on"],
    strict: option.flag("Exit with 1 for warnings of the build too."),
    json: option.flag("Print one JSON object."),
  },
  async run(input, terminal) {
    const place = readIndexOption(input);
    const failOn = readFailOn(input.list("fail-on"));
    const log = await readLog(await openIndexAt(place));
    // Whoever removed the pointer did so just now: it was opened.
    const damaged = (await verifyFiles(place)) ?? ["there is no pointer"];
    const { diagnostics } = log;
    const failing = findFailing(log, failOn);
    const countOf = (wanted: Severity): number => diagnostics.filter(({ severity }) => severity === wanted).length;
    const [errors, warnings] = [countOf("error"), countOf("warning")];
    const isStrict = input.has("strict");
    const isGood = damaged.length === 0 && failing.length === 0 && !(isStrict && errors + warnings > 0);
    const result = { ok: isGood, damaged, errors, warnings, failingOn: countFailing(failing) };
    if (!input.has("json")) {
      for (const problem of damaged) terminal.warn(clean(problem));
      printFailing(failing, terminal);
    }
    const state = damaged.length === 0 ? "all files are whole" : "files are damaged";
    const describe = () => [`${state}; ${formatCount(errors, "error")}, ${formatCount(warnings, "warning")}`];
    printResult(input, terminal, result, describe, clean);
    return isGood ? EXIT.done : EXIT.failed;
  },
};

const clean = (line: string): string => cleanText(line).text;
