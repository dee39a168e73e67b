/**
 * Builds of any folders of Markdown beside Pagefind's, one after the other in turn: CPU, wall, memory, bytes.
 *
 *   npm run bench:builds -- DIR… [--runs N] [--out DIR]
 *
 * Treeline reads the Markdown without a parse cache, Pagefind the same pages as HTML; rendering is not counted. CPU is user
 * and system time of the program and its threads, memory the peak of what it held. Figures are medians of N (3) runs, ratios
 * medians of the runs' ratios, so that what else the machine does falls on both. Prints Markdown. `--out` keeps the indexes.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { medianOf, ratioOf } from "./comparison-tables.ts";
import { listPages } from "./edits.ts";
import { listStoredFiles, sumFiles } from "./index-files.ts";
import { measureProgram, type ProgramCost } from "./measure-program.ts";
import { fetchPagefind, isPagefindIndexFile, pagefindArguments } from "./pagefind/program.ts";
import { renderSite } from "./pagefind/render-site.ts";
import { makeTable, showBytes, showRatio, showSeconds } from "./tables.ts";
import { type BuiltIndex, buildTreeline } from "./treeline.ts";

interface Run {
  readonly treeline: BuiltIndex;
  readonly pagefind: ProgramCost;
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: "string", default: "3" }, out: { type: "string" } },
});
if (positionals.length === 0) {
  console.error("usage: npm run bench:builds -- DIR… [--runs N] [--out DIR]");
  process.exit(2);
}
const room = values.out ?? mkdtempSync(join(tmpdir(), "treeline-builds-"));
const program = await fetchPagefind(join(homedir(), ".cache", "treeline", "packages"));
const rows: string[][] = [];
try {
  for (const dir of positionals) rows.push(await measureFolder(resolve(dir)));
} finally {
  if (values.out === undefined) rmSync(room, { recursive: true, force: true });
}
const figures = ["CPU", "wall", "memory", "index"];
console.log(
  makeTable(["folder", "pages", "sections", ...figures.flatMap((name) => [name, "Pagefind", "ratio"])], rows),
);

async function measureFolder(dir: string): Promise<string[]> {
  const place = join(room, basename(dir));
  const [site, index, peer] = ["site", "index", "pagefind"].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ];
  rmSync(place, { recursive: true, force: true });
  mkdirSync(site, { recursive: true });
  renderSite(dir, listPages(dir), site);
  const runs: Run[] = [];
  for (let run = 1; run <= Number(values.runs); run++) {
    for (const folder of [index, peer]) rmSync(folder, { recursive: true, force: true });
    const treeline = await buildTreeline(dir, index, undefined, ["--no-cache"]);
    const pagefind = await measureProgram(program, pagefindArguments(site, peer));
    runs.push({ treeline, pagefind });
    const cpu = [treeline.cpuSeconds, pagefind.cpuSeconds].map(showSeconds).join(" and ");
    process.stderr.write(`${dir}, run ${run}: CPU ${cpu}\n`);
  }
  rmSync(site, { recursive: true });
  const bytes = [sumFiles(listStoredFiles(index)).bytes, sumFiles(listStoredFiles(peer, isPagefindIndexFile)).bytes];
  const { documents, sections } = (runs[0] as Run).treeline;
  return [
    basename(dir),
    String(documents),
    String(sections),
    ...showPair(runs, ({ cpuSeconds }) => cpuSeconds, showSeconds),
    ...showPair(runs, ({ wallSeconds }) => wallSeconds, showSeconds),
    ...showPair(runs, ({ peakBytes }) => peakBytes, showBytes),
    ...bytes.map(showBytes),
    showRatio(ratioOf(bytes[0], bytes[1])),
  ];
}

function showPair(
  runs: readonly Run[],
  pick: (cost: ProgramCost) => number | undefined,
  show: (value: number | undefined) => string,
): string[] {
  return [
    show(medianOf(runs.map(({ treeline }) => pick(treeline)))),
    show(medianOf(runs.map(({ pagefind }) => pick(pagefind)))),
    showRatio(medianOf(runs.map(({ treeline, pagefind }) => ratioOf(pick(treeline), pick(pagefind))))),
  ];
}
