/** Builds of folders that no build should meet: each ends with an index, or with an error in words and the old index whole. */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it, onTestFinished } from "vitest";
import { type BuildRequest, type BuildSummary, buildCorpus } from "../../../indexer/index/build.ts";
import { codeLanguageOf } from "../../../src/core/text/code-languages.ts";
import { checkOutput } from "../../support/check-output.ts";
import { makeFolder, writeFiles } from "../../support/temporary-folder.ts";

const HEALTHY = { "healthy.md": "# Healthy\n\nText.\n", "healthy.ts": "export const healthy = 1;\n" };
const SAMPLES = join(import.meta.dirname, "../../fixtures/languages");
const ENDINGS = readdirSync(SAMPLES).map((name) => name.replace("sample.", ""));

async function build(dir: string, more: Partial<BuildRequest> = {}): Promise<BuildSummary> {
  const outDir = join(dir, ".treeline");
  const summary = await buildCorpus({ dir, outDir, threads: 0, ...more });
  await checkOutput(more.outDir ?? outDir);
  return summary;
}

/** `reason path` of what was skipped. */
function skipsOf({ skipped }: BuildSummary): string[] {
  return skipped.map(({ reason, path }) => `${reason} ${path}`).sort();
}

describe("a file beside healthy ones", () => {
  const damages: readonly (readonly [string, (text: string) => string])[] = [
    ["cut in half", (text) => text.slice(0, text.length >> 1)],
    ["doubled", (text) => text + text],
    ["with CRLF and a byte order mark", (text) => `\ufeff${text.replaceAll("\n", "\r\n")}`],
    ["with a NUL", (text) => `${text.slice(0, 99)}\0${text.slice(99)}`],
    ["with a long line", (text) => `${text}\n// ${"word ".repeat(10_000)}\n`],
    ["with braces in 1,000 braces", (text) => text + "{".repeat(1_000)],
    ["with parentheses in 1,000 parentheses", (text) => `${text}${"(".repeat(1_000)}${")".repeat(1_000)}`],
    ["with brackets in 1,000 brackets", (text) => `${text}x = ${"[".repeat(1_000)}${"]".repeat(1_000)}`],
    ["with generics in 1,000 generics", (text) => `${text}let x: ${"A<".repeat(1_000)}B${">".repeat(1_000)};`],
    ["with lists in quotes, 1,000 deep", (text) => text + "> - ".repeat(1_000)],
    ["with tags in 1,000 tags", (text) => text + "<div>".repeat(1_000)],
  ];

  it.each(damages)("in each language, %s, is a document or a named skip", async (_, damage) => {
    const samples = ENDINGS.map((ending) => {
      const text = readFileSync(join(SAMPLES, `sample.${ending}`), "utf8");
      return [`sample.${ending}`, damage(text)] as const;
    });
    const dir = await makeFolder({ ...HEALTHY, ...Object.fromEntries(samples) });
    const site = { name: "site", kind: "site", include: ["*.html"] };
    await writeFiles(dir, {
      "treeline.config.json": JSON.stringify({
        collections: [{ name: "docs", include: ["*.md", "*.mdx"] }, { name: "code", kind: "code" }, site],
      }),
    });
    const { documents, skipped, diagnostics } = await build(dir);
    const others = ["healthy.md", "healthy.ts", "treeline.config.json"].filter((path) => codeLanguageOf(path));
    expect(documents + skipped.length).toBe(samples.length + others.length + 1);
    expect(new Set(skipped.map(({ reason }) => reason))).toEqual(new Set(skipped.length === 0 ? [] : ["binary"]));
    expect(diagnostics.filter(({ path }) => path.startsWith("healthy"))).toEqual([]);
  });
});

describe("names", () => {
  it("of any kind are indexed or skipped by name", async () => {
    const long = `${"n".repeat(252)}.md`;
    const names = ["__proto__.md", "con.md", "dots...md", " space .md", "bidi\u202e.md", long, "constructor.ts"];
    const control = ["line\nfeed.md", "tab\t.md"];
    const dir = await makeFolder({
      ...HEALTHY,
      ...Object.fromEntries([...names, ...control].map((name) => [name, "# A\n"])),
    });
    await writeFile(Buffer.concat([Buffer.from(`${dir}/bad`), Buffer.from([0xff]), Buffer.from(".md")]), "# A\n");
    const summary = await build(dir);
    expect(summary.documents).toBe(names.length + 2);
    expect(skipsOf(summary)).toEqual([...control.map((name) => `path-unprintable ${name}`), "unreadable bad\ufffd.md"]);
  });

  it("whose path is longer than a key are skipped", async () => {
    const dir = await makeFolder({ ...HEALTHY, [`${`${"d".repeat(200)}/`.repeat(15)}a.md`]: "# A\n" });
    const summary = await build(dir);
    expect(summary.documents).toBe(2);
    expect(summary.skipped.map(({ reason }) => reason)).toEqual(["path-too-long"]);
  });
});

