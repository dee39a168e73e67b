/** How wrangler is run: a program takes its place that writes down what it got. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { runWith, type Wrangler } from "../../../../indexer/cli/deploy/run-wrangler.ts";

/** Like wrangler, it runs itself as a child with the standard input of its own. */
const PROGRAM = `
import { appendFileSync, readFileSync, readdirSync, statSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
if (process.env.INNER === undefined) {
  const { status } = spawnSync(process.execPath, process.argv.slice(1), { stdio: "inherit", env: { ...process.env, INNER: "1" } });
  process.exit(status);
}
const file = process.argv[process.argv.indexOf("--secrets-file") + 1];
const scratch = dirname(process.env.WRANGLER_OUTPUT_FILE_PATH);
console.log(JSON.stringify({
  words: process.argv.slice(2),
  content: process.argv.includes("--secrets-file") ? readFileSync(file, "utf8") : undefined,
  scratch, files: readdirSync(scratch).map((name) => ({ name, mode: (statSync(scratch + "/" + name).mode & 0o777).toString(8) })), logs: process.env.WRANGLER_LOG_PATH, environment: process.env.CLOUDFLARE_ENV, account: process.env.CLOUDFLARE_ACCOUNT_ID,
}));
console.error("a warning");
appendFileSync(process.env.WRANGLER_OUTPUT_FILE_PATH, '{"type":"deploy","targets":["https://x.dev"]}\\n');
if (process.argv.includes("cut")) appendFileSync(process.env.WRANGLER_OUTPUT_FILE_PATH, '{"type":"dep');
process.exit(process.argv.includes("fail") ? 3 : 0);
`;

let folder = "";
let wrangler: Wrangler;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "treeline-run-wrangler-"));
  const program = join(folder, "wrangler.mjs");
  await writeFile(program, PROGRAM);
  wrangler = { folder, program, version: "4.155.0" };
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("wrangler as a process", () => {
  it("gets a content as a file that its owner alone may read, and leaves nothing behind", async () => {
    const run = runWith(wrangler, folder, { CLOUDFLARE_ACCOUNT_ID: "a1" });
    const content = '{"TREELINE_SECRET":"hidden"}';
    const result = await run({ words: ["deploy"], file: { option: "--secrets-file", content } });
    const got = JSON.parse(result.output) as Record<string, string | string[]>;
    expect(got).toMatchObject({ content, account: "a1" });
    expect(JSON.stringify(got["words"])).not.toContain("hidden");
    expect(got["files"]).toEqual([{ name: "given", mode: "600" }]);
    expect(String(got["logs"]).startsWith(String(got["scratch"]))).toBe(true);
    await expect(readFile(String(got["scratch"]))).rejects.toThrow("ENOENT");
    expect(result.events).toEqual([{ type: "deploy", targets: ["https://x.dev"] }]);
  });

  it("leaves out an event that was cut", async () => {
    const { events } = await runWith(wrangler, folder, {})({ words: ["cut"] });
    expect(events).toEqual([{ type: "deploy", targets: ["https://x.dev"] }]);
  });

  it("hears of no environment but in its options", async () => {
    vi.stubEnv("CLOUDFLARE_ENV", "staging");
    const { output } = await runWith(wrangler, folder, {})({ words: ["deploy"] });
    vi.unstubAllEnvs();
    expect((JSON.parse(output) as Record<string, string>)["environment"]).toBe("");
  });

  it("says how it ended, with all of its output", async () => {
    const result = await runWith(wrangler, folder, {})({ words: ["fail"] });
    expect(result.ok).toBe(false);
    expect(result.all).toContain("a warning");
    expect(result.output).not.toContain("a warning");
  });
});
