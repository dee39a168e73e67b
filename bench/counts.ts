/**
 * Counts that must not get worse unnoticed: rounds, reads and bytes of queries, bytes of every table, objects, uploads,
 * new bytes of each edit of a short history.
 *
 *   npm run bench:counts [-- --update]
 *
 * Measures two small corpora, a generated one and the handbook of the tests, plays `replay/small-history.ts`, and compares with `counts.json`: a figure
 * that is worse by more than 2 % fails, with `--update` the file is written anew. No times, so the machine is no matter.
 * Prints a line for each corpus, `ok NAME (…)` or `FAILED NAME (…)`.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compareFigures, type Figures, flattenFigures } from "./compare-figures.ts";
import { writeZipfCorpus } from "./corpora/zipf.ts";
import { countCorpus } from "./count-corpus.ts";
import { countReplay } from "./replay/count-replay.ts";

const COUNTS = fileURLToPath(new URL("counts.json", import.meta.url));
const HANDBOOK = fileURLToPath(new URL("../test/fixtures/handbook", import.meta.url));
const SECTIONS = 2000;
const SEED = 1;

const COUNTED: Readonly<Record<string, (room: string) => Promise<Figures>>> = {
  generated: (room) => {
    writeZipfCorpus(join(room, "pages"), SECTIONS, SEED);
    return countCorpus(room, SEED, true);
  },
  handbook: (room) => {
    cpSync(HANDBOOK, join(room, "pages"), { recursive: true });
    return countCorpus(room, SEED, false);
  },
  replay: countReplay,
};

const isUpdate = process.argv.includes("--update");
const known = existsSync(COUNTS) ? (JSON.parse(readFileSync(COUNTS, "utf8")) as Readonly<Record<string, Figures>>) : {};
const measured: Record<string, Figures> = {};
for (const [name, count] of Object.entries(COUNTED)) {
  // Outside of the checkout: the commit is part of an index, and counts are to be the same at every commit.
  const room = mkdtempSync(join(tmpdir(), "treeline-counts-"));
  try {
    measured[name] = await count(room);
  } finally {
    rmSync(room, { recursive: true, force: true });
  }
  report(name, measured[name]);
}
if (isUpdate) writeFileSync(COUNTS, `${JSON.stringify(measured, undefined, 2)}\n`);

function report(name: string, figures: Figures): void {
  const count = flattenFigures(figures).size;
  const { worse, better, missing } = compareFigures(known[name] ?? {}, figures);
  for (const { figure, before, after } of better) console.log(`better: ${name}, ${figure}: ${before} → ${after}`);
  for (const { figure, before, after } of worse) console.log(`worse: ${name}, ${figure}: ${before} → ${after}`);
  for (const figure of missing) console.log(`only on one side: ${name}, ${figure}`);
  const failures = worse.length + missing.length;
  if (isUpdate) console.log(`${name} (${count} figures): written`);
  else if (failures === 0) console.log(`ok ${name} (${count} figures)`);
  else {
    console.log(
      `FAILED ${name} (${failures} of ${count} figures; renew wanted ones by npm run bench:counts -- --update)`,
    );
    process.exitCode = 1;
  }
}
