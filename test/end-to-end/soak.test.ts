import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCorpus } from "../../indexer/index/build.ts";
import { projectRoot } from "../support/environment.ts";
import { runProgram } from "../support/run-program.ts";
import { makeLargeCorpus } from "../support/small-corpora.ts";
import { writeFiles } from "../support/temporary-folder.ts";

const PAGES = 300;
const CALLS = 900;

describe("a server that is asked many things", () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "treeline-soak-"));
    await writeFiles(join(dir, "docs"), makeLargeCorpus(PAGES));
    await buildCorpus({ dir: join(dir, "docs"), outDir: join(dir, "index") });
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  it("lives in a heap of 128 MB, and its memory does not grow", async () => {
    const script = join(projectRoot, "bench", "prove-soak.ts");
    const { exitCode, output } = await runProgram(process.execPath, [script, join(dir, "index"), `${CALLS}`, "3"]);
    expect(output).toContain(`${CALLS} calls`);
    expect(output).toContain("2 generations");
    expect(exitCode).toBe(0);
  });
});
