/**
 * Prove that `grep` finds what ripgrep finds: no false zero, equal lines in each file, and a cursor that leads to the rest.
 *
 *   npm run prove:grep -- FOLDER… [--patterns 500] [--seed 1]
 *
 * Builds an index of each folder, draws literals and expressions from real lines and asks both. Needs `rg` on PATH.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openDiskIndex } from "../indexer/base/index-source.ts";
import { buildCorpus } from "../indexer/index/build.ts";
import { listDocumentNames } from "../src/core/docs/catalogue.ts";
import { IndexReader } from "../src/core/index/index-reader.ts";
import { callTool, type ToolServices } from "../src/mcp/call.ts";
import { offeredTools } from "../src/mcp/profiles.ts";
import { createSigningKeys } from "../src/surface/access/signing-keys.ts";
import { type Compared, compareWithRg, drawPatterns } from "../test/support/grep-proof.ts";
import { makeRandom } from "./random.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { patterns: { type: "string", default: "500" }, seed: { type: "string", default: "1" } },
});
const perFolder = Math.ceil(Number(values.patterns) / positionals.length);
const random = makeRandom(Number(values.seed));
const scratch = mkdtempSync(join(tmpdir(), "treeline-grep-"));
const all: Compared[] = [];
try {
  for (const [at, folder] of positionals.entries()) {
    const dir = resolve(folder);
    const outDir = join(scratch, String(at));
    await buildCorpus({ dir, outDir });
    const { index } = await openDiskIndex(outDir);
    const services: ToolServices = {
      withReader: async (run, counters) => ({ value: await run(new IndexReader(index, "all", { counters })) }),
      signingKeys: createSigningKeys("prove"),
      now: 0,
      report: (problem) => console.error(problem),
    };
    const documents = await listDocumentNames(new IndexReader(index, "all"));
    const files = documents.map(({ path }) => path);
    const texts = files.map((path) => readFileSync(join(dir, path), "utf8"));
    const times: number[] = [];
    const ask = async (given: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> => {
      const before = process.cpuUsage();
      const { structuredContent = {} } = await callTool(offeredTools(), "grep", { ...given, format: "json" }, services);
      const { user, system } = process.cpuUsage(before);
      times.push((user + system) / 1000);
      return structuredContent;
    };
    const own: Compared[] = [];
    while (own.length < perFolder) {
      for (const drawn of drawPatterns(texts, perFolder - own.length, random))
        own.push(...[(await compareWithRg(dir, files, ask, drawn)) ?? []].flat());
    }
    times.sort((a, b) => a - b);
    const whole = own.filter(({ isWhole }) => isWhole).length;
    console.log(
      `${folder}: ${files.length} files, ${own.length} patterns, ${whole} whole in one call, CPU ${Math.round(times[times.length >> 1] ?? 0)} ms in the middle, ${Math.round(times.at(-1) ?? 0)} at most`,
    );
    all.push(...own);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
const faults = all.filter(({ fault }) => fault !== "");
for (const { kind, pattern, word, expected, found, fault } of faults)
  console.log(
    `${kind} ${JSON.stringify(pattern)}${word ? " as a word" : ""}: ${expected} lines, found ${found}: ${fault}`,
  );
console.log(
  `${all.length} patterns: ${faults.filter(({ fault }) => fault === "false zero").length} false zeros, ${faults.length} differ`,
);
process.exitCode = faults.length > 0 ? 1 : 0;
