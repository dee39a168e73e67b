/** CONTRIBUTING says which files a new language, tool, signal or host touches. What is there already must fit that. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../indexer/languages/languages.ts";
import { offeredTools } from "../../src/mcp/profiles.ts";
import { projectRoot } from "../support/environment.ts";
import { fileNameOf } from "../support/tool-files.ts";

const read = (path: string): string => readFileSync(join(projectRoot, path), "utf8");
const recipes = read("CONTRIBUTING.md").split("## How to add something")[1]?.split("\n## ")[0] ?? "";
const { tools } = offeredTools();

/** Files of `src` and `indexer` whose text a pattern finds. */
function filesWith(pattern: RegExp): string[] {
  const files = globSync("{src,indexer}/**/*.ts", { cwd: projectRoot });
  return files.filter((file) => pattern.test(read(file))).sort();
}

describe("the recipes of CONTRIBUTING", () => {
  it("name files that are there", () => {
    const named = [...recipes.matchAll(/`([\w./-]+\/[\w./-]+\.\w+)`/g)].map(([, path = ""]) => path);
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
  });

  it("hold for each language: a folder, and a spec", () => {
    const folders = globSync("indexer/languages/*/", { cwd: projectRoot }).map((path) => path.split("/")[2]);
    expect(folders.length).toBeGreaterThan(10);
    for (const folder of folders.filter((name) => name !== "base")) {
      expect(existsSync(join(projectRoot, `indexer/languages/${folder}/${folder}.ts`)), folder).toBe(true);
      expect(globSync(`test/indexer/languages/${folder}{.test.ts,/*.test.ts}`, { cwd: projectRoot })).not.toEqual([]);
    }
    expect(LANGUAGES.length).toBeGreaterThanOrEqual(folders.length - 1);
  });

  it.each(tools)("hold for $name: a file, a line in the list, a schema, a golden text, a place in the docs", (tool) => {
    const { name } = tool;
    const file = fileNameOf(tool);
    expect(read(`src/mcp/tools/${file}.ts`)).toContain(`"${name}"`);
    expect(read("src/mcp/profiles.ts")).toContain(`"./tools/${file}.ts"`);
    expect(existsSync(join(projectRoot, `schemas/tools/${file}.schema.json`))).toBe(true);
    // One golden text holds calls of both tools of sessions.
    const golden = file.includes("session") ? "session" : file;
    expect(existsSync(join(projectRoot, `test/golden/tools/${golden}.txt`))).toBe(true);
    expect(read("docs/tools.md")).toContain(`\`${name}\``);
  });

  it.each(["headingCoverage", "titleCoverage", "nameCoverage", "exactForms"])(
    "hold for the ranking signal %s: its weight, and where it counts",
    (signal) => {
      const files = filesWith(new RegExp(`\\b${signal}\\b`));
      expect(files).toHaveLength(2);
      expect(files).toContain("src/core/search/ranking.ts");
    },
  );

  it("hold for output hosts: stores are opened by one option", () => {
    for (const open of ["openFolder", "openBucket"]) {
      expect(filesWith(new RegExp(`\\b${open}\\(`))).toContain("indexer/cli/commands/publish.ts");
    }
  });
});
