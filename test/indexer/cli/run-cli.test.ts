import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../../indexer/base/diagnostic.ts";
import { type Command, type CommandInput, runCli, showProgress } from "../../../indexer/cli/run-cli.ts";
import { InputError } from "../../../src/core/errors.ts";
import { projectRoot } from "../../support/environment.ts";
import { listCommand } from "../../support/list-command.ts";

/** Runs a command line against two commands and gives back everything that came of it. */
async function run(words: readonly string[], behave: (input: CommandInput) => Promise<number> = async () => 0) {
  const out: string[] = [];
  const err: string[] = [];
  const build: Command = {
    name: "build",
    summary: "Build an index.",
    positionals: ["<dir>"],
    options: {
      out: { kind: "text", short: "o", placeholder: "DIR", description: "Where the index goes." },
      strict: { kind: "flag", description: "Findings fail the build." },
      report: { kind: "list", placeholder: "FILE", description: "A report." },
    },
    details: "It reads the folder only.",
    run: behave,
  };
  const status: Command = { ...build, name: "status", summary: "Describe an index." };
  const terminal = {
    print: (line: string) => out.push(line),
    warn: (line: string) => err.push(line),
    interactive: false,
  };
  const code = await runCli([listCommand(build), listCommand(status)], words, terminal);
  return { code, out: out.join("\n"), err: err.join("\n") };
}

describe("runCli", () => {
  it("hands a command all values of an option that may be repeated", async () => {
    await run(["build", "docs", "--report", "a", "--report=b"], async ({ list, text }) => {
      expect(list("report")).toEqual(["a", "b"]);
      expect(list("out")).toEqual([]);
      expect(text("report")).toBeUndefined();
      return 0;
    });
    expect((await run(["build", "--help"])).out).toContain("[--report FILE]...");
  });

  it("hands a command what was typed", async () => {
    const { code } = await run(["build", "docs", "-o", "index", "--strict"], async ({ positionals, text, has }) => {
      expect(positionals).toEqual(["docs"]);
      expect(text("out")).toBe("index");
      expect(has("strict")).toBe(true);
      return 0;
    });
    expect(code).toBe(0);
  });

  it("describes a command that help is asked about", async () => {
    expect(await run(["help", "build"])).toEqual(await run(["build", "--help"]));
    expect((await run(["help", "biuld"])).err).toContain("did you mean build?");
  });

  it("writes completions for shells, with commands and their options", async () => {
    const bash = (await run(["completion", "bash"])).out;
    expect(bash).toContain("build status help completion");
    expect(bash).toContain('build) words="--help --out --strict --report"');
    expect(
      execFileSync(
        "bash",
        ["-c", `${bash}\nCOMP_WORDS=(treeline build --o); COMP_CWORD=2; _treeline; echo "$COMPREPLY"`],
        { encoding: "utf8" },
      ),
    ).toBe("--out\n");
    expect((await run(["completion", "zsh"])).out).toContain("bashcompinit");
    expect((await run(["completion", "fish"])).out).toContain("-l out -r -d 'Where the index goes.'");
    expect(await run(["completion", "csh"])).toMatchObject({ code: 2, err: expect.stringContaining("bash|zsh|fish") });
  });

  it("shows progress where a person watches, and never in quiet", () => {
    const shown: string[] = [];
    const terminal = { print: () => undefined, warn: () => undefined, show: (line: string) => shown.push(line) };
    const follow = (isQuiet: boolean, interactive: boolean) => {
      const progress = showProgress({ has: () => isQuiet }, { ...terminal, interactive }, ["reading …", "writing …"]);
      for (const done of [1, 2, 4]) progress(done, 4, `${done} of 4 pages`);
    };
    follow(true, true);
    follow(false, false);
    expect(shown).toEqual([]);
    follow(false, true);
    expect(shown[0]).toBe("reading …");
    expect(shown[1]).toMatch(/^█{6}░{18} 1 of 4 pages, \d+\/s$/);
    expect(shown.at(-1)).toBe("writing …");
  });

  it("says its version", async () => {
    const { version } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as { version: string };
    for (const word of ["--version", "-v"]) expect(await run([word])).toEqual({ code: 0, out: version, err: "" });
  });

  it("lists the commands when asked for help, and takes no command at all as wrong usage", async () => {
    for (const words of [["--help"], ["-h"], ["help"]]) {
      const { code, out } = await run(words);
      expect(code).toBe(0);
      expect(out).toMatch(/usage: treeline <command>[\s\S]*build +Build an index\.[\s\S]*status/);
    }
    expect((await run([])).code).toBe(2);
  });

  it("describes one command with its options", async () => {
    const { code, out } = await run(["build", "--help"]);
    expect(code).toBe(0);
    expect(out).toContain("usage: treeline build <dir> [--out DIR] [--strict]");
    expect(out).toContain("It reads the folder only.");
    expect(out).toMatch(/-o, --out DIR +Where the index goes\./);
  });

  it("names the nearest command when there is none of that name", async () => {
    const { code, err } = await run(["biuld"]);
    expect(code).toBe(2);
    expect(err).toBe('treeline: there is no command "biuld"; did you mean build?');
    expect((await run(["xyzzy"])).err).toContain("the commands are build, status");
  });

  it("names the nearest option when there is none of that name", async () => {
    const { code, err } = await run(["build", "--strct"]);
    expect(code).toBe(2);
    expect(err).toContain("unknown option --strct; did you mean --strict?");
    expect(err).toContain("usage: treeline build");
  });

  it("takes an option without its value, and words too many, as wrong usage", async () => {
    expect((await run(["build", "--out"])).code).toBe(2);
    const { code, err } = await run(["build", "a", "b"]);
    expect(code).toBe(2);
    expect(err).toContain('unexpected "b"');
  });

  it("exits with 1 for unusable input and with 2 for wrong usage that only the command knows", async () => {
    const input = await run(["build", "x"], async () => {
      throw new InputError("no such folder", ["docs"], "treeline build docs");
    });
    expect(input.code).toBe(1);
    expect(input.err).toBe("treeline build: no such folder\ndid you mean: docs?\nexample: treeline build docs");
    const usage = await run(["build", "x"], async () => {
      throw new UsageError("--port must be a number");
    });
    expect(usage.code).toBe(2);
    expect(usage.err).toContain("--port must be a number");
  });

  it("exits with 1 and shows where it broke when a command has a bug", async () => {
    const { code, err } = await run(["build", "x"], async () => {
      throw new TypeError("undefined is not a function");
    });
    expect(code).toBe(1);
    expect(err).toContain("treeline build failed: TypeError: undefined is not a function");
  });

  it("exits with what the command says", async () => {
    expect((await run(["build", "x"], async () => 1)).code).toBe(1);
  });
});
