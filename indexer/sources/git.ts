/**
 * The commit that a folder's files were read at, from the `git` program.
 *
 * A folder that the commit does not hold (an ignored or a new one) has no commit: links made from it would lead
 * nowhere. Of changes that are not committed yet it says only whether there are any: in files that it holds, or new ones that are read.
 *
 * I/O: starts `git`.
 */

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import ignore from "ignore";
import type { Role } from "../../src/core/docs/roles.ts";
import { onFsError } from "../base/file-system.ts";

/** Reading one commit takes milliseconds; what takes longer hangs, on a dead network disk for example. */
const GIT_TIMEOUT_MS = 5000;

/** A folder may have many new files. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

const runFile = promisify(execFile);

interface Commit {
  readonly commit: string;
  /** Committer's time, ISO 8601 in UTC to the second; undefined without a commit. */
  readonly committedAt: string | undefined;
  /** Whether files of it that lie in the folder had been changed, or files were read that it does not hold. */
  readonly isDirty: boolean;
  /** Where the folder lies in its repository, with `/` and none at its ends; `""` for the top, and without a commit. */
  readonly folder: string;
}

const NO_COMMIT: Commit = { commit: "none", committedAt: undefined, isDirty: false, folder: "" };

/**
 * The commit at which `dir` is checked out, or `none` outside of git, before the first commit, or without git.
 *
 * @param isRead Whether a file was read, by its path below `dir` with `/`.
 */
export async function readCommit(dir: string, isRead: (path: string) => boolean = () => false): Promise<Commit> {
  const tree = await askGit(dir, ["rev-parse", "--verify", "--quiet", "HEAD:./"]);
  const log = tree === undefined ? undefined : await askGit(dir, ["log", "-1", "--format=%H %ct", "HEAD", "--"]);
  const [, commit, seconds] = /^([0-9a-f]{40,64}) (\d+)$/m.exec(log ?? "") ?? [];
  if (commit === undefined || seconds === undefined) return NO_COMMIT;
  const prefix = (await askGit(dir, ["rev-parse", "--show-prefix"])) ?? "";
  return {
    commit,
    isDirty: (await hasChanges(dir)) || (await listNew(dir)).some(isRead),
    committedAt: new Date(Number(seconds) * 1000).toISOString().replace(".000Z", "Z"),
    folder: prefix.replace(/\/?\r?\n$/, ""),
  };
}

/** Whether files that the commit holds were changed; false where the repository's own settings name programs that would tell. */
async function hasChanges(dir: string): Promise<boolean> {
  const filters = ["config", "--includes", "--show-scope", "--name-only", "--get-regexp", "^filter\\."];
  if (/^(?:local|worktree)\t/m.test((await askGit(dir, filters)) ?? "")) return false;
  const status = ["status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all", "--", "."];
  return ((await askGit(dir, status)) ?? "") !== "";
}

/** Files that git neither holds nor ignores. */
async function listNew(dir: string): Promise<readonly string[]> {
  return ((await askGit(dir, ["ls-files", "--others", "--exclude-standard", "-z", "--", "."])) ?? "").split("\0");
}

/** Absolute path of the top folder of the repository that a folder lies in; undefined outside of git. */
export async function findRepository(dir: string): Promise<string | undefined> {
  return (await askGit(dir, ["rev-parse", "--show-toplevel"]))?.replace(/\r?\n$/, "");
}

/** What git prints, or undefined when it fails, is missing or takes too long. */
export async function askGit(dir: string, args: readonly string[]): Promise<string | undefined> {
  // Neither signatures nor monitors: a repository's own settings can name programs to start for them.
  const settings = ["--no-pager", "-c", "log.showSignature=false", "-c", "core.fsmonitor=false"];
  try {
    const { stdout } = await runFile("git", [...settings, ...args], {
      cwd: dir,
      timeout: GIT_TIMEOUT_MS,
      encoding: "utf8",
      maxBuffer: MAX_OUTPUT_BYTES,
      env: createGitEnvironment(),
      windowsHide: true,
    });
    return stdout;
  } catch (error) {
    // Every failure means the same here: exit code, missing program, missing folder, timeout.
    if (error instanceof Error && ("code" in error || "killed" in error)) return undefined;
    throw error;
  }
}

/** Inside a git hook, variables point at that hook's repository; the folder's own is wanted. */
function createGitEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...process.env, GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" };
  for (const name of ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"]) {
    delete environment[name];
  }
  return environment;
}

/*
 * Which files `.gitattributes` calls generated or vendored, as GitHub reads it (`linguist-generated`, `linguist-vendored`).
 *
 * I/O: reads that file.
 */

/** The role that the file in a folder gives a path below it; undefined where it says nothing. */
export type RoleByAttributes = (path: string) => Role | undefined;

const ATTRIBUTE = /^(-?)linguist-(generated|vendored)(?:=(true|false))?$/;

/** Text of `.gitattributes` of a folder; `""` where there is none. */
export async function readGitAttributes(folder: string): Promise<string> {
  return readFile(join(folder, ".gitattributes"), "utf8").catch(onFsError(async () => ""));
}

/** What the text says. The last line that fits decides. */
export function parseGitAttributes(text: string): RoleByAttributes {
  const rules = text.split("\n").flatMap((line) => {
    const [pattern = "", ...attributes] = line.trim().split(/\s+/);
    if (pattern === "" || /^[#"[]/.test(pattern)) return [];
    return attributes.flatMap((attribute) => {
      const [, minus, name, value] = ATTRIBUTE.exec(attribute) ?? [];
      if (name === undefined) return [];
      const isSet = minus === "" && value !== "false";
      return [{ paths: ignore().add(pattern), role: isSet ? (name as Role) : ("production" as const) }];
    });
  });
  return (path) => rules.findLast(({ paths }) => paths.ignores(path))?.role;
}
