/**
 * Prove that the MCP inspector, as npm gives it, goes from a question to the text in both eras of the protocol.
 *
 *   npm run prove:inspector
 *
 * Fetches the inspector with npx, so it needs the network. Exits with 1 where a step does not show what the next one asks for.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildCorpus } from "../indexer/index/build.ts";
import { JOURNEY, textsOf, writeJourneyCorpus } from "../test/support/journey.ts";
import { runProgram } from "../test/support/run-program.ts";
import { startWorker } from "../test/support/workerd.ts";

const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";

const dir = await mkdtemp(join(tmpdir(), "treeline-inspector-"));
await writeJourneyCorpus(dir);
await buildCorpus({ dir, outDir: join(dir, "index") });
const server = await startWorker();
try {
  await server.publish("", join(dir, "index"));
  for (const era of ["modern", "legacy"]) for (const step of JOURNEY) await prove(era, step);
} finally {
  await server.stop();
  await rm(dir, { recursive: true, force: true });
}

async function prove(era: string, { tool, args, shows }: (typeof JOURNEY)[number]): Promise<void> {
  const pairs = Object.entries(args).map(
    ([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const to = ["--cli", `${server.url}/mcp`, "--transport", "http", "--protocol-era", era];
  const call = ["--method", "tools/call", "--tool-name", tool, "--tool-arg", ...pairs];
  const { exitCode, output } = await runProgram("npx", ["--yes", INSPECTOR, ...to, ...call], dir);
  const answer = output.slice(output.indexOf("{"));
  const isGood = exitCode === 0 && textsOf(JSON.parse(answer) as Record<string, unknown>).includes(shows);
  console.log(`${isGood ? "ok" : "FAILED"} ${era} ${tool}`);
  if (!isGood) {
    console.log(output);
    process.exitCode = 1;
  }
}