describe("a folder that changes while it is read", () => {
  it("is built of what was there, and says what it could not read", async () => {
    const names = Array.from({ length: 60 }, (_, at) => `p${String(at).padStart(2, "0")}.md`);
    const dir = await makeFolder(Object.fromEntries(names.map((name) => [name, `# ${name}\n\nText.\n`])));
    let isChanged = false;
    const changes: Promise<unknown>[] = [];
    const summary = await build(dir, {
      progress: (done) => {
        // Files are read in batches: those of the last one are not read yet.
        if (isChanged || done === 0) return;
        isChanged = true;
        execFileSync("rm", [join(dir, "p56.md"), join(dir, "p57.md")]);
        execFileSync("mkdir", [join(dir, "p57.md")]);
        changes.push(
          truncate(join(dir, "p58.md"), 3),
          writeFile(join(dir, "p59.md"), `# Grown\n\n${"w ".repeat(9_000)}`),
        );
      },
    });
    await Promise.all(changes);
    expect(isChanged).toBe(true);
    expect(summary.documents).toBe(58);
    expect(skipsOf(summary)).toEqual(["unreadable p56.md", "unreadable p57.md"]);
  });
});

describe("a repository", () => {
  const git = (dir: string, ...args: readonly string[]): void => {
    const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
    execFileSync("git", [...identity, ...args], { cwd: dir, stdio: "ignore" });
  };

  it.each<readonly [string, (dir: string) => void | Promise<void>, RegExp]>([
    ["without a commit", (dir) => git(dir, "init"), /^none$/],
    ["whose .git is a broken file", (dir) => writeFile(join(dir, ".git"), "gitdir: /nowhere\n"), /^none$/],
    ["whose .git is an empty folder", async (dir) => void (await mkdir(join(dir, ".git"))), /^none$/],
    [
      "with a detached head",
      (dir) => {
        git(dir, "init");
        git(dir, "add", ".");
        git(dir, "commit", "-m", "one");
        git(dir, "checkout", "--detach");
      },
      /^[0-9a-f]{40}$/,
    ],
  ])("%s is built", async (_, make, commit) => {
    const dir = await makeFolder(HEALTHY);
    await make(dir);
    const summary = await build(dir);
    expect(summary.commit).toMatch(commit);
    expect(summary.diagnostics).toEqual([]);
  });
});

describe("an output folder", () => {
  it("that two builds of different files write at once has the index of one of them, whole", async () => {
    const dirs = await Promise.all([makeFolder(HEALTHY), makeFolder({ "other.md": "# Other\n" })]);
    const outDir = await makeFolder();
    const made = await Promise.all(dirs.map((dir) => buildCorpus({ dir, outDir, threads: 0 })));
    const { generation, others } = await checkOutput(outDir);
    expect(made.map((summary) => summary.generation)).toContain(generation);
    expect(others).toEqual([]);
  });

  it.runIf(process.platform === "linux")("that cannot be made is an error that says so", async () => {
    const dir = await makeFolder(HEALTHY);
    await expect(buildCorpus({ dir, outDir: "/proc/treeline" })).rejects.toThrow(
      'cannot write to "/proc/treeline": the folder cannot be made there; choose one that you may write to',
    );
    await expect(buildCorpus({ dir, outDir: join(dir, "n".repeat(300)) })).rejects.toThrow("name too long");
  });

  it.runIf(process.platform === "linux" && process.getuid?.() === 0)(
    "on a disk that is full, then read-only, keeps the old index",
    async ({ skip }) => {
      const dir = await makeFolder(HEALTHY);
      const disk = await mkdtemp(join(tmpdir(), "treeline-disk-"));
      try {
        execFileSync("mount", ["-t", "tmpfs", "-o", "size=60k", "tmpfs", disk], { stdio: "ignore" });
      } catch {
        skip("this machine mounts nothing");
      }
      onTestFinished(async () => {
        execFileSync("umount", [disk]);
        await rm(disk, { recursive: true });
      });
      const outDir = join(disk, "index");
      await build(dir, { outDir });
      const before = await checkOutput(outDir);
      const pages = Array.from({ length: 40 }, (_, at) => [
        `p${at}.md`,
        `# P${at}\n\n${randomBytes(3_000).toString("base64")}`,
      ]);
      await writeFiles(dir, Object.fromEntries(pages) as Record<string, string>);
      await expect(build(dir, { outDir })).rejects.toThrow(/^cannot write to ".*index": no space left on device$/);
      expect(await checkOutput(outDir)).toEqual(before);
      execFileSync("mount", ["-o", "remount,ro", disk]);
      await expect(build(dir, { outDir })).rejects.toThrow(/^cannot write to ".*index": read-only file system$/);
      expect(await checkOutput(outDir)).toEqual(before);
    },
  );
});
