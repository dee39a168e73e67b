/**
 * Command `check`: looks for damaged files of an index, and for ids in its maps that lead nowhere.
 */

import { join } from "node:path";
import { findDeadIds, listIds } from "../../../src/core/docs/project-map.ts";
import { readLog } from "../../../src/core/index/read-log.ts";
import { formatCount } from "../../../src/surface/render/text.ts";
import { type Severity, UsageError } from "../../base/diagnostic.ts";
import { isAddress } from "../../base/index-source.ts";
import { countFailing, findFailing, readFailOn } from "../../config/fail-on.ts";
import { openIndexAt, verifyFiles } from "../../open/open-index.ts";
import { findSection } from "../../sources/read-file.ts";
import { MAP_FILE, readText } from "../map-files.ts";
import { type Command, clean, EXIT, indexOption, option, printResult, readIndexOption } from "../run-cli.ts";
import { BUILD_OUTPUT, printFailing } from "./build.ts";
export const checkCommand: Command = {
  name: "check",
  summary: "Check that an index is whole, and that every id in its maps leads somewhere.",
  positionals: ["[file...]"],
  options: {
    index: indexOption,
    "fail-on": BUILD_OUTPUT["fail-on"],
    strict: option.flag("Exit with 1 for warnings of the build too."),
    json: option.flag("Print one JSON object."),
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
    const result = { ok: isGood, damaged, maps, errors, warnings, failingOn: countFailing(failing) };
    if (!input.has("json")) {
      for (const problem of damaged) terminal.warn(clean(problem));
      for (const id of dead) terminal.warn(clean(`  ${id} names nothing in the index`));
      printFailing(failing, terminal);
    }
    const state = damaged.length === 0 ? "all files are whole" : "files are damaged";
    const describe = () => [
      ...maps.map(({ file, ids, dead }) => `${file}: ${ids - dead.length} of ${ids} ids lead somewhere`),
      `${state}; ${formatCount(errors, "error")}, ${formatCount(warnings, "warning")}`,
    ];
    printResult(input, terminal, result, describe, clean);
    return isGood ? EXIT.done : EXIT.failed;
  },
};

interface CheckedMap {
  readonly file: string;
  readonly ids: number;
  /** Ids that lead nowhere. */
  readonly dead: readonly string[];
}

/**
 * Check the index at a place. `damaged` says what is wrong with the files, a line each.
 *
 * @param files Files that hold a map; that beside the index, where there is one, is looked at in any case.
 * @throws {InputError} where there is no index.
 * @throws {UsageError} where a file is not there or holds no map.
 */
export async function checkIndex(place: string, files: readonly string[]) {
  const reader = await openIndexAt(place);
  // Whoever removed the pointer did so just now: it was opened.
  const damaged = (await verifyFiles(place)) ?? ["there is no pointer"];
  const own = isAddress(place) ? undefined : join(place, MAP_FILE);
  const maps: CheckedMap[] = [];
  for (const file of [...(own === undefined ? [] : [own]), ...files]) {
    const text = await readText(file);
    if (text === undefined && file === own) continue;
    if (text === undefined) throw new UsageError(`there is no file ${JSON.stringify(file)}`);
    const section = file === own ? text : findSection(text, file);
    if (section === undefined) throw new UsageError(`${file} holds no map: treeline build --agents ${file} writes one`);
    const ids = listIds(section);
    maps.push({ file, ids: ids.length, dead: await findDeadIds(reader, ids) });
  }
  return { damaged, maps, log: await readLog(reader) };
}
