/** Several corpora in one folder, as a person types it: `publish --corpus`, `corpora`, `pull`, `rollback` and `gc`. */
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publishCommands } from "../../../../indexer/cli/commands/publish.ts";
import { checkCommand } from "../../../../indexer/cli/commands/status.ts";
import { buildCorpus } from "../../../../indexer/index/build.ts";
import { STAYS_MS } from "../../../../indexer/publish/published.ts";
import { checkOutput } from "../../../support/check-output.ts";
import { type CommandOutput, runCommands } from "../../../support/list-command.ts";
import { makeFolder, readFolder, writeFiles } from "../../../support/temporary-folder.ts";

const COMMANDS = [
  publishCommands.publish,
  publishCommands.rollback,
  publishCommands.gc,
  publishCommands.corpora,
  publishCommands.pull,
  checkCommand,
];

function treeline(...words: readonly string[]): Promise<CommandOutput> {
  return runCommands(COMMANDS, words);
}

let dir: string;
let one: string;
let two: string;

/** A folder where one index is the root's, and both are corpora. */
async function makeSite(): Promise<string> {
  const site = await makeFolder();
  await treeline("publish", "-i", one, "--folder", site);
  await treeline("publish", "-i", one, "--folder", site, "--corpus", "v1");
  await treeline("publish", "-i", two, "--folder", site, "--corpus", "v2");
  return site;
}

/** As if hours had gone by since anything in a folder was written. */
async function age(folder: string, hours: number): Promise<void> {
  const time = new Date(Date.now() - hours * STAYS_MS);
  for (const name of await readdir(folder)) await utimes(join(folder, name), time, time);
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "treeline-test-"));
  await writeFiles(dir, { "a/page.md": "# One\n", "b/page.md": "# Two\n\nQuokkas.\n" });
  [one, two] = [join(dir, "one"), join(dir, "two")];
  await buildCorpus({ dir: join(dir, "a"), outDir: one });
  await buildCorpus({ dir: join(dir, "b"), outDir: two });
});

afterAll(() => rm(dir, { recursive: true, force: true }));

