/**
 * What searches cost on one index, by class of query: rounds of reads, bytes, CPU.
 *
 *   npm run bench:queries -- DIR INDEX [COUNT] [SEED]
 *
 * DIR is the corpus, from which COUNT (60) queries of each class are drawn, INDEX what `treeline build` made of it, or the
 * last index of a replay (`prove:replay --out`). Cold is the first search of an isolate, its pointer included. CPU is of this process with everything in memory, so that what is timed is decoding, scoring and excerpts; it is noisy, so
 * compare runs of one go.
 */
import { showMedianAndWorst } from "./cost-rows.ts";
import { drawQueries, drawTitles } from "./draw-queries.ts";
import { measureClasses, openMeasuredIndex } from "./measure-queries.ts";
import { showQueryCosts } from "./query-table.ts";

const [dir, indexDir, countText = "60", seedText = "1"] = process.argv.slice(2);
if (dir === undefined || indexDir === undefined) {
  console.error("usage: npm run bench:queries -- DIR INDEX [COUNT] [SEED]");
  process.exit(2);
}
const index = await openMeasuredIndex(indexDir);
const [count, seed] = [Number(countText), Number(seedText)];
const classes = await measureClasses(index, drawQueries(dir, count, seed), true);
const titles = new Map([["page title", drawTitles(dir, count, seed)]]);
const measured = new Map([
  ...classes,
  ["all of these", [...classes.values()].flat()] as const,
  ...(await measureClasses(index, titles, true)),
]);
console.log(showQueryCosts(measured));
for (const [kind, rows] of measured) {
  const cpu = rows.map(({ cpuMs = 0 }) => cpuMs);
  console.log(`${kind}: CPU ms ${showMedianAndWorst(cpu, (ms) => ms.toFixed(1))}`);
}
