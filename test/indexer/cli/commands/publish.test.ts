/** `treeline publish`, `rollback` and `gc` as a person types them, with a folder for a store. */
import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { publishCommands } from "../../../../indexer/cli/commands/publish.ts";
import { writePageFiles } from "../../../../indexer/cli/pages/pages.ts";
import { buildCorpus } from "../../../../indexer/index/build.ts";
import { checkOutput } from "../../../support/check-output.ts";
import { GROUPED, groupedFiles } from "../../../support/grouped-files.ts";
import { type CommandOutput, runCommands } from "../../../support/list-command.ts";
import { makeFolder, readFolder } from "../../../support/temporary-folder.ts";

function treeline(...words: readonly string[]): Promise<CommandOutput> {
  return runCommands([publishCommands.publish, publishCommands.rollback, publishCommands.gc], words);
}

/** Folders of two indexes, and one to publish to. */
async function makeIndexes(): Promise<{ readonly one: string; readonly two: string; readonly site: string }> {
  const dir = await makeFolder({ "a/page.md": "# One\n", "b/page.md": "# Two\n\nQuokkas.\n" });
  const [one, two, site] = [join(dir, "one"), join(dir, "two"), join(dir, "site")] as const;
  await buildCorpus({ dir: join(dir, "a"), outDir: one });
  await buildCorpus({ dir: join(dir, "b"), outDir: two });
  return { one, two, site };
}

describe("the commands of publishing", () => {
  it("bring what pages load to a folder, from the index or where it is asked for, and to no bucket", async () => {
    const { one, two, site } = await makeIndexes();
    expect((await treeline("publish", "-i", one, "--folder", site)).out).not.toContain("for pages");
    expect(await readdir(site)).not.toContain("search.js");
    const asked = await treeline("publish", "-i", one, "--folder", site, "--browser");
    expect(asked.out).toMatch(/wrote \d+ files for pages/);
    expect(asked.err).toContain('"docs" has no address');
    expect(await readdir(site)).toEqual(expect.arrayContaining(["search.js", "engine.js"]));
    await writePageFiles(two, [{ name: "search.js", bytes: Buffer.from("built") }]);
    expect((await treeline("publish", "-i", two, "--folder", site, "--dry-run")).out).toContain("1 files for pages");
    expect((await treeline("publish", "-i", two, "--folder", site)).out).toContain("wrote 1 files for pages");
    expect(await readFile(join(site, "search.js"), "utf8")).toBe("built");
    expect((await checkOutput(site)).generation).toBe((await checkOutput(two)).generation);
    const bucket = await treeline("publish", "-i", one, "--bucket", "https://example.org/docs", "--browser");
    expect(bucket).toMatchObject({ code: 2, err: expect.stringContaining("--browser needs --folder") });
  });

  it("publish, go back, and collect", async () => {
    const { one, two, site } = await makeIndexes();
    const first = await treeline("publish", "--index", one, "--folder", site);
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toMatch(/^published [0-9a-f]{12}\n {2}uploaded \d+ files, /);
    expect((await treeline("publish", "-i", one, "--folder", site)).out).toContain("is current already");
    const second = JSON.parse((await treeline("publish", "-i", two, "--folder", site, "--json")).out);
    const { generation } = await checkOutput(one);
    expect(second).toMatchObject({ switched: true, replaced: generation, kept: [generation], dryRun: false });
    expect((await checkOutput(site)).generation).toBe(second.generation);
    expect((await treeline("rollback", "--folder", site, "--dry-run")).out).toContain("would be current");
    expect((await treeline("rollback", "--folder", site, "--to", generation.slice(0, 8))).out).toContain("is current");
    expect((await checkOutput(site)).generation).toBe(generation);

    const old = "0".repeat(32);
    for (const name of [`${old}.pack`, "index.html", "access.json"]) {
      await writeFile(join(site, name), "");
      await utimes(join(site, name), new Date(0), new Date(0));
    }
    const planned = await treeline("gc", "--folder", site, "--dry-run", "--json");
    expect(JSON.parse(planned.out)).toMatchObject({ removed: 1, foreign: ["index.html"], dryRun: true });
    const collected = await treeline("gc", "--folder", site, "--grace", "90m");
    expect(collected.out).toMatch(/^1 files, 0 B removed; /);
    expect(collected.err).toContain("index.html");
    const left = await readdir(site);
    expect(left).not.toContain(`${old}.pack`);
    expect(left).toEqual(expect.arrayContaining(["index.html", "access.json"]));
  });

  it("write nothing where they are called in a way that they cannot be", async () => {
    const { one, site } = await makeIndexes();
    for (const words of [
      ["publish", "-i", one],
      ["publish", "-i", one, "--folder", site, "--bucket", "https://example.org/b"],
      ["publish", "-i", one, "--folder", ""],
      ["publish", "-i", one, "--folder", one],
      ["publish", "-i", "https://example.org", "--folder", site],
      ["publish", "-i", one, "--folder", site, "--keep", "-1"],
      ["publish", "-i", one, "--folder", site, "--keep", "100"],
      ["gc", "--folder", site, "--grace", "30m"],
      ["gc", "--folder", site, "--grace", "1w"],
      ["gc", "--folder", site, "--grace", ""],
      ["rollback"],
    ]) {
      expect(await treeline(...words)).toMatchObject({ code: 2, out: "" });
    }
    for (const words of [
      ["publish", "-i", site, "--folder", one],
      ["rollback", "--folder", site],
      ["gc", "--folder", site],
      ["publish", "-i", one, "--bucket", "http://example.org/b"],
    ]) {
      const { code, err } = await treeline(...words);
      expect(code).toBe(1);
      expect(err).not.toContain("    at ");
    }
    expect((await treeline("publish", "-i", one, "--folder", site, "--dry-run")).out).toContain(
      "would replace nothing",
    );
    await expect(readdir(site)).rejects.toThrow("ENOENT");
  });

  it("refuse an index whose files are missing or damaged, before anything is switched", async () => {
    const { one, two, site } = await makeIndexes();
    await treeline("publish", "-i", one, "--folder", site);
    const { generation } = await checkOutput(site);
    for (const name of [...(await readFolder(two)).keys()].filter((file) => file.endsWith(".pack"))) {
      await writeFile(join(two, name), "x");
    }
    const { code, err } = await treeline("publish", "-i", two, "--folder", site);
    expect(code).toBe(1);
    expect(err).toContain("does not hold what its name says");
    expect((await checkOutput(site)).generation).toBe(generation);
  });

  it("warn that a folder which is served shows all access groups", async () => {
    const dir = await makeFolder(groupedFiles(GROUPED.slice(0, 2)));
    await buildCorpus({ dir, outDir: join(dir, ".out") });
    const { err } = await treeline("publish", "-i", join(dir, ".out"), "--folder", join(dir, ".site"));
    expect(err).toContain("shows everybody all files");
  });
});
