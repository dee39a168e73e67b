/**
 * Prove that no call of a tool ends without an answer or an error in words.
 *
 *   npm run prove:fuzz -- [RUNS] [SEED]
 *
 * Makes RUNS (2,000) calls of every tool out of its own JSON schema, right ones, nearly right ones and nonsense, on an index
 * of source code and on one of pages: directly, and a tenth of them through the endpoint in each era of the protocol. Prints
 * how they ended and the slowest call of each tool. Ends with 1 where one failed; what failed is printed, as small as it gets.
 */
import { readFile } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import {
  anyArguments,
  FUZZED_TOOLS,
  type FuzzOutcome,
  fuzzDirectly,
  fuzzEndpoint,
  openFuzzIndex,
} from "../test/support/fuzz-calls.ts";

const FIXTURES = ["workshop", "handbook"];
const ENDPOINT_SHARE = 10;

const [runsText = "2000", seedText = "1"] = process.argv.slice(2);
const runs = Number(runsText);
const seed = Number(seedText);
let failures = 0;
let calls = 0;

console.log("index     tool                          answered  refused rejected  slowest ms");
for (const fixture of FIXTURES) {
  const file = fileURLToPath(new URL(`../test/fixtures/${fixture}-index.json`, import.meta.url));
  const index = await openFuzzIndex(JSON.parse(await readFile(file, "utf8")) as Record<string, string>);
  for (const tool of FUZZED_TOOLS) {
    const outcomes: Record<FuzzOutcome, number> = { answered: 0, refused: 0, rejected: 0 };
    let slowest = 0;
    const timed = async (call: () => Promise<FuzzOutcome>): Promise<void> => {
      const start = performance.now();
      outcomes[await call()]++;
      slowest = Math.max(slowest, performance.now() - start);
      calls++;
    };
    const args = anyArguments(tool, index.names);
    const anything = fc.oneof({ weight: 4, arbitrary: args }, { weight: 1, arbitrary: fc.jsonValue() });
    await prove(
      tool.name,
      fc.asyncProperty(args, (given) => timed(() => fuzzDirectly(index, tool, given))),
      runs,
    );
    for (const era of ["modern", "legacy"] as const) {
      await prove(
        `${tool.name}, ${era}`,
        fc.asyncProperty(anything, (given) => timed(() => fuzzEndpoint(index, tool, given, era))),
        Math.ceil(runs / ENDPOINT_SHARE),
      );
    }
    const cells = [outcomes.answered, outcomes.refused, outcomes.rejected].map((count) => String(count).padStart(9));
    console.log(`${fixture.padEnd(10)}${tool.name.padEnd(28)}${cells.join("")}${slowest.toFixed(0).padStart(12)}`);
  }
}
console.log(`${calls} calls, seed ${seed}, ${failures} failures`);
process.exitCode = failures === 0 ? 0 : 1;

async function prove(name: string, property: fc.IAsyncProperty<[unknown]>, numRuns: number): Promise<void> {
  const result = await fc.check(property, { numRuns, seed });
  if (!result.failed) return;
  failures++;
  console.log(`${name}: ${JSON.stringify(result.counterexample)?.slice(0, 2000)}\n  ${String(result.errorInstance)}`);
}
