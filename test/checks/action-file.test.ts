/** `action.yml`, its program and its page say the same, and its scripts hold no text of others. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { variableOf } from "../../indexer/cli/action/inputs.ts";
import { runAction as runProgram } from "../../indexer/cli/action/run-action.ts";
import { projectRoot } from "../support/environment.ts";
import { parseOutputs, readAction } from "../support/run-action.ts";
import { runProgram as start } from "../support/run-program.ts";

const action = await readAction();
const { steps } = action.runs;
const page = await readFile(join(projectRoot, "docs", "github-action.md"), "utf8");

/** First cells of the table below a heading, and the whole rows. */
function rowsOf(heading: string): { readonly names: readonly string[]; readonly row: string }[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  return section.split("\n").flatMap((row) => {
    const names = [...(/^\| (.*?) \|/.exec(row)?.[1] ?? "").matchAll(/`([\w-]+)`/g)].map(([, name = ""]) => name);
    return names.length === 0 ? [] : [{ names, row }];
  });
}

describe("action.yml", () => {
  it("is composite, and describes all that it takes and gives", () => {
    expect(action.runs.using).toBe("composite");
    for (const { description } of [...Object.values(action.inputs), ...Object.values(action.outputs)]) {
      expect(description).toMatch(/^\S.{10,}\.$/);
    }
  });

  it("has a shell for each script, and only steps of its own and the cache", () => {
    for (const { name, run, shell, uses } of steps) {
      expect(name).not.toBe("");
      if (run === undefined) expect(uses).toMatch(/^actions\/cache\/(restore|save)@[0-9a-f]{40}$/);
      else expect([shell, uses]).toEqual(["bash", undefined]);
    }
  });

  it("puts no expression into a script", () => {
    for (const { run = "" } of steps) expect(run).not.toContain("${{");
  });

  it("hands every input to the program as a variable", () => {
    const main = steps.find(({ id }) => id === "treeline");
    const wanted = Object.keys(action.inputs).map((name) => [variableOf(name), `\${{ inputs.${name} }}`]);
    expect(main?.env).toEqual(Object.fromEntries(wanted));
    const prepare = steps.find(({ id }) => id === "prepare");
    expect(main?.env).toMatchObject(prepare?.env ?? {});
    // What is secret stays where it is needed.
    expect(JSON.stringify(steps.filter((step) => step !== main))).not.toMatch(/ACCESS|access-key/);
  });

  it("gives out what the program does, whatever that came to", async () => {
    const temp = await mkdtemp(join(tmpdir(), "treeline-action-"));
    try {
      const environment = { INPUT_MODE: "no mode", GITHUB_OUTPUT: join(temp, "out"), RUNNER_TEMP: temp };
      expect(await runProgram(environment, () => undefined)).toBe(1);
      const given = Object.keys(parseOutputs(await readFile(join(temp, "out"), "utf8")));
      for (const [name, { value }] of Object.entries(action.outputs)) {
        expect(value).toBe(`\${{ steps.treeline.outputs.${name} }}`);
        expect(given).toContain(name);
      }
      expect(given.filter((name) => !Object.hasOwn(action.outputs, name))).toEqual(["save-cache"]);
    } finally {
      await rm(temp, { recursive: true, force: true });
    }
  });

  it("refuses a Node that cannot run it, and installs only where nothing is", async () => {
    const temp = await mkdtemp(join(tmpdir(), "treeline-action-"));
    try {
      const programs = join(temp, "programs");
      await mkdir(programs);
      const program = (name: string, text: string) =>
        writeFile(join(programs, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
      await program("node", 'if [ "$1" = --version ]; then echo v20.1.0; else exit 1; fi');
      await program("npm", 'echo "npm $* in $(pwd)"');
      const run = async (name: string) => {
        const script = steps.find((step) => step.name === name)?.run ?? "";
        await writeFile(
          join(temp, "script.sh"),
          `PATH="${programs}:$PATH"\nexport GITHUB_ACTION_PATH="${temp}"\n${script}`,
        );
        return start("bash", ["--noprofile", "--norc", "-eo", "pipefail", join(temp, "script.sh")], temp);
      };
      const node = await run("Check Node");
      expect(node.exitCode).toBe(1);
      expect(node.output).toMatch(/^::error title=.*::Found v20\.1\.0\..*actions\/setup-node/m);
      // An installed package has no lock file, and all that it needs.
      expect(await run("Install")).toEqual({ exitCode: 0, output: "" });
      await writeFile(join(temp, "package-lock.json"), "{}");
      expect((await run("Install")).output).toContain(`npm ci --omit=dev --omit=optional --ignore-scripts`);
      await mkdir(join(temp, "node_modules"));
      await writeFile(join(temp, "node_modules", ".package-lock.json"), "{}");
      expect(await run("Install")).toEqual({ exitCode: 0, output: "" });
    } finally {
      await rm(temp, { recursive: true, force: true });
    }
  });
});

describe("docs/github-action.md", () => {
  it("has a row for every input, with its default", () => {
    expect(rowsOf("Inputs").map(({ names }) => names[0])).toEqual(Object.keys(action.inputs));
    for (const { names, row } of rowsOf("Inputs")) {
      const wanted = action.inputs[names[0] ?? ""]?.default ?? "";
      expect(row.split("|")[2]?.trim()).toBe(wanted === "" ? "" : `\`${wanted}\``);
    }
  });

  it("names every output", () => {
    expect(
      rowsOf("Outputs")
        .flatMap(({ names }) => names)
        .sort(),
    ).toEqual(Object.keys(action.outputs).sort());
  });
});
