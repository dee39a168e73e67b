/**
 * Precise edges from the command line to a tool's answer. The SCIP index is one that scip-typescript 0.4.0 wrote of the
 * sources beside it.
 */
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openIndexAt } from "../../indexer/open/open-index.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { callTool } from "../../src/mcp/call.ts";
import { offeredTools } from "../../src/mcp/profiles.ts";
import { createSigningKeys } from "../../src/surface/access/signing-keys.ts";
import { projectRoot } from "../support/environment.ts";
import { runProgram } from "../support/run-program.ts";
import { makeFolder, writeFiles } from "../support/temporary-folder.ts";

const NODE = join(projectRoot, "node_modules", ".bin", "node");
const CLI = join(projectRoot, "indexer", "cli", "main.ts");
const SHELF = join(projectRoot, "test", "fixtures", "scip", "shelf");

/** A folder with the sources and the SCIP index of them. */
async function makeShelf(): Promise<string> {
  const dir = join(await makeFolder(), "shelf");
  await cp(SHELF, dir, { recursive: true });
  return dir;
}

const build = (dir: string, ...words: readonly string[]) =>
  runProgram(NODE, [CLI, "build", "--no-cache", ...words], dir);

/** Text of the tool's answer on the index of a folder. */
async function references(dir: string, symbol: string): Promise<string> {
  const { index } = await openIndexAt(join(dir, ".treeline", "index"));
  const { content } = await callTool(
    offeredTools(),
    "references",
    { symbol },
    {
      withReader: async (run) => ({ value: await run(new IndexReader(index)) }),
      signingKeys: createSigningKeys("test"),
      now: 0,
      report: (problem) => {
        throw new Error(JSON.stringify(problem));
      },
    },
  );
  return content.map(({ text }) => text).join("\n");
}

describe("treeline build --scip", () => {
  it("finds calls on values of inferred types, which the syntax alone does not", async () => {
    const dir = await makeShelf();
    expect(await build(dir, "--quiet", "--precise", "off")).toEqual({ exitCode: 0, output: "" });
    expect(await references(dir, "MemoryShelf.put")).not.toContain("main.ts");
    expect(await build(dir, "--quiet", "--scip", "index.scip")).toEqual({ exitCode: 0, output: "" });
    const answer = await references(dir, "MemoryShelf.put");
    expect(answer).toMatch(/main\.ts/);
    expect(answer).toMatch(/precise/);
    // The second call stands behind a character that is two units of UTF-16.
    expect(answer).toContain('const label = "📚"; all.at(0)?.put(label);');
  });

  it("gives the edges of the index that is given, also on a base where no file changed", async () => {
    const dir = await makeShelf();
    await build(dir, "--quiet");
    const first = await build(dir, "--quiet", "--base", join(".treeline", "index"), "--scip", "index.scip");
    expect(first).toEqual({ exitCode: 0, output: "" });
    expect(await references(dir, "MemoryShelf.put")).toMatch(/precise/);
  });

  it("is an option of join where parts are built, not of the parts", async () => {
    const dir = await makeShelf();
    for (const part of ["1", "2"]) await build(dir, "--quiet", "--shard", `${part}/2`, "--out", `../part-${part}`);
    const joined = await runProgram(
      NODE,
      [CLI, "join", "../part-1", "../part-2", "--quiet", "--scip", "index.scip"],
      dir,
    );
    expect(joined).toEqual({ exitCode: 0, output: "" });
    expect(await references(dir, "MemoryShelf.put")).toMatch(/precise/);
    const part = await build(dir, "--shard", "1/2", "--out", "../part-1", "--scip", "index.scip");
    expect(part).toMatchObject({ exitCode: 2 });
  });

  it("takes several, and says which files an index is no longer of", async () => {
    const dir = await makeShelf();
    const main = await readFile(join(dir, "src", "main.ts"), "utf8");
    await writeFiles(dir, { "src/main.ts": `// One line more.\n${main}` });
    const { exitCode, output } = await build(dir, "--scip", "index.scip", "--scip", "index.scip");
    expect(exitCode).toBe(0);
    expect(output).toMatch(
      /warning \w+:src\/main\.ts:\d+: index\.scip does not match this file: .*its edges are left out.*\[stale-scip\]/,
    );
    expect(output).not.toMatch(/src\/store\.ts:\d+: index\.scip/);
    expect(await references(dir, "Shelf.put")).toMatch(/precise/);
  });

  it("refuses a file that is no SCIP index, in words", async () => {
    const dir = await makeShelf();
    const { exitCode, output } = await build(dir, "--scip", "package.json");
    expect(exitCode).toBe(1);
    expect(output).toMatch(/^treeline build: "package\.json" is no SCIP index: .*\nexample: /);
    expect(output).not.toContain("    at ");
    const missing = await build(dir, "--scip", "gone.scip");
    expect(missing).toMatchObject({ exitCode: 1 });
    expect(missing.output).toContain('SCIP index "gone.scip" cannot be read: no such file or directory');
    expect((await build(dir, "--scip", "")).exitCode).toBe(2);
  });
});
