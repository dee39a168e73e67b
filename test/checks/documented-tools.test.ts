/** The documents name what there is: every tool with its inputs, every command, and answers that tools really give. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildCommands } from "../../indexer/cli/commands/build.ts";
import { deployCommand } from "../../indexer/cli/commands/deploy.ts";
import { createInitCommand } from "../../indexer/cli/commands/init.ts";
import { publishCommands } from "../../indexer/cli/commands/publish.ts";
import { searchCommands } from "../../indexer/cli/commands/search.ts";
import { CODE_ENDINGS } from "../../src/core/text/code-languages.ts";
import { listedTools, offeredTools } from "../../src/mcp/profiles.ts";
import { projectRoot } from "../support/environment.ts";

const TOOLS_PAGE = read("docs/tools.md");
const GOLDEN_FOLDER = join(projectRoot, "test", "golden", "tools");
/** What the page says of all tools together. */
const SHARED_INPUTS = ["session", "max_tokens", "format"];
const { tools } = offeredTools();

function read(path: string): string {
  return readFileSync(join(projectRoot, path), "utf8");
}

/** Text below a heading of the second level. */
function sectionOf(page: string, heading: string): string {
  return page.split(/^## /m).find((section) => section.startsWith(`${heading}\n`)) ?? "";
}

/** Rows of all tables: the texts of their cells. */
function rowsOf(text: string): string[][] {
  const rows = text.split("\n").filter((line) => line.startsWith("| "));
  return rows.map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Names in code style at the beginning of rows. */
function namesOf(text: string): string[] {
  return rowsOf(text).flatMap(([first = ""]) => [...first.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name));
}

/** Names in a cell: `a`, `b`. */
function namesIn(cell = ""): string[] {
  return cell.split(", ").map((name) => name.replaceAll("`", ""));
}

describe("docs/tools.md", () => {
  it.each(tools)("describes $name with its inputs, their defaults and maxima", (tool) => {
    const { name, parameters } = tool;
    // The second tool of a name is headed by its first input, too.
    const isFirst = tools.find((one) => one.name === name) === tool;
    const section = sectionOf(TOOLS_PAGE, isFirst ? name : `${name} with ${Object.keys(parameters)[0]}`);
    expect(section).not.toBe("");
    const own = Object.keys(parameters).filter((parameter) => !SHARED_INPUTS.includes(parameter));
    expect(namesOf(section)).toEqual(expect.arrayContaining(own));
    for (const parameter of own) {
      const { default: wanted, maximum } = parameters[parameter] as { default?: unknown; maximum?: number };
      const row = rowsOf(section).find(([first = ""]) => first.includes(`\`${parameter}\``)) ?? [];
      if (wanted !== undefined)
        expect(row[1]?.replaceAll("`", ""), parameter).toMatch(new RegExp(`^${literal(wanted)}`));
      if (maximum !== undefined) expect(row[1]?.replaceAll(",", ""), parameter).toContain(`; ${maximum}`);
    }
  });

  it("lists the tools of each profile", () => {
    const rows = rowsOf(sectionOf(TOOLS_PAGE, "Profiles"));
    const common = namesIn(rows.find(([first]) => first === "every profile")?.[1]);
    for (const profile of ["docs", "code", "graph", "categories", "ops"] as const) {
      const [, listed = ""] = rows.find(([first]) => first === `\`${profile}\``) ?? [];
      const names = listedTools([profile], undefined).map((tool) => tool.name);
      expect([...namesIn(listed), ...common]).toEqual(names);
    }
  });

  it("shows answers as the golden texts hold them", () => {
    const golden = readdirSync(GOLDEN_FOLDER).flatMap((file) =>
      readFileSync(join(GOLDEN_FOLDER, file), "utf8").split(/^>>> /m),
    );
    const shown = [...TOOLS_PAGE.matchAll(/^(`{3,})text\n>>> ([^\n]+)\n([\s\S]*?)\n\1$/gm)];
    expect(shown.length).toBeGreaterThan(10);
    for (const [, , call = "", answer = ""] of shown) {
      const whole = golden.find((text) => text.startsWith(`${call}\n`)) ?? "";
      let from = 0;
      for (const part of answer.split(/(?:^|\n)…(?:\n|$)/)) {
        const at = whole.indexOf(part, from);
        expect(at, `${call}: ${part}`).toBeGreaterThanOrEqual(from);
        from = at + part.length;
      }
    }
  });
});

describe("README.md", () => {
  it("names every tool that agents are offered", () => {
    const offered = listedTools(undefined, undefined);
    expect(offered.length).toBeGreaterThan(0);
    for (const { name } of offered) expect(read("README.md")).toContain(`\`${name}\``);
  });
});

describe("docs/command-line.md", () => {
  it.each([
    ...[
      createInitCommand(),
      buildCommands.build,
      searchCommands.dump,
      publishCommands.publish,
      publishCommands.pull,
      publishCommands.rollback,
      publishCommands.gc,
    ],
    ...[publishCommands.corpora, deployCommand],
  ])("describes the options and arguments of $name", (command) => {
    const section = sectionOf(read("docs/command-line.md"), command.name);
    for (const option of Object.keys(command.options)) expect(section).toContain(`--${option}`);
    expect(section).toContain(["treeline", command.name, ...command.positionals].join(" "));
  });
});

describe("docs/configuration.md", () => {
  it("names the endings that are parsed", () => {
    const listed = [...read("docs/configuration.md").matchAll(/`\.([\w+]+)`/g)].map(([, ending]) => ending);
    expect(listed).toEqual(expect.arrayContaining([...CODE_ENDINGS]));
  });
});

/** A value as an expression for exactly its text. */
function literal(value: unknown): string {
  return String(value).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
