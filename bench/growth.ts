/**
 * How costs grow with a corpus: 10,000, 100,000 and 1,000,000 sections of invented words.
 *
 *   npm run bench:growth -- WORKDIR [MAX] [--queries N] [--seed N]
 *
 * Prints Markdown, a row for each size up to MAX sections (1,000,000). A build that fails is a row that says so, and
 * the end with 1.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeZipfCorpus } from "./corpora/zipf.ts";
import { drawQueries } from "./draw-queries.ts";
import { listStoredFiles, sumFiles } from "./index-files.ts";
import { measureClasses, openMeasuredIndex } from "./measure-queries.ts";
import { showQueryCosts } from "./query-table.ts";
import { makeTable, showBytes, showSeconds } from "./tables.ts";
import { buildTreeline } from "./treeline.ts";
import { writeWholeFolder } from "./whole-folder.ts";

const SIZES = [10_000, 100_000, 1_000_000];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { queries: { type: "string", default: "30" }, seed: { type: "string", default: "1" } },
});
const [workDir, mostText = "1000000"] = positionals;
if (workDir === undefined || !(Number(mostText) >= (SIZES[0] ?? 0))) {
  console.error("usage: npm run bench:growth -- WORKDIR [MAX] [--queries N] [--seed N]");
  process.exit(2);
}
const seed = Number(values.seed);
const builds: string[][] = [];
const costs: string[] = [];
for (const sections of SIZES.filter((size) => size <= Number(mostText))) {
  const name = sections.toLocaleString("en-US");
  process.stderr.write(`${name} sections\n`);
  const corpus = join(workDir, `zipf-${sections}-${seed}`);
  await writeWholeFolder(corpus, (dir) => writeZipfCorpus(dir, sections, seed));
  const out = join(workDir, `zipf-${sections}-${seed}-index`);
  rmSync(out, { recursive: true, force: true });
  try {
    const built = await buildTreeline(corpus, out);
    const index = await openMeasuredIndex(out);
    const { objects, bytes } = sumFiles(listStoredFiles(out));
    builds.push([
      name,
      built.documents.toLocaleString("en-US"),
      showSeconds(built.cpuSeconds),
      showSeconds(built.wallSeconds),
      showBytes(built.peakBytes),
      showBytes(bytes - index.textBytes),
      showBytes(bytes),
      String(objects),
      showBytes(index.pointerBytes),
    ]);
    const measured = await measureClasses(index, drawQueries(corpus, Number(values.queries), seed));
    costs.push(`${name} sections:\n\n${showQueryCosts(measured)}`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    builds.push([name, "failed", ...Array.from({ length: 7 }, () => "—")]);
    process.exitCode = 1;
  }
}
const header = [
  "sections",
  "pages",
  "build CPU",
  "wall",
  "peak memory",
  "index without text",
  "index",
  "objects",
  "pointer",
];
console.log([makeTable(header, builds), ...costs].join("\n\n"));
