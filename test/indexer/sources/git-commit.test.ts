/**
 * The commit of a folder, from real repositories.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readCommit } from "../../../indexer/sources/git.ts";

const NONE = { commit: "none", committedAt: undefined, isDirty: false, folder: "" };

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "treeline-git-"));
});

afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

test("a folder in a repository has the checked-out commit, its committer's time in UTC, and its place", async () => {
  const hash = await commitFile("docs/a.md", "2026-03-01T12:30:15+02:00");
  const expected = { commit: hash, committedAt: "2026-03-01T10:30:15Z", isDirty: false };
  expect(await readCommit(dir)).toEqual({ ...expected, folder: "" });
  expect(await readCommit(join(dir, "docs"))).toEqual({ ...expected, folder: "docs" });
});

test("a folder that the commit does not hold has none", async () => {
  await commitFile("docs/a.md", "2026-03-01T12:30:15Z");
  await mkdir(join(dir, "dist"));
  await writeFile(join(dir, "dist/a.md"), "new");
  expect(await readCommit(join(dir, "dist"))).toEqual(NONE);
});

test("changed files of the folder are told, and new ones that are read; those of other folders are not", async () => {
  await commitFile("docs/a.md", "2026-03-01T12:30:15Z");
  await writeFile(join(dir, "docs/new.md"), "new");
  expect(await readCommit(join(dir, "docs"))).toMatchObject({ isDirty: false });
  expect(await readCommit(join(dir, "docs"), (path) => path === "new.md")).toMatchObject({ isDirty: true });
  await writeFile(join(dir, ".gitignore"), "new.md\n");
  expect(await readCommit(join(dir, "docs"), (path) => path === "new.md")).toMatchObject({ isDirty: false });
  await writeFile(join(dir, "docs/a.md"), "another text");
  expect(await readCommit(join(dir, "docs"))).toMatchObject({ isDirty: true });
  await mkdir(join(dir, "other"));
  await writeFile(join(dir, "other/b.md"), "b");
  git(["add", "other/b.md"]);
  git(["commit", "--quiet", "--message=Second"]);
  expect(await readCommit(join(dir, "other"))).toMatchObject({ isDirty: false });
});

test("outside of a repository and before the first commit there is none", async () => {
  expect(await readCommit(dir)).toEqual(NONE);
  git(["init", "--quiet"]);
  expect(await readCommit(dir)).toEqual(NONE);
});

test("without git, or without the folder, there is none", async () => {
  vi.stubEnv("PATH", "");
  expect(await readCommit(dir)).toEqual(NONE);
  vi.unstubAllEnvs();
  expect(await readCommit(join(dir, "gone"))).toEqual(NONE);
});

test("a repository's own settings start no program", async () => {
  await commitFile("a.md", "2026-03-01T12:30:15Z");
  const program = join(dir, "hook.sh");
  await writeFile(program, `#!/bin/sh\ntouch "${join(dir, "started")}"\n`);
  await chmod(program, 0o755);
  for (const key of ["core.fsmonitor", "core.pager", "gpg.program", "pager.log"]) {
    git(["config", key, program]);
  }
  git(["config", "log.showSignature", "true"]);
  git(["config", "filter.own.clean", program]);
  await writeFile(join(dir, ".gitattributes"), "*.md filter=own\n");
  await writeFile(join(dir, "a.md"), "changed");
  expect((await readCommit(dir)).commit).toHaveLength(40);
  expect(existsSync(join(dir, "started"))).toBe(false);
});

test("variables of a surrounding git hook do not change the answer", async () => {
  const hash = await commitFile("a.md", "2026-03-01T12:30:15Z");
  process.env["GIT_DIR"] = join(dir, "elsewhere");
  try {
    expect((await readCommit(dir)).commit).toBe(hash);
  } finally {
    delete process.env["GIT_DIR"];
  }
});

async function commitFile(path: string, date: string): Promise<string> {
  git(["init", "--quiet"]);
  await mkdir(dirname(join(dir, path)), { recursive: true });
  await writeFile(join(dir, path), "text");
  git(["add", path]);
  git(["commit", "--quiet", "--message=First", "--date=2020-01-01T00:00:00Z"], { GIT_COMMITTER_DATE: date });
  return git(["rev-parse", "HEAD"]).trim();
}

function git(args: readonly string[], environment: NodeJS.ProcessEnv = {}): string {
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: "Test",
    GIT_AUTHOR_EMAIL: "test@example.org",
    GIT_COMMITTER_NAME: "Test",
    GIT_COMMITTER_EMAIL: "test@example.org",
    ...environment,
  };
  return execFileSync("git", args, { cwd: dir, encoding: "utf8", env });
}
