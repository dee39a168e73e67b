/** Builds whose inputs are those of an index that is there: they take it over, and any input that differs makes them build. */
import { execFileSync } from "node:child_process";
import { readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { BuildRequest, BuildSummary } from "../../../indexer/index/build.ts";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import { makeCorpus, type SmallCorpus } from "../../support/small-corpus.ts";

const FILES = {
  "treeline.config.json": JSON.stringify({ glossary: "words.json", categories: "categories.json" }),
  "words.json": JSON.stringify({ CSP: ["Content Security Policy"] }),
  "categories.json": JSON.stringify({ categories: [{ name: "Guides" }] }),
  ".gitignore": "draft/\n",
  ".gitattributes": "lib/** linguist-vendored\n",
  "a.md": "# A\n\nThe Content Security Policy of [b](b.md), and [gone](gone.md).\n",
  "b.md": "# B\n\nCall `greet()`.\n",
  "guide/c.md": "# C\n\nA guide.\n",
  "draft/d.md": "# D\n\nA draft.\n",
  "lib/greet.ts": "export function greet(): string {\n  return 'hello';\n}\n",
  "package.json": JSON.stringify({ name: "greeter" }),
  "binary.md": "\0\0\0",
} as const;

/** Builds, and whether anything was looked at but the files. */
async function build(
  corpus: SmallCorpus,
  index: string,
  more: Partial<BuildRequest> = {},
): Promise<{ readonly isBuilt: boolean; readonly summary: BuildSummary }> {
  let isBuilt = false;
  const before = (): void => {
    isBuilt = true;
  };
  const cacheDir = join(corpus.dir, "cache");
  const summary = await corpus.build(index, { cacheDir, clock: Date.now, threads: 0, before, ...more });
  return { isBuilt, summary };
}

describe("a build of what an index was made of", () => {
  it("takes over the index of the output folder, and says of it what the first build said", async () => {
    const corpus = await makeCorpus(FILES);
    const first = await build(corpus, "one");
    const files = await corpus.files("one");
    for (const path of Object.keys(FILES)) await utimes(join(corpus.dir, "docs", path), new Date(0), new Date(1e12));
    const second = await build(corpus, "one");
    expect([first.isBuilt, second.isBuilt]).toEqual([true, false]);
    expect(await corpus.files("one")).toEqual(files);
    const { base, added, newBytes, reusedBytes, ...same } = first.summary;
    expect(second.summary).toMatchObject(same);
    expect(second.summary).toMatchObject({ base: first.summary.generation, added: 0, newBytes: 0 });
    expect([base, added, newBytes > second.summary.reusedBytes, reusedBytes]).toEqual(["", 4, true, 0]);
    expect(Object.keys(second.summary).sort()).toEqual(Object.keys(first.summary).sort());
  });

  it("takes over a base into another folder, which is then whole", async () => {
    const corpus = await makeCorpus(FILES);
    const first = await build(corpus, "one");
    const on = { base: join(corpus.dir, "indexes", "one") };
    expect(await build(corpus, "two", on)).toMatchObject({
      isBuilt: false,
      summary: { base: first.summary.generation },
    });
    expect(await corpus.files("two")).toEqual(await corpus.files("one"));
    await corpus.edit({ "a.md": "# A\n\nOther.\n" });
    expect(await build(corpus, "two", on)).toMatchObject({ isBuilt: true });
    const built = await corpus.files("two");
    // On itself it is as it was; a build from scratch may divide it otherwise.
    expect(await build(corpus, "two", { base: join(corpus.dir, "indexes", "two") })).toMatchObject({ isBuilt: false });
    expect(await corpus.files("two")).toEqual(built);
    expect(await build(corpus, "two")).toMatchObject({ isBuilt: true });
    await build(corpus, "fresh");
    const pointers = [await corpus.files("two"), await corpus.files("fresh")].map((files) => {
      files.delete(POINTER_FILE);
      return files;
    });
    expect(pointers[0]).toEqual(pointers[1]);
  });

  it.each([
    ["a.md", "# A\n\nThe Content Security Policy of [b](b.md), and [here](gone.md).\n"],
    ["new.md", "# New\n"],
    ["b.md", undefined],
    ["binary.md", "\0\0"],
    ["draft/d.md", undefined],
    ["treeline.config.json", JSON.stringify({ glossary: "words.json", ranking: { title_weight: 5 } })],
    ["words.json", JSON.stringify({ CSP: ["Content Security Policies"] })],
    ["categories.json", JSON.stringify({ categories: [{ name: "Leads" }] })],
    [".gitignore", ""],
    [".treelineignore", "guide/\n"],
    [".gitattributes", ""],
    ["package.json", JSON.stringify({ name: "welcomer" })],
  ])("builds where %s differs", async (path, text) => {
    const corpus = await makeCorpus(FILES);
    await build(corpus, "one");
    await corpus.edit({ [path]: text });
    // Of a file that is ignored nothing is known.
    expect(await build(corpus, "one")).toMatchObject({ isBuilt: path !== "draft/d.md" });
    await build(corpus, "fresh", { cacheDir: join(corpus.dir, "other-cache") });
    expect([...(await corpus.files("one")).keys()]).toEqual([...(await corpus.files("fresh")).keys()]);
  });

  it("builds where a file has another name, with findings of tools, or without a cache", async () => {
    const corpus = await makeCorpus(FILES);
    await build(corpus, "one");
    await rename(join(corpus.dir, "docs/guide/c.md"), join(corpus.dir, "docs/guide/d.md"));
    expect(await build(corpus, "one")).toMatchObject({ isBuilt: true });
    const report = join(corpus.dir, "report.sarif");
    const run = { tool: { driver: { name: "lint" } }, results: [{ ruleId: "r", message: { text: "Bad." } }] };
    await writeFile(report, JSON.stringify({ version: "2.1.0", runs: [run] }));
    for (let n = 0; n < 2; n++)
      expect(await build(corpus, "one", { reports: [report] })).toMatchObject({ isBuilt: true });
    expect(await build(corpus, "one")).toMatchObject({ isBuilt: true });
  });

  it("builds at another commit, and where files of it were changed", async () => {
    const corpus = await makeCorpus(FILES);
    const git = (...args: string[]): void => {
      const author = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
      execFileSync("git", [...author, ...args], { cwd: join(corpus.dir, "docs"), stdio: "ignore" });
    };
    await build(corpus, "one");
    git("init");
    git("add", ".");
    git("commit", "--message=First");
    expect(await build(corpus, "one")).toMatchObject({ isBuilt: true });
    expect(await build(corpus, "one")).toMatchObject({ isBuilt: false });
    git("commit", "--allow-empty", "--message=Second");
    expect(await build(corpus, "one")).toMatchObject({ isBuilt: true });
    await corpus.edit({ "package.json": `${FILES["package.json"]}\n` });
    expect(await build(corpus, "one")).toMatchObject({ isBuilt: true });
  });

  it("builds again where a file of the index is damaged or gone", async () => {
    const corpus = await makeCorpus(FILES);
    await build(corpus, "one");
    const whole = await corpus.files("one");
    for (const [name, bytes] of whole) {
      const path = join(corpus.dir, "indexes", "one", name);
      const damaged = Buffer.from(bytes);
      damaged.writeUInt8(damaged.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
      for (const harm of [() => writeFile(path, damaged), () => rm(path)]) {
        await harm();
        await build(corpus, "one");
        expect([...(await corpus.files("one")).keys()]).toEqual([...whole.keys()]);
        if (name !== POINTER_FILE) expect(await readFile(path)).toEqual(Buffer.from(bytes));
      }
    }
  });

  it("builds again after a stage failed", async () => {
    const corpus = await makeCorpus(FILES);
    const failing = (stage: string, path: string): void => {
      if (stage === "resolve" && path === "b.md") throw new Error("a fault");
    };
    await corpus.build("one", { cacheDir: join(corpus.dir, "cache"), clock: Date.now, threads: 0, before: failing });
    expect(await build(corpus, "one")).toMatchObject({ isBuilt: true });
    expect(await build(corpus, "one")).toMatchObject({ isBuilt: false });
  });
});
