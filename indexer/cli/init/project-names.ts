/**
 * What a project is called, where its repository is, and which branch is published.
 *
 * I/O: starts `git`.
 */

import { basename, relative, sep } from "node:path";
import { pick } from "../../../src/core/parse-text.ts";
import { askGit, findRepository } from "../../sources/git.ts";
import { type ProjectFolder, readJsonSettings, readTomlSettings, textOf } from "./project-files.ts";

const MAX_NAME = 63;
/** A Worker or bucket of this project among those of an account. */
const SUFFIX = "-treeline";
const DEFAULT_BRANCH = "main";
const USUAL_BRANCHES = [DEFAULT_BRANCH, "master"];

/** Look names up. @param dir Absolute path of the project. */
export async function readProjectNames(project: ProjectFolder, dir: string) {
  const top = await findRepository(dir);
  const manifest = readJsonSettings(project, "package.json");
  const remote = top === undefined ? undefined : await askGit(dir, ["remote", "get-url", "origin"]);
  const repository =
    webAddress(remote ?? "") ||
    webAddress(textOf(pick(manifest, "repository", "url")) ?? textOf(manifest.repository) ?? "");
  const name =
    textOf(manifest.name) ??
    textOf(readTomlSettings(project, "pyproject.toml")["project.name"]) ??
    textOf(readTomlSettings(project, "Cargo.toml")["package.name"]) ??
    nameOfPlace(repository, top, dir);
  return {
    /** Name for Worker and bucket: letters, digits and hyphens. */
    worker: workerName(name),
    /** Web address of the repository; `""` where none is known. */
    repository,
    ...(top === undefined ? { branch: DEFAULT_BRANCH, isBranchGuessed: false } : await readBranch(dir)),
    /** Absolute path of the top folder of the repository; undefined outside of git. */
    top,
  };
}
export type ProjectNames = Readonly<Awaited<ReturnType<typeof readProjectNames>>>;

/** A project without a manifest is called like its repository, with its folder there: a repository may hold several. */
function nameOfPlace(repository: string, top: string | undefined, dir: string): string {
  if (repository === "" || top === undefined) return basename(dir);
  return [basename(repository), ...relative(top, dir).split(sep)].filter((part) => part !== "").join("-");
}

/** A name for Worker and bucket out of a project's. */
export function workerName(project: string): string {
  const plain = project
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/^@/, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_NAME - SUFFIX.length)
    .replace(/^-+|-+$/g, "");
  return plain === "" || plain === "treeline" ? "treeline" : `${plain}${SUFFIX}`;
}

/** Address of a repository on the web, out of what git or a manifest says; `""` where it is on none. */
export function webAddress(remote: string): string {
  const text = remote.trim();
  const short = /^(?:(github|gitlab|bitbucket):)?([\w.-]+\/[\w.-]+)$/.exec(text);
  if (short !== null)
    return short[1] === "bitbucket"
      ? `https://bitbucket.org/${short[2]}`
      : `https://${short[1] ?? "github"}.com/${short[2]}`;
  const ssh = /^(?:ssh:\/\/)?(?:[\w.-]+@)([\w.-]+)(?::\d+\/|[:/])([\w./~-]+)$/.exec(text);
  const address = ssh === null ? text.replace(/^git\+/, "").replace(/^git:/, "https:") : `https://${ssh[1]}/${ssh[2]}`;
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return "";
  const { protocol, host, pathname } = new URL(address);
  const path = pathname.replace(/\/+$/, "").replace(/\.git$/, "");
  return path === "" ? "" : `${protocol}//${host}${path}`;
}

/**
 * The default branch: what the clone knows of its origin; else, since `git init` notes nothing of the kind, a branch
 * with one of the usual names; last the one that is checked out.
 */
async function readBranch(dir: string): Promise<{ readonly branch: string; readonly isBranchGuessed: boolean }> {
  const ask = async (...words: readonly string[]): Promise<string> => (await askGit(dir, words))?.trim() ?? "";
  const head = await ask("symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD");
  const remote = /^origin\/(.+)$/.exec(head)?.[1];
  if (remote !== undefined && isPlainBranch(remote)) return { branch: remote, isBranchGuessed: false };
  const current = await ask("symbolic-ref", "--quiet", "--short", "HEAD");
  // The branch of a repository without a commit is in no list.
  const branches = [current, ...(await ask("for-each-ref", "--format=%(refname:short)", "refs/heads")).split(/\r?\n/)];
  const usual = [...USUAL_BRANCHES, await ask("config", "--get", "init.defaultBranch")];
  const found = usual.find((name) => branches.includes(name) && isPlainBranch(name));
  if (found !== undefined) return { branch: found, isBranchGuessed: false };
  return isPlainBranch(current)
    ? { branch: current, isBranchGuessed: true }
    : { branch: DEFAULT_BRANCH, isBranchGuessed: false };
}

/**
 * Whether a branch can be written as it is. What else git allows would need quoting, and nobody's default branch is
 * called so.
 */
export function isPlainBranch(branch: string): boolean {
  return /^[\w./-]+$/.test(branch);
}
