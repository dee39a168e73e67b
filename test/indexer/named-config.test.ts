/** A configuration that is named with `--config`, in place of the folder's own. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDiskIndex } from "../../indexer/base/index-source.ts";
import { buildCommands } from "../../indexer/cli/commands/build.ts";
import { runCommands } from "../support/list-command.ts";
import { makeFolder } from "../support/temporary-folder.ts";

const collection = (name: string): string => JSON.stringify({ collections: [{ name, include: ["guide/*.md"] }] });

async function makeTree(): Promise<string> {
  return makeFolder({
    "docs/guide/a.md": "# A\n\nText.\n",
    "docs/b.md": "# B\n\nText.\n",
    "docs/treeline.config.json": "{ this is no configuration",
    "settings/v2.json": collection("second"),
    "settings/wrong.json": '{\n  "colections": []\n}\n',
  });
}

async function run(...words: readonly string[]) {
  return runCommands([buildCommands.build, buildCommands.join], words);
}

describe("--config", () => {
  it("is used in place of the folder's own, with paths that start at the folder", async () => {
    const dir = await makeTree();
    const [docs, out, file] = [join(dir, "docs"), join(dir, "index"), join(dir, "settings", "v2.json")];
    expect(await run("build", docs, "--config", file, "--out", out, "--quiet")).toMatchObject({ code: 0, err: "" });
    const { collections } = await openDiskIndex(out);
    expect(collections.map(({ name, documents }) => [name, documents])).toEqual([["second", 1]]);
  });

  it("holds for parts and for joining them", async () => {
    const dir = await makeTree();
    const [docs, part, out] = [join(dir, "docs"), join(dir, "part"), join(dir, "index")];
    const config = ["--config", join(dir, "settings", "v2.json")];
    expect(await run("build", docs, ...config, "--shard", "1/1", "--out", part)).toMatchObject({ code: 0, err: "" });
    expect((await run("join", part, "--dir", docs, "--out", out)).err).toContain("treeline.config.json:1:");
    expect(await run("join", part, "--dir", docs, ...config, "--out", out)).toMatchObject({ code: 0 });
    expect((await openDiskIndex(out)).collections.map(({ name }) => name)).toEqual(["second"]);
  });

  it("is named in what is wrong with it, by line and column", async () => {
    const dir = await makeTree();
    const file = join(dir, "settings", "wrong.json");
    const { code, err } = await run("build", join(dir, "docs"), "--config", file);
    expect(code).toBe(1);
    expect(err).toContain(`${file}:2:3: `);
    expect(err).toContain("collections");
  });

  it("is named where a folder that it names is missing", async () => {
    const dir = await makeTree();
    const file = join(dir, "settings", "lost.json");
    await writeFile(file, '{\n  "collections": [{ "name": "a", "root": "guied" }]\n}\n');
    const { code, err } = await run("build", join(dir, "docs"), "--config", file);
    expect(code).toBe(1);
    expect(err).toContain(`${file}:2:`);
    expect(err).toContain('did you mean "guide"?');
  });

  it("names what lies nearest where it is not there", async () => {
    const dir = await makeTree();
    const { code, err } = await run("build", join(dir, "docs"), "--config", join(dir, "settings", "v3.json"));
    expect(code).toBe(1);
    expect(err).toContain("there is no configuration");
    expect(err).toContain(`did you mean: ${join(dir, "settings", "v2.json")}`);
    expect(await run("build", "--config", "")).toMatchObject({ code: 2 });
  });
});