describe("the commands of several corpora", () => {
  it("publish side by side, list, go back and collect, each corpus alone", async () => {
    const site = await makeSite();
    const [first, second] = [(await checkOutput(one)).generation, (await checkOutput(two)).generation];
    expect((await checkOutput(site)).generation).toBe(first);
    expect((await checkOutput(join(site, "v2"))).generation).toBe(second);
    const { code, out } = await treeline("corpora", "--folder", site);
    expect(code).toBe(0);
    expect(out.split("\n").map((line) => line.split(/ +/).slice(0, 2))).toEqual([
      ["(root)", first],
      ["v1", first],
      ["v2", second],
    ]);
    await treeline("publish", "-i", two, "--folder", site, "--corpus", "v1");
    const listed = JSON.parse((await treeline("corpora", "list", "--folder", site, "--json")).out);
    expect(listed).toMatchObject({
      corpora: [{ name: "" }, { name: "v1", generation: second, kept: 1 }, { name: "v2", kept: 0 }],
      unreadable: [],
      leftOver: [],
    });
    expect((await treeline("rollback", "--folder", site, "--corpus", "v1")).out).toContain(`${first} `);
    const others = [await readFolder(join(site, "v1")), await readFolder(join(site, "v2"))];
    expect((await treeline("gc", "--folder", site)).err).toBe("");
    expect([await readFolder(join(site, "v1")), await readFolder(join(site, "v2"))]).toEqual(others);
  });

  it("remove a corpus only when they are told to, and its files when nobody reads them any more", async () => {
    const site = await makeSite();
    const asked = await treeline("corpora", "remove", "v2", "--folder", site);
    expect(asked).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^Nothing was removed: say it again with --yes/),
    });
    const planned = await treeline("corpora", "remove", "v2", "--folder", site, "--dry-run");
    expect(planned).toEqual({ code: 0, out: asked.out, err: "" });
    expect((await checkOutput(join(site, "v2"))).generation).toMatch(/^\w+$/);
    await age(join(site, "v2"), 5);
    expect((await treeline("corpora", "remove", "v2", "--folder", site, "--yes")).code).toBe(0);
    const { corpora, leftOver } = JSON.parse((await treeline("corpora", "--folder", site, "--json")).out);
    expect(corpora.map(({ name }: { name: string }) => name)).toEqual(["", "v1"]);
    expect(leftOver).toEqual(["v2"]);
    expect((await treeline("gc", "--folder", site, "--corpus", "v2")).out).toMatch(/^0 files.*have to wait/);
    const marks = (await readdir(join(site, "v2"))).filter((name) => name.startsWith("treeline.removed."));
    expect(marks).toHaveLength(1);
    const mark = join(site, "v2", marks[0] ?? "");
    const longAgo = new Date(Date.now() - 2 * STAYS_MS);
    await utimes(mark, longAgo, longAgo);
    expect((await treeline("gc", "--folder", site, "--corpus", "v2")).out).toMatch(/^[1-9]\d* files.* removed;/);
    expect(await readdir(join(site, "v2"))).toEqual([]);
    expect((await checkOutput(join(site, "v1"))).generation).toBe((await checkOutput(one)).generation);
    const gone = await treeline("gc", "--folder", site, "--corpus", "v2");
    expect(gone).toMatchObject({ code: 1 });
    expect(gone.err).toContain("nothing is published in");
    expect(gone.err).toContain("corpora there: v1");
  });

  it("keep what was removed half, or never published to its end, for a grace period", async () => {
    const site = await makeSite();
    await age(join(site, "v2"), 5);
    await rm(join(site, "v2", "treeline.pointer"));
    expect((await treeline("gc", "--folder", site, "--corpus", "v2")).out).toMatch(/^0 files.*have to wait/);
    // A mark that is older than a later upload is that of an earlier removal.
    await age(join(site, "v2"), 5);
    const file = [...(await readFolder(two)).keys()].find((name) => name.endsWith(".pack")) ?? "";
    const later = new Date(Date.now() - 2 * STAYS_MS);
    await utimes(join(site, "v2", file), later, later);
    expect((await treeline("gc", "--folder", site, "--corpus", "v2")).out).toMatch(/^0 files.*have to wait/);
    expect(await readdir(join(site, "v2"))).toContain(file);
  });

  it("pull what is published into a folder that builds, checks and publishes go on with", async () => {
    const site = await makeSite();
    const index = join(await makeFolder(), "index");
    const pulled = JSON.parse((await treeline("pull", "--folder", site, "--corpus", "v2", "-i", index, "--json")).out);
    expect(pulled).toMatchObject({ generation: (await checkOutput(two)).generation, switched: true, reusedFiles: 0 });
    expect(await readFolder(index)).toEqual(await readFolder(two));
    const again = await treeline("pull", "--folder", site, "--corpus", "v2", "-i", index);
    expect(again).toMatchObject({ code: 0, err: "" });
    expect(again.out).toContain("is there already");
    expect((await treeline("check", "-i", index)).code).toBe(0);
    expect((await treeline("publish", "-i", index, "--folder", site, "--corpus", "v2")).out).toContain("is current");
    await writeFile(join(dir, "b", "more.md"), "# More\n\nWombats.\n");
    await buildCorpus({ dir: join(dir, "b"), outDir: index, base: index });
    expect((await treeline("publish", "-i", index, "--folder", site, "--corpus", "v2")).out).toContain("replaces");
    await rm(join(dir, "b", "more.md"));
    expect((await treeline("pull", "--folder", site, "-i", index, "--quiet")).out).toBe("");
    expect(await readFolder(index)).toEqual(await readFolder(one));
  });

  it("change nothing where they are called in a way that they cannot be, and say what there is", async () => {
    const site = await makeSite();
    await mkdir(join(site, "assets"));
    const before = await readdir(site, { recursive: true });
    for (const words of [
      ["pull", "-i", join(dir, "x")],
      ["pull", "-i", "https://example.org", "--folder", site],
      ["pull", "-i", join(site, "v1"), "--folder", site, "--corpus", "v1"],
      ["publish", "-i", join(site, "v1"), "--folder", site, "--corpus", "v1"],
      ["corpora"],
      ["corpora", "drop", "--folder", site],
      ["corpora", "remove", "--folder", site],
      ["corpora", "list", "v1", "--folder", site],
      ["corpora", "--yes", "--folder", site],
      ["corpora", "--dry-run", "--folder", site],
      ["corpora", "remove", "v1", "--yes", "--dry-run", "--folder", site],
    ]) {
      expect(await treeline(...words)).toMatchObject({ code: 2, out: "" });
    }
    for (const [says, ...words] of [
      ["corpora there: v1, v2", "pull", "-i", join(dir, "x"), "--folder", site, "--corpus", "v3"],
      ["nothing is published", "pull", "-i", join(dir, "x"), "--folder", join(site, "none")],
      ["corpora there: v1, v2", "corpora", "remove", "v22", "--folder", site, "--yes"],
      ["corpora there: v1, v2", "rollback", "--folder", site, "--corpus", "v22"],
      ["may be called", "publish", "-i", one, "--folder", site, "--corpus", "mcp"],
      ["small letters", "publish", "-i", one, "--folder", site, "--corpus", "../v1"],
      ["small letters", "gc", "--folder", site, "--corpus", ""],
      ["small letters", "corpora", "remove", "a/b", "--folder", site, "--yes"],
      ["there is a file where", "pull", "-i", join(dir, "a", "page.md"), "--folder", site],
      ["there is a file where", "publish", "-i", one, "--folder", join(dir, "a", "page.md")],
    ] as const) {
      const { code, out, err } = await treeline(...words);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toContain(says);
      expect(err).not.toContain("    at ");
    }
    expect(await readdir(site, { recursive: true })).toEqual(before);
    expect(await readdir(dir)).not.toContain("x");
  });

  it("list corpora in the order of the server", async () => {
    const site = await makeFolder();
    for (const name of ["v10", "v9"]) await treeline("publish", "-i", one, "--folder", site, "--corpus", name);
    const { corpora } = JSON.parse((await treeline("corpora", "--folder", site, "--json")).out);
    expect(corpora.map(({ name }: { name: string }) => name)).toEqual(["v9", "v10"]);
    expect((await treeline("pull", "-i", join(dir, "x"), "--folder", site)).err).toContain("corpora there: v9, v10");
  });

  it("name a corpus whose pointer cannot be read beside the others", async () => {
    const site = await makeSite();
    await writeFile(join(site, "v1", "treeline.pointer"), "something else");
    const { code, out, err } = await treeline("corpora", "--folder", site);
    expect(code).toBe(0);
    expect(out).toContain("v2");
    expect(err).toMatch(/^v1 .*cannot be read/);
    expect((await treeline("pull", "-i", join(dir, "x"), "--folder", site, "--corpus", "v1")).err).toContain(
      "cannot be read",
    );
    expect((await treeline("corpora", "remove", "v1", "--folder", site, "--yes")).code).toBe(0);
    expect((await treeline("publish", "-i", two, "--folder", site, "--corpus", "v1")).code).toBe(0);
  });
});
