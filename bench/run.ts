/**
 * Treeline beside Pagefind on the same pages, in one interleaved run: builds, indexes, queries, re-uploads.
 *
 *   npm run bench -- WORKDIR [--size S|M|L|all] [--runs N] [--queries N] [--seed N] [--client FILE]
 *
 * Prints Markdown. S, M and L are 475, 3,000 and 10,000 pages out of pinned packages, fetched into WORKDIR with
 * Pagefind itself. Ratios are medians over pairs of builds that followed one another; times depend on the machine,
 * everything else does not. `--client` is the script of a page that searches, its gzip counted to the cold bytes.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { comparePeers, type Size } from "./compare-peers.ts";
import { showBuilds, showQueries, showUploads } from "./comparison-tables.ts";

const SIZES: Readonly<Record<string, Size>> = { S: "small", M: "medium", L: "large" };

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: "string", default: "S" },
    runs: { type: "string", default: "3" },
    queries: { type: "string", default: "30" },
    seed: { type: "string", default: "1" },
    client: { type: "string" },
  },
});
const [workDir] = positionals;
const sizes = values.size === "all" ? Object.keys(SIZES) : values.size.split(",");
if (workDir === undefined || sizes.some((name) => SIZES[name] === undefined)) {
  console.error(
    "usage: npm run bench -- WORKDIR [--size S|M|L|all] [--runs N] [--queries N] [--seed N] [--client FILE]",
  );
  process.exit(2);
}
const clientBytes = values.client === undefined ? undefined : gzipSync(readFileSync(values.client)).length;
for (const name of sizes) {
  const comparison = await comparePeers({
    size: SIZES[name] as Size,
    workDir: join(workDir),
    runs: Number(values.runs),
    queries: Number(values.queries),
    seed: Number(values.seed),
    progress: (step) => process.stderr.write(`${name}: ${step}\n`),
  });
  const tables = [showBuilds(comparison), showQueries(comparison, clientBytes), showUploads(comparison)];
  console.log(`\n## ${name}: ${comparison.pages} pages\n\n${tables.join("\n\n")}`);
}
